package model

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"varview/decoder/edit"
	"varview/decoder/engine/parallel"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/value/condition"
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
	last  *tree.Node // the last value so far
	mixed bool       // the values were not in file order; until then there is no need to note which are touched
	done  Changed
}

// Changed counts the values that an edit of many changes.
type Changed struct {
	Values int
	Inside int // values that are not counted because they lie in one that is set as a whole
}

// A laterSet is a value that is set after those that are edited together.
type laterSet struct {
	place   []int64 // child indexes that lead to it from the root
	literal string
}

// beginBulk begins an edit of many values. It finds none of them itself: finish does so, if they have to be looked at.
func (t *Transaction) beginBulk(ctx context.Context, o edit.Options) (*bulk, error) {
	b := &bulk{Batch: &Batch{t: t}, o: o}
	if t.Unrecorded {
		b.packed = &source.Packed{}
	}
	return b, b.begin(ctx)
}

// isInside reports whether a value is another one, or lies in it. In whatever order they are set, the outer value is what remains.
func isInside(outer, n *tree.Node) bool {
	for n.Depth > outer.Depth {
		n = n.Parent
	}
	return CursorOf(n) == CursorOf(outer)
}

// follow notes the value that is set next. From the first that is not behind the one before it on, the values that have changed are kept.
func (b *bulk) follow(ctx context.Context, n *tree.Node, inOrder bool) error {
	b.last = n
	if inOrder || b.mixed {
		return nil
	}
	b.mixed = true
	return cmp.Or(b.from.tree.BuildIndex(ctx), b.touchAll())
}

