package differ

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"varview/cli/env"
	"varview/cli/flags"
	"varview/cli/output"
	"varview/decoder"
	"varview/decoder/engine/span"
	"varview/model"
	"varview/model/diff"
)

const mergeLong = `Make the changes that lead from BASE to THEIRS in OURS, by paths, and write the
result to OUT. Both files come from BASE. Where both have changed the same value
in different ways, where one has removed what the other has changed, where both
have added to the same place of a list, or where it is not certain which element
of a list has become which, the value of OURS stays and the conflict is listed:
the exit status is 1 then. OUT is written in the form of OURS: its dialect,
framing and wrappers. Where only one file has changed, OUT is that file, to the
byte.

--interactive shows the conflicts in the terminal program, which asks which
value to take at each, and merges once all are chosen. Nothing is written before
that.

As git's merge driver, for files that .gitattributes names with merge=varview:

  git config merge.varview.driver \
    'varview merge %O %A %B -o %A --named %P --force --no-backup'`

const mergeExample = `  varview merge base.dat mine.dat theirs.dat -o merged.dat
  varview merge base.dat mine.dat theirs.dat -o merged.dat --json
  varview merge base.dat mine.dat theirs.dat -o merged.dat --interactive`

type mergeOptions struct {
	flags.Edit
	compared    diffOptions
	interactive bool
	named       string
}

func (e commands) mergeCommand() *cobra.Command {
	var o mergeOptions
	cmd := &cobra.Command{
		Use:               "merge BASE OURS THEIRS -o OUT",
		Short:             "Merge the changes that two files made to a common base",
		Long:              mergeLong,
		Example:           mergeExample,
		Args:              flags.Wants(3, 3, "three files, BASE, OURS and THEIRS"),
		ValidArgsFunction: flags.CompleteFiles(3),
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.merge(cmd.Context(), args[0], args[1], args[2], &o)
		},
	}
	o.Output.Register(cmd, "write to `OUT`, which may be OURS; - for standard output", "replace OUT if it exists")
	cmd.Flags().BoolVar(&o.JSON, "json", false, "one JSON object per conflict")
	cmd.Flags().BoolVar(&o.interactive, "interactive", false, "choose which value to take at each conflict")
	cmd.Flags().StringVar(&o.named, "named", "", "call OURS `NAME` in messages: git's %P")
	cmd.Flags().BoolVar(&o.NoBackup, "no-backup", false, "keep no copy of a file that is replaced as FILE~")
	o.RegisterInPlace(cmd)
	o.compared.registerMatch(cmd)
	return cmd
}

func (e commands) merge(ctx context.Context, base, ours, theirs string, o *mergeOptions) (err error) {
	if o.Path == "" {
		return errors.New("merge needs -o OUT, the file to write; -o - is standard output")
	}
	if err := o.Output.Check(ours); err != nil {
		return err
	}
	e.Env = e.Together(base, ours, theirs)
	name := cmp.Or(o.named, env.DisplayName(ours))
	var opened [2]*env.File
	for i, other := range []string{base, theirs} {
		f, err := e.openCompared(ctx, other, true, base, ours, theirs)
		if err != nil {
			return err
		}
		defer f.FinishBeside(&err)
		if err := f.CheckValues(); err != nil {
			return fmt.Errorf("%s: %w", env.DisplayName(other), err)
		}
		opened[i] = f
	}
	doc, err := e.OpenBound(ctx, ours, decoder.Settle, model.Options{NoBackup: o.NoBackup,
		Alone: !o.interactive && o.Replaces(ours), Beside: []string{base, theirs}})
	if err != nil {
		return err
	}
	defer func() { doc.Close() }()
	merge := func(choose func(*diff.Conflict) diff.Choice) (*model.Transaction, []diff.Conflict, error) {
		if doc.Missing != nil {
			return nil, nil, fmt.Errorf("%s: %s", name, env.MissingText(doc.WhyMissing()))
		}
		t, err := diff.BeginMerge(ctx, doc, opened[0].Document)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", name, err)
		}
		done := e.WatchEdits(t, "merging", ours)
		conflicts, err := diff.MergeFiles(ctx, t, opened[0].Document, opened[1].Document, o.compared.compared(), choose)
		done()
		if err != nil {
			err = fmt.Errorf("%s: %w", name, err)
		}
		return t, conflicts, err
	}
	t, conflicts, err := merge(nil)
	if err == nil && o.interactive && len(conflicts) > 0 {
		x := &diff.Merge{Base: compared(opened[0]), Theirs: compared(opened[1]), Conflicts: conflicts}
		if err := e.decide(ctx, ours, x); err != nil {
			return err
		}
		if t, conflicts, err = merge(x.Choices()); err == nil {
			err = diff.Undecided(conflicts)
		}
		conflicts = nil
	}
	if err != nil {
		return err
	}
	if err := e.printConflicts(conflicts, o); err != nil {
		return err
	}
	sums, err := t.Follow(ctx)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	e.TellFollowed(name, t, sums)
	if doc, err = t.Commit(ctx, "merge", model.Cursor{}, model.Cursor{}); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if err := e.saveMerged(ctx, doc, o); err != nil {
		return err
	}
	if len(conflicts) > 0 {
		if o.Path == ours {
			e.Tell("%s: merged; at %s it keeps its value", name, span.Counted(int64(len(conflicts)), "conflict"))
		} else {
			e.Tell("%s: written; at %s it has the value of %s", env.DisplayName(o.Path), span.Counted(int64(len(conflicts)), "conflict"), name)
		}
		return env.ErrProblems
	}
	return nil
}

func compared(f *env.File) *diff.Differences {
	return &diff.Differences{Other: f.Document, Name: filepath.Base(f.Name)}
}

// saveMerged writes the result, even if it equals OURS.
func (e commands) saveMerged(ctx context.Context, doc *model.Document, o *mergeOptions) error {
	if o.Path == "-" {
		return e.SaveToOutput(ctx, doc, &o.Edit)
	}
	return e.SaveAs(ctx, doc, model.SaveOptions{Path: o.Path, Force: o.Force, InPlace: o.InPlace})
}

// printConflicts prints the conflicts, on standard error if the file goes to standard output.
func (e commands) printConflicts(conflicts []diff.Conflict, o *mergeOptions) error {
	stream := e.Stdout
	if o.Path == "-" {
		stream = e.Stderr
	}
	out := bufio.NewWriter(stream)
	if !o.JSON {
		out = bufio.NewWriter(e.ForPeople(stream))
	}
	colors, err := e.Palette()
	if err != nil {
		return err
	}
	var line []byte
	for i := range conflicts {
		if o.JSON {
			line = output.AppendConflictJSON(line[:0], &conflicts[i])
		} else {
			line = output.AppendConflict(line[:0], &conflicts[i], colors)
		}
		out.Write(line)
	}
	return out.Flush()
}
