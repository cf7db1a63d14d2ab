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
	"varview/decoder/edit"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/model"
	"varview/model/expression"
)

const setLong = `Change values, and all that depends on them: lengths, counts, padding, reference
numbers. No other byte changes; the values are wrapped again as they were.
Several changes are made in order, all of them or none: a path refers to the
values as the changes before it have left them.

VALUE is what get prints: 42, 0x1f, 1.5, true, null, Vector2(1, 2), [1, "a"], {
"k": 1 }, #ff8000 for a Color; for Elephant also u8(7), undefined, { name: 1 }.
Text needs its quotes, which the shell must leave: '[0].name="Mira"'. Only bytes
that differ change, also within a list or an entry that is written as a whole.
An integer that no longer fits 32 bits takes 64, and one written in place of a
float becomes a float. Any other change of type needs --retype, with which the
value gets the type that it is written as. PATH@key=… renames a key.

A PATH with [*] or .* for any step, or with two points for any number of steps,
stands for many values: '[0].slots[*].qty=99', '..durability=1.0'. VALUE can be
calculated from the old one, _: '=*2', '=+10', '=_-1', '=clamp(_,0,100)', with
+ - * / % ( ) min max clamp round floor ceil abs. No literal begins with *, /, %
or +, or has a _ outside of quotes. --where QUERY sets what a query finds, as
find does. Where one such value is inside another, only the outer one is set.
The command says how many values have changed.

In a file that is not known to be a save there are no values: PATH is an offset,
and VALUE are bytes or a text in quotes: 0x1f='x:64 00', 0x40='"Mira"'.

The file is replaced when the new one is complete on disk, and kept as FILE~.
Its permissions stay, and a symbolic link stays one.`

const setExample = `  varview set savegame.dat '[0].player.hp=100' '[0].player.name="Mira"'
  varview set savegame.dat '[0].gold=5' --dry-run
  varview set saves/ '[0].visits=1' --create
  varview set savegame.dat '[0].pos=Vector3(0, 1, 2)' -o copy.dat
  varview set savegame.dat '[0].hp@key="health"'
  varview set savegame.dat '[0].slots[*].qty=*2' '..durability=clamp(_,0,1)'
  varview set savegame.dat --where 'key:qty <10' +5
  varview set save.dat 'hp=1.5' --retype --patch hp.patch
  varview set other.dat --apply hp.patch
  varview set other.dat --apply hp.patch --reverse`

type setOptions struct {
	flags.Edit
	files.Selected
	where   string
	apply   string
	reverse bool
	create  bool // insert what is not there
}

func (e commands) setCommand() *cobra.Command {
	var o setOptions
	cmd := &cobra.Command{
		Use:               "set FILE... PATH=VALUE...",
		Short:             "Change values",
		Long:              setLong + severalAbout,
		Example:           setExample,
		Args:              flags.WantsFiles(&o.Selected, 0, "a FILE and one or more PATH=VALUE"),
		ValidArgsFunction: e.CompletePaths("="),
		RunE: func(cmd *cobra.Command, args []string) error {
			names, rest := o.divide(cmd, args)
			return e.set(cmd.Context(), names, rest, &o)
		},
	}
	o.Edit.Register(cmd)
	o.Selected.Register(cmd)
	o.RegisterOrphans(cmd)
	o.RegisterChoices(cmd)
	cmd.Flags().BoolVar(&o.Options.Retype, "retype", false, "let a value change its type")
	cmd.Flags().BoolVar(&o.create, "create", false, "insert a key, or the element after the last, that is not there")
	cmd.Flags().StringVar(&o.where, "where", "", "set all values in which `QUERY` finds something, as find does, to the one VALUE")
	cmd.Flags().StringVar(&o.apply, "apply", "", "make the changes of `PATCH`, which --patch has written, if the values are as they were there")
	cmd.Flags().BoolVar(&o.reverse, "reverse", false, "undo the changes of the patch instead")
	return cmd
}

