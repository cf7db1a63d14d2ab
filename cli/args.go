package cli

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"varview/decoder/wrap"
)

// rootArgs accepts one file. Without any it shows how the program is used; with
// several the first is probably a command misspelt.
func (e *env) rootArgs(cmd *cobra.Command, args []string) error {
	switch len(args) {
	case 1:
		return nil
	case 0:
		fmt.Fprintf(e.stderr, "%s\n\nUsage:\n  varview FILE\n  varview COMMAND FILE\n\nExamples:\n%s\n\n\"varview --help\" says more.\n",
			cmd.Short, cmd.Example)
		return errTold
	}
	if cmd.SuggestionsMinimumDistance = 2; len(cmd.SuggestionsFor(args[0])) > 0 {
		return fmt.Errorf("there is no command %q; did you mean %s?", args[0], strings.Join(cmd.SuggestionsFor(args[0]), " or "))
	}
	return fmt.Errorf("one file at a time, not %d (\"varview --help\" lists the commands)", len(args))
}

// anyNumber is as many arguments as somebody likes.
const anyNumber = math.MaxInt

// wants accepts from least to most arguments, which are called what.
func wants(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) >= least && len(args) <= most {
			return nil
		}
		return fmt.Errorf("%s takes %s (\"%s --help\" says more)", cmd.Name(), what, cmd.CommandPath())
	}
}

// flagError reports a flag that does not exist, or a value that it cannot have. A
// key is not repeated.
func flagError(cmd *cobra.Command, err error) error {
	if errors.Is(err, wrap.ErrKeyLength) {
		err = fmt.Errorf("--key: %w", wrap.ErrKeyLength)
	}
	return fmt.Errorf("%w (\"%s --help\" lists the flags)", err, cmd.CommandPath())
}

// completeFiles completes the first n arguments with the names of files.
func completeFiles(n int) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) < n {
			return nil, cobra.ShellCompDirectiveDefault
		}
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
}
