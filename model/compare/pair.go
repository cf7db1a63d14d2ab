package compare

import (
	"bytes"
	"math"

	"varview/decoder/engine/tree"
)

// pair compares two values at the same place. If they are known to be small, with less than gapBytes, it reads them at once.
func (c *comparer) pair(a, b *tree.Node, areSmall bool) error {
	if a.Numbered && b.Numbered {
		c.twins[a.Serial] = b.Serial
		if c.Paired != nil {
			c.Paired(a.Serial, b.Serial)
		}
	}
	change := Change{Kind: Changed, A: a, B: b, InA: a.Parent, InB: b.Parent}
	if c.Ignored != nil && c.Ignored(c.path(&change)) {
		return nil
	}
	x, m := c.a.meaning(&a.Value)
	y, n := c.b.meaning(&b.Value)
	switch {
	case m.Compared == tree.Absent && n.Compared == tree.Absent:
		return nil
	case a.Refers && b.Refers:
		c.refs = append(c.refs, change)
		return nil
	case a.Refers != b.Refers || m.Compared != n.Compared:
		return c.emit(change)
	case !bytes.Equal(x, y):
		if c.isNear(x, y, &m, &n) {
			return nil
		}
		if parts := c.components(a, b); parts != nil {
			return c.pairs(parts)
		}
		return c.emit(change)
	case m.Compared == tree.Whole && !sameContent(c.a, c.b, &m, &n):
		return c.emit(change)
	}
	if err := c.form(change); err != nil || m.Compared == tree.Whole {
		return err
	}
	if a.Depth >= maxDepth {
		if c.a.sumOf(a) == c.b.sumOf(b) {
			return nil
		}
		change.Deep = true
		return c.emit(change)
	}
	if m.Compared == tree.Map {
		return c.entries(a, b, areSmall)
	}
	return c.list(a, b, areSmall)
}

// form reports where values with the same meaning are stored differently. In one dialect, a container of another
// type is a change.
func (c *comparer) form(change Change) error {
	if c.a.ofForm(&change.A.Value) == c.b.ofForm(&change.B.Value) {
		return nil
	}
	change.Kind, change.Note = Retyped, !c.SameDialect || !c.areTyped(change.A, change.B)
	return c.emit(change)
}

// areTyped reports whether two containers are of different types, of which the literal of one names its own:
// [1] and Array[int]([1]).
func (c *comparer) areTyped(a, b *tree.Node) bool {
	if a.Layout == tree.Leaf || b.Layout == tree.Leaf {
		return false
	}
	x, y := c.a.typeOf(a), c.b.typeOf(b)
	return !bytes.Equal(x, y) && (c.a.names(a, x) || c.b.names(b, y))
}

func (s *side) typeOf(n *tree.Node) []byte { return s.read.Tree.AppendType(nil, s.window(), &n.Value) }

// names reports whether the literal of a value begins with its type.
func (s *side) names(n *tree.Node, of []byte) bool {
	return bytes.HasPrefix(s.read.AppendLiteral(nil, &n.Value, len(of)+shownBehindType), of)
}

// shownBehindType is enough of a literal behind its type that it is not cut.
const shownBehindType = 16

// isNear reports whether two meanings differ only in numbers, by no more than the tolerance.
func (c *comparer) isNear(x, y []byte, m, n *tree.Meaning) bool {
	numbers := m.Numbers * tree.NumberSize
	if c.Tolerance == 0 || m.Numbers == 0 || m.Numbers != n.Numbers || !bytes.Equal(x[:len(x)-numbers], y[:len(y)-numbers]) {
		return false
	}
	x, y = x[len(x)-numbers:], y[len(y)-numbers:]
	for ; len(x) > 0; x, y = x[tree.NumberSize:], y[tree.NumberSize:] {
		p, q := tree.NumberMeaning(x), tree.NumberMeaning(y)
		if p != q && !(math.Abs(p-q) <= c.Tolerance) && !(p != p && q != q) {
			return false
		}
	}
	return true
}

// isOpen reports whether equal values still have to be looked at: they may be stored differently, or
// references in them may lead elsewhere.
func (c *comparer) isOpen(a, b *item) bool { return a.form != b.form || c.refers }

// references reports the references that lead to different values in the two trees.
func (c *comparer) references() error {
	for _, x := range c.refs {
		is, known := c.twins[x.A.Sub]
		if known && is == x.B.Sub || !known && leadsNowhere(c.a, x.A) && leadsNowhere(c.b, x.B) {
			continue
		}
		if err := c.emit(x); err != nil {
			return err
		}
	}
	return nil
}

// leadsNowhere reports whether a reference has no target.
func leadsNowhere(s *side, n *tree.Node) bool {
	_, err := s.read.Numbered(n.Sub)
	return err != nil
}
