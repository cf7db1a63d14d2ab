package tree

import "math"

// A match is a place in the old bytes and a place in the new ones from which both are read
// in the same way.
type match struct {
	open        []openPair // values around the place, by depth
	fixed       int        // how many of them were open at the match and still are
	keys        []openPair // pairs that are keys
	last        point      // last point adopted after it, or the match itself
	shift       int64      // how far the bytes after it have moved
	serialShift uint32     // how much the numbers have changed

	// Some open values may be inconsistent until later splices: their count or length has
	// changed, but not all of their content has moved accordingly. Old and new bytes are
	// read in the same way only inside the innermost of these values, and up to these
	// offsets.
	uneven        int // depth of the innermost; -1 if there is none
	upTo, oldUpTo int64
	unevenCounts  bool // its count is inconsistent
}

// An openPair is an open value before and after the edit.
type openPair struct {
	old, new *Node
	moved    int64 // how far the slots of its children have moved
}

// fits reports whether the scanner is in the same state as at the old point q, after n
// splices.
func (ri *reindexer) fits(q *point, n int) bool {
	s := ri.s
	if !s.canLeavePoint() || len(s.levels) == 0 || s.Depth() != q.in.Depth+1 {
		return false
	}
	l := &s.levels[len(s.levels)-1]
	if q.in.Layout == Pairs && !q.next.Key || !ri.numbersFit(q.serial) || !ri.pairUp(q, s.Node(), l.next, ri.moved[n]) {
		return false
	}
	if s.keyed != nil && n > 0 && hasNearKeys(s.Node(), s.pos, ri.splices[n-1].End()+ri.moved[n], ri.limits.reach) {
		return false
	}
	return ri.learner == nil || ri.learner.Agrees(ri.was, q.pos, s.pos)
}

// numbersFit reports whether the number of the next value may differ from the old one, was: only if no
// reference can name either.
func (ri *reindexer) numbersFit(was uint32) bool {
	is := ri.s.serial
	return is == was || is != NoSerial && was != NoSerial && min(is, was) >= maxSerial
}

// pairUp matches the old point q with a place in n, whose next child is given. It reports
// whether both are read in the same way from there on.
func (ri *reindexer) pairUp(q *point, n *Node, next Slot, by int64) bool {
	o, was := q.in, q.next
	ri.shift, ri.serialShift, ri.uneven, ri.unevenCounts = by, ri.s.serial-q.serial, -1, false
	ri.upTo, ri.oldUpTo = math.MaxInt64, math.MaxInt64
	ri.fixed = o.Depth + 1
	ri.open, ri.keys = append(ri.open[:0], make([]openPair, ri.fixed)...), ri.keys[:0]
	for ; o != nil && n != nil; o, n = o.Parent, n.Parent {
		p := openPair{o, n, next.Index - was.Index}
		if next.Key != was.Key || !ri.isAlike(&p) {
			return false
		}
		ri.open[o.Depth] = p
		if o.Slot.Key {
			ri.keys = append(ri.keys, p)
		}
		ri.checkEven(&p)
		next, was = n.Slot, o.Slot
	}
	return o == nil && n == nil
}

// areReadAlike reports whether nothing that values say of their children differs, but where these are and how many.
func areReadAlike(o, n *Value) bool {
	return o.Type == n.Type && o.Flags == n.Flags && o.Sub == n.Sub && o.Inner == n.Inner && o.Rows == n.Rows && o.Stride == n.Stride && o.MinChild == n.MinChild &&
		o.Layout == n.Layout && o.Fenced == n.Fenced && o.Numbered == n.Numbered && o.Footed == n.Footed && (o.Count == Unknown) == (n.Count == Unknown)
}

// isAlike reports whether the remaining children of two open values, if there are any, are read in the same
// way.
func (ri *reindexer) isAlike(p *openPair) bool {
	o, n := &p.old.Value, &p.new.Value
	if !areReadAlike(o, n) {
		return false
	}
	return ri.learner == nil || p.moved == 0 && !ri.isTouched(o.Start, o.Body) || ri.learner.Alike(o, n)
}

// isTouched reports whether a splice changes old bytes between two offsets.
func (ri *reindexer) isTouched(from, to int64) bool {
	n, _ := ri.splicesBefore(from)
	for ; n < len(ri.splices) && ri.splices[n].Offset < to; n++ {
		if ri.splices[n].End() > from {
			return true
		}
	}
	return false
}

// checkEven records whether a pair is inconsistent at the match.
func (ri *reindexer) checkEven(p *openPair) {
	o, n := &p.old.Value, &p.new.Value
	counts := o.Count != Unknown && n.Count-o.Count != p.moved
	ends := o.Fenced && n.Limit-o.Limit != ri.shift
	if ends {
		ri.upTo, ri.oldUpTo = min(ri.upTo, n.Limit-lookAround), min(ri.oldUpTo, o.Limit-lookAround)
	}
	if (counts || ends) && p.old.Depth > ri.uneven {
		ri.uneven, ri.unevenCounts = p.old.Depth, counts
	}
}
