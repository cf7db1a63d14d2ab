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

func (c *comparer) pairs(all []couple) error {
	for _, x := range all {
		if err := c.pair(x.a, x.b); err != nil {
			return err
		}
	}
	return nil
}
