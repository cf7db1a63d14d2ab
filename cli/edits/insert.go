package edits

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"varview/cli/env"
	"varview/cli/files"
	"varview/cli/flags"
	"varview/decoder/edit"
	"varview/decoder/engine/tree"
	"varview/model"
)

const insertLong = `Insert values. A PATH with an index inserts before that element; the index after
the last adds at the end. A PATH with a new key adds an entry, a property or a
member, at the end. In a stream [0] is a value with its own length, and in a
file of one value [1] adds another. In an Elephant struct with a schema, a
member that was left out is stored.

Paths, values and flags are those of set; counts, lengths and numbers follow.`

const insertExample = `  varview insert savegame.dat '[0].items[2]="potion"'
  varview insert savegame.dat '[0].player.mana=40'
  varview insert savegame.dat '[0]["any key"]={ "a": [] }'
  varview insert inventory.dat '[1]=Vector2(1, 2)' -o out.dat`

func (e commands) insertCommand() *cobra.Command {
	var o flags.Edit
	var from files.Selected
	cmd := &cobra.Command{
		Use:               "insert FILE... PATH=VALUE...",
		Short:             "Insert elements, entries and members",
		Long:              insertLong + severalAbout,
		Example:           insertExample,
		Args:              flags.WantsFiles(&from, 1, "a FILE and one or more PATH=VALUE"),
		ValidArgsFunction: e.CompletePaths("="),
		RunE: func(cmd *cobra.Command, args []string) error {
			names, rest := flags.Divide(cmd, args, &from, isFile)
			added, err := flags.Assignments(rest)
			if err != nil {
				return err
			}
			return e.editEach(cmd.Context(), &from, names, &o, func(ctx context.Context, e commands, name string) error {
				return e.insert(ctx, name, added, &o)
			})
		},
	}
	o.Register(cmd)
	o.RegisterChoices(cmd)
	from.Register(cmd)
	return cmd
}

func (e commands) insert(ctx context.Context, name string, added []flags.Assignment, o *flags.Edit) error {
	return e.editValues(ctx, name, o, func(ctx context.Context, t *model.Transaction) error {
		var paths []string
		for _, a := range added {
			paths = append(paths, a.Path)
		}
		keys := env.RepeatedKeys{}
		return e.inTurn(ctx, t, "inserting into", name, paths, func(b *model.Batch, i int, path string) error {
			return e.insertInto(ctx, b, name, flags.Assignment{Path: path, Value: added[i].Value}, o.Options, keys)
		})
	})
}

// insertInto inserts a value at its path in a file, in the last of several values with one name.
func (e commands) insertInto(ctx context.Context, b *model.Batch, name string, a flags.Assignment, o edit.Options, keys env.RepeatedKeys) error {
	p, err := b.ResolvePlace(ctx, a.Path)
	if err != nil {
		return err
	}
	in, err := e.LastOfRepeated(b.Reader(), p.Parent, name, a.Path, "changed", keys)
	if err != nil {
		return err
	}
	if in != p.Parent && p.Key != "" {
		p.Index = b.Reader().Count(in)
	}
	p.Parent = in
	if err := b.Insert(ctx, p.Parent, p.Index, edit.Content{Key: p.Key, Literal: a.Value}, o); err != nil {
		around, step := tree.SplitPath(a.Path)
		return fmt.Errorf("%s: %w", around+step, advised(err))
	}
	return nil
}
