package tree

import "math"

// A match is a place of the old bytes and one of the new ones at which readings
// stand alike, so that they go on alike.
type match struct {
	open    []openPair // by depth: the values around it
	fixed   int        // how many of these are still those that were open there
	keys    []openPair // those of them that are keys
	last    point      // the last place behind it that is adopted, or itself
	by      int64      // how far the bytes behind it have moved
	serials uint32     // how far the numbers have

	// Some open values may not be consistent yet: their count or length has
	// changed, but not all of what they hold has moved accordingly. Reading goes on
	// alike only inside the innermost of these, and up to these offsets.
	uneven       int // its depth, -1 if there is none
	upTo, wasTo  int64
	unevenCounts bool // its count is not consistent
}

// An openPair is an open value before and after the edit.
type openPair struct {
	old, new *Node
	moved    int64 // how far the slots of its children have
}

// fits reports whether the scanner stands as the old point q did, behind n
// splices.
func (k *keeper) fits(q *point, n int) bool {
	s := k.s
	if !s.isClean() || len(s.levels) == 0 || s.Depth() != q.in.Depth+1 {
		return false
	}
	l := &s.levels[len(s.levels)-1]
	if q.in.Layout == Pairs && !q.next.Key || !k.numbersFit(q.serial) || !k.pairUp(q, s.Node(), l.next, k.moved[n]) {
		return false
	}
	if s.keyed != nil && n > 0 && nearKeys(s.Node(), s.pos, k.splices[n-1].End()+k.moved[n], k.limits.reach) {
		return false
	}
	return k.learner == nil || k.learner.Agrees(k.was, q.pos, s.pos)
}

// numbersFit reports whether what is read next may have another number than it
// had: only if no reference can name it.
func (k *keeper) numbersFit(was uint32) bool {
	is := k.s.serial
	return is == was || is != NoSerial && was != NoSerial && min(is, was) >= maxSerial
}

// pairUp makes the match of the old point q with a place in n, whose next child
// is given. It reports whether reading goes on alike there.
func (k *keeper) pairUp(q *point, n *Node, next Slot, by int64) bool {
	o, was := q.in, q.next
	k.by, k.serials, k.uneven, k.unevenCounts = by, k.s.serial-q.serial, -1, false
	k.upTo, k.wasTo = math.MaxInt64, math.MaxInt64
	k.fixed = o.Depth + 1
	k.open, k.keys = append(k.open[:0], make([]openPair, k.fixed)...), k.keys[:0]
	for ; o != nil && n != nil; o, n = o.Parent, n.Parent {
		p := openPair{o, n, next.Index - was.Index}
		if next.Key != was.Key || !k.isAlike(&p) {
			return false
		}
		k.open[o.Depth] = p
		if o.Slot.Key {
			k.keys = append(k.keys, p)
		}
		k.checkEven(&p)
		next, was = n.Slot, o.Slot
	}
	return o == nil && n == nil
}

// isAlike reports whether the children of two open values are read alike, as long
// as there are any.
func (k *keeper) isAlike(p *openPair) bool {
	o, n := &p.old.Value, &p.new.Value
	if o.Type != n.Type || o.Flags != n.Flags || o.Sub != n.Sub || o.Stride != n.Stride || o.MinChild != n.MinChild ||
		o.Layout != n.Layout || o.Fenced != n.Fenced || o.Numbered != n.Numbered || o.Footed != n.Footed ||
		(o.Count == Unknown) != (n.Count == Unknown) {
		return false
	}
	return k.learner == nil || p.moved == 0 && !k.touches(o.Start, o.Body) || k.learner.Alike(o, n)
}

// touches reports whether a splice changes old bytes between two offsets.
func (k *keeper) touches(from, to int64) bool {
	n, _ := k.passed(from)
	for ; n < len(k.splices) && k.splices[n].Offset < to; n++ {
		if k.splices[n].End() > from {
			return true
		}
	}
	return false
}

// checkEven takes note if a pair is not consistent at the match.
func (k *keeper) checkEven(p *openPair) {
	o, n := &p.old.Value, &p.new.Value
	counts := o.Count != Unknown && n.Count-o.Count != p.moved
	ends := o.Fenced && n.Limit-o.Limit != k.by
	if ends {
		k.upTo, k.wasTo = min(k.upTo, n.Limit-lookAround), min(k.wasTo, o.Limit-lookAround)
	}
	if (counts || ends) && p.old.Depth > k.uneven {
		k.uneven, k.unevenCounts = p.old.Depth, counts
	}
}
