package compare

import (
	"math"
	"sort"

	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// Known keeps the children of large values of one tree that is compared several times, so that they are read once.
type Known struct {
	read     *tree.Reader
	children map[place]known
}

type known struct {
	items  []item
	damage *span.Problem
}

// NewKnown returns a Known without children of the tree of a reader, with which the comparisons read it.
func NewKnown(r *tree.Reader) *Known { return &Known{r, map[place]known{}} }

// keptBytes is the smallest size of a value whose children are kept.
const keptBytes = 64 << 10

// itemsOf returns the children of a value of a in a gap.
func (c *comparer) itemsOf(a *tree.Node, g *gap) (items []item, err error) {
	if k, is := c.a.kept[place{a.Start, a.Depth}]; is && g.alike {
		c.a.noteAny(k.damage)
		return k.items, nil
	}
	if g.alike {
		if a, err = c.a.read.Finish(a); err != nil {
			return nil, err
		}
		items = make([]item, 0, max(0, min(a.Count, a.End-a.Start)))
	}
	err = c.a.items(c.ctx, a, g.fromA, g.toA, g.endA, func(x *item) { items = append(items, *x) })
	if g.alike && err == nil {
		c.a.keep(a, items)
	}
	return items, err
}

// itemsAlike returns all children of b, of which those in bytes that a has too are taken from the children of a.
func (c *comparer) itemsAlike(a, b *tree.Node, ofA []item) (items []item, err error) {
	if k, is := c.b.kept[place{b.Start, b.Depth}]; is {
		c.b.noteAny(k.damage)
		return k.items, nil
	}
	if b, err = c.b.read.Finish(b); err != nil {
		return nil, err
	}
	t := &taking{comparer: c, a: ofA, inA: a, in: b}
	if c.refers || c.b.nameOf(&b.Value, 0) != nil || c.a.damage != nil || b.Layout == tree.Fixed {
		t.a = nil
	}
	t.items = make([]item, 0, len(t.a)+len(t.a)/64)
	for at, more := b.Body, true; more; {
		at = t.take(at)
		t.sumLarge(at)
		if at, more, err = t.read(at); err != nil {
			return nil, err
		}
	}
	c.b.keep(b, t.items)
	return t.items, nil
}

// keep keeps the children of a value, if it is large.
func (s *side) keep(n *tree.Node, items []item) {
	if s.kept != nil && n.End-n.Start >= keptBytes {
		s.kept[place{n.Start, n.Depth}] = known{items, s.damage}
	}
}

// A taking takes children of one value for those of another where their bytes are equal.
type taking struct {
	*comparer
	a       []item
	inA, in *tree.Node // the two values
	items   []item     // children of the other one so far
}

// counterpart returns which child of a begins at the bytes that b has at an offset, how much further on these are in b, and where
// equal bytes end in a.
func (t *taking) counterpart(at int64) (i int, by, end int64, ok bool) {
	k := sort.Search(len(t.alike), func(k int) bool { return t.alike[k].B > at }) - 1
	if k < 0 || at >= t.in.Tail || int64(len(t.items)) == t.in.Count {
		return 0, 0, 0, false
	}
	m := t.alike[k]
	by, end = m.B-m.A, m.A+m.Length
	i = sort.Search(len(t.a), func(i int) bool { return t.a[i].begin() >= at-by })
	return i, by, end, i < len(t.a) && t.a[i].begin() == at-by && t.a[i].serial == 0
}

// next returns which child of a can be taken at an offset, and how much further on it is in b; ok is false if none can. The byte
// after it is equal too, and belongs to another child.
func (t *taking) next(at int64) (i int, by int64, ok bool) {
	i, by, end, ok := t.counterpart(at)
	return i, by, ok && i+1 < len(t.a) && t.a[i+1].begin() < end
}

// take takes the children from an offset on whose bytes are equal, and returns where the next one begins.
func (t *taking) take(at int64) int64 {
	for {
		i, by, ok := t.next(at)
		if !ok {
			return at
		}
		x := t.a[i]
		x.index = int64(len(t.items))
		x.move(by)
		t.items = append(t.items, x)
		at = t.a[i+1].begin() + by
	}
}

// sumLarge finds the sum of the child at an offset, if it is large and has children that can be taken.
func (t *taking) sumLarge(at int64) {
	i, by, end, ok := t.counterpart(at)
	if !ok || t.a[i].start >= end {
		return
	}
	y := t.a[i]
	y.index = int64(len(t.items))
	y.move(by)
	a, b := t.comparer.a.node(t.inA, &t.a[i]), t.comparer.b.node(t.in, &y)
	if a.Layout < tree.Sequence || b.Layout < tree.Sequence {
		return
	}
	if a, b, ok = t.areAlike(a, b); !ok || b.End-b.Start < keptBytes {
		return
	}
	o := t.comparer.b.open(&b.Value)
	if o.complete {
		return
	}
	g := all
	g.alike = true
	ofA, err := t.itemsOf(a, &g)
	if err != nil {
		return
	}
	items, err := t.itemsAlike(a, b, ofA)
	if err != nil {
		return
	}
	for k := range items {
		o.key = items[k].key
		o.add(tree.Slot{Index: items[k].index}, items[k].sum)
	}
	t.comparer.b.memo[place{b.Start, b.Depth}] = ended{o.sum(), b.End, b.SerialEnd}
}

// read reads children, from an offset on, up to the first behind which some can be taken, and returns where that one ends. more is
// false at the end of the children.
func (t *taking) read(at int64) (next int64, more bool, err error) {
	w := &walk{side: t.comparer.b, in: t.in, to: math.MaxInt64, seen: int64(len(t.items)), s: t.comparer.b.read.ScanAt(t.in, int64(len(t.items)), at)}
	w.each = func(x *item) {
		t.items = append(t.items, *x)
		if _, _, more = t.next(w.s.Pos()); more {
			next, w.to = w.s.Pos(), x.index+1
		}
	}
	err = w.run(t.ctx)
	return next, more, err
}

// move moves an item by a number of bytes.
func (x *item) move(by int64) {
	if x.start += by; x.keyAt != tree.Unknown {
		x.keyAt += by
	}
}

// begin returns the offset of an item, including its key.
func (x *item) begin() int64 {
	if x.keyAt != tree.Unknown {
		return x.keyAt
	}
	return x.start
}
