package tree

import (
	"math"
	"sort"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
)

// lookAround is the distance in bytes within which other bytes affect how a value is read and which
// problems it has: a point nearer than that before a splice is not kept. Pandemonium needs the most, 184
// bytes after a Projection.
const lookAround = 256

// A reindexer makes the index of the bytes after an edit from that of the bytes before. It
// alternates between adopting points of the old index and reading on from the last of
// these, over a splice, until its scanner is in the same state as at an old point.
type reindexer struct {
	old, edited *Tree
	splices     []source.Splice
	moved       []int64 // source.Moved of them
	limits      editLimits

	nodes  []Node  // space for the next copies
	points []point // points of the old index
	refs   []reference
	done   bool
	base   int64
	next   int // index of the next old point

	checked    *point // how far the problems of the old bytes were reported
	allChecked bool

	learner Learner // the reading of edited, if it is a Learner
	was     Learner // the Learner of old

	s        *Scanner
	readFrom int64 // offset at which s began
	serial   uint32
	budget   int64 // bytes that may still be read

	match

	inspected map[*Node]bool // values around a place where reading began, which are inspected once
	problems  []span.Problem
	read      []span.Span
	endings   []ending
	changed   map[uint32]bool // numbers that now belong to another kind of value
}

func newReindexer(old, e *Tree, splices []source.Splice, limits editLimits) *reindexer {
	ri := &reindexer{old: old, edited: e, splices: splices, moved: source.Moved(splices), limits: limits, budget: limits.scan,
		inspected: map[*Node]bool{}, changed: map[uint32]bool{}}
	ri.checked, ri.allChecked = old.checked.get() // before the points, so that it is no farther than these
	x := &old.index
	x.mu.RLock()
	ri.points, ri.refs, ri.done, ri.base = x.points, x.refs, x.done, x.base
	x.mu.RUnlock()
	ri.learner = e.can.learner
	ri.was = old.can.learner
	e.index.points = make([]point, 0, len(ri.points)+8)
	ri.s = ri.scanner()
	return ri
}

// scanner returns a scanner of the new bytes, at their start.
func (ri *reindexer) scanner() *Scanner {
	if ri.s == nil {
		return ri.edited.Scanner()
	}
	s := ri.edited.scannerOver(ri.s.win)
	s.begin(ri.edited.Base)
	s.keyed = ri.s.keyed
	return s
}

// splicesBefore returns the number of splices before an offset of the old bytes; clear is false if the
// offset is in one, or at the end of one.
func (ri *reindexer) splicesBefore(off int64) (n int, clear bool) {
	n = sort.Search(len(ri.splices), func(i int) bool { return ri.splices[i].End() >= off })
	return n, n == len(ri.splices) || ri.splices[n].Offset >= off
}

// run makes the index. It reports whether it succeeded.
func (ri *reindexer) run() bool {
	for through := ri.keepStart(); !through; {
		ri.resume()
		through = ri.scan()
	}
	ri.mergeRead()
	for _, t := range ri.endings {
		ri.reportEnding(t)
	}
	if !ri.reinspectReferences() || ri.s.win.Err() != nil || !ri.edited.resumes.isEmpty() {
		return false
	}
	ri.noteReferred()
	ri.noteChecked()
	return true
}

// noteChecked records how far the problems of the new bytes are known.
func (ri *reindexer) noteChecked() {
	x := &ri.edited.index
	upTo := int64(math.MaxInt64)
	switch {
	case ri.allChecked && x.done:
		ri.edited.checked.set(nil)
		return
	case ri.allChecked:
	case ri.checked == nil:
		return
	default:
		upTo = source.Map(ri.splices, ri.checked.pos)
	}
	if p, ok := x.before(func(p *point) bool { return p.pos <= upTo }); ok {
		ri.edited.checked.set(&p)
	}
}

