package compare

import (
	"math"
	"sort"

	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
)

// gapBytes is the smallest size of values whose equal parts are skipped unread.
const gapBytes = 8 << 10

// gapDepth is the nesting depth down to which equal parts are skipped; deeper inside, it could cost more
// than it saves.
const gapDepth = 12

// triedChildren is the number of children from the start of a run of equal bytes of which one must begin
// at the same byte on both sides.
const triedChildren = 16

// gaps returns the parts of the children of two values that may differ. If these are lists of which unclear parts are reported, it
// is all of them unless it is certain that there are none. Of small values it is all, unread.
func (c *comparer) gaps(a, b *tree.Node, areLists, areSmall bool) []gap {
	if areSmall {
		g := all
		g.endA, g.endB = a.Start+gapBytes, b.Start+gapBytes
		return []gap{g}
	}
	if a.Count == 1 && b.Count == 1 {
		return []gap{all}
	}
	a, b, ok := c.areAlike(a, b)
	if !ok {
		return []gap{all}
	}
	isJudged := areLists && c.Unclear != nil && max(a.Tail-a.Start, b.Tail-b.Start) < unclearBytes
	s := &skipper{c: c, a: a, b: b, atA: a.Body, atB: b.Body}
	for more := true; more && s.skip(); {
		more = s.resume()
		if isJudged && !s.isClear() {
			g := all
			g.alike = true
			return []gap{g}
		}
	}
	if a.Count == b.Count {
		return byPosition(s.gaps)
	}
	return s.gaps
}

// areAlike reports whether the children of two values are read in the same way where they have the same bytes, and are large. It
// returns the values with their ends.
func (c *comparer) areAlike(a, b *tree.Node) (_, _ *tree.Node, ok bool) {
	if len(c.alike) == 0 || a.Depth > gapDepth || a.Type != b.Type || a.Flags != b.Flags || a.Sub != b.Sub || a.Layout != b.Layout || a.Stride != b.Stride {
		return a, b, false
	}
	if !readAlike(c.a.read.Tree.Reading, &a.Value, &b.Value) {
		return a, b, false
	}
	x, errA := c.a.read.Finish(a)
	y, errB := c.b.read.Finish(b)
	if errA != nil || errB != nil {
		return a, b, false
	}
	return x, y, x.Damage == nil && y.Damage == nil && min(x.Tail-x.Start, y.Tail-y.Start) >= gapBytes
}

// readAlike reports whether a reading reads the children of two values in the same way.
func readAlike(r tree.Reading, a, b *tree.Value) bool {
	switch r := r.(type) {
	case tree.Dependent:
		return r.AreAlike(a, b)
	case tree.Learner:
		return r.Alike(a, b)
	}
	return true
}

// unclearBytes is the size of lists up to which all elements are looked at for unclear pairings, which can lead through equal
// bytes, unless only single ones have changed far from one another.
const unclearBytes = 64 << 20

// byPosition joins gaps, in lists of the same length, between which children are shifted, so that they
// can be paired by position.
func byPosition(gaps []gap) (joined []gap) {
	shift := int64(0) // of the children before a gap
	for _, g := range gaps {
		if shift != 0 {
			last := &joined[len(joined)-1]
			last.toA, last.toB, last.endA, last.endB = g.toA, g.toB, g.endA, g.endB
		} else {
			joined = append(joined, g)
		}
		if shift = g.toB - g.toA; g.toA == math.MaxInt64 {
			break
		}
	}
	return joined
}

// A skipper finds the children of two values that may differ, from first to last.
type skipper struct {
	c        *comparer
	a, b     *tree.Node
	atA, atB int64      // offsets up to which children have been compared
	inA, inB *tree.Node // children at these offsets; nil for the first child
	gaps     []gap
	apart    int64 // index in a of the first child that may have changed without a doubt about which has become which
}

