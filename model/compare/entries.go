package compare

import (
	"context"
	"math"
	"slices"

	"varview/decoder/engine/tree"
)

// children reads the children of two values that may differ: those in the gaps between bytes that are
// known to be equal.
func (c *comparer) children(a, b *tree.Node, gaps []gap, each func(gap) error) error {
	for _, g := range gaps {
		ofA := func() (err error) {
			g.a, err = c.itemsOf(a, &g)
			return err
		}
		ofB := func() error {
			return c.b.items(c.ctx, b, g.fromB, g.toB, g.endB, func(x *item) { g.b = append(g.b, *x) })
		}
		var err error
		_, isLarge := c.a.memo[place{a.Start, a.Depth}]
		if !g.alike && (isLarge || a.Depth < 2) { // not for the many small ones
			err = both(ofA, ofB)
		} else if err = ofA(); err == nil && g.alike {
			g.b, err = c.itemsAlike(a, b, g.a)
		} else if err == nil {
			err = ofB()
		}
		if err == nil {
			err = each(g)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// A gap is a part of the children of two values that may differ.
type gap struct {
	fromA, fromB *tree.Node // the first child in each; nil for the first of all
	toA, toB     int64      // the first child after the gap
	endA, endB   int64      // where it begins; at most the end of the values
	alike        bool       // it is all of two values that have equal bytes in parts, which are read in the same way
	a, b         []item
}

var all = gap{toA: math.MaxInt64, toB: math.MaxInt64, endA: math.MaxInt64, endB: math.MaxInt64}

// entries compares values by the keys or names of their children.
func (c *comparer) entries(a, b *tree.Node, areSmall bool) error {
	var g gap
	gaps := c.gaps(a, b, false, areSmall)
	if x, y, ok := c.onlyOnes(a, b, gaps, areSmall); ok && c.sameKey(x, y) {
		return c.pair(x, y, false)
	}
	err := c.children(a, b, gaps, func(part gap) error {
		g.a, g.b = append(g.a, part.a...), append(g.b, part.b...)
		return nil
	})
	if err != nil {
		return err
	}
	twin := byKey(g.a, g.b)
	taken := make([]bool, len(g.b))
	for _, j := range twin {
		if j >= 0 {
			taken[j] = true
		}
	}
	renamed := c.renames(a, &g, twin, taken)
	next, last, isOrdered := 0, -1, true
	for i := range g.a {
		x, j := &g.a[i], twin[i]
		if j < 0 {
			j = renamed[i]
			if j < 0 {
				if err := c.removed(a, b, x, math.MaxInt64); err != nil {
					return err
				}
				continue
			}
			if err := c.emit(Change{Kind: Renamed, A: c.a.node(a, x), B: c.b.node(b, &g.b[j]), InA: a, InB: b}); err != nil {
				return err
			}
		}
		isOrdered, last = isOrdered && j > last, max(j, last)
		for ; next < j; next++ {
			if err := c.addedEntry(a, b, &g.b[next], taken[next], int64(i)); err != nil {
				return err
			}
		}
		if err := c.entry(a, b, x, &g.b[j], twin[i] >= 0); err != nil {
			return err
		}
	}
	for ; next < len(g.b); next++ {
		if err := c.addedEntry(a, b, &g.b[next], taken[next], math.MaxInt64); err != nil {
			return err
		}
	}
	if !isOrdered {
		return c.emit(Change{Kind: Moved, Note: true, A: a, B: b, InA: a.Parent, InB: b.Parent})
	}
	return nil
}

// sameKey reports whether two entries have the same key, stored in the same way.
func (c *comparer) sameKey(x, y *tree.Node) bool {
	k, l := c.a.read.Key(x), c.b.read.Key(y)
	return k != nil && l != nil && c.a.sumOf(k) == c.b.sumOf(l)
}

// entry compares two entries with the same key, or one that was renamed to the other.
func (c *comparer) entry(a, b *tree.Node, x, y *item, sameKey bool) error {
	if x.sum == y.sum && x.key.form == y.key.form && !c.isOpen(x, y) {
		return nil
	}
	p, q := c.a.node(a, x), c.b.node(b, y)
	if sameKey && x.key.form != y.key.form && p.KeyAt != tree.Unknown && q.KeyAt != tree.Unknown {
		k, l := c.a.read.Key(p), c.b.read.Key(q)
		if err := c.emit(Change{Kind: Retyped, Note: true, A: k, B: l, InA: a, InB: b}); err != nil {
			return err
		}
	}
	return c.pair(p, q, x.isSmall && y.isSmall)
}

func (c *comparer) addedEntry(a, b *tree.Node, y *item, taken bool, before int64) error {
	if taken {
		return nil
	}
	return c.added(a, b, y, before)
}

// added reports a value that only b has, unless it is not in the bytes.
func (c *comparer) added(a, b *tree.Node, y *item, before int64) error {
	if y.of == tree.Absent {
		return nil
	}
	return c.emit(Change{Kind: Added, B: c.b.node(b, y), InA: a, InB: b, Before: before})
}

// removed reports a value that only a has, unless it is not in the bytes.
func (c *comparer) removed(a, b *tree.Node, x *item, before int64) error {
	if x.of == tree.Absent {
		return nil
	}
	return c.emit(Change{Kind: Removed, A: c.a.node(a, x), InA: a, InB: b, Before: before})
}

// byKey returns for each entry of a the entry of b with the same key, or -1. Where a key is repeated, its
// n-th entries correspond.
func byKey(a, b []item) []int {
	at := map[uint64][]int{}
	for j := range b {
		at[b[j].key.meaning] = append(at[b[j].key.meaning], j)
	}
	twin := make([]int, len(a))
	for i := range a {
		twin[i] = -1
		if js := at[a[i].key.meaning]; len(js) > 0 {
			twin[i], at[a[i].key.meaning] = js[0], js[1:]
		}
	}
	return twin
}

// Order returns for each entry of a value the index of the entry of another value that has the same key, or
// -1.
func Order(ctx context.Context, a *tree.Reader, x *tree.Node, b *tree.Reader, y *tree.Node) ([]int, error) {
	var all [2][]item
	for i, of := range []struct {
		r *tree.Reader
		n *tree.Node
	}{{a, x}, {b, y}} {
		err := newSide(of.r.Tree).items(ctx, of.n, nil, math.MaxInt64, math.MaxInt64, func(x *item) { all[i] = append(all[i], *x) })
		if err != nil {
			return nil, err
		}
	}
	return byKey(all[0], all[1]), nil
}

// renames returns for each entry of a the entry of b that has another key and the same value, or -1, and
// marks that one as taken. Only values that occur once and are not equal by chance count.
func (c *comparer) renames(a *tree.Node, g *gap, twin []int, taken []bool) []int {
	once := func(items []item) map[uint64]int {
		at := map[uint64]int{}
		for i := range items {
			if _, again := at[items[i].meaning]; again {
				at[items[i].meaning] = -1
			} else {
				at[items[i].meaning] = i
			}
		}
		return at
	}
	renamed := slices.Repeat([]int{-1}, len(g.a))
	if !slices.Contains(twin, -1) || !slices.Contains(taken, false) {
		return renamed
	}
	inA, inB := once(g.a), once(g.b)
	for i := range g.a {
		x := &g.a[i]
		j, found := inB[x.meaning]
		if twin[i] < 0 && x.of != tree.Absent && inA[x.meaning] == i && found && j >= 0 && !taken[j] && c.a.isDistinctive(c.ctx, c.a.node(a, x)) {
			renamed[i], taken[j] = j, true
		}
	}
	return renamed
}

// distinctive is the number of characters in the different scalars of a value from which on two values are not
// equal by chance, as those with a few numbers or a word of a list of words are.
const distinctive = 24

// isDistinctive reports whether another value is equal to n only if it is n.
func (s *side) isDistinctive(ctx context.Context, n *tree.Node) bool {
	left, count := maxParts, 0
	seen := map[string]bool{}
	var add func(n *tree.Node)
	add = func(n *tree.Node) {
		if left--; left < 0 || count >= distinctive {
			return
		}
		if n.Layout != tree.Leaf && !n.Opaque {
			s.items(ctx, n, nil, maxParts, math.MaxInt64, func(x *item) { add(s.node(n, x)) })
			return
		}
		if text := string(s.read.AppendLiteral(nil, &n.Value, distinctive)); !seen[text] {
			seen[text] = true
			count += len(text)
		}
	}
	add(n)
	return count >= distinctive
}
