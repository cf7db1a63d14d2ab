package resource

import (
	"context"
	"errors"
	"slices"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/formats/godot/internal/variant"
	"varview/decoder/formats/godot/internal/variantedit"
)

// An editing is one edit: of the values by a format that adds the strings they need, then of the
// tables of the file.
type editing struct {
	*reading
	edit.Editing
	values *variant.Format
	tables *tables

	gone     span.Span  // a resource that is deleted
	removed  int        // number of the removed entry in its table, from 1; 0 if there is none
	inserted *insertion // a resource that is inserted
}

func (r *reading) begin(ctx context.Context, n *tree.Reader, o edit.Options) *editing {
	n.Window().SetBigEndian(r.head.big)
	e := &editing{reading: r, Editing: edit.Begin(ctx, n, o)}
	e.Window = source.NewWindow(n.Tree.Source)
	e.Window.SetBigEndian(r.head.big)
	e.tables = &tables{head: r.head, w: e.Window}
	values := *r.values
	values.Tables, e.values = e.tables, &values
	return e
}

// number returns the bytes of a number of 4 or 8 bytes.
func (e *editing) number(t types.ID, n int64) []byte { return e.values.AppendBinary(nil, t, uint64(n)) }

// add adds to a count.
func (e *editing) add(at, by int64) { e.Put(at, 4, e.number(types.Int32, int64(e.Window.U32(at))+by)) }

// done returns the splices of an edit of values, with those of the strings that it adds and of the offsets
// of what it moves.
func (e *editing) done(splices []source.Splice, err error) ([]source.Splice, error) {
	e.Splices = append(e.Splices, splices...)
	if !e.Keep(err) {
		return nil, e.Err
	}
	if added := e.tables.added; len(added) > 0 {
		e.BeAlone()
		var b []byte
		for _, text := range added {
			b = e.text(b, text)
		}
		e.Put(e.head.strings.End(), 0, b)
		e.add(e.head.strings.Offset-4, int64(len(added)))
	}
	e.follow()
	return e.Sorted()
}

// text appends a string as the tables have it.
func (e *editing) text(dst, text []byte) []byte {
	return append(append(append(dst, e.number(types.Int32, int64(len(text))+1)...), text...), 0)
}

// entry returns the bytes of an entry of the table.
func (e *editing) entry(path []byte, offset int64) []byte {
	return append(e.text(nil, path), e.number(types.Int64, offset)...)
}

// follow adjusts the offsets of the table to what the edit moves.
func (e *editing) follow() {
	entry := -1
	if x := e.inserted; x != nil {
		e.Put(x.at, 0, x.data)
		entry = len(e.Splices)
		e.Put(x.entryAt, 0, e.entry(x.path, 0))
	}
	made := slices.Clone(e.Splices)
	source.Sort(made)
	moved := source.NewMapping(made)
	if x := e.inserted; x != nil {
		at := moved.Map(x.at) - int64(len(x.data)) - e.head.base
		e.Splices[entry] = source.Put(x.entryAt, 0, e.entry(x.path, at))
	}
	each := func(at, to int64) {
		by := moved.Map(to) - to
		if to -= e.head.base; by == 0 {
			return
		}
		if e.Together != nil {
			e.Together.Add(span.Span{Offset: at, Length: 8}, by, func(by int64) ([]byte, error) { return e.number(types.Int64, to+by), nil })
			return
		}
		e.Put(at, 8, e.number(types.Int64, to+by))
	}
	for i, x := range e.head.table {
		if i+1 != e.removed {
			each(x.at, x.offset)
		}
	}
	if e.head.imported > 0 {
		each(e.head.importAt, e.head.imported)
	}
}

// errPart is the refusal to delete what a record must have.
const errPart = edit.Never("the parts that every file has cannot be deleted, inserted or moved")

// Set implements edit.Editor.
func (r *reading) Set(ctx context.Context, n *tree.Reader, at *tree.Node, c edit.Content, o edit.Options) ([]source.Splice, error) {
	e := r.begin(ctx, n, o)
	if at.Parent != nil && at.Parent.Type == types.Record {
		switch {
		case at.Type == r.strings:
			return nil, errors.New("the strings can be set only one by one: values refer to them by their numbers")
		case at.Type == types.Int32:
			return nil, errors.New("flags say how the file is read; they cannot be set")
		case at.Type == types.Int64 && leaves[at.Sub].kind == span.Offset:
			return nil, errors.New("an offset follows what it leads to; it cannot be set")
		case at.Parent.Sub == recordEntry && !r.head.isIndexed():
			return nil, errors.New("values refer to this id; it cannot be set")
		}
	}
	splices, err := variantedit.Editor{Format: e.values}.Set(ctx, n, at, c, o)
	if at.Type == types.Property && err == nil && len(e.tables.added) == 1 && o.Together == nil {
		splices = e.rename(at, splices)
	}
	return e.done(splices, err)
}

