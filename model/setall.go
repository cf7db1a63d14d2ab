package model

import (
	"cmp"
	"context"
	"errors"

	"varview/decoder/edit"
	"varview/decoder/parallel"
	"varview/decoder/tree"
	"varview/model/expression"
	"varview/model/search"
)

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
