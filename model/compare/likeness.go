package compare

import (
	"math"
	"slices"

	"varview/decoder/engine/tree"
)

// pairUp pairs elements without a twin with what they may have become: the element with the same value at
// Options.Key, or else the most similar one between the same neighbours.
func (c *comparer) pairUp(a, b *tree.Node, p *listed) {
	if c.Key != "" {
		c.pairByKey(a, b, p)
	}
	for _, h := range p.holes() {
		c.pairAlike(a, b, p, h)
	}
	for _, h := range p.holes() {
		is, js := p.left(h)
		if len(is) == len(js) {
			for k := range is {
				p.join(is[k], js[k])
			}
		}
	}
}

// left returns the elements of a hole that have neither moved nor a key that only one side has.
func (p *listed) left(h hole) (is, js []int) {
	for i := h.a0; i < h.a1; i++ {
		if p.twin[i] == noTwin {
			is = append(is, i)
		}
	}
	for j := h.b0; j < h.b1; j++ {
		if p.twinB[j] == noTwin {
			js = append(js, j)
		}
	}
	return is, js
}

// maxTable is the number of pairs in a hole that are compared for similarity; in a larger hole the first
// is paired with the first.
const maxTable = 4096

// pairAlike pairs elements of a hole, in their order, so that the sum of their similarities is largest.
func (c *comparer) pairAlike(a, b *tree.Node, p *listed, h hole) {
	is, js := p.left(h)
	switch n := len(is) * len(js); {
	case n == 0:
		return
	case n == 1:
		p.join(is[0], js[0])
		return
	case n > maxTable:
		for k := range min(len(is), len(js)) {
			p.join(is[k], js[k])
		}
		return
	}
	one, other := c.features(c.a, a, p.a, is), c.features(c.b, b, p.b, js)
	best := make([][]float64, len(is)+1) // sum for all elements from i and j on
	for i := range best {
		best[i] = make([]float64, len(js)+1)
	}
	like := func(i, j int) float64 { return one[i].like(&other[j]) }
	for i := len(is) - 1; i >= 0; i-- {
		for j := len(js) - 1; j >= 0; j-- {
			best[i][j] = max(best[i+1][j], best[i][j+1], best[i+1][j+1]+like(i, j))
		}
	}
	for i, j := 0, 0; i < len(is) && j < len(js); {
		l := like(i, j)
		switch {
		case l > 0 && best[i][j] == best[i+1][j+1]+l:
			p.join(is[i], js[j])
			p.sure[is[i]] = isSure(one, other, i, j)
			i, j = i+1, j+1
		case best[i][j] == best[i+1][j]:
			i++
		default:
			j++
		}
	}
}

// isSure reports whether two elements are so similar, and so unlike the others, that one must have become
// the other.
func isSure(one, other []features, i, j int) bool {
	const alike, parts = 0.5, 3
	l := one[i].like(&other[j])
	if l <= alike || one[i].all < parts {
		return false
	}
	for k := range one {
		if k != i && one[k].like(&other[j]) > l/2 {
			return false
		}
	}
	for k := range other {
		if k != j && one[i].like(&other[k]) > l/2 {
			return false
		}
	}
	return true
}

// features are what the similarity of an element is judged by.
type features struct {
	of    tree.Comparison
	first byte // first byte of its meaning, which tells what kind of value it is
	parts map[uint64]float64
	all   float64
}

// maxParts is the number of children of an element that are looked at.
const maxParts = 256

func (c *comparer) features(s *side, in *tree.Node, items []item, which []int) []features {
	all := make([]features, len(which))
	for k, i := range which {
		n := s.node(in, &items[i])
		head, m := s.meaning(&n.Value)
		f := features{of: m.Compared, parts: map[uint64]float64{}}
		if len(head) > 0 {
			f.first = head[0]
		}
		if m.Compared == tree.List || m.Compared == tree.Map {
			s.items(c.ctx, n, nil, maxParts, math.MaxInt64, func(x *item) {
				f.parts[mix(x.key.meaning, x.meaning)]++
				f.all++
				if m.Compared == tree.Map {
					f.parts[x.key.meaning] += 0.5
					f.all += 0.5
				}
			})
		}
		all[k] = f
	}
	return all
}

// like returns the similarity of two elements, from 0 to 1.
func (f *features) like(g *features) float64 {
	switch {
	case f.of != g.of:
		return 0
	case f.of == tree.Whole && f.first != g.first:
		return 0.1
	case f.of == tree.Whole:
		return 0.5
	}
	common := 0.0
	for part, n := range f.parts {
		common += min(n, g.parts[part])
	}
	return (0.02 + common) / (0.02 + max(f.all, g.all))
}

// pairByKey pairs elements that have the same value at Options.Key, wherever they are: of several with the same value, the first
// with the first. An element whose value the other side lacks stays alone.
func (c *comparer) pairByKey(a, b *tree.Node, p *listed) {
	c.divorce(a, b, p)
	at := map[uint64][]int{}
	for j := range p.b {
		if p.twinB[j] != noTwin {
			continue
		}
		if id, ok := c.known(c.b, b, &p.b[j]); ok {
			at[id], p.twinB[j] = append(at[id], j), alone
		}
	}
	for i := range p.a {
		if p.twin[i] != noTwin {
			continue
		}
		if id, ok := c.known(c.a, a, &p.a[i]); ok {
			p.twin[i] = alone
			if js := at[id]; len(js) > 0 {
				p.join(i, js[0])
				p.sure[i], at[id] = true, js[1:]
			}
		}
	}
	p.moveCrossing()
}

// divorce takes elements that were paired by their position apart, if their values at Options.Key differ.
func (c *comparer) divorce(a, b *tree.Node, p *listed) {
	for i, j := range p.twin {
		if j < 0 || p.same[i] {
			continue
		}
		x, isX := c.known(c.a, a, &p.a[i])
		y, isY := c.known(c.b, b, &p.b[j])
		if isX != isY || x != y {
			p.twin[i], p.twinB[j] = noTwin, noTwin
		} else if isX {
			p.sure[i] = true
		}
	}
}

// moveCrossing turns pairs that are not in the order of the others into moves.
func (p *listed) moveCrossing() {
	var pairs []pairing
	for j, i := range p.twinB {
		if i >= 0 {
			pairs = append(pairs, pairing{i, j})
		}
	}
	stay := rising(pairs)
	for _, x := range pairs {
		if len(stay) > 0 && x == stay[0] {
			stay = stay[1:]
			continue
		}
		p.moved = append(p.moved, move{x.a, p, x.b})
		p.twin[x.a], p.twinB[x.b] = movedAway, movedAway
	}
	slices.SortFunc(p.moved, func(x, y move) int { return x.from - y.from })
}

// known returns the hash of the value at an element's key.
func (c *comparer) known(s *side, in *tree.Node, x *item) (id uint64, ok bool) {
	if x.of != tree.Map {
		return 0, false
	}
	key := ofText([]byte(c.Key))
	s.items(c.ctx, s.node(in, x), nil, maxParts, math.MaxInt64, func(e *item) {
		if e.key.meaning == key {
			id, ok = e.meaning, true
		}
	})
	return id, ok
}
