package compare

import (
	"slices"

	"varview/decoder/engine/tree"
)

// list compares values by their children, in order.
func (c *comparer) list(a, b *tree.Node, areSmall bool) error {
	_, m := c.a.meaning(&a.Value)
	_, n := c.b.meaning(&b.Value)
	if m.Len() > 0 && c.a.ofForm(&a.Value) == c.b.ofForm(&b.Value) && sameContent(c.a, c.b, &m, &n) {
		return nil
	}
	if all := c.members(a, b); all != nil {
		return c.pairs(all)
	}
	gaps := c.gaps(a, b, true, areSmall)
	if x, y, ok := c.onlyOnes(a, b, gaps, areSmall); ok && c.Key == "" {
		return c.pair(x, y, false)
	}
	var parts []*listed
	err := c.children(a, b, gaps, func(g gap) error {
		parts = append(parts, c.matched(g))
		return nil
	})
	if err != nil {
		return err
	}
	c.findMoved(parts)
	for _, p := range parts {
		c.pairUp(a, b, p)
		if c.Unclear != nil {
			c.reportUnclear(a, p)
		}
		if err := c.reportList(a, b, p); err != nil {
			return err
		}
	}
	return nil
}

// onlyOnes returns the only children of two values that may differ, if each side has one: neither can
// have moved. In small values it is quicker to read the children than to count them first.
func (c *comparer) onlyOnes(a, b *tree.Node, gaps []gap, areSmall bool) (x, y *tree.Node, ok bool) {
	if len(gaps) != 1 || areSmall {
		return nil, nil, false
	}
	x, ok = gaps[0].onlyOne(c.a, a, gaps[0].fromA, gaps[0].toA)
	if !ok {
		return nil, nil, false
	}
	y, ok = gaps[0].onlyOne(c.b, b, gaps[0].fromB, gaps[0].toB)
	return x, y, ok
}

func (g *gap) onlyOne(s *side, in, from *tree.Node, to int64) (*tree.Node, bool) {
	first := firstIndex(from)
	if in.Count == tree.Unknown { // it may have been counted meanwhile, to find the gaps
		var err error
		if in, err = s.read.Finish(in); err != nil {
			return nil, false
		}
	}
	if min(to, max(in.Count, 0)) != first+1 {
		return nil, false
	}
	if from != nil {
		return from, true
	}
	n, err := s.read.Child(in, first)
	return n, err == nil
}

// A listed is a gap in two lists whose elements are being paired.
type listed struct {
	gap
	by    *aligner
	twin  []int  // counterpart in b of each element of a, or one of the constants below
	twinB []int  // the same for b
	same  []bool // whether the counterpart of each element of a means the same
	sure  []bool // whether each element of a has certainly become its counterpart
	moved []move // elements moved out of this gap
}

// A move is an element of a list that is at another place in b.
type move struct {
	from int
	to   *listed
	at   int
}

const (
	noTwin    = -1
	movedAway = -2
	alone     = -3 // its key is not on the other side
)

func (c *comparer) matched(g gap) *listed {
	p := &listed{gap: g, by: newAligner(meanings(g.a), meanings(g.b)), twin: slices.Repeat([]int{noTwin}, len(g.a)), twinB: slices.Repeat([]int{noTwin}, len(g.b)), same: make([]bool, len(g.a)), sure: make([]bool, len(g.a))}
	p.by.holds = func(i, j int) bool { return g.a[i].of != tree.Whole && g.b[j].of != tree.Whole }
	for _, m := range p.by.align() {
		p.join(m.a, m.b)
		p.same[m.a] = g.a[m.a].meaning == g.b[m.b].meaning
	}
	p.by.found = nil
	return p
}

func meanings(items []item) []uint64 {
	all := make([]uint64, len(items))
	for i := range items {
		all[i] = items[i].meaning
	}
	return all
}

func (p *listed) join(i, j int) { p.twin[i], p.twinB[j] = j, i }

// findMoved finds elements that are gone from one place and appear at another, if no other element equals
// them.
func (c *comparer) findMoved(parts []*listed) {
	type spot struct {
		in *listed
		at int
	}
	count, to := map[uint64][2]int{}, map[uint64]spot{}
	for _, p := range parts {
		for j := range p.b {
			if p.twinB[j] == noTwin {
				to[p.b[j].meaning] = spot{p, j}
			}
		}
	}
	if len(to) == 0 {
		return
	}
	note := func(items []item, side int) {
		for i := range items {
			h := items[i].meaning
			if _, is := to[h]; is {
				n := count[h]
				n[side]++
				count[h] = n
			}
		}
	}
	for _, p := range parts {
		note(p.a, 0)
		note(p.b, 1)
	}
	for _, p := range parts {
		for i := range p.a {
			h := p.a[i].meaning
			if is, found := to[h]; found && p.twin[i] == noTwin && count[h] == [2]int{1, 1} {
				p.moved = append(p.moved, move{i, is.in, is.at})
				p.twin[i], is.in.twinB[is.at] = movedAway, movedAway
			}
		}
	}
}

// A hole is a run of elements without twins, between two pairs of twins.
type hole struct{ a0, a1, b0, b1 int }

// holes returns the runs of elements that have no twin.
func (p *listed) holes() (all []hole) {
	h := hole{}
	end := func(a, b int) {
		h.a1, h.b1 = a, b
		if h.a1 > h.a0 || h.b1 > h.b0 {
			all = append(all, h)
		}
	}
	for i, j := range p.twin {
		if j >= 0 {
			end(i, j)
			h.a0, h.b0 = i+1, j+1
		}
	}
	end(len(p.a), len(p.b))
	return all
}

// reportList reports what differs in a gap.
func (c *comparer) reportList(a, b *tree.Node, p *listed) error {
	next := 0
	addUpTo := func(j int, before int64) error {
		for ; next < j; next++ {
			if t := p.twinB[next]; t == noTwin || t == alone {
				if err := c.added(a, b, &p.b[next], before); err != nil {
					return err
				}
			}
		}
		return nil
	}
	moved := p.moved
	for i := range p.a {
		x, j := &p.a[i], p.twin[i]
		var err error
		switch {
		case j == noTwin, j == alone:
			before := p.toB
			if next < len(p.b) {
				before = p.b[next].index
			}
			err = c.removed(a, b, x, before)
		case j == movedAway:
			to := moved[0]
			moved = moved[1:]
			err = c.move(a, b, x, &to.to.b[to.at])
		default:
			if err := addUpTo(j, x.index); err != nil {
				return err
			}
			next = max(next, j+1)
			if y := &p.b[j]; !p.same[i] || c.isOpen(x, y) {
				err = c.pair(c.a.node(a, x), c.b.node(b, y), x.isSmall && y.isSmall)
			}
		}
		if err != nil {
			return err
		}
	}
	return addUpTo(len(p.b), p.toA)
}

// move reports an element that is at another place in its list, and what else differs in it.
func (c *comparer) move(a, b *tree.Node, x, y *item) error {
	p, q := c.a.node(a, x), c.b.node(b, y)
	if err := c.emit(Change{Kind: Moved, A: p, B: q, InA: a, InB: b}); err != nil {
		return err
	}
	if x.sum == y.sum && !c.isOpen(x, y) {
		return nil
	}
	return c.pair(p, q, x.isSmall && y.isSmall)
}
