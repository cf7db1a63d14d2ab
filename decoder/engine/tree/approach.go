package tree

import (
	"math"

	"varview/decoder/engine/span"
)

// Scan returns a scanner before the first child of n. If n has a parent, the scanner
// continues after the Leave event of n.
func (r *Reader) Scan(n *Node) *Scanner {
	s := r.scanner()
	s.begin(n)
	return s
}

// ScanEnd returns a scanner at the last known place in n.
func (r *Reader) ScanEnd(n *Node) *Scanner {
	s, _ := r.approach(n, math.MaxInt64)
	return s
}

// ScanChildren is Scan for callers that look for children of n: it passes quickly over what is inside
// these.
func (r *Reader) ScanChildren(n *Node) *Scanner {
	s := r.Scan(n)
	s.seekChildren(n)
	return s
}

// ScanRows is Scan for callers that look for children of n, for children of these, and for those of values that are a part of
// their row.
func (r *Reader) ScanRows(n *Node, isPart func(v *Value) bool) *Scanner {
	s := r.ScanChildren(n)
	s.hopDepth++
	s.passDepth++
	s.isPart = isPart
	return s
}

// ScanFrom returns a scanner whose next event is n.
func (r *Reader) ScanFrom(n *Node) *Scanner { return r.scanFrom(before(n)) }

// ScanAt returns a scanner whose next event is the i-th child of n, or its key, which begins at an offset. No value in n has a
// number.
func (r *Reader) ScanAt(n *Node, i, at int64) *Scanner {
	return r.scanFrom(&point{pos: at, in: n, next: Slot{Index: i, Key: n.Layout == Pairs}, nextAt: Unknown, serial: n.firstSerial()})
}

// ScanAfter returns a scanner that continues after n, whose end is known.
func (r *Reader) ScanAfter(n *Node) *Scanner { return r.scanFrom(after(n)) }

func (r *Reader) scanFrom(p *point) *Scanner {
	s := r.scanner()
	s.resume(p)
	return s
}

// approach returns a scanner at the last known point in n at or before its child upTo. If
// there is no point in n, known is nil and the scanner is before the first child.
func (r *Reader) approach(n *Node, upTo int64) (s *Scanner, known *point) {
	p, ok := r.Tree.placeBefore(func(p *point) bool {
		at, in := p.childAt(n)
		return in && at <= upTo || !in && p.pos <= n.Start
	})
	if ok {
		if _, in := p.childAt(n); in {
			p = r.pastChild(n, p, upTo)
			return r.scanFrom(&p), &p
		}
	}
	return r.Scan(n), nil
}

// pastChild returns the point after the child of n that contains p, if the end of that
// child is known and it comes before the child upTo; otherwise p.
func (r *Reader) pastChild(n *Node, p point, upTo int64) point {
	if c := p.openChild(n); c != nil && c.Fenced && c.Slot.Index < upTo {
		return r.pastNode(c, p)
	}
	return p
}

// pastNode returns the point after the value that contains p, whose end is known; or p, if
// the contents of the value must be known first.
func (r *Reader) pastNode(n *Node, p point) point {
	if r.Tree.can.learner != nil {
		return p
	}
	end := *n
	end.SerialEnd = p.serial // there are no numbered values
	return *after(&end)
}

// before returns the point at which n comes next.
func before(n *Node) *point {
	return &point{pos: n.Start, in: n.Parent, next: n.Slot, nextAt: n.KeyAt, serial: n.Serial}
}

// after returns the point after n, whose end is known.
func after(n *Node) *point {
	next, nextAt := n.Parent.following(n.Slot, n.Start)
	return &point{pos: n.End, in: n.Parent, next: next, nextAt: nextAt, serial: n.SerialEnd}
}

// following returns the slot after that of a child that begins at start, and the offset of the key of the
// next value.
func (v *Value) following(slot Slot, start int64) (next Slot, nextAt int64) {
	if slot.Key {
		return Slot{Index: slot.Index}, start
	}
	return Slot{slot.Index + 1, v.Layout == Pairs}, Unknown
}

// openChild returns the child of n that contains the point; nil if the point is between two.
func (p *point) openChild(n *Node) *Node {
	in := p.in
	if in.Depth <= n.Depth {
		return nil
	}
	return in.Around(n.Depth + 1)
}

// begin places the scanner before the first child of n.
func (s *Scanner) begin(n *Node) {
	s.resume(&point{pos: n.Body, in: n, next: Slot{Key: n.Layout == Pairs}, nextAt: Unknown, serial: n.firstSerial()})
}

