package edits

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"varview/cli/env"
	"varview/cli/flags"
	"varview/decoder/edit"
	"varview/decoder/span"
	"varview/decoder/tree"
	"varview/model"
	"varview/model/patch"
	"varview/model/sorting"
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
	cmd := &cobra.Command{
		Use:               "insert FILE PATH=VALUE...",
		Short:             "Insert elements, entries and members",
		Long:              insertLong,
		Example:           insertExample,
		Args:              flags.Wants(2, flags.AnyNumber, "a FILE and one or more PATH=VALUE"),
		ValidArgsFunction: flags.CompleteFiles(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.insert(cmd.Context(), args[0], args[1:], &o)
		},
	}
	o.Register(cmd)
	return cmd
}

func (e commands) insert(ctx context.Context, name string, args []string, o *flags.Edit) error {
	added, err := flags.Assignments(args)
	if err != nil {
		return err
	}
	return e.editValues(ctx, name, o, func(ctx context.Context, t *model.Transaction) error {
		for _, a := range added {
			p, err := t.ResolvePlace(a.Path)
			if err != nil {
				return err
			}
			if err := t.Insert(ctx, p.Parent, p.Index, edit.Content{Key: p.Key, Literal: a.Value}, o.Options); err != nil {
				around, step := tree.SplitPath(a.Path)
				return fmt.Errorf("%s: %w", around+step, err)
			}
		}
		return nil
	})
}

const sortLong = `Put the elements of an array, or the entries of a dictionary, in order: by their
own values, or with --by by a value in each of them. Numbers come before text,
text before all else, and what lacks the value last; what is equal keeps its
order. --unique deletes all but the first of those with the same value, and with
--keep-order does only that. It is one edit, which moves as few as possible.`

const sortExample = `  varview sort savegame.dat '[0].items' --by qty --descending
  varview sort savegame.dat '[0].seen' --unique --keep-order`

type sortOptions struct {
	flags.Edit
	sorting.Order
}

func (e commands) sortCommand() *cobra.Command {
	var o sortOptions
	cmd := &cobra.Command{
		Use:               "sort FILE PATH",
		Short:             "Sort elements, or delete repeated ones",
		Long:              sortLong,
		Example:           sortExample,
		Args:              flags.Wants(2, 2, "a FILE and the PATH of a container"),
		ValidArgsFunction: flags.CompleteFiles(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.sort(cmd.Context(), args[0], args[1], &o)
		},
	}
	o.Register(cmd)
	o.RegisterOrphans(cmd)
	f := cmd.Flags()
	f.StringVar(&o.By, "by", "", "sort by the value at `STEPS` from each: qty, .pos.x, [0]")
	f.BoolVar(&o.Descending, "descending", false, "from the last to the first")
	f.BoolVar(&o.Unique, "unique", false, "delete those with the same value as one before")
	f.BoolVar(&o.Keep, "keep-order", false, "move none: with --unique, only delete")
	return cmd
}

func (e commands) sort(ctx context.Context, name, path string, o *sortOptions) error {
	return e.editValues(ctx, name, &o.Edit, func(ctx context.Context, t *model.Transaction) error {
		n, err := env.Resolve(ctx, t.Reader(), path)
		if err != nil {
			return err
		}
		moved, deleted, err := sorting.Sort(ctx, t, n, o.Order, o.Options)
		if err != nil {
			return fmt.Errorf("%s: %w", path, advised(err))
		}
		e.Tell("%s: %s: %s moved, %s deleted", env.DisplayName(name), path, span.Counted(int64(moved), "value"), span.Grouped(int64(deleted)))
		return nil
	})
}

// readPatch reads a patch from a file, or from standard input for "-".
func (e commands) readPatch(ctx context.Context, name string, reverse bool) (patch.Patch, error) {
	text, err := e.ReadSide(ctx, name, patch.MaxSize)
	if err != nil {
		return nil, err
	}
	p, err := patch.Read(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", env.DisplayName(name), err)
	}
	if reverse {
		p = p.Reversed()
	}
	return p, nil
}

// writePatch writes a patch to where the flags say, if they do.
func (e commands) writePatch(ctx context.Context, o *flags.Edit, p patch.Patch) error {
	if o.Patch == "" {
		return nil
	}
	return e.WriteOut(ctx, o.PatchFile(), func(_ context.Context, out io.Writer) error { return p.Write(out) })
}

func beginPatch(doc *model.Document, p patch.Patch) (*model.Transaction, error) {
	if len(p) == 0 || p[0].Kind != patch.Bytes {
		return env.BeginValues(doc)
	}
	n := p[0].Buffer
	if n < 0 || n >= len(doc.Buffers) {
		return nil, fmt.Errorf("there is no buffer %d: the file has %s, counted from 0", n, span.Counted(int64(len(doc.Buffers)), "buffer"))
	}
	return doc.Begin(doc.Buffers[n])
}
