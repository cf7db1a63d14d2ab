package model

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
	"varview/model/patch"
)

// DeleteAll deletes the values at paths, each of which can stand for many, and returns their number. It leaves out values inside
// another one. The error of one that cannot be deleted is an *AtError.
func (t *Transaction) DeleteAll(ctx context.Context, o edit.Options, paths ...string) (int, error) {
	before := *t
	_, is := t.now.tree.Reading.(tree.Described) // then Effect asks where each value is
	s, err := t.sweep(ctx, o, is || !t.Unrecorded, func(each func(*tree.Node) error) error { return t.eachAt(ctx, paths, each) })
	switch {
	case errors.As(err, new(edit.Never)):
		return 0, err
	case err != nil:
		return t.deleteByPaths(ctx, o, paths) // nothing is deleted so far
	}
	values, ops := s.values, s.ops
	for len(s.left) > 0 && err == nil {
		left := s.left
		if len(left) == s.values { // none of them goes together with the others
			*t = before
			return t.deleteByPaths(ctx, o, paths)
		}
		s, err = t.sweep(ctx, o, false, func(each func(*tree.Node) error) error { return eachOn(t.read, left, each) })
	}
	slices.Reverse(ops)
	t.ops = append(t.ops, ops...)
	return values, err
}

// deleteByPaths is DeleteAll for values in any order, with an op for each: the last one in the file first, so that those before
// keep their paths.
func (t *Transaction) deleteByPaths(ctx context.Context, o edit.Options, paths []string) (int, error) {
	all, err := t.outermost(ctx, paths)
	if err != nil {
		return 0, err
	}
	return len(all), t.Together(ctx, len(all), func(b *Batch, i int) error {
		n, err := b.Resolve(ctx, all[i])
		if err != nil {
			return err
		}
		if err := b.Delete(ctx, n, o); err != nil {
			return &AtError{all[i], err}
		}
		return nil
	})
}

// A sweep deletes many values of an unchanged tree, in file order. It takes so many at a time that memory does not depend on how
// many there are, of those the last one first.
type sweep struct {
	*Batch
	o    edit.Options
	next []*tree.Node
	last *tree.Node // the last value so far; nil once there are no more

	values     int // number of values so far
	isRecorded bool
	ops        []patch.Op // of all values, if they are recorded
	recorded   *tree.Node // the last one of these
	left       []Cursor   // of those that cannot be deleted together with the others
}

// sweptAtOnce is the number of values that a sweep takes at a time.
const sweptAtOnce = 4096

// sweep deletes the values that all yields.
func (t *Transaction) sweep(ctx context.Context, o edit.Options, isRecorded bool, all func(each func(*tree.Node) error) error) (*sweep, error) {
	s := &sweep{Batch: &Batch{t: t, isLong: true, packed: &source.Packed{}}, o: t.telling(o), isRecorded: isRecorded}
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	s.o.Together = s.together
	s.together.Remains = func(in *tree.Node) bool { return s.last != nil && isInside(in, s.last) }
	err := all(func(n *tree.Node) error { return s.add(ctx, n) })
	if s.last = nil; err == nil {
		err = s.flush(ctx)
	}
	if err != nil {
		return nil, err
	}
	splices, moved, err := s.splices()
	if err == nil {
		err = t.apply(splices)
	}
	for i := range s.left {
		s.left[i] = s.left[i].Follow(moved)
	}
	slices.SortFunc(s.left, inFileOrder)
	return s, err
}

// inFileOrder compares the places of two values: one comes before those inside it.
func inFileOrder(a, b Cursor) int {
	return cmp.Or(cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.Depth, b.Depth))
}

// add deletes a value, or the entry of a key, with others.
func (s *sweep) add(ctx context.Context, n *tree.Node) error {
	n, err := s.t.valueOf(n)
	if err != nil || s.last != nil && isInside(s.last, n) {
		return err
	}
	if s.last != nil && inFileOrder(CursorOf(n), CursorOf(s.last)) < 0 {
		return errOverlap
	}
	if s.last = n; len(s.next) == sweptAtOnce {
		if err := s.flush(ctx); err != nil {
			return err
		}
	}
	if s.isRecorded {
		op, err := s.opOf(ctx, &change{kind: patch.Delete, n: n})
		if err != nil {
			return err
		}
		if before := len(s.ops) - 1; before >= 0 && s.follows(n) { // it is deleted before the one in front of it
			s.ops[before].After = ""
		}
		s.ops, s.recorded = append(s.ops, op), n
	}
	s.t.Progress.Set(n.Start, 2*s.from.content.Size())
	s.next = append(s.next, n)
	s.values++
	return nil
}

