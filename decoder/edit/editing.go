package edit

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// An Editing collects the splices of one edit. The editor of a format embeds it, and adds what is particular to
// the format: counts, lengths, padding, offsets.
type Editing struct {
	Ctx      context.Context
	Reader   *tree.Reader
	Window   *source.Window
	Together *Together // edits together with which this one is made; nil if there are none
	Splices  []source.Splice
}

// Begin begins an edit.
func Begin(ctx context.Context, r *tree.Reader, o Options) Editing {
	return Editing{Ctx: ctx, Reader: r, Window: r.Window(), Together: o.Together}
}

// Put replaces n bytes at an offset.
func (e *Editing) Put(off, n int64, b []byte) {
	if n > 0 || len(b) > 0 {
		e.Splices = append(e.Splices, source.Put(off, n, b))
	}
}

// Replace puts bytes in the place of those from start to end.
func (e *Editing) Replace(start, end int64, b *source.Pieces) {
	e.Splices = append(e.Splices, source.Splice{Span: span.Between(start, end), New: b})
}

// Cut removes the bytes from start to end.
func (e *Editing) Cut(start, end int64) { e.Put(start, end-start, nil) }

// Added returns by how many bytes splices make a buffer longer.
func Added(splices []source.Splice) (by int64) {
	for i := range splices {
		by += splices[i].Added() - splices[i].Length
	}
	return by
}

// Add adds to the number in a span, to which other edits may add too.
func (e *Editing) Add(s span.Span, by int64, add Adder) error {
	if e.Together != nil {
		e.Together.Add(s, by, add)
		return nil
	}
	b, err := add(by)
	if err == nil {
		e.Put(s.Offset, s.Length, b)
	}
	return err
}

// BeAlone returns an error if the edit is to be made together with others.
func (e *Editing) BeAlone() error {
	if e.Together != nil {
		return ErrAlone
	}
	return nil
}

// Sorted returns the splices in order, or an error.
func (e *Editing) Sorted(err error) ([]source.Splice, error) {
	if err != nil {
		return nil, err
	}
	source.Sort(e.Splices)
	return e.Splices, cmp.Or(e.Window.Err(), e.Ctx.Err())
}

// Subject returns the value that is set: for a buffer its only one, nil if it has none.
func (e *Editing) Subject(n *tree.Node) (*tree.Node, error) {
	if n.Parent != nil {
		return n, nil
	}
	n, err := e.Reader.Child(n, 0)
	if errors.Is(err, tree.ErrNoChild) {
		return nil, nil
	}
	return n, err
}

// ChildAt returns a child, or the error that there is none at the index.
func ChildAt(r *tree.Reader, parent *tree.Node, index int64) (*tree.Node, error) {
	n, err := r.Child(parent, index)
	if errors.Is(err, tree.ErrNoChild) {
		err = fmt.Errorf("index %d is out of range", index)
	}
	return n, err
}

// Copied returns the value that is copied, which must not be damaged, with a known end: of a buffer its only value.
func (c *Content) Copied() (*tree.Node, error) {
	n, err := c.From.Finish(c.Copy)
	if err == nil && n.Parent == nil {
		if n, err = c.From.Child(n, 0); err == nil {
			n, err = c.From.Finish(n)
		}
	}
	if err != nil {
		return nil, err
	}
	if bad, err := IsDamaged(c.From, n); bad || err != nil {
		return nil, cmp.Or(err, errors.New("a damaged value cannot be copied"))
	}
	return n, nil
}

// EntryOf returns an entry or element, or the one whose key n is, with a known end, and its bytes with those of the key.
// A key without a value is returned itself.
func (e *Editing) EntryOf(n *tree.Node) (*tree.Node, span.Span, error) {
	if n.Slot.Key {
		value, err := e.Reader.Child(n.Parent, n.Slot.Index)
		if err == nil {
			n = value
		} else if !errors.Is(err, tree.ErrNoChild) {
			return n, span.Span{}, err
		}
	}
	done, err := e.Reader.Finish(n)
	if err != nil {
		return n, span.Span{}, err
	}
	start := done.Start
	if done.KeyAt != tree.Unknown {
		start = done.KeyAt
	}
	return done, span.Between(start, done.Tail), nil
}

// A Mover says how the children of a format's values follow one another.
type Mover interface {
	// Extent returns what EntryOf does, if that may be deleted and moved.
	Extent(n *tree.Node) (*tree.Node, span.Span, error)

	// Absorbs reports whether bytes after a child would become part of it.
	Absorbs(n *tree.Node) (bool, error)

	// OffsetOf returns the offset of the child index of a value, with its key, or the end of the last child.
	OffsetOf(parent *tree.Node, index int64) (int64, error)

	// InsertAt inserts bytes at an offset of parent.
	InsertAt(parent *tree.Node, at int64, b *source.Pieces) error

	// Swap exchanges the bytes [a, b) and [b, c), which are children of parent.
	Swap(parent *tree.Node, a, b, c int64)
}

// InsertAt implements Mover.
func (e *Editing) InsertAt(_ *tree.Node, at int64, b *source.Pieces) error {
	e.Replace(at, at, b)
	return nil
}

// Swap implements Mover by moving the smaller part.
func (e *Editing) Swap(_ *tree.Node, a, b, c int64) {
	from, to, at := b, c, a
	if b-a <= c-b {
		from, to, at = a, b, c
	}
	e.Replace(at, at, Bytes(e.Reader.Tree.Source, from, to))
	e.Cut(from, to)
}

// MoveChild makes n, with its key, the child with index to of its parent. Together with other edits it comes
// before the child that had that index before all of them.
func (e *Editing) MoveChild(m Mover, n *tree.Node, to int64) error {
	n, at, err := m.Extent(n)
	switch {
	case err != nil:
		return err
	case n.Slot.Key:
		return errors.New("a key without a value cannot be moved")
	case e.Together != nil:
		return e.moveTogether(m, n, at, to)
	case to == n.Slot.Index:
		return nil
	}
	other, err := ChildAt(e.Reader, n.Parent, to)
	if err != nil {
		return err
	}
	other, there, err := m.Extent(other)
	if err != nil {
		return err
	}
	last, a, b, c := n, there.Offset, at.Offset, at.End()
	if to > n.Slot.Index {
		last, a, b, c = other, at.Offset, at.End(), there.End()
	}
	if bad, err := m.Absorbs(last); bad || err != nil {
		return cmp.Or(err, ErrAfterDamage)
	}
	m.Swap(n.Parent, a, b, c)
	return nil
}

func (e *Editing) moveTogether(m Mover, n *tree.Node, from span.Span, before int64) error {
	at, err := m.OffsetOf(n.Parent, before)
	if err != nil {
		return err
	}
	if bad, err := m.Absorbs(n); bad || err != nil {
		return cmp.Or(err, ErrAlone)
	}
	e.Cut(from.Offset, from.End())
	return m.InsertAt(n.Parent, at, Bytes(e.Reader.Tree.Source, from.Offset, from.End()))
}
