package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"varview/decoder/span"
	"varview/model"
)

const repairLong = `Put right what "varview check" finds and knows a repair of: in what wraps the
values first, then in the values, again and again until nothing is left that can
be repaired. Each repair is an edit: what depends on it follows, and no other
byte changes. What was repaired, what was dropped and what is left is printed.

--dry-run prints the bytes before and after, and writes nothing. A repair that
drops what can be read is made with --drop only. Notes, and what may be right,
such as the version of a newer library, are left alone unless --code names them.
Where several causes are as likely the first is taken; --choose 2 takes the one
that check prints behind the first "or".

The file is replaced at once when the new one is whole on the disk, and kept as
FILE~. The exit status is 0 where no error is left, 1 where one is, and 2 where
the file could not be read or written.`

const repairExample = `  varview repair savegame.dat --dry-run
  varview repair savegame.dat
  varview repair savegame.dat -o repaired.dat --drop
  varview repair savegame.dat --at 0x1a4 --choose 2
  varview repair savegame.dat --code bool-value,wide-number`

type repairOptions struct {
	editFlags
	codes  []string
	at     int64 // negative for everywhere
	choose int   // which of several causes, from 1 on
	drop   bool
	list   bool
}

func (e *env) repairCommand() *cobra.Command {
	o := repairOptions{at: -1, choose: 1}
	cmd := &cobra.Command{
		Use:               "repair FILE",
		Short:             "Put right what is wrong with a file",
		Long:              repairLong,
		Example:           repairExample,
		Args:              wants(1, 1, "one FILE"),
		ValidArgsFunction: completeFiles(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.repair(cmd.Context(), args[0], &o)
		},
	}
	o.outFlags.register(cmd, "write the result to `OUT`, - for standard output, and leave FILE as it is", "replace OUT, also where it exists, or FILE, also where it was changed meanwhile")
	flags := cmd.Flags()
	flags.BoolVar(&o.noBackup, "no-backup", false, "keep no copy of FILE as FILE~")
	flags.BoolVar(&o.dryRun, "dry-run", false, "print the bytes that would change, and write nothing")
	flags.BoolVar(&o.json, "json", false, "a JSON object a problem, and with --dry-run a range of bytes")
	flags.StringSliceVar(&o.codes, "code", nil, "repair only problems with this `CODE`, repeatable (\"varview check --codes\" lists them)")
	flags.Var(byteCount{n: &o.at}, "at", "repair only the problem at this offset, in bytes, 0x for hex")
	flags.Lookup("at").DefValue = ""
	flags.IntVar(&o.choose, "choose", 1, "take cause `N` of the first problem that has several")
	flags.BoolVar(&o.drop, "drop", false, "make also repairs that drop what can be read")
	flags.BoolVar(&o.list, "list", false, "list what can be repaired, and write nothing")
	cmd.RegisterFlagCompletionFunc("code", completeCodes)
	return cmd
}

func completeCodes(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var names []cobra.Completion
	for _, c := range model.Codes() {
		if c.Repair != "" {
			names = append(names, cobra.CompletionWithDesc(c.Code, c.About))
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// check reports flags that do not go together.
func (o *repairOptions) check(name string) error {
	for _, code := range o.codes {
		if !slices.ContainsFunc(model.Codes(), func(c span.Code) bool { return c.Code == code }) {
			return fmt.Errorf(`--code %s: there is no such code ("varview check --codes" lists them)`, code)
		}
	}
	switch {
	case o.choose < 1:
		return errors.New("--choose counts causes from 1 on")
	case o.list && (o.dryRun || o.out != "" || o.drop || o.choose > 1):
		return errors.New("--list repairs nothing; it goes with --code, --at and --json only")
	case o.dryRun, o.list:
		return nil
	case name == "-" && o.out == "":
		return errors.New("standard input has no place to be saved to: -o OUT says where, -o - is standard output")
	}
	return o.outFlags.check(name)
}

func (e *env) repair(ctx context.Context, name string, o *repairOptions) (err error) {
	if err := o.check(name); err != nil {
		return err
	}
	r, err := e.newRepairer(ctx, name, o)
	if err != nil {
		return err
	}
	defer r.close()
	err = r.all(ctx)
	if err == nil && o.at >= 0 && !r.met {
		err = fmt.Errorf("there is no problem at %#x%s", o.at, ofCodes(o.codes))
	}
	if err == nil {
		err = r.finish(ctx)
	}
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	switch {
	case errors.Is(err, errProblems), err == nil:
		return err
	}
	return fmt.Errorf("%s: %w", displayName(name), err)
}

// ofCodes names the codes that are asked for.
func ofCodes(codes []string) string {
	if len(codes) == 0 {
		return ""
	}
	return " with the code " + strings.Join(codes, " or ")
}