// set sets a value, which r reads.
func (b *bulk) set(ctx context.Context, r *tree.Reader, n *tree.Node, literal string) error {
	if b.last != nil && isInside(b.last, n) {
		b.done.Inside++
		return nil
	}
	if b.done.Values >= maxAtOnce {
		return fmt.Errorf("no more than %s values can be set at once", span.Grouped(maxAtOnce))
	}
	inOrder := b.last == nil || n.Start >= b.last.Start
	isLate := !inOrder && b.packed != nil
	if !isLate {
		if err := b.follow(ctx, n, inOrder); err != nil {
			return err
		}
	}
	fits, changed := !isLate && (inOrder || !b.isTouched(n, true)), true
	if fits {
		var err error
		if fits, changed, err = b.Batch.set(ctx, r, n, edit.Content{Literal: literal}, b.o); err != nil {
			return &AtError{r.Path(n), err}
		}
	}
	if last := len(b.edits) - 1; last >= 0 {
		b.edits[last].n = nil
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

// An AtError is an error about the value at a path.
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
	b.isLong = len(b.later) > 0 || slices.ContainsFunc(b.edits, func(e batchedEdit) bool { return e.op != nil || mayBeRounded(e.typed) })
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

// SetAll sets all values that a path stands for to a literal, or to what an expression makes of the old
// value. Of values nested in one another only the outermost are set. It leads into what texts hold, too. In place of a path may be what
// Where begins.
func (t *Transaction) SetAll(ctx context.Context, path, value string, o edit.Options) (Changed, error) {
	if query, isQuery := strings.CutPrefix(path, Where); isQuery {
		q, err := search.ParseQueryOf(t.now.tree, query)
		if err != nil {
			return Changed{}, fmt.Errorf("--where: %w", err)
		}
		return t.SetFound(ctx, q, value, o)
	}
	p, err := tree.ParsePattern(path)
	if err != nil {
		return Changed{}, err
	}
	var places []holder
	into := addTo(&places)
	if !tree.IsPattern(path) || !t.canLead() {
		into = nil
	}
	here := func() (Changed, error) {
		return t.setEach(ctx, value, o, tree.ErrNoMatch, func(set func(*tree.Node) error) error {
			return p.EachInto(ctx, t.now.tree.NewReader(), set, into)
		})
	}
	texts := func() ([]holder, error) { return places, nil }
	return t.setAnywhere(ctx, tree.ErrNoMatch, here, texts, func(inner *Transaction, rest string) (Changed, error) { return inner.SetWithin(ctx, rest, value, o) })
}

// setAnywhere sets values of the document, and those that some of its texts hold. It returns the error none if there are none.
func (t *Transaction) setAnywhere(ctx context.Context, none error, here func() (Changed, error), texts func() ([]holder, error), inner func(in *Transaction, rest string) (Changed, error)) (Changed, error) {
	done, err := here()
	if err != nil && !errors.Is(err, none) || !t.canLead() {
		return done, err
	}
	places, err2 := texts()
	if err2 != nil {
		return done, err2
	}
	more, err2 := t.setInHeld(ctx, places, none, inner)
	if err2 != nil || more.Values == 0 {
		return done, cmp.Or(err2, err)
	}
	return Changed{done.Values + more.Values, done.Inside + more.Inside}, nil
}

// canLead reports whether texts are searched for values.
func (t *Transaction) canLead() bool {
	return t.doc.Missing == nil && t.now.tree.Region.Length <= maxHolder
}

// SetFound does what SetAll does, to all values in which a query finds something, in their keys too, and in
// the values that texts hold.
func (t *Transaction) SetFound(ctx context.Context, q search.Query, value string, o edit.Options) (Changed, error) {
	return t.setAnywhere(ctx, errNotFound, func() (Changed, error) { return t.setFoundHere(ctx, q, value, o) },
		func() ([]holder, error) { return holders(ctx, t.read) }, func(inner *Transaction, _ string) (Changed, error) { return inner.SetFound(ctx, q, value, o) })
}

// setFoundHere is SetFound without what texts hold.
func (t *Transaction) setFoundHere(ctx context.Context, q search.Query, value string, o edit.Options) (Changed, error) {
	return t.setEach(ctx, value, o, errNotFound, func(set func(*tree.Node) error) (err error) {
		r, last := t.now.tree.NewReader(), (*tree.Node)(nil) // of this round: setEach may take two
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

// entryOf returns the value that a key belongs to, also if n is a part of the key; otherwise it returns
// n.
func entryOf(r *tree.Reader, n *tree.Node) (*tree.Node, error) {
	for m := n; m.Parent != nil; m = m.Parent {
		if m.Slot.Key {
			return r.Child(m.Parent, m.Slot.Index)
		}
	}
	return n, nil
}

// setEach sets all values that each passes to set. none is the error if there are none.
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
		t.Progress.Set(n.Start, 2*r.Tree.Source.Size()) // finish is the other half
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
	_, is := t.now.tree.Reading.(tree.Described)
	if is && b.packed != nil && (t.outcome.Steers || len(b.later) > 0) {
		t.Unrecorded = false // Effect asks where each value is
		return t.setEach(ctx, value, o, none, each)
	}
	return b.done, b.finish(ctx)
}

// errNotFound says that a query finds nothing that can be set.
var errNotFound error = noMatch("nothing is found")

// A noMatch is a tree.ErrNoMatch in other words.
type noMatch string

func (e noMatch) Error() string        { return string(e) }
func (e noMatch) Is(target error) bool { return target == tree.ErrNoMatch }

// newLiteral returns a function that makes the new literal of a value.
func newLiteral(value string) (func(r *tree.Reader, n *tree.Node) (string, error), error) {
	if !expression.Is(value) {
		return func(*tree.Reader, *tree.Node) (string, error) { return value, nil }, nil
	}
	return calculated(value)
}

// calculated returns a function that makes the new literal of a number by an expression.
func calculated(value string) (func(r *tree.Reader, n *tree.Node) (string, error), error) {
	x, err := expression.Parse(value)
	if err != nil {
		return nil, err
	}
	return func(r *tree.Reader, n *tree.Node) (string, error) {
		old := func() string { return short(string(r.AppendLiteral(nil, &n.Value, maxNumber))) }
		is := expression.Whole
		s, isFloat := r.Number(&n.Value)
		switch {
		case s.Own != nil && r.Plain(&n.Value).Kind == tree.Text:
			is = expression.Any
		case isFloat:
			is = expression.Float
		}
		return x.Of(old, s, is)
	}, nil
}

// Calculate returns the literal that is meant by the text of a value to be set: the text itself or, if it is
// an expression and the old value a number, its result.
func Calculate(r *tree.Reader, n *tree.Node, value string) (string, error) {
	s := r.Counted(&n.Value)
	if !s.IsNumber() || !expression.Is(value) && !expression.IsSum(value) {
		return value, nil
	}
	make, err := calculated(value)
	if err != nil {
		return "", err
	}
	return make(r, n)
}

// maxNumber is the length in bytes of the literal of a number.
const maxNumber = 400

// SetThese does what SetAll does, to values that are in file order.
func (t *Transaction) SetThese(ctx context.Context, all []*tree.Node, value string, o edit.Options) error {
	_, err := t.setEach(ctx, value, o, tree.ErrNoMatch, func(set func(*tree.Node) error) (err error) {
		for i := 0; err == nil && i < len(all); i++ {
			err = set(all[i])
		}
		return err
	})
	return err
}

// Where begins what stands in place of a path for all values in which a query finds something: --where QUERY.
const Where = "--where "

// CutAssignment cuts PATH=VALUE at the first "=" outside brackets and quotes, and --where QUERY VALUE before the last word, or text
// in quotes; ok is false if there is none.
func CutAssignment(s string) (path, value string, ok bool) {
	if s = strings.TrimSpace(s); strings.HasPrefix(s, Where) {
		at := strings.LastIndexByte(s, ' ')
		if strings.HasSuffix(s, `"`) {
			at = strings.LastIndex(s, ` "`)
		}
		if at < len(Where) {
			return "", "", false
		}
		return strings.TrimSpace(s[:at]), s[at+1:], true
	}
	path, sign, value := condition.Cut(s, "=")
	return strings.TrimSpace(path), strings.TrimSpace(value), sign != ""
}
