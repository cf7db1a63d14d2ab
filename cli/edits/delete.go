package edits

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"varview/cli/files"
	"varview/cli/flags"
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
	return cmd
}

func (e commands) delete(ctx context.Context, name string, paths []string, o *flags.Edit) error {
	return e.editValues(ctx, name, o, func(ctx context.Context, t *model.Transaction) error {
		deleted, err := outermost(ctx, t, paths)
		if err != nil {
			return err
		}
		return e.together(ctx, t, "deleting from", name, len(deleted), func(b *model.Batch, i int) error {
			n, err := b.Resolve(ctx, deleted[i])
			if err != nil {
				return err
			}
			if err := b.Delete(ctx, n, o.Options); err != nil {
				return fmt.Errorf("%s: %w", deleted[i], advised(err))
			}
			return nil
		})
	})
}

// outermost returns the paths of the values to be deleted, last in the file first, so that the paths of
// those before stay valid. It leaves out values inside another one, which are deleted with it.
func outermost(ctx context.Context, t *model.Transaction, paths []string) ([]string, error) {
	b, err := t.Batch(ctx, len(paths)) // in which all are found as quickly as later
	if err != nil {
		return nil, err
	}
	isDeleted := map[model.Cursor]*tree.Node{}
	for _, path := range paths {
		err := b.Reader().EachAt(ctx, path, func(n *tree.Node) error {
			isDeleted[model.CursorOf(n)] = n
			return nil
		})
		switch {
		case err == tree.ErrNoMatch:
			return nil, fmt.Errorf("%w: %s", err, path)
		case err != nil:
			return nil, err
		}
	}
	var all []*tree.Node
	for _, n := range isDeleted {
		if !isInside(n, isDeleted) {
			all = append(all, n)
		}
	}
	slices.SortFunc(all, func(a, b *tree.Node) int {
		return cmp.Or(cmp.Compare(b.Start, a.Start), cmp.Compare(b.Slot.Index, a.Slot.Index))
	})
	var deleted []string
	for _, n := range all {
		deleted = append(deleted, b.Reader().Path(n))
	}
	return deleted, nil
}

// isInside reports whether a value lies in one of others.
func isInside(n *tree.Node, others map[model.Cursor]*tree.Node) bool {
	for n = n.Parent; n != nil; n = n.Parent {
		if others[model.CursorOf(n)] != nil {
			return true
		}
	}
	return false
}