// keepStart adopts the points before the first splice.
func (ri *reindexer) keepStart() (through bool) {
	b := ri.old.Base
	if len(ri.splices) > 0 && ri.splices[0].Offset < b.Body || b.Body != ri.edited.Base.Body {
		return false
	}
	p := point{pos: b.Body, in: b, next: Slot{Key: b.Layout == Pairs}, nextAt: Unknown}
	ri.last = p
	return ri.pairUp(&p, ri.edited.Base, p.next, 0) && ri.adopt(&p, 0, 0)
}

// resume places the scanner at the last point of the new index, and inspects the values
// around it: their problems can depend on their ends.
func (ri *reindexer) resume() {
	ri.s = ri.scanner()
	s, x := ri.s, &ri.edited.index
	if n := len(x.points); n > 0 {
		from := x.points[n-1]
		s.resumeWithKeys(&from, ri.limits.reach)
		s.recordIn(x, &from)
		s.Report = ri.add
		for n := from.in; n != nil && !ri.inspected[n]; n = n.Parent {
			ri.inspected[n] = true
			ri.read = append(ri.read, span.Between(n.Start, n.Body))
			s.reinspect(n)
		}
		ri.readFrom, ri.serial = s.pos, s.serial
	} else {
		s.baseUninspected = true
		s.recordIn(x, nil)
		s.Report = ri.add
		ri.inspected[ri.edited.Base] = true
		ri.readFrom, ri.serial = 0, s.serial
	}
	s.PassOrdinary = true
}

func (ri *reindexer) add(p span.Problem) { ri.problems = append(ri.problems, p) }

// hasNearKeys reports whether pos is inside a value with keys that begins before an offset
// and at most reach bytes before pos.
func hasNearKeys(n *Node, pos, before, reach int64) bool {
	for ; n != nil; n = n.Parent {
		if n.Layout == Pairs && n.Start < before && pos-n.Start <= reach {
			return true
		}
	}
	return false
}

// scan continues reading until what follows can be adopted, and adopts it. It reports
// whether everything has been read, or as much as the limit allows.
func (ri *reindexer) scan() (through bool) {
	s := ri.s
	q, n := ri.nextOldPoint()
	for len(s.levels) > 0 {
		for q != nil && q.pos+ri.moved[n] < s.pos {
			ri.next++
			q, n = ri.nextOldPoint()
		}
		s.passTo = math.MaxInt64
		if q != nil {
			s.passTo = q.pos + ri.moved[n]
		}
		if s.pos == s.passTo && ri.fits(q, n) {
			ri.next++
			through, more := ri.adoptFrom(q, n)
			if through || more {
				return through
			}
			q, n = ri.nextOldPoint()
		}
		ri.budget -= s.nextCost()
		if ri.budget < 0 {
			s.leaveLastPoint()
			break
		}
	}
	ri.read = append(ri.read, span.Between(ri.readFrom, ri.edited.Source.Size()+1))
	return true
}

// nextCost moves to the next event and returns the number of bytes that were read for it:
// only a few for a packed array.
func (s *Scanner) nextCost() int64 {
	const most = 4096
	before := s.pos
	if s.Next() == Atom && s.value.Layout == Fixed {
		return min(s.pos-before, most)
	}
	return s.pos - before
}

// nextOldPoint returns the next old point that is not in a splice (nil if there is none) and the number of
// splices before it.
func (ri *reindexer) nextOldPoint() (q *point, n int) {
	for ; ri.next < len(ri.points); ri.next++ {
		q = &ri.points[ri.next]
		if n, ok := ri.splicesBefore(q.pos); ok {
			return q, n
		}
	}
	return nil, 0
}

// adoptFrom adopts what follows an old point, after n splices, which the scanner has
// reached.
func (ri *reindexer) adoptFrom(q *point, n int) (through, more bool) {
	s, x := ri.s, &ri.edited.index
	s.leavePoint()
	ri.last = s.position()
	points := len(x.points)
	through = ri.adopt(q, ri.moved[n], n)
	if !through && len(x.points) == points {
		return false, false
	}
	ri.read = append(ri.read, span.Between(ri.readFrom, s.pos))
	for m := s.Node(); m != nil && !ri.inspected[m]; m = m.Parent {
		ri.inspected[m] = true
	}
	ri.compareKinds(s.serial)
	return through, true
}