// divide splits the arguments into files and the rest, which is empty with a patch, and one VALUE with
// --where.
func (o *setOptions) divide(cmd *cobra.Command, args []string) (names, rest []string) {
	if o.where != "" && len(args) > 0 {
		last := len(args) - 1
		if i := slices.IndexFunc(args[:last], func(arg string) bool { return !files.IsThere(arg) }); i > 0 {
			last = i
		}
		return args[:last], args[last:]
	}
	return flags.Divide(cmd, args, o, isFile)
}

func (e commands) set(ctx context.Context, names, args []string, o *setOptions) error {
	changes, err := o.changes(names, args)
	if err != nil {
		return err
	}
	o.Options.Infer = o.apply == ""
	return e.editEach(ctx, &o.Selected, names, &o.Edit, func(ctx context.Context, e commands, name string) error {
		switch {
		case o.apply != "":
			return e.applyPatch(ctx, name, o)
		case o.where != "":
			return e.setFound(ctx, name, args[0], o)
		}
		return e.edit(ctx, name, &o.Edit, func(ctx context.Context, doc *model.Document) (*model.Transaction, error) {
			if doc.Missing == nil && doc.IsForeign() {
				return setBytes(doc, changes)
			}
			t, err := env.BeginValues(doc)
			if err != nil {
				return nil, err
			}
			t.Unrecorded = o.Patch == ""
			return t, e.setInTurn(ctx, t, name, changes, o)
		})
	})
}

var errOfPath = errors.New("--create is about PATH=VALUE")

// checkPatch refuses what cannot be combined with --apply.
func (o *setOptions) checkPatch(names, args []string) error {
	switch {
	case len(args) > 0 || o.where != "":
		return errors.New("--apply takes its changes from the patch, not from the command line; one at a time")
	case o.create:
		return errOfPath
	case o.Options.Retype:
		return errors.New("--retype is about PATH=VALUE; a patch has the types that it says")
	case o.apply == "-" && slices.Contains(names, "-"):
		return errors.New("standard input cannot be both the file and the patch")
	}
	return nil
}

// changes parses the PATH=VALUE arguments, and refuses flags that cannot be combined.
func (o *setOptions) changes(names, args []string) ([]flags.Assignment, error) {
	switch {
	case o.apply != "":
		return nil, o.checkPatch(names, args)
	case o.reverse:
		return nil, errors.New("--reverse undoes the patch that --apply names")
	case o.create && o.where != "":
		return nil, errOfPath
	case o.where != "" && (len(args) != 1 || len(names) == 0 && !o.IsUsed()):
		return nil, errors.New(`--where takes one VALUE and no path: varview set FILE --where QUERY VALUE`)
	case o.where != "":
		return nil, nil
	case len(args) == 0:
		return nil, errors.New(`set takes a FILE and one or more PATH=VALUE ("varview set --help" says more)`)
	}
	return flags.Assignments(args)
}

// setInTurn makes changes in order; consecutive changes of single values are made together.
func (e commands) setInTurn(ctx context.Context, t *model.Transaction, name string, changes []flags.Assignment, o *setOptions) error {
	var paths []string
	for _, a := range changes {
		paths = append(paths, a.Path)
	}
	for len(changes) > 0 {
		n, _, err := t.EachWithin(ctx, paths[len(paths)-len(changes):], func(inner *model.Transaction, i int, rest string) (model.Changed, error) {
			done, err := inner.SetAll(ctx, rest, changes[i].Value, o.Options)
			return done, within(changes[i], err)
		})
		if err != nil {
			return err
		}
		if changes = changes[n:]; n > 0 {
			continue
		}
		if isBulk(changes[0]) {
			if err := e.setAll(ctx, t, name, changes[0], o); err != nil {
				return err
			}
			changes = changes[1:]
			continue
		}
		single := changes
		isOther := func(a flags.Assignment) bool { return isBulk(a) || t.IsWithin(ctx, a.Path) }
		if i := slices.IndexFunc(changes, isOther); i > 0 {
			single = changes[:i]
		}
		if err := e.setValues(ctx, t, name, single, o); err != nil {
			return err
		}
		changes = changes[len(single):]
	}
	return nil
}

