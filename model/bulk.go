package model

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"varview/decoder/edit"
	"varview/decoder/parallel"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
	"varview/model/expression"
	"varview/model/literals"
	"varview/model/patch"
	"varview/model/search"
)

// maxAtOnce bounds the number of values that one step of the history may set.
const maxAtOnce = 1_000_000

// A bulk is an edit of many values. Those on whose size nothing depends but the lengths that their
// frame has around them are edited together, all others one after the other.
type bulk struct {
	t        *Transaction
	o        edit.Options
	editor   edit.Editor
	from     *version // the transaction must stay at it until finish
	splices  []source.Splice
	lengths  []grownLength
	lengthAt map[int64]int // the places in lengths, by offset
	ops      []patch.Op
	at       []Cursor // of the ops
	later    []laterSet
	last     *tree.Node // of the values so far
	done     Changed
}

// Changed counts the values that an edit of many changes.
type Changed struct {
	Values int
	Inside int // values that were to be set too, in ones that are set as a whole
}

// A grownLength is a length around values, and what is added to it.
type grownLength struct {
	around *tree.Node // the first of the values
	at     span.Span
	by     int64
}

// A laterSet is a value to be set after those that are edited together.
type laterSet struct {
	place   []int64 // numbers of children, from the buffer on
	literal string
}

// beginBulk begins an edit of many values.
func (t *Transaction) beginBulk(o edit.Options) (*bulk, error) {
	e, err := t.buffer.editorOf(t.now.tree)
	return &bulk{t: t, o: o, editor: e, from: t.now, lengthAt: map[int64]int{}}, err
}

// isInside reports whether a value is in the last one that was set: whatever the order, the outer
// value is what remains.
func (b *bulk) isInside(n *tree.Node) bool {
	if b.last == nil {
		return false
	}
	for n.Depth > b.last.Depth {
		n = n.Parent
	}
	return CursorOf(n) == CursorOf(b.last)
}

// set sets a value, which r reads. The values must come in file order.
func (b *bulk) set(ctx context.Context, r *tree.Reader, n *tree.Node, literal string) error {
	if b.isInside(n) {
		b.done.Inside++
		return nil
	}
	b.last = n
	if b.done.Values >= maxAtOnce {
		return fmt.Errorf("no more than %s values can be set at once", span.Grouped(maxAtOnce))
	}
	n, err := r.Finish(n)
	if err != nil {
		return err
	}
	all, err := b.editor.Set(ctx, r, n, edit.Content{Literal: literal}, b.o)
	splices, around, by := parted(n, all)
	if err == nil {
		splices, err = b.from.content.Minimal(splices)
	}
	if err != nil {
		return &AtError{r.Path(n), err}
	}
	if len(splices) == 0 {
		return nil
	}
	b.done.Values++
	if fits, err := b.grow(ctx, r, n, around, by, splices); err != nil {
		return &AtError{r.Path(n), err}
	} else if !fits {
		b.later = append(b.later, laterSet{n.Indexes(), literal})
		return nil
	}
	op := patch.Op{Kind: patch.Set, Path: b.t.PathOf(n), Index: n.Slot.Index}
	if op.Old, err = b.t.describe(ctx, &op, n); err != nil {
		return err
	}
	b.splices, b.ops, b.at = append(b.splices, splices...), append(b.ops, op), append(b.at, CursorOf(n))
	return nil
}

// An AtError is an error of a value.
type AtError struct {
	Path string
	Err  error
}

// Error implements error.
func (e *AtError) Error() string { return e.Path + ": " + e.Err.Error() }

// Unwrap returns the error.
func (e *AtError) Unwrap() error { return e.Err }

// parted divides splices into those within a value, and those around it; by is the number of bytes
// that the value grows by.
func parted(n *tree.Node, all []source.Splice) (within, around []source.Splice, by int64) {
	for _, s := range all {
		if s.Offset < n.Start || n.End != tree.Unknown && s.End() > n.End {
			around = append(around, s)
			continue
		}
		within, by = append(within, s), by+s.Added()-s.Length
	}
	return within, around, by
}

// grow reports whether a value can be edited together with others: splices are in it, after all
// that were edited before, and around there is nothing but lengths of the frame, which grow.
func (b *bulk) grow(ctx context.Context, r *tree.Reader, n *tree.Node, around []source.Splice, by int64, splices []source.Splice) (bool, error) {
	end := int64(0)
	if k := len(b.splices); k > 0 {
		end = b.splices[k-1].End()
	}
	if n.End == tree.Unknown || n.Refers || n.Serial != n.SerialEnd || splices[0].Offset < end {
		return false, nil
	}
	if len(around) == 0 {
		return true, nil
	}
	framer, ok := b.editor.(edit.Framer)
	if !ok {
		return false, nil
	}
	lengths, err := framer.Lengthen(ctx, r, n, by)
	if err != nil || !slices.EqualFunc(lengths, around, func(a, b source.Splice) bool { return a.Span == b.Span }) {
		return false, err
	}
	for _, l := range lengths {
		i, known := b.lengthAt[l.Offset]
		if !known {
			i = len(b.lengths)
			b.lengthAt[l.Offset] = i
			b.lengths = append(b.lengths, grownLength{around: n, at: l.Span})
		}
		b.lengths[i].by += by
	}
	return true, nil
}

