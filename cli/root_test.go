package cli

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"varview/internal/text"
)

// The help of every command fits a terminal of 80 columns, begins with what it does in up to three lines, then examples, and
// names no placeholder by its type in Go.
func TestHelpFits(t *testing.T) {
	root := Command()
	grouped := map[string]bool{}
	for _, g := range groups {
		for _, name := range g.commands {
			grouped[name] = true
		}
	}
	for _, cmd := range append([]*cobra.Command{root}, root.Commands()...) {
		var out bytes.Buffer
		cmd.SetOut(&out)
		short := cmd.Help()
		cmd.InheritedFlags() // which adds the flag
		cmd.Flags().Set("all", "true")
		if err := errors.Join(short, cmd.Help()); err != nil {
			t.Fatal(err)
		}
		if cmd != root && !grouped[cmd.Name()] && !cmd.IsAdditionalHelpTopicCommand() {
			t.Errorf("%s is in no group", cmd.Name())
		}
		if does, examples, found := strings.Cut(out.String(), "\n\nExamples:\n"); cmd.Example != "" && cmd != root && (!found || strings.Count(does, "\n") > 2 || strings.Count(examples, "\n  varview") == 0) {
			t.Errorf("%s begins with:\n%s", cmd.Name(), does)
		}
		if named := goType.FindString(out.String()); named != "" {
			t.Errorf("%s has the placeholder %q", cmd.Name(), named)
		}
		if !strings.Contains(out.String(), "Usage:") && !cmd.IsAdditionalHelpTopicCommand() {
			t.Errorf("%s: no usage:\n%s", cmd.Name(), out.String())
		}
		for line := range strings.Lines(out.String()) {
			if line = strings.TrimSuffix(line, "\n"); text.Width(line) > helpWidth {
				t.Errorf("%s: %d columns: %s", cmd.Name(), text.Width(line), line)
			}
		}
	}
}

// goType matches a flag whose value is named by its type in Go.
var goType = regexp.MustCompile(`--[a-z-]+ (?:string|strings|stringArray|int|uint|float64|duration)\b`)

// Documents are opened by the model, for all commands in the same way.
func TestOpensThroughModel(t *testing.T) {
	files, err := filepath.Glob("*/*.go")
	own, err2 := filepath.Glob("*.go")
	if files = append(files, own...); err != nil || err2 != nil || len(files) < 50 {
		t.Fatalf("%d files (%v, %v)", len(files), err, err2)
	}
	opens := regexp.MustCompile(`\b(decoder\.Open|wrap\.Open|source\.(OpenFile|Spool))\(`)
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if call := opens.Find(text); call != nil && !strings.HasSuffix(name, "_test.go") {
			t.Errorf("%s calls %s", name, call)
		}
	}
}
