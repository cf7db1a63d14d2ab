package cli

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"varview/cli/check"
	"varview/cli/flags"
	"varview/cli/report"
)

const checkLong = `Find problems in files: what an engine would refuse or misread, what is unusual,
and what to know before a file is loaded, in the values and in their wrappers.
Where bytes make no sense, check looks for the cause: the smallest change after
which they do. "or" begins another cause, as likely as the one above it.
"varview repair" makes the repairs.

In a folder all files below it are checked, except *.gml, copies FILE~, .git and
files that are not saves: pictures, settings, archives. Links to files are
followed, links to folders are not. The exit status is 1 if errors were found,
with --strict also for warnings, and 2 if a file could not be read.

--safe answers one question instead: would loading the file, as varview reads
it, create objects or run code? --as says what the game reads it as. It also
looks into bytes and texts that the game may decode: saves in them, packed, as
base64 or hexadecimal digits, or as a text that str_to_var would run. What it
cannot look into is unknown. The exit status is 0 only if nothing can happen;
with --safe=foreign also if only the game's own scripts (res://) can run, and
neither another's (user://, a path on the disk) nor code in the file itself.

--format says how problems are printed: github as annotations of a workflow,
sarif and junit for programs that show such reports. With --baseline, problems
that an earlier "check --json" has printed do not count, so that a project can
start with those it has.`

const checkExample = `  varview check savegame.dat
  varview check --strict saves/
  varview check --safe downloads/
  varview check --schema scripts/ save.elephant
  varview check --json saves/ | jq -r 'select(.severity == "error") | .file'
  varview check --format sarif saves/ > varview.sarif
  varview check --baseline known.jsonl saves/
  varview check --codes`

type checkFlags struct {
	check.Options
	codes bool
}

func (e commands) checkCommand() *cobra.Command {
	var o checkFlags
	cmd := &cobra.Command{
		Use:     "check FILE...",
		Short:   "Find problems in files",
		Long:    checkLong,
		Example: checkExample,
		Args:    o.args,
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.codes {
				return e.codes(o.JSON)
			}
			o.Version, _, _ = strings.Cut(version(), " ")
			return check.Run(cmd.Context(), e.Env, args, o.Options)
		},
	}
	cmd.Flags().BoolVar(&o.JSON, "json", false, "one JSON object per problem; with --safe per file, with --codes per code")
	e.RegisterQuiet(cmd)
	cmd.Flags().BoolVar(&o.Strict, "strict", false, "warnings count like errors for the exit status")
	cmd.Flags().BoolVar(&o.Each, "each", false, "list each problem of a capture, not one line for each cause")
	cmd.Flags().StringVar((*string)(&o.Safe), "safe", "", "report for each file whether loading it would create objects or run code; with `CODE` foreign only code that is not the game's own is unsafe")
	cmd.Flags().Lookup("safe").NoOptDefVal = string(check.SafeAny)
	cmd.RegisterFlagCompletionFunc("safe", cobra.FixedCompletions([]string{string(check.SafeAny), string(check.SafeForeign)}, cobra.ShellCompDirectiveNoFileComp))
	cmd.Flags().StringVar(&o.Format, "format", "", "how problems are printed: `FORM` is "+strings.Join(report.Formats, ", "))
	cmd.Flags().StringVar(&o.Baseline, "baseline", "", "ignore problems that are in `FILE`, the output of check --json")
	cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(report.Formats, cobra.ShellCompDirectiveNoFileComp))
	o.Register(cmd)
	cmd.Flags().BoolVar(&o.codes, "codes", false, "list the codes of all problems")
	return cmd
}

// args accepts files, or no file with --codes, and refuses flags that cannot be combined.
func (o *checkFlags) args(cmd *cobra.Command, args []string) error {
	switch {
	case o.codes && (o.Safe != "" || o.Strict):
		return errors.New("--codes lists the codes of problems; it can only be combined with --json")
	case o.codes && (o.Format != "" || o.Baseline != ""):
		return errors.New("--format and --baseline are about the problems of files, --codes about all there are")
	case o.Check() != nil:
		return o.Check()
	case o.codes:
		return flags.Wants(0, 0, "no FILE with --codes")(cmd, args)
	}
	return flags.WantsFiles(&o.Selected, 0, "one or more FILEs")(cmd, args)
}
