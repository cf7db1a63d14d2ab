package edits

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"varview/cli/env"
	"varview/cli/files"
	"varview/cli/flags"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/model"
)

const deleteLong = `Delete elements, entries with their keys, properties, members, and values of a
stream. A PATH can stand for many, as in '..enemies[hp<=0]'. All paths mean
values of the file as it was before the command. Counts, lengths and numbers
follow; no other byte changes.

In an Elephant file, references can lead to what is deleted; --orphans says what
becomes of them. A member of a struct with a schema is left out instead.`

const deleteExample = `  varview delete savegame.dat '[0].items[2]' '[0].items[3]'
  varview delete savegame.dat '[0].player.curse' --dry-run
  varview delete savegame.dat '..enemies[hp<=0]'
  varview delete save.elephant leader --orphans inherit`

func (e commands) deleteCommand() *cobra.Command {
	var o flags.Edit
	var from files.Selected
	cmd := &cobra.Command{
		Use:               "delete FILE... PATH...",
		Short:             "Delete elements, entries and members",
		Long:              deleteLong + severalAbout,
		Example:           deleteExample,
		Args:              flags.WantsFiles(&from, 1, "a FILE and one or more PATHs"),
		ValidArgsFunction: e.CompletePaths(""),
		RunE: func(cmd *cobra.Command, args []string) error {
			names, paths := flags.Divide(cmd, args, &from, func(string) bool { return false })
			return e.editEach(cmd.Context(), &from, names, &o, func(ctx context.Context, e commands, name string) error {
				return e.delete(ctx, name, paths, &o)
			})
		},
	}
	o.Register(cmd)
	from.Register(cmd)
	o.RegisterOrphans(cmd)
	o.RegisterChoices(cmd)
	return cmd
}

// meant returns the paths of the values that are meant where keys on the way to them are there more than once.
func (e commands) meant(r *tree.Reader, name string, paths []string) (all []string, err error) {
	keys := env.RepeatedKeys{}
	for _, path := range paths {
		if tree.IsPattern(path) {
			all = append(all, path)
			continue
		}
		if n, err := r.Resolve(path); err == nil {
			if err := keys.CheckOnly(r, n, path); err != nil {
				return nil, err
			}
			last, err := e.LastOfRepeated(r, n, name, path, "changed", keys)
			if err != nil {
				return nil, err
			}
			if last != n {
				path = r.Path(last)
			}
		}
		all = append(all, path)
	}
	return all, nil
}

func (e commands) delete(ctx context.Context, name string, paths []string, o *flags.Edit) error {
	return e.editValues(ctx, name, o, func(ctx context.Context, t *model.Transaction) error {
		paths, err := e.meant(t.Reader(), name, paths)
		if err != nil {
			return err
		}
		t.Unrecorded = o.Patch == ""
		deleted, inTexts := len(paths), 0
		isWithin := func(path string) bool { return t.IsWithin(ctx, path) }
		switch {
		case !slices.ContainsFunc(paths, isWithin):
			if inTexts, err = t.InTexts(ctx, paths); err != nil {
				return err
			}
			done := e.WatchEdits(t, "deleting from", name)
			deleted, err = t.DeleteAll(ctx, o.Options, paths...)
			done()
			err = advised(err)
		case len(paths) > 1: // they would move while others are deleted
			err = errors.New("what a value holds is deleted by itself: give one PATH")
		default:
			_, err = t.Within(ctx, paths[0], func(in *model.Transaction, rest string) (done model.Changed, err error) {
				deleted, err = in.DeleteAll(ctx, o.Options, rest)
				return done, advised(err)
			})
		}
		left := ""
		if inTexts > 0 {
			left = fmt.Sprintf("; %d in texts that hold values can only be deleted each by its own PATH", inTexts)
			if errors.Is(err, tree.ErrNoMatch) {
				return fmt.Errorf("%w%s", err, left)
			}
		}
		if err == nil && slices.ContainsFunc(paths, tree.IsPattern) {
			is := "deleted"
			if o.DryRun {
				is = "would be deleted"
			}
			e.Tell("%s: %s: %s %s", env.DisplayName(name), strings.Join(paths, " "), span.Counted(int64(deleted), "value"), is+left)
		}
		return err
	})
}