// resume places the scanner at a point.
func (s *Scanner) resume(p *point) {
	n := p.in
	s.levels, s.base, s.pos, s.serial, s.cutShort, s.schemaless, s.emptyProblemAt = s.levels[:0], n.Parent, p.pos, p.serial, false, false, Unknown
	s.hopDepth, s.hopTo, s.isPart, s.nextPoint = 0, 0, nil, math.MaxInt64
	s.PassOrdinary, s.passDepth, s.passTo, s.passBefore = false, 0, math.MaxInt64, 0
	s.baseUninspected = false
	s.openNode(n, p.next, p.nextAt)
}

// resumeWithKeys places the scanner at a point. If repeated keys are reported, it first
// reads the earlier keys of the values around the point again, for values that begin at
// most reach bytes before it.
func (s *Scanner) resumeWithKeys(p *point, reach int64) {
	var from *Node // outermost of these values
	for n := p.in; n != nil && p.pos-n.Start <= reach; n = n.Parent {
		if n.Layout == Pairs {
			from = n
		}
	}
	if s.keyed == nil || from == nil {
		s.resume(p)
		return
	}
	report := s.Report
	s.begin(from)
	s.Report = func(span.Problem) {}
	s.PassOrdinary, s.passTo = true, p.pos
	for s.pos < p.pos || s.pos == p.pos && s.Depth() <= p.in.Depth {
		if s.Next() == Done {
			break
		}
	}
	s.Report, s.PassOrdinary, s.passTo, s.emptyProblemAt = report, false, math.MaxInt64, Unknown
	if s.pos != p.pos || s.Depth() != p.in.Depth+1 || s.levels[len(s.levels)-1].next != p.next { // the source has changed
		s.resume(p)
		return
	}
	n := p.in
	for i := len(s.levels) - 1; i >= 0; i-- {
		s.levels[i].node, n = n, n.Parent
	}
	s.numNodes = len(s.levels)
}

// openNode opens a value as the outermost of those that the scanner holds.
func (s *Scanner) openNode(n *Node, next Slot, nextAt int64) {
	s.open(level{Value: n.Value, slot: n.Slot, key: n.KeyAt, node: n, next: next, nextAt: nextAt})
	s.numNodes = 1
}

// reopenParent opens the value that contains the one just left.
func (s *Scanner) reopenParent(v *Value, slot Slot) {
	n := s.base
	next, nextAt := n.following(slot, v.Start)
	s.base = n.Parent
	s.openNode(n, next, nextAt)
}

// place returns the point at which the scanner is, if that is between two children of n.
func (s *Scanner) place(n *Node) point {
	l := &s.levels[len(s.levels)-1]
	return point{pos: s.pos, in: n, next: l.next, nextAt: l.nextAt, serial: s.serial}
}

// seekChildren prepares the scanner to look for children of n: it passes quickly over what is inside these.
func (s *Scanner) seekChildren(n *Node) {
	s.hopDepth = n.Depth + 1
	s.PassOrdinary, s.passDepth = true, n.Depth+1
}

// passChildren is seekChildren for a child that is far away: it passes the children before it many at once.
func (s *Scanner) passChildren(n *Node) {
	s.seekChildren(n)
	s.passDepth = n.Depth
}

// eventDepth returns the depth of the value of the last event.
func (s *Scanner) eventDepth(ev Event) int {
	if ev == Enter {
		return s.Depth() - 1
	}
	return s.Depth()
}

// LookUpBudget is the number of values that one look-up for the screen may pass over, which takes about a
// millisecond. A longer look-up waits for the index.
const LookUpBudget = 16_000

// IndexedBudget is the same once the index is complete and there is nothing to wait for: enough to pass
// over the deepest nesting, which leaves few places to remember.
const IndexedBudget = 4 * MaxDepth

// budget returns a function that reports after an event of s whether the budget of a call is
// used up.
func (r *Reader) budget(s *Scanner) func(Event) bool {
	if r.Budget == 0 {
		return func(Event) bool { return false }
	}
	left, at := r.Budget, s.pos
	return func(ev Event) bool {
		if ev == Passed {
			left -= int(max(0, s.pos-at) * passedCost / maxPassed)
		}
		left, at = left-1, s.pos
		return left < 0
	}
}

// passedCost is what passing maxPassed bytes in one event takes from a budget: it takes about as long as passing
// this many values.
const passedCost = 1000
