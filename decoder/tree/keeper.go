package tree

import (
	"math"
	"sort"

	"varview/decoder/source"
	"varview/decoder/span"
)

// lookAround is how far from a value lie the bytes that decide how it is read or
// what is reported of it: a point that is not farther before a splice is not
// kept. Most is what Pandemonium wants behind a Projection, 184 bytes.
const lookAround = 256

// A keeper makes the index of the bytes after an edit out of that before it. By
// turns it adopts points of the old index and reads from the last of these on,
// over a splice, until it stands as an old point stood.
type keeper struct {
	old, e  *Tree
	splices []source.Splice
	moved   []int64 // source.Moved of them
	limits  editLimits

	nodes  []Node  // where the next ones are kept
	points []point // of the old index
	refs   []Reference
	done   bool
	base   int64
	next   int // the first old point that was not looked at yet

	learner Learner // the format of e, if it is one
	was     Learner // that of old

	s      *Scanner
	start  int64 // where it began
	serial uint32
	left   int64 // bytes that may still be read

	match

	told     map[*Node]bool // values around a place where reading began, once inspected
	problems []span.Problem
	read     []span.Span
	tails    []tail
	changed  map[uint32]bool // numbers that another kind of value has now
}

func newKeeper(old, e *Tree, splices []source.Splice, limits editLimits) *keeper {
	k := &keeper{old: old, e: e, splices: splices, moved: source.Moved(splices), limits: limits, left: limits.scan,
		told: map[*Node]bool{}, changed: map[uint32]bool{}}
	x := &old.index
	x.mu.RLock()
	k.points, k.refs, k.done, k.base = x.points, x.refs, x.done, x.base
	x.mu.RUnlock()
	k.learner = e.can.learner
	k.was = old.can.learner
	e.index.points = make([]point, 0, len(k.points)+8)
	k.s = k.scanner()
	return k
}

// scanner returns a scanner of the new bytes, at their start.
func (k *keeper) scanner() *Scanner {
	if k.s == nil {
		return k.e.Scanner()
	}
	s := k.e.scannerOver(k.s.win)
	s.begin(k.e.Base)
	s.keyed = k.s.keyed
	return s
}

// passed is the number of splices that lie before an offset of the old bytes;
// clear is false where it lies in one, or at the end of one.
func (k *keeper) passed(off int64) (n int, clear bool) {
	n = sort.Search(len(k.splices), func(i int) bool { return k.splices[i].End() >= off })
	return n, n == len(k.splices) || k.splices[n].Offset >= off
}

// run makes the index. It reports whether that could be done.
func (k *keeper) run() bool {
	for through := k.keepStart(); !through; {
		k.resume()
		through = k.scan()
	}
	k.mergeRead()
	for _, t := range k.tails {
		k.tell(t)
	}
	if !k.retell() || k.s.win.Err() != nil || !k.e.lost.isEmpty() {
		return false
	}
	k.noteReferred()
	return true
}

// keepStart adopts what lies before the first splice.
func (k *keeper) keepStart() (through bool) {
	b := k.old.Base
	if len(k.splices) > 0 && k.splices[0].Offset < b.Body || b.Body != k.e.Base.Body {
		return false
	}
	p := point{pos: b.Body, in: b, next: Slot{Key: b.Layout == Pairs}, nextAt: Unknown}
	k.last = p
	return k.pairUp(&p, k.e.Base, p.next, 0) && k.adopt(&p, 0, 0)
}

// resume places the scanner at the last point of the new index, and inspects the
// values around it: what is wrong with them can depend on how they end.
func (k *keeper) resume() {
	k.s = k.scanner()
	s, x := k.s, &k.e.index
	if n := len(x.points); n > 0 {
		from := x.points[n-1]
		s.resumeWithKeys(&from, k.limits.reach)
		s.write(x, &from)
		s.Report = k.add
		for n := from.in; n != nil && !k.told[n]; n = n.Parent {
			k.told[n] = true
			k.read = append(k.read, span.Between(n.Start, n.Body))
			s.reinspect(n)
		}
		k.start, k.serial = s.pos, s.serial
	} else {
		s.fresh = true
		s.write(x, nil)
		s.Report = k.add
		k.told[k.e.Base] = true
		k.start, k.serial = 0, s.serial
	}
	s.Brisk = true
}

func (k *keeper) add(p span.Problem) { k.problems = append(k.problems, p) }

// nearKeys reports whether a value with keys is around pos that begins before an
// offset, and not farther away than reach.
func nearKeys(n *Node, pos, before, reach int64) bool {
	for ; n != nil; n = n.Parent {
		if n.Layout == Pairs && n.Start < before && pos-n.Start <= reach {
			return true
		}
	}
	return false
}

// scan reads on until it can adopt what follows, and does so. It reports whether
// all is read, or as much as may be.
func (k *keeper) scan() (through bool) {
	s := k.s
	q, n := k.candidate()
	for len(s.levels) > 0 {
		for q != nil && q.pos+k.moved[n] < s.pos {
			k.next++
			q, n = k.candidate()
		}
		s.briskTo = math.MaxInt64
		if q != nil {
			s.briskTo = q.pos + k.moved[n]
		}
		if s.pos == s.briskTo && k.fits(q, n) {
			k.next++
			through, more := k.adoptFrom(q, n)
			if through || more {
				return through
			}
			q, n = k.candidate()
		}
		k.left -= s.cost()
		if k.left < 0 {
			s.stop()
			break
		}
	}
	k.read = append(k.read, span.Between(k.start, k.e.Source.Size()+1))
	return true
}

// cost goes on to the next event and returns how many bytes that takes to read: of
// a packed array few.
func (s *Scanner) cost() int64 {
	const most = 4096
	before := s.pos
	if s.Next() == Atom && s.value.Layout == Fixed {
		return min(s.pos-before, most)
	}
	return s.pos - before
}

// candidate is the next old point that lies in no splice, nil if there is none,
// and the number of splices before it.
func (k *keeper) candidate() (q *point, n int) {
	for ; k.next < len(k.points); k.next++ {
		q = &k.points[k.next]
		if n, ok := k.passed(q.pos); ok {
			return q, n
		}
	}
	return nil, 0
}

// adoptFrom adopts what follows an old point, behind n splices, as which the
// scanner stands.
func (k *keeper) adoptFrom(q *point, n int) (through, more bool) {
	s, x := k.s, &k.e.index
	s.leavePoint()
	k.last = s.here()
	points := len(x.points)
	through = k.adopt(q, k.moved[n], n)
	if !through && len(x.points) == points {
		return false, false
	}
	k.read = append(k.read, span.Between(k.start, s.pos))
	for m := s.Node(); m != nil && !k.told[m]; m = m.Parent {
		k.told[m] = true
	}
	k.compareKinds(s.serial)
	return through, true
}