// isClear reports whether the last gap is a single child on both sides, which no other way to pair the lists explains together with
// the gap before it: twice as many unlike children as end such a way are between them.
func (s *skipper) isClear() bool {
	g := &s.gaps[len(s.gaps)-1]
	first := firstIndex(g.fromA)
	if s.a.Count != s.b.Count || first < s.apart || min(g.toA, s.a.Count) != first+1 || min(g.toB, s.b.Count) != firstIndex(g.fromB)+1 {
		return false
	}
	if s.apart = math.MaxInt64; g.toA >= s.a.Count {
		return true
	}
	last, unlike := uint64(0), 0
	w := &walk{side: s.c.a, in: s.a, to: g.toA + 4*margin}
	w.each = func(x *item) {
		if x.meaning != last {
			last, unlike = x.meaning, unlike+1
		}
		if unlike > 2*margin && s.apart == math.MaxInt64 {
			s.apart, w.to = x.index+1, x.index+1
		}
	}
	if s.a.Layout == tree.Fixed {
		return s.c.a.elements(s.c.ctx, s.a, s.inA, w.to, w.each) == nil
	}
	w.startAt(s.inA)
	return w.run(s.c.ctx) == nil
}

// firstIndex returns the index of the first child of a gap; nil is the first of all.
func firstIndex(n *tree.Node) int64 {
	if n == nil {
		return 0
	}
	return n.Slot.Index
}

// match returns the run of equal bytes that contains the skipper's position.
func (s *skipper) match() (m source.Common, ok bool) {
	all := s.c.alike
	i := sort.Search(len(all), func(i int) bool { return all[i].A > s.atA }) - 1
	if i < 0 || s.atA >= all[i].A+all[i].Length || s.atA-all[i].A != s.atB-all[i].B {
		return m, false
	}
	return all[i], true
}

// skip skips the children with equal bytes. It reports whether any children are left.
func (s *skipper) skip() bool {
	m, ok := s.match()
	if !ok {
		return s.atA < s.a.Tail || s.atB < s.b.Tail
	}
	same := min(m.A+m.Length, s.a.Tail, s.atA+s.b.Tail-s.atB) - s.atA
	if s.atA+same == s.a.Tail && s.atB+same == s.b.Tail {
		return false
	}
	x := child(s.c.a, s.a, s.atA+same)
	if x == nil { // the run ends behind the last child: b has more children, or what follows them differs
		end := s.a.Tail
		if s.a.Footed {
			end = s.a.Foot
		}
		x = child(s.c.a, s.a, end-1)
	}
	if x == nil || begin(x) <= s.atA || begin(x) >= s.atA+same {
		return true
	}
	by := begin(x) - s.atA
	y := child(s.c.b, s.b, s.atB+by)
	if y == nil || begin(y) != s.atB+by {
		return true
	}
	s.inA, s.atA, s.inB, s.atB = x, begin(x), y, begin(y)
	return true
}

// resume ends a gap where both sides have children with equal bytes again, or at their end. It reports
// whether there are more children after it.
func (s *skipper) resume() bool {
	alike := s.c.alike
	g := all
	g.fromA, g.fromB = s.inA, s.inB
	inside := int64(0) // end of the child that the run before is in
	i := sort.Search(len(alike), func(i int) bool { return alike[i].A+alike[i].Length > s.atA })
	for ; i < len(alike) && alike[i].A < s.a.Tail && alike[i].B < s.b.Tail; i++ {
		m := alike[i]
		if m.A+m.Length <= inside {
			continue
		}
		x := child(s.c.a, s.a, max(m.A, s.atA+1, s.atB+1-m.B+m.A))
		for range triedChildren {
			if x == nil {
				break
			}
			if inside = begin(x); inside >= m.A+m.Length {
				break
			}
			if at := begin(x) - m.A + m.B; begin(x) >= m.A && begin(x) > s.atA && at > s.atB {
				if y := child(s.c.b, s.b, at); y != nil && begin(y) == at {
					g.toA, g.toB, g.endA, g.endB = x.Slot.Index, y.Slot.Index, begin(x), at
					s.gaps = append(s.gaps, g)
					s.inA, s.atA, s.inB, s.atB = x, begin(x), y, at
					return true
				}
			}
			next, err := s.c.a.read.Next(x)
			if err != nil {
				inside = s.a.Tail
				break
			}
			x = next
		}
	}
	s.gaps = append(s.gaps, g)
	return false
}

// begin returns the offset of a child, including its key.
func begin(n *tree.Node) int64 {
	if n.KeyAt != tree.Unknown {
		return n.KeyAt
	}
	return n.Start
}

// child returns the child of n, key included, that contains an offset; nil if none does.
func child(s *side, n *tree.Node, off int64) *tree.Node {
	if off < n.Body || off >= n.Tail {
		return nil
	}
	x, err := s.read.ChildOver(n, off)
	if err != nil {
		return nil
	}
	return x
}
