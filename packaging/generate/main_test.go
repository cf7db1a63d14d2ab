package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"varview/cli"
)

// read returns the text of a manual page, without what sets fonts and breaks lines.
func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.NewReplacer(`\fB`, "", `\fI`, "", `\fP`, "", `\fR`, "", `\&`, "", `\-`, "-", `\\`, `\`).Replace(string(data))
	return strings.Join(strings.Fields(text), " ")
}

// TestPages: the manual has a page for each command, with all that its help says.
func TestPages(t *testing.T) {
	folder := t.TempDir()
	if err := generate(folder); err != nil {
		t.Fatal(err)
	}
	root := cli.Command()
	if len(root.Commands()) < 10 {
		t.Fatalf("%d commands", len(root.Commands()))
	}
	for _, cmd := range append(root.Commands(), root) {
		if cmd.IsAdditionalHelpTopicCommand() {
			continue
		}
		page := strings.ReplaceAll(cmd.CommandPath(), " ", "-")
		text := read(t, filepath.Join(folder, "man", page+".1"))
		parts := append(strings.Split(cmd.Long, "\n\n"), cmd.Short)
		for line := range strings.Lines(cmd.Example) {
			parts = append(parts, line)
		}
		cmd.LocalFlags().VisitAll(func(flag *pflag.Flag) {
			if _, usage := pflag.UnquoteUsage(flag); !flag.Hidden {
				parts = append(parts, "--"+flag.Name, usage)
			}
		})
		for _, part := range parts {
			if part = strings.Join(strings.Fields(part), " "); !strings.Contains(text, part) {
				t.Errorf("%s has not: %s", page, part)
			}
		}
	}
	for name := range found {
		if text := read(t, filepath.Join(folder, "man", "varview-"+name+".1")); !strings.Contains(text, ".SH EXIT STATUS") || strings.Count(text, ".TP") < 4 {
			t.Errorf("%s: its exit statuses are missing", name)
		}
	}
	text := read(t, filepath.Join(folder, "man", "varview.1"))
	for _, part := range []string{".SH EXIT STATUS", "VARVIEW_KEY", "FILE~"} {
		if !strings.Contains(text, part) {
			t.Errorf("varview has not: %s", part)
		}
	}
}

// TestCompletions: the completion of each shell asks the program.
func TestCompletions(t *testing.T) {
	folder := t.TempDir()
	if err := generate(folder); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"varview", "_varview", "varview.fish", "varview.ps1"} {
		if text := read(t, filepath.Join(folder, "completions", name)); !strings.Contains(text, "__complete") {
			t.Errorf("%s: %s", name, text)
		}
	}
}