// within says why a value in what another one holds was not set.
func within(a flags.Assignment, err error) error {
	if retyped := (*edit.TypeError)(nil); errors.As(err, &retyped) {
		err = fmt.Errorf("%w; --retype allows it", err)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", a.Path, err)
	}
	return err
}

// isBulk reports whether a change is one of many values, or calculates with the old one.
func isBulk(a flags.Assignment) bool { return tree.IsPattern(a.Path) || expression.Is(a.Value) }

// setAll makes a change of many values, and reports how many.
func (e commands) setAll(ctx context.Context, t *model.Transaction, name string, a flags.Assignment, o *setOptions) error {
	done := e.WatchEdits(t, "changing", name)
	changed, err := t.SetAll(ctx, a.Path, a.Value, o.Options)
	done()
	return e.tellChanged(name, a.Path, changed, err, o)
}

// setFound sets all values in which a query finds something.
func (e commands) setFound(ctx context.Context, name, value string, o *setOptions) error {
	return e.editValues(ctx, name, &o.Edit, func(ctx context.Context, t *model.Transaction) error {
		t.Unrecorded = o.Patch == ""
		done := e.WatchEdits(t, "changing", name)
		changed, err := t.SetAll(ctx, model.Where+o.where, value, o.Options)
		done()
		return e.tellChanged(name, o.where, changed, err, o)
	})
}

// tellChanged reports how many values a change of many has changed, or returns its error.
func (e commands) tellChanged(name, what string, changed model.Changed, err error, o *setOptions) error {
	if retyped := (*edit.TypeError)(nil); errors.As(err, &retyped) {
		err = fmt.Errorf("%w; --retype allows it", err)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	is := "changed"
	if o.DryRun {
		is = "would change"
	}
	if changed.Inside > 0 {
		is += ", with " + span.Counted(int64(changed.Inside), "hit") + " inside"
	}
	e.Tell("%s: %s: %s %s", env.DisplayName(name), what, span.Counted(int64(changed.Values), "value"), is)
	return nil
}

// setValues makes changes of single values.
func (e commands) setValues(ctx context.Context, t *model.Transaction, name string, changes []flags.Assignment, o *setOptions) error {
	keys := env.RepeatedKeys{}
	return e.together(ctx, t, "changing", name, len(changes), func(b *model.Batch, i int) error {
		a := changes[i]
		n, err := b.Resolve(ctx, a.Path)
		if missing := (*tree.PathError)(nil); errors.As(err, &missing) && o.create {
			return e.insertInto(ctx, b, name, a, o.Options, keys)
		} else if missing != nil && strings.HasSuffix(a.Path, missing.Step) {
			if in, none := b.Resolve(ctx, missing.Path); none == nil && in.Layout == tree.Pairs {
				err = fmt.Errorf("%w; --create adds it", err)
			}
		}
		if err != nil {
			return err
		}
		r := b.Reader()
		if n, err = e.LastOfRepeated(r, n, name, a.Path, "set", keys); err != nil {
			return err
		}
		if err := b.Set(ctx, n, edit.Content{Literal: a.Value}, o.Options); err != nil {
			return setError(r, n, a, err)
		}
		return nil
	})
}

// applyPatch makes the changes of a patch.
func (e commands) applyPatch(ctx context.Context, name string, o *setOptions) error {
	p, err := e.readPatch(ctx, o.apply, o.reverse)
	if err != nil {
		return err
	}
	return e.edit(ctx, name, &o.Edit, func(ctx context.Context, doc *model.Document) (*model.Transaction, error) {
		t, err := beginPatch(doc, p)
		if err == nil {
			done := e.WatchEdits(t, "changing", name)
			err = advised(t.Apply(ctx, p, o.Options))
			done()
		}
		if err != nil {
			return nil, fmt.Errorf("%s does not fit: %w", env.DisplayName(o.apply), err)
		}
		return t, nil
	})
}