// withLengths are the splices of the values that are edited together, and of the lengths around them.
func (b *bulk) withLengths(ctx context.Context) ([]source.Splice, error) {
	all, r := slices.Clone(b.splices), b.from.tree.NewReader()
	for _, l := range b.lengths {
		lengths, err := b.editor.(edit.Framer).Lengthen(ctx, r, l.around, l.by)
		if err != nil {
			return nil, err
		}
		if i := slices.IndexFunc(lengths, func(s source.Splice) bool { return s.Span == l.at }); i >= 0 {
			all = append(all, lengths[i])
		}
	}
	source.Sort(all)
	return all, nil
}

// finish makes the edits.
func (b *bulk) finish(ctx context.Context) error {
	if b.t.now != b.from {
		return ErrOutdated
	}
	splices, err := b.withLengths(ctx)
	if err == nil {
		err = b.t.apply(splices)
	}
	if err == nil { // an edit in many places keeps only the beginning of the index
		err = b.t.now.tree.BuildIndex(ctx)
	}
	if err != nil {
		return err
	}
	moved := source.NewMapping(splices)
	find := b.t.now.tree.NewReader() // its window goes only forward
	for i, op := range b.ops {
		if i%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		n, err := b.at[i].Follow(moved.Map).Find(find)
		if err == nil {
			err = b.t.noteAt(ctx, op, n)
		}
		if err != nil {
			return err
		}
	}
	for _, s := range b.later {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		n, err := b.t.read.AtIndexes(s.place)
		if err != nil {
			return err
		}
		if err := b.t.Set(ctx, n, edit.Content{Literal: s.literal}, b.o); err != nil {
			return &AtError{b.t.read.Path(n), err}
		}
	}
	return nil
}

// SetAll gives all values that a path stands for another one: a literal, or what an
// expression makes of the old value. Of values in one another only the outermost are set.
func (t *Transaction) SetAll(ctx context.Context, path, value string, o edit.Options) (Changed, error) {
	p, err := tree.ParsePattern(path)
	if err != nil {
		return Changed{}, err
	}
	return t.setEach(ctx, value, o, errNoMatch, func(set func(*tree.Node) error) error {
		return p.Each(ctx, t.now.tree.NewReader(), set)
	})
}

// SetFound does that to all values in which a query finds something: also in their keys.
func (t *Transaction) SetFound(ctx context.Context, q search.Query, value string, o edit.Options) (Changed, error) {
	r, last := t.now.tree.NewReader(), (*tree.Node)(nil)
	return t.setEach(ctx, value, o, errNotFound, func(set func(*tree.Node) error) (err error) {
		searched := search.Matches(ctx, t.now.tree, q, search.Options{Workers: parallel.Workers()}, func(h search.Hit) bool {
			n := h.Node
			if n == nil {
				n, err = r.At(h.Offset)
			}
			if err == nil {
				n, err = entryOf(r, n)
			}
			if err == nil && n.Depth > 0 && (last == nil || CursorOf(last) != CursorOf(n)) {
				last = n
				err = set(n)
			}
			return err == nil && ctx.Err() == nil
		})
		return cmp.Or(err, searched, ctx.Err())
	})
}

// entryOf is the value that a key belongs to, also where n is a part of the key; otherwise it is n.
func entryOf(r *tree.Reader, n *tree.Node) (*tree.Node, error) {
	for m := n; m.Parent != nil; m = m.Parent {
		if m.Slot.Key {
			return r.Child(m.Parent, m.Slot.Index)
		}
	}
	return n, nil
}

// setEach gives all values that each passes to set another one. none is the error where there are
// none.
func (t *Transaction) setEach(ctx context.Context, value string, o edit.Options, none error, each func(set func(*tree.Node) error) error) (Changed, error) {
	make, err := newLiteral(value)
	if err != nil {
		return Changed{}, err
	}
	if err := t.now.tree.BuildIndex(ctx); err != nil {
		return Changed{}, err
	}
	b, err := t.beginBulk(o)
	if err != nil {
		return Changed{}, err
	}
	r, met := t.now.tree.NewReader(), 0
	err = each(func(n *tree.Node) error {
		met++
		literal, err := make(r, n)
		if err != nil {
			return &AtError{r.Path(n), err}
		}
		return b.set(ctx, r, n, literal)
	})
	if err == nil && met == 0 {
		err = none
	}
	if err != nil {
		return Changed{}, err
	}
	return b.done, b.finish(ctx)
}

// errNoMatch says that a path for many values stands for none.
var errNoMatch = errors.New("no value has such a path")

// errNotFound says that a query finds nothing that could be set.
var errNotFound = errors.New("nothing is found")

// newLiteral returns what makes the new literal of a value.
func newLiteral(value string) (func(r *tree.Reader, n *tree.Node) (string, error), error) {
	if !expression.Is(value) {
		return func(*tree.Reader, *tree.Node) (string, error) { return value, nil }, nil
	}
	x, err := expression.Parse(value)
	if err != nil {
		return nil, err
	}
	return func(r *tree.Reader, n *tree.Node) (string, error) {
		old := string(r.AppendLiteral(nil, &n.Value, maxNumber))
		return x.Of(short(old), r.Plain(&n.Value), r.Look(&n.Value).Number.IsFloat())
	}, nil
}

// maxNumber is the length in bytes of the literal of a number.
const maxNumber = 400

// FillDown gives values the literal of another one. They are in file order.
func (t *Transaction) FillDown(ctx context.Context, from *tree.Node, to []*tree.Node) error {
	literal, err := literals.Full(ctx, t.read, from)
	if err != nil {
		return err
	}
	b, err := t.beginBulk(edit.Options{})
	if err != nil {
		return err
	}
	r := t.now.tree.NewReader()
	for _, n := range to {
		if err := b.set(ctx, r, n, literal); err != nil {
			return err
		}
	}
	return b.finish(ctx)
}
