package model

import (
	"context"
	"fmt"

	"varview/decoder/edit"
	"varview/decoder/span"
	"varview/decoder/tree"
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
