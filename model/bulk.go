package model

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"varview/decoder/edit"
	"varview/decoder/parallel"
	"varview/decoder/span"
	"varview/decoder/tree"
	"varview/model/expression"
	"varview/model/search"
)

// maxAtOnce bounds the number of values that one step of the history may set.
const maxAtOnce = 1_000_000

// A bulk sets many values of an unchanged tree, in file order. Those that cannot be set together are
// set afterwards, one after the other.
type bulk struct {
	*Batch
	o     edit.Options
	later []laterSet
	last  *tree.Node // of the values so far
	mixed bool       // they were not in file order; until then it need not be noted what is touched
	done  Changed
}

// Changed counts the values that an edit of many changes.
type Changed struct {
	Values int
	Inside int // values that were to be set too, in ones that are set as a whole
}

// A laterSet is a value to be set after those that are edited together.
type laterSet struct {
	place   []int64 // numbers of children, from the buffer on
	literal string
}

// beginBulk begins an edit of many values.
func (t *Transaction) beginBulk(ctx context.Context, o edit.Options) (*bulk, error) {
	b, err := t.Batch(ctx, maxAtOnce)
	return &bulk{Batch: b, o: o}, err
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

// set sets a value, which r reads.
func (b *bulk) set(ctx context.Context, r *tree.Reader, n *tree.Node, literal string) error {
	if b.isInside(n) {
		b.done.Inside++
		return nil
	}
	if b.done.Values >= maxAtOnce {
		return fmt.Errorf("no more than %s values can be set at once", span.Grouped(maxAtOnce))
	}
	inOrder := b.last == nil || n.Start >= b.last.Start
	if !inOrder && !b.mixed {
		b.mixed = true
		if err := b.touchAll(); err != nil {
			return err
		}
	}
	b.last = n
	fits, changed := inOrder || !b.isTouched(n, true), true
	if fits {
		var err error
		if fits, changed, err = b.Batch.set(ctx, r, n, edit.Content{Literal: literal}, b.o); err != nil {
			return &AtError{r.Path(n), err}
		}
	}
	if fits && changed {
		b.edits[len(b.edits)-1].n = nil
	}
	if b.mixed && fits && changed {
		b.touch(n)
	}
	if !fits {
		b.later = append(b.later, laterSet{n.Indexes(), literal})
	}
	if changed || !fits {
		b.done.Values++
	}
	return nil
}

// touchAll notes all values that were set so far.
func (b *bulk) touchAll() error {
	for i := range b.edits {
		n, err := found(b.t.read, b.edits[i].at)
		if err != nil {
			return err
		}
		b.touch(n)
	}
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

// finish makes the edits.
func (b *bulk) finish(ctx context.Context) error {
	if err := b.Finish(ctx); err != nil {
		return err
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
	return t.setEach(ctx, value, o, tree.ErrNoMatch, func(set func(*tree.Node) error) error {
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
	b, err := t.beginBulk(ctx, o)
	if err != nil {
		return Changed{}, err
	}
	r, met := t.now.tree.NewReader(), 0
	err = each(func(n *tree.Node) error {
		met++
		t.Progress.Set(n.Start, 2*r.Tree.Source.Size()) // the other half is what finish does
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

// SetThese does that to values, which are in file order.
func (t *Transaction) SetThese(ctx context.Context, all []*tree.Node, value string, o edit.Options) error {
	_, err := t.setEach(ctx, value, o, tree.ErrNoMatch, func(set func(*tree.Node) error) (err error) {
		for i := 0; err == nil && i < len(all); i++ {
			err = set(all[i])
		}
		return err
	})
	return err
}

// CutAssignment cuts PATH=VALUE at the first "=" outside of brackets and quotes;
// ok is false where there is none.
func CutAssignment(s string) (path, value string, ok bool) {
	path, _, value, ok = search.CutOutside(s, "=")
	return path, value, ok
}
