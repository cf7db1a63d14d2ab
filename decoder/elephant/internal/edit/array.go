package edit

import (
	"errors"

	"varview/decoder/elephant/internal/datatype"
	"varview/decoder/elephant/internal/literal"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// An arrayChange changes elements of an array one after the other. Where it
// widens, the common type becomes any, and all elements get tags of their own.
type arrayChange struct {
	e      *Editor
	array  *tree.Node
	of     datatype.ID // common type of the elements
	widens bool
}

// place is where an element is.
func (c *arrayChange) place() place {
	if c.widens {
		return place{parent: c.array, of: datatype.Any}
	}
	return place{parent: c.array, of: c.of}
}

// element replaces an element by a literal, or deletes it if there is none.
func (c *arrayChange) element(p *present, l *literal.Literal) error {
	switch {
	case l == nil:
		return c.remove(p.Node)
	case !c.widens:
		return c.e.merge(p, l, c.place())
	}
	if c.e.fits(l, c.of) == "" {
		c.tag(p.Start)
		return c.e.merge(p, l, place{parent: c.array, of: c.of})
	}
	return c.e.replace(p.Node, l, c.place())
}

// remove takes an element away.
func (c *arrayChange) remove(n *tree.Node) error {
	if err := c.e.NeedFor(&n.Value); err != nil {
		return err
	}
	c.e.Remove(&c.array.Value, span.Between(n.Start, n.End))
	return nil
}

// tag puts the tag of the common type before an element.
func (c *arrayChange) tag(at int64) {
	c.e.PutBytes(&c.array.Value, at, 0, c.e.Tag(c.of))
}

// insert puts new elements in place.
func (c *arrayChange) insert(at int64, items []*literal.Literal) error {
	for _, item := range items {
		b, err := c.e.encode(item, c.place().of)
		if err != nil {
			return err
		}
		c.e.Put(&c.array.Value, span.Span{Offset: at}, part{new: b})
		c.e.filled[c.array.Body] = true
	}
	return nil
}

// finish writes the new number of elements, and the common type if it has changed.
func (c *arrayChange) finish(count int64) error {
	v := &c.array.Value
	switch {
	case count == 0:
		c.e.Remove(v, span.Between(v.Body-1, v.Body))
	case c.widens:
		c.e.PutBytes(v, v.Body-1, 1, c.e.Tag(datatype.Any))
		c.e.filled[v.Body] = true
	}
	return c.e.SetCount(v, count)
}

// Widen gives all elements of an array tags of their own. other may handle an element
// instead, and reports whether it did.
func (e *Editor) Widen(array *tree.Node, other func(n *tree.Node) (bool, error)) error {
	if e.filled[array.Body] {
		return errors.New("this changes the array " + e.r.Path(array) + " in two ways at once; it can be done in two steps")
	}
	c := arrayChange{e: e, array: array, of: datatype.ID(array.Sub), widens: true}
	err := e.EachChild(array, func(n *tree.Node) error {
		done, err := other(n)
		if !done {
			c.tag(n.Start)
		}
		return err
	})
	if err != nil {
		return err
	}
	e.PutBytes(&array.Value, array.Body-1, 1, e.Tag(datatype.Any))
	e.filled[array.Body] = true
	return nil
}

// EachChild calls each for the children of n, whose ends are known then.
func (e *Editor) EachChild(n *tree.Node, each func(*tree.Node) error) error {
	if n.Layout == tree.Fixed {
		p := present{Node: n, f: e.f, w: e.w}
		for i := range p.count() {
			if err := each(p.element(i).Node); err != nil {
				return err
			}
		}
		return e.w.Err()
	}
	s := e.r.Scan(n)
	for steps := 1; ; steps++ {
		ev := s.Next()
		switch {
		case ev == tree.Done, ev == tree.Leave && s.Depth() <= n.Depth:
			return e.w.Err()
		case ev != tree.Enter && s.Depth() == n.Depth+1 && !s.Slot().Key:
			if err := each(s.Subject()); err != nil {
				return err
			}
		}
		if steps%4096 == 0 && e.ctx.Err() != nil {
			return e.ctx.Err()
		}
	}
}
