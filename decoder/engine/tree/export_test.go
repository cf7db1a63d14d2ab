package tree

import (
	"fmt"
	"math"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
)

// SetSpacing sets the number of bytes between points of the index, and the number of
// bytes for each node that a point needs. A segment is as long as four points are apart.
func (t *Tree) SetSpacing(every, perNode int64) {
	t.index.every, t.index.perNode, t.segment, t.frames.every = every, perNode, 4*every, every
}

// Points returns the number of points in the index.
func (t *Tree) Points() int { return len(t.index.points) }

// Nodes returns the number of nodes that the points of the index keep.
func (t *Tree) Nodes() int {
	seen := map[*Node]bool{}
	for _, p := range t.index.points {
		for n := p.in; n != nil && !seen[n]; n = n.Parent {
			seen[n] = true
		}
	}
	return len(seen)
}

// EditedWithin is Edited for a buffer that counts as large, with other limits.
func (t *Tree) EditedWithin(src source.Source, splices []source.Splice, scan, reach int64, report func(span.Problem)) (*Tree, []span.Span) {
	return t.edited(src, splices, editLimits{-1, scan, reach}, report)
}

// Searched reports whether reading needed a search.
func (t *Tree) Searched() bool { return !t.resumes.isEmpty() }

// CheckPoints compares the points of the index with the places that a scanner passes that reads every value
// of the same bytes in another tree.
func (t *Tree) CheckPoints(fresh *Tree) error {
	s := fresh.Scanner()
	s.index = &pointIndex{every: math.MaxInt64 / 2}
	s.nextPoint = math.MaxInt64
	points := t.index.points
	for len(points) > 0 && len(s.levels) > 0 && s.pos <= points[0].pos {
		if p := &points[0]; s.pos == p.pos && !s.cutShort && s.Depth() == p.in.Depth+1 {
			h := s.position()
			if h.in.Layout != Pairs || h.next.Key {
				h.nextAt = p.nextAt
			}
			if h.next == p.next && h.nextAt == p.nextAt && h.serial == p.serial && sameChain(h.in, p.in) {
				points = points[1:]
				continue
			}
		}
		s.Next()
	}
	if len(points) > 0 {
		p := points[0]
		return fmt.Errorf("at point %+v in %+v", p, p.in)
	}
	return nil
}

func sameChain(n, m *Node) bool {
	for ; n != nil && m != nil; n, m = n.Parent, m.Parent {
		v, w := n.Value, m.Value
		if v.MinChild == 0 { // laid out by a schema, whose number means nothing in another tree
			v.Sub = w.Sub
		}
		if v != w || n.Slot != m.Slot || n.KeyAt != m.KeyAt || n.Depth != m.Depth {
			return false
		}
	}
	return n == m
}

// Add is KeySet.add.
func (k *KeySet) Add(h uint64) int32 { return k.add(h) }

// Count is KeySet.count.
func (k *KeySet) Count(h uint64) int32 { return k.count(h) }

// Clear is KeySet.clear.
func (k *KeySet) Clear() { k.clear() }

// ReadOneByOne makes searches for a pattern read every value.
func (t *Tree) ReadOneByOne() { t.can.HeedsWants = false }
