package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"varview/decoder/engine/lazy"
	"varview/internal/text"
)

// groups are the commands by what they are used for. Those that are in none are listed by --help --all.
var groups = []struct {
	title    string
	commands []string
}{
	{"Look", []string{"info", "get", "find", "table", "export", "dump", "check"}},
	{"Change", []string{"set", "insert", "delete", "sort", "import", "convert", "repair", "restore", "recover"}},
	{"Compare", []string{"diff", "merge", "watch"}},
	{"Networks", []string{"packets", "listen"}},
	{"Formats", []string{"formats", "guess", "layers", "ksy"}},
	{"More", []string{"config", "git", "completion", "help", "version"}},
}

// rare are the flags that are only in --help --all.
var rare = []string{"orphans", "files-from", "in-place", "force", "generation", "unwrap", "wrap",
	"double", "ksy-path", "layers", "max-unpacked", "length", "project", "input", "copy-limit", "no-copy", "no-state", "no-color", "all", "arg", "theme"}

// Limits of the short help.
const (
	fewExamples = 3
	fewFlags    = 10
)

// help prints how a command is used: first examples and the flags that are used most; with --all everything.
func help(cmd *cobra.Command, _ []string) {
	out := cmd.OutOrStdout()
	if all, err := cmd.Flags().GetBool("all"); err == nil && all {
		fmt.Fprintf(out, "%s\n\n%s", cmp.Or(cmd.Long, cmd.Short), cmd.UsageString())
		return
	}
	fmt.Fprintf(out, "%s\n\n", opening(cmd))
	shown, _ := firstLines(cmd.Example, fewExamples)
	if cmd.HasParent() && shown != "" {
		fmt.Fprintf(out, "Examples:\n%s\n\n", shown)
	}
	fmt.Fprintf(out, "Usage:\n  %s\n", cmd.UseLine())
	switch {
	case !cmd.HasParent():
		fmt.Fprint(out, "  varview COMMAND FILE...\n")
		writeGroups(out, cmd)
	case cmd.HasAvailableSubCommands():
		fmt.Fprint(out, "\nCommands:\n")
		for _, c := range cmd.Commands() {
			writeCommand(out, c)
		}
	}
	flags, left := fewOf(cmd.LocalFlags())
	fmt.Fprintf(out, "\nFlags:\n%s", flags.FlagUsagesWrapped(helpWidth))
	more := "describes it in full"
	if left > 0 {
		more += fmt.Sprintf(", with %d more flags", left)
	}
	fmt.Fprintf(out, "\n\"%s --help --all\" %s.\n\"varview help flags\" lists the flags of all commands.\n", cmd.CommandPath(), more)
}

// opening returns what a command does, in up to three lines: the sentences of its description that fit.
func opening(cmd *cobra.Command) string {
	paragraph, _, _ := strings.Cut(cmd.Long, "\n\n")
	if all, more := firstLines(paragraph, 3); more || strings.HasSuffix(paragraph, ":") {
		ends := sentenceEnd().FindAllStringIndex(all, -1)
		if len(ends) == 0 {
			return cmd.Short
		}
		paragraph = all[:ends[len(ends)-1][0]+1]
	}
	return cmp.Or(paragraph, cmd.Short)
}

// sentenceEnd matches the end of a sentence, with what divides it from the next one.
var sentenceEnd = lazy.Regexp(`\.(?:\s|$)`)

// writeGroups lists the commands, with an example of each group.
func writeGroups(out io.Writer, root *cobra.Command) {
	for _, g := range groups {
		fmt.Fprintf(out, "\n%s:\n", g.title)
		example := ""
		for _, name := range g.commands {
			c, _, err := root.Find([]string{name})
			if err != nil || c == root {
				continue
			}
			writeCommand(out, c)
			if first, _ := firstLines(c.Example, 1); example == "" {
				example = first
			}
		}
		if example != "" {
			fmt.Fprintf(out, "    e.g. %s\n", strings.TrimSpace(example))
		}
	}
}

func writeCommand(out io.Writer, c *cobra.Command) {
	fmt.Fprintf(out, "  %-11s %s\n", c.Name(), text.Head(c.Short, helpWidth-14))
}

// firstLines returns the first lines of a text, and whether there are more.
func firstLines(s string, most int) (first string, more bool) {
	var lines []string
	for line := range strings.SplitSeq(strings.TrimRight(s, "\n"), "\n") {
		if len(lines) == most {
			return strings.Join(lines, "\n"), true
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n"), false
}

// fewOf returns the flags of a command that are used most, and how many others there are.
func fewOf(all *pflag.FlagSet) (few *pflag.FlagSet, left int) {
	few, n := pflag.NewFlagSet("", pflag.ContinueOnError), 0
	few.SortFlags = true
	all.VisitAll(func(f *pflag.Flag) {
		switch {
		case f.Hidden:
		case n == fewFlags || slices.Contains(rare, f.Name):
			left++
		default:
			few.AddFlag(f)
			n++
		}
	})
	return few, left
}