// follows reports whether a value comes directly after the last one that was recorded.
func (s *sweep) follows(n *tree.Node) bool {
	last := s.recorded
	return n.Parent != nil && last.Parent != nil && n.Parent.ID() == last.Parent.ID() && n.Slot.Index == last.Slot.Index+1
}

// flush deletes the values that are still to be deleted.
func (s *sweep) flush(ctx context.Context) error {
	var all []source.Splice
	for _, n := range slices.Backward(s.next) {
		splices, err := s.delete(ctx, n)
		if err != nil {
			return err
		}
		all = append(all, splices...)
	}
	s.next = s.next[:0]
	passed := s.packed.End()
	numbers, err := s.together.Settle(func(at int64) bool { return at >= passed && !s.mayChange(at) })
	if err != nil {
		return err
	}
	all = append(all, numbers...)
	source.Sort(all)
	for _, x := range all {
		if err := s.packed.Add(x); err != nil {
			return errOverlap
		}
	}
	return nil
}

// mayChange reports whether a number is part of a value around the last one so far, from which others may go, or behind that.
func (s *sweep) mayChange(at int64) bool {
	for n := s.last; n != nil; n = n.Parent {
		if at >= n.Start && at < n.Body {
			return true
		}
	}
	return s.last == nil || at >= s.last.Start
}

// delete returns the splices that delete a value with others; none if it is left.
func (s *sweep) delete(ctx context.Context, n *tree.Node) ([]source.Splice, error) {
	splices, err := s.editor.Delete(ctx, s.t.read, n, s.o)
	if err == nil && (len(splices) == 0 || splices[0].Offset >= s.packed.End()) {
		s.together.Keep()
		return splices, nil
	}
	s.together.Drop()
	c := CursorOf(n)
	if errors.As(err, new(edit.Never)) {
		return nil, &AtError{s.t.read.Path(n), err}
	}
	if s.left = append(s.left, c); c.Steps != "" { // it would not be found again
		return nil, errElsewhere
	}
	return nil, ctx.Err()
}

// eachAt calls each for the values at paths, in file order.
func (t *Transaction) eachAt(ctx context.Context, paths []string, each func(*tree.Node) error) error {
	if len(paths) == 1 {
		return t.read.EachAt(ctx, paths[0], each)
	}
	var all []Cursor
	for _, path := range paths {
		err := t.read.EachAt(ctx, path, func(n *tree.Node) error { all = append(all, CursorOf(n)); return nil })
		if err != nil {
			return err
		}
	}
	slices.SortFunc(all, inFileOrder)
	return eachOn(t.read, all, each)
}

// errElsewhere says that a value is not found where the earlier edits left it.
var errElsewhere = errors.New("a value is not where the earlier edits left it")

// eachOn calls each for the values that cursors are on. Their numbers need not be those of the cursors: others before them may be
// gone.
func eachOn(r *tree.Reader, all []Cursor, each func(*tree.Node) error) error {
	for _, c := range all {
		n, err := ValueFrom(r, c.Offset, c.Depth)
		switch {
		case err != nil:
			return err
		case c.Steps != "" || n.Depth != c.Depth || n.Head != c.Offset:
			return errElsewhere
		}
		if err := each(n); err != nil {
			return err
		}
	}
	return nil
}

// outermost returns the paths of the values at paths, each of which can stand for many, or of the entries of keys, last in the
// file first, so that those before keep their paths. It leaves out values inside another one.
func (t *Transaction) outermost(ctx context.Context, paths []string) ([]string, error) {
	b, err := t.Batch(ctx, len(paths)) // in which all are found as quickly as later
	if err != nil {
		return nil, err
	}
	var all []*tree.Node
	for _, path := range paths {
		err := b.Reader().EachAt(ctx, path, func(n *tree.Node) error {
			n, err := t.valueOf(n)
			all = append(all, n)
			return err
		})
		switch {
		case err == tree.ErrNoMatch:
			return nil, fmt.Errorf("%w: %s", err, path)
		case err != nil:
			return nil, err
		}
	}
	byPath := func(a, b *tree.Node) int { return slices.Compare(a.Indexes(), b.Indexes()) }
	slices.SortFunc(all, byPath) // a value comes before those in it
	var last *tree.Node
	all = slices.DeleteFunc(all, func(n *tree.Node) bool {
		if last != nil && isInside(last, n) {
			return true
		}
		last = n
		return false
	})
	slices.SortFunc(all, func(a, b *tree.Node) int { return cmp.Or(cmp.Compare(b.Start, a.Start), byPath(b, a)) })
	var is []string
	for _, n := range all {
		is = append(is, b.Reader().Path(n))
	}
	return is, nil
}
