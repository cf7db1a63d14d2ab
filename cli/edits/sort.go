package edits

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"varview/cli/env"
	"varview/cli/files"
	"varview/cli/flags"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/model"
	"varview/model/sorting"
)

const sortLong = `Sort the elements of an array, or the entries of a dictionary, by their own
values, or with --by by a value in each of them. Numbers come before text, text
before all else, and elements without the value last; equal elements keep their
order. --unique deletes all but the first of those with the same value, and with
--keep-order does only that. It is all one edit, which moves as few elements as
possible.`

const sortExample = `  varview sort savegame.dat '[0].items' --by qty --descending
  varview sort saves/ '[0].seen' --unique --keep-order`

type sortOptions struct {
	flags.Edit
	files.Selected
	sorting.Order
}

func (e commands) sortCommand() *cobra.Command {
	var o sortOptions
	cmd := &cobra.Command{
		Use:               "sort FILE... PATH",
		Short:             "Sort elements, or delete repeated ones",
		Long:              sortLong + severalAbout,
		Example:           sortExample,
		Args:              flags.WantsFiles(&o.Selected, 1, "a FILE and the PATH of a container"),
		ValidArgsFunction: e.CompletePaths(""),
		RunE: func(cmd *cobra.Command, args []string) error {
			last := len(args) - 1
			return e.editEach(cmd.Context(), &o.Selected, args[:last], &o.Edit, func(ctx context.Context, e commands, name string) error {
				return e.sort(ctx, name, args[last], &o)
			})
		},
	}
	o.Edit.Register(cmd)
	o.Selected.Register(cmd)
	o.RegisterOrphans(cmd)
	o.RegisterChoices(cmd)
	f := cmd.Flags()
	f.StringVar(&o.By, "by", "", "sort by the value at `STEPS` from each: qty, .pos.x, [0]")
	f.BoolVar(&o.Descending, "descending", false, "from the last to the first")
	f.BoolVar(&o.Unique, "unique", false, "delete those with the same value as one before")
	f.BoolVar(&o.Keep, "keep-order", false, "keep the order: with --unique, only delete")
	return cmd
}

func (e commands) sort(ctx context.Context, name, path string, o *sortOptions) error {
	return e.editValues(ctx, name, &o.Edit, func(ctx context.Context, t *model.Transaction) error {
		return atPath(ctx, t, path, func(in *model.Transaction, n *tree.Node) error {
			moved, deleted, err := sorting.Sort(ctx, in, n, o.Order, o.Options)
			if err != nil {
				return fmt.Errorf("%s: %w", path, advised(err))
			}
			e.Tell("%s: %s: %s moved, %s deleted", env.DisplayName(name), path, span.Counted(int64(moved), "value"), span.Grouped(int64(deleted)))
			return nil
		})
	})
}

// atPath lets do edit the value at a path, which may be in what a value on the way holds.
func atPath(ctx context.Context, t *model.Transaction, path string, do func(in *model.Transaction, n *tree.Node) error) error {
	_, err := t.Within(ctx, path, func(in *model.Transaction, rest string) (done model.Changed, err error) {
		n, err := env.Resolve(ctx, in.Reader(), rest)
		if err == nil {
			err = do(in, n)
		}
		return done, err
	})
	return err
}
