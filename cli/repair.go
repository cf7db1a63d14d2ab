package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"varview/cli/files"
	"varview/cli/flags"
	"varview/cli/repair"
	"varview/model"
)

const repairLong = `Repair the problems that "varview check" finds and knows a repair for: first in
the wrappers, then in the values, until nothing is left that can be repaired.
Each repair is an edit: what depends on it follows, and no other byte changes.
It prints what it repairs, what that drops and what is left.

--dry-run prints the bytes before and after, and writes nothing. A repair that
drops readable content is only made with --drop. Notes, and problems that may
be meant, such as the version of a newer library, are left alone unless
--code names them. Of several causes the likeliest is taken; --choose 2 takes
the one that check prints after the first "or". Where two counts are as likely
the wrong one, both are named, and nothing is repaired before --choose says
which.

A file that is full of zeros, empty or cut can often not be repaired from its
own bytes. --from-backup looks beside it: FILE~, FILE.bak, .backup, .old, .tmp,
FILE.1, and the folder backups. The newest copy that reads without an error
takes its place, and the damaged file is kept as FILE.damaged.

With several files, folders and patterns each file is repaired by itself; a
folder's copies FILE~ are left alone.

The file is replaced when the new one is complete on disk, and kept as FILE~.
The exit status is 0 if no error is left, 1 if one is, and 2 if the file could
not be read or written.`

const repairExample = `  varview repair savegame.dat --dry-run
  varview repair savegame.dat
  varview repair savegame.dat -o repaired.dat --drop
  varview repair savegame.dat --at 0x1a4 --choose 2
  varview repair savegame.dat --from-backup
  varview repair saves/ --dry-run
  varview repair savegame.dat --code bool-value,wide-number`

func (e commands) repairCommand() *cobra.Command {
	var from files.Selected
	o := repair.Options{At: -1}
	cmd := &cobra.Command{
		Use:               "repair FILE...",
		Short:             "Repair a file",
		Long:              repairLong,
		Example:           repairExample,
		Args:              flags.WantsFiles(&from, 0, "a FILE"),
		ValidArgsFunction: flags.CompleteFiles(flags.AnyNumber),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("choose") && o.Choose < 1 {
				return errors.New("--choose counts causes from 1 on")
			}
			return repair.Each(cmd.Context(), e.Env, &from, args, &o)
		},
	}
	o.Output.Register(cmd, "write the result to `OUT`, - for standard output, and leave FILE as it is", "replace OUT even if it exists, or FILE even if it was changed meanwhile")
	set := cmd.Flags()
	set.BoolVar(&o.NoBackup, "no-backup", false, "keep no copy of FILE as FILE~")
	o.RegisterInPlace(cmd)
	set.BoolVar(&o.DryRun, "dry-run", false, "print the bytes that would change, and write nothing")
	set.BoolVar(&o.JSON, "json", false, "one JSON object per problem, and with --dry-run per range of bytes")
	set.StringSliceVar(&o.Codes, "code", nil, "repair only problems with this `CODE`, repeatable (\"varview check --codes\" lists them)")
	set.Var(flags.ByteCount{N: &o.At}, "at", "repair only the problem at this offset, in bytes, 0x for hex")
	set.Lookup("at").DefValue = ""
	set.IntVar(&o.Choose, "choose", 0, "take cause `N` of the first problem that has several")
	set.BoolVar(&o.Drop, "drop", false, "also make repairs that drop what can be read")
	set.BoolVar(&o.FromBackup, "from-backup", false, "put the newest intact copy beside FILE in its place")
	set.BoolVar(&o.List, "list", false, "list what can be repaired, and write nothing")
	from.Register(cmd)
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
