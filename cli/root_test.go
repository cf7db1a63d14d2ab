package cli

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"varview/cli/env"
	"varview/ui/text"
)

// The help of every command fits a terminal of 80 columns.
func TestHelpFits(t *testing.T) {
	root := commands{&env.Env{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}}.rootCommand()
	for _, cmd := range append([]*cobra.Command{root}, root.Commands()...) {
		var out bytes.Buffer
		cmd.SetOut(&out)
		if err := cmd.Help(); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), "Usage:") {
			t.Errorf("%s: no usage:\n%s", cmd.Name(), out.String())
		}
		for line := range strings.Lines(out.String()) {
			if line = strings.TrimSuffix(line, "\n"); text.Width(line) > helpWidth {
				t.Errorf("%s: %d columns: %s", cmd.Name(), text.Width(line), line)
			}
		}
	}
}
