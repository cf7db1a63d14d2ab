package edits

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"varview/cli/env"
	"varview/cli/flags"
	"varview/decoder/edit"
	"varview/decoder/tree"
	"varview/model"
)

const deleteLong = `Delete elements, entries with their keys, properties, members, and values of a
stream. All paths are those of the file before the command. Counts, lengths and
numbers follow; no other byte changes.

In an Elephant file other places can refer to what is deleted; --orphans says
what they become. A member of a struct with a schema is left out instead.`

const deleteExample = `  varview delete savegame.dat '[0].items[2]' '[0].items[3]'
  varview delete savegame.dat '[0].player.curse' --dry-run
  varview delete save.elephant leader --orphans inherit`

func (e commands) deleteCommand() *cobra.Command {
	var o flags.Edit
	cmd := &cobra.Command{
		Use:               "delete FILE PATH...",
		Short:             "Delete elements, entries and members",
		Long:              deleteLong,
		Example:           deleteExample,
		Args:              flags.Wants(2, flags.AnyNumber, "a FILE and one or more PATHs"),
		ValidArgsFunction: flags.CompleteFiles(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.delete(cmd.Context(), args[0], args[1:], &o)
		},
	}
	o.Register(cmd)
	o.RegisterOrphans(cmd)
	return cmd
}

func (e commands) delete(ctx context.Context, name string, paths []string, o *flags.Edit) error {
	return e.editValues(ctx, name, o, func(ctx context.Context, t *model.Transaction) error {
		deleted, err := outermost(ctx, t.Reader(), paths)
		if err != nil {
			return err
		}
		for _, path := range deleted {
			if err := deleteValue(ctx, t, path, o.Options); err != nil {
				return err
			}
		}
		return nil
	})
}

// outermost lists the paths of the values to be deleted, the last in the file
// first, so that those before keep theirs. What is in another of them goes with
// that.
func outermost(ctx context.Context, r *tree.Reader, paths []string) ([]string, error) {
	var all []*tree.Node
	for _, path := range paths {
		n, err := env.Resolve(ctx, r, path)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(all, n.Same) {
			all = append(all, n)
		}
	}
	slices.SortFunc(all, func(a, b *tree.Node) int {
		return cmp.Or(cmp.Compare(b.Start, a.Start), cmp.Compare(b.Slot.Index, a.Slot.Index))
	})
	var deleted []string
	for _, n := range all {
		isInner := slices.ContainsFunc(all, func(outer *tree.Node) bool { return outer != n && n.Within(outer) })
		if !isInner {
			deleted = append(deleted, r.Path(n))
		}
	}
	return deleted, nil
}

func deleteValue(ctx context.Context, t *model.Transaction, path string, o edit.Options) error {
	n, err := env.Resolve(ctx, t.Reader(), path)
	if err != nil {
		return err
	}
	if err := t.Delete(ctx, n, o); err != nil {
		return fmt.Errorf("%s: %w", path, advised(err))
	}
	return nil
}
