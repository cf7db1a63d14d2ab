package compare

import (
	"bytes"

	"varview/decoder/engine/tree"
)

// A couple is two values at the same place.
type couple struct{ a, b *tree.Node }

// components returns the components in which two vectors differ. It returns nil if all differ, so that
// the vector is one change, or if their types differ.
func (c *comparer) components(a, b *tree.Node) (differ []couple) {
	if c.WholeVectors || a.Layout != tree.Fixed || b.Layout != tree.Fixed || a.Count != b.Count || c.a.ofForm(&a.Value) != c.b.ofForm(&b.Value) {
		return nil
	}
	for i := range a.Count {
		p, err := c.a.read.Child(a, i)
		if err != nil {
			return nil
		}
		q, err := c.b.read.Child(b, i)
		if err != nil {
			return nil
		}
		x, m := c.a.meaning(&p.Value)
		y, n := c.b.meaning(&q.Value)
		if !bytes.Equal(x, y) && !c.isNear(x, y, &m, &n) {
			differ = append(differ, couple{p, q})
		}
	}
	if int64(len(differ)) == a.Count {
		return nil
	}
	return differ
}

// members returns the members of two values that have the same ones, if these may be so large that finding their sums would read
// what equal bytes leave unread; otherwise nil.
func (c *comparer) members(a, b *tree.Node) (all []couple) {
	if _, is := c.a.read.Tree.Reading.(tree.Dependent); !is || len(c.alike) == 0 {
		return nil
	}
	x, errA := c.a.read.Finish(a)
	y, errB := c.b.read.Finish(b)
	if errA != nil || errB != nil || x.Count != y.Count || min(x.Tail-x.Start, y.Tail-y.Start) < gapBytes {
		return nil
	}
	a, b = x, y
	for i := range a.Count {
		name := c.a.nameOf(&a.Value, i)
		if name == nil || !bytes.Equal(name, c.b.nameOf(&b.Value, i)) {
			return nil
		}
		x, errA := c.a.read.Child(a, i)
		y, errB := c.b.read.Child(b, i)
		if errA != nil || errB != nil {
			return nil
		}
		all = append(all, couple{x, y})
	}
	return all
}

func (c *comparer) pairs(all []couple) error {
	for _, x := range all {
		if err := c.pair(x.a, x.b, false); err != nil {
			return err
		}
	}
	return nil
}