// rename changes the string of a name in its place where nothing else has the name, or else returns
// the splices of an edit that gives it another string.
func (e *editing) rename(at *tree.Node, splices []source.Splice) []source.Splice {
	index := e.Window.U32(at.Start)
	is, ok := e.tables.Text(index)
	if !ok || e.uses(index) != 1 {
		return splices
	}
	b := e.text(nil, e.tables.added[0])
	e.tables.added = nil
	start := is.Offset - 4
	return []source.Splice{source.Put(start, int64(e.Window.U32(start))+4, b)}
}

// uses returns how often a string is a name.
func (e *editing) uses(index uint32) (n int) {
	e.Keep(edit.EachAtom(e.Ctx, e.Reader, func(_ *tree.Scanner, v *tree.Value) {
		if (v.Type == types.Property || v.Type == types.Part) && e.Window.U32(v.Start) == index {
			n++
		}
	}))
	return n
}

// SetBytes implements edit.ByteEditor.
func (r *reading) SetBytes(ctx context.Context, n *tree.Reader, at *tree.Node, b []byte) ([]source.Splice, error) {
	e := r.begin(ctx, n, edit.Options{})
	return e.done(variantedit.Editor{Format: e.values}.SetBytes(ctx, n, at, b))
}

// Insert implements edit.Editor.
func (r *reading) Insert(ctx context.Context, n *tree.Reader, parent *tree.Node, index int64, c edit.Content, o edit.Options) ([]source.Splice, error) {
	e := r.begin(ctx, n, o)
	switch {
	case parent.Type == types.Record:
		return nil, errPart
	case parent.Type == types.List && o.Together != nil:
		return nil, edit.ErrAlone
	case parent.Type == types.List:
		e.insertRecord(parent, index, c)
		return e.done(nil, nil)
	case parent.Type == r.strings && parent.Parent != nil && parent.Parent.Type == types.Record && index != parent.Count:
		return nil, errors.New("a string can be added only after the others: values refer to them by their numbers")
	}
	return e.done(variantedit.Editor{Format: e.values}.Insert(ctx, n, parent, index, c, o))
}

// Delete implements edit.Editor.
func (r *reading) Delete(ctx context.Context, n *tree.Reader, at *tree.Node, o edit.Options) ([]source.Splice, error) {
	e := r.begin(ctx, n, o)
	switch err := e.isMovable(at); {
	case at.Parent != nil && at.Parent.Type == types.List && o.Together != nil:
		return nil, edit.ErrAlone
	case at.Parent != nil && at.Parent.Type == types.List:
		e.deleteRecord(at, o)
		return e.done(nil, nil)
	case err != nil:
		return nil, err
	}
	return e.done(variantedit.Editor{Format: e.values}.Delete(ctx, n, at, o))
}

// Move implements edit.Editor.
func (r *reading) Move(ctx context.Context, n *tree.Reader, at *tree.Node, to int64, o edit.Options) ([]source.Splice, error) {
	e := r.begin(ctx, n, o)
	if err := e.isMovable(at); err != nil {
		return nil, err
	}
	return e.done(variantedit.Editor{Format: e.values}.Move(ctx, n, at, to, o))
}

// isMovable returns an error if a value must stay where it is.
func (e *editing) isMovable(at *tree.Node) error {
	in := at.Parent
	switch {
	case in == nil || in.Type == types.Record:
		return errPart
	case in.Type == types.List:
		return errors.New("resources cannot be moved: a resource comes after those that it refers to, the main one last")
	case in.Type == e.strings && in.Parent != nil && in.Parent.Type == types.Record:
		return errors.New("a string cannot be deleted or moved: values refer to strings by their numbers")
	}
	return nil
}

// Types implements edit.Editor.
func (r *reading) Types(n *tree.Reader, at *tree.Node) []string {
	if at.Parent == nil || at.Parent.Type == types.Record {
		return nil
	}
	return variantedit.Editor{Format: r.values}.Types(n, at)
}

// Retyped implements edit.Editor.
func (r *reading) Retyped(ctx context.Context, n *tree.Reader, at *tree.Node, name string) (string, error) {
	return variantedit.Editor{Format: r.begin(ctx, n, edit.Options{}).values}.Retyped(ctx, n, at, name)
}
