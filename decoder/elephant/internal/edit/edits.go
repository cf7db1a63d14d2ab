package edit

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"varview/decoder/edit"
	"varview/decoder/elephant/internal/block"
	"varview/decoder/elephant/internal/datatype"
	"varview/decoder/elephant/internal/literal"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// content returns what an edit inserts, as a literal.
func (e *Editor) content(c edit.Content) (l *literal.Literal, err error) {
	if c.Copy != nil {
		l, err = e.copyOf(c.From, c.Copy)
	} else {
		l, err = literal.Parse(c.Literal)
	}
	if err == nil {
		err = e.prepare(l)
	}
	return l, err
}

// Set gives n another value; see edit.Editor.
func Set(ctx context.Context, f *block.Reading, r *tree.Reader, n *tree.Node, c edit.Content, o edit.Options) ([]source.Splice, error) {
	e := New(ctx, f, r, o)
	if n.Slot.Key {
		if err := e.rename(n, c); err != nil {
			return nil, err
		}
		return e.Finish()
	}
	if n.Parent == nil {
		return nil, errors.New("this is the block itself; its value can be edited")
	}
	if err := e.readable(n); err != nil {
		return nil, err
	}
	l, err := e.content(c)
	if err == nil {
		err = e.set(n, l)
	}
	if err != nil {
		return nil, err
	}
	return e.Finish()
}

func (e *Editor) set(n *tree.Node, l *literal.Literal) error {
	at := placeOf(e.f, n.Parent, n.Slot.Index)
	switch {
	case l.Shape == literal.Default && at.schema:
		return e.Skip(n)
	case l.Shape == literal.Default:
		return e.refuse(l, "only a member that a schema names can have its default")
	case n.Type == datatype.Skipped:
		return e.store(n, l)
	}
	p := &present{Node: n, f: e.f, w: e.w}
	var err error
	if !l.IsAtom() && !n.Refers {
		p, err = load(e.f, e.r, n)
	} else {
		p.Node, err = e.whole(n)
	}
	if err != nil || (p.Refers || l.IsAtom()) && e.equals(p, l) {
		return err
	}
	if err := e.check(n, at, l); err != nil {
		return err
	}
	if at.isTagged() || at.schema || e.fits(l, at.of) == "" {
		return e.merge(p, l, at)
	}
	array, err := e.whole(n.Parent)
	switch {
	case err != nil:
		return err
	case e.Counted(&array.Value) == 1:
		return e.refill(array, 1, &literal.Literal{Shape: literal.Array, Items: []*literal.Literal{l}})
	}
	return e.Widen(array, func(other *tree.Node) (bool, error) {
		if other.Slot.Index != n.Slot.Index {
			return false, nil
		}
		return true, e.replace(other, l, place{parent: array, of: datatype.Any})
	})
}

// rename gives a member another name.
func (e *Editor) rename(n *tree.Node, c edit.Content) error {
	if c.Copy != nil {
		return errors.New("a name is given by a literal")
	}
	if n.Damage != nil {
		return e.readable(n)
	}
	name, err := literal.ParseName(c.Literal)
	if err != nil || bytes.Equal(name, NameOf(e.w, &n.Value)) {
		return err
	}
	if err := e.unused(n.Parent, name, n.Slot.Index); err != nil {
		return err
	}
	e.PutBytes(&n.Parent.Value, n.Start, n.Tail-1-n.Start, name...)
	return nil
}

// unused returns an error if a struct already has a member with a name, which is to be that of its
// member by.
func (e *Editor) unused(parent *tree.Node, name []byte, by int64) error {
	free, err := e.o.Together.TakeKey(parent, string(name), by, func(use func(string, int64)) error {
		s := e.r.ScanChildren(parent)
		return s.Run(e.ctx, func(ev tree.Event) bool {
			if s.Depth() <= parent.Depth {
				return false
			}
			if ev == tree.Atom && s.Slot().Key && s.Depth() == parent.Depth+1 {
				use(string(NameOf(e.w, s.Value())), s.Slot().Index)
			}
			return true
		})
	})
	if err == nil && !free {
		err = fmt.Errorf("the struct has a member %s already", literal.Shown(string(name)))
	}
	return err
}

// named returns n with its end or, if n is a name, the value that it names. That value must
// be readable.
func (e *Editor) named(n *tree.Node) (_ *tree.Node, err error) {
	if n.Slot.Key {
		if n, err = e.r.Child(n.Parent, n.Slot.Index); err != nil {
			return nil, err
		}
	}
	if n, err = e.whole(n); err != nil {
		return nil, err
	}
	return n, e.readable(n)
}

// Delete removes n; see edit.Editor.
func Delete(ctx context.Context, f *block.Reading, r *tree.Reader, n *tree.Node, o edit.Options) ([]source.Splice, error) {
	e := New(ctx, f, r, o)
	if err := e.delete(n); err != nil {
		return nil, err
	}
	return e.Finish()
}

func (e *Editor) delete(n *tree.Node) (err error) {
	if n.Parent == nil || n.Parent.Type == datatype.File {
		return errors.New("a block holds one value, which cannot be deleted; it can be set to another")
	}
	if n, err = e.named(n); err != nil {
		return err
	}
	v := &n.Parent.Value
	if v.Type == datatype.Struct && v.Layout == tree.Sequence {
		if n.Type == datatype.Skipped {
			return errors.New("this member is left out already")
		}
		if err := e.beAlone(); err != nil {
			return err
		}
		return e.Skip(n)
	}
	if err := e.NeedFor(&n.Value); err != nil {
		return err
	}
	e.Remove(v, Entry(n))
	if e.o.Together == nil && e.Counted(v) == 1 && v.Type == datatype.Array { // an empty array has no type
		e.Remove(v, span.Between(v.Body-1, v.Body))
	}
	return e.recount(v, -1)
}

// Move moves n to another place in its parent; see edit.Editor.
func Move(ctx context.Context, f *block.Reading, r *tree.Reader, n *tree.Node, to int64, o edit.Options) ([]source.Splice, error) {
	e := New(ctx, f, r, o)
	if err := e.move(n, to); err != nil {
		return nil, err
	}
	return e.Finish()
}

func (e *Editor) move(n *tree.Node, to int64) (err error) {
	if err := e.beAlone(); err != nil {
		return err
	}
	switch {
	case n.Parent == nil || n.Parent.Type == datatype.File:
		return errors.New("a block holds one value, which cannot be moved")
	case n.Parent.Type == datatype.Struct && n.Parent.Layout == tree.Sequence:
		return errors.New("the members of a schema are ordered by name")
	}
	if n, err = e.named(n); err != nil {
		return err
	}
	other, err := e.r.Child(n.Parent, to)
	if errors.Is(err, tree.ErrNoChild) {
		return fmt.Errorf("index %d is out of range", to)
	}
	if err == nil {
		other, err = e.whole(other)
	}
	if err != nil || to == n.Slot.Index {
		return err
	}
	if n.Refers { // it may come before what it leads to
		err = e.need()
	} else {
		err = e.NeedFor(&n.Value)
	}
	if err != nil {
		return err
	}
	at := Entry(other).Offset
	if to > n.Slot.Index {
		at = other.End
	}
	v := &n.Parent.Value
	e.Put(v, span.Span{Offset: at}, part{old: Entry(n)})
	e.Put(v, Entry(n))
	return nil
}
