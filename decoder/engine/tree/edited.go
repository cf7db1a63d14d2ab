package tree

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sort"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
)

// editLimits bound the cost of an edit.
type editLimits struct {
	small int64 // size in bytes of the largest buffer that is read as a whole
	scan  int64 // bytes of a larger buffer that may be read again
	reach int64 // a value with keys is read from its start if that is at most this many bytes away
}

var usualLimits = editLimits{small: 1 << 20, scan: 2 << 20, reach: 256 << 10}

// Edited returns the tree of the bytes after an edit, which are in src; the splices are in order. What is
// known about the old bytes is kept if it is still true, so that this takes a few milliseconds. The old
// tree may be used at the same time, and even be indexed.
//
// Edited reports the problems of the spans that it has read again, and returns these spans in order and
// without overlap. If the last one reaches the end of the buffer, it ends one byte after it: missing bytes
// are a problem too. A problem of the old bytes remains valid, at source.Map of its offset, unless that
// offset is in one of these spans or not before the one that Checked returns. CheckRest resumes there and
// reports the rest.
//
// In a buffer over 1 MiB, problems of keys that repeat one more than 256 KiB before them are kept from
// before the edit. Nothing is kept if only a search can find where reading resumes after an unreadable
// value.
func (t *Tree) Edited(src source.Source, splices []source.Splice, report func(span.Problem)) (e *Tree, read []span.Span) {
	return t.edited(src, splices, usualLimits, report)
}

func (t *Tree) edited(src source.Source, splices []source.Splice, limits editLimits, report func(span.Problem)) (e *Tree, read []span.Span) {
	all := []span.Span{span.Between(0, src.Size()+1)}
	e = t.Reopen(src, splices)
	switch {
	case !t.resumes.isEmpty(), src.Size() > limits.small && t.keepsNothing():
		return e, all
	case src.Size() <= limits.small:
		e.BuildIndex(context.Background())
		e.CheckRest(context.Background(), CheckOptions{}, func(p span.Problem, _ *Node) { report(p) })
		return e, all
	case slices.ContainsFunc(splices, func(s source.Splice) bool { return s.Added() > limits.scan/2 }): // reading on would end in it, or soon after
		return t.Repaired(src, splices), all
	}
	k := newReindexer(t, e, splices, limits)
	if !k.run() || !e.resumes.isEmpty() {
		return t.Reopen(src, splices), all
	}
	upTo, _ := e.Checked()
	for _, p := range k.problems {
		if p.BeginsBefore(upTo) { // otherwise CheckRest will report it
			report(p)
		}
	}
	return e, k.read
}

// Repaired returns a tree of src, the bytes after an edit, in which nothing from the first splice on has
// been read; splices are in order. What is known about the bytes before it is kept, unless a search was
// needed to resume reading in them.
func (t *Tree) Repaired(src source.Source, splices []source.Splice) *Tree {
	e := t.Reopen(src, splices)
	if !t.resumes.hasBefore(splices[0].Offset) && !t.keepsNothing() {
		newReindexer(t, e, splices, usualLimits).keepStart()
	}
	return e
}

// Reopen returns a tree of src, the bytes after an edit. Nothing of it has been read.
func (t *Tree) Reopen(src source.Source, splices []source.Splice) *Tree {
	before := 0 // bytes inserted at the start of the region belong to it
	for before < len(splices) && splices[before].Offset < t.Region.Offset {
		before++
	}
	region := span.Between(source.Map(splices[:before], t.Region.Offset), source.Map(splices, t.Region.End()))
	f := t.Reading
	if l := t.can.learner; l != nil {
		f = l.Edited(src, region)
	} else if o, ok := f.(Reopener); ok {
		f = o.Reopen(src, region, splices)
	} else if p, ok := f.(Placed); ok {
		f = p.Unplaced()
	}
	e := New(src, f, region)
	if e.Base.Value == t.Base.Value {
		e.Base = t.Base // so that nodes of the old tree remain nodes of this one
	}
	e.index.every, e.index.perNode, e.segment = t.index.every, t.index.perNode, t.segment
	return e
}

// keepsNothing reports whether the reading of the bytes after an edit begins anew.
func (t *Tree) keepsNothing() bool {
	_, ok := t.Reading.(Reopener)
	return ok
}

// hasBefore reports whether reading the bytes before an offset needed a search.
func (l *resumeCache) hasBefore(off int64) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for at := range l.ends {
		if at < off {
			return true
		}
	}
	return false
}

// isEmpty reports whether the reading needed no search.
func (l *resumeCache) isEmpty() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.ends) == 0
}

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

// maxReinspected is the largest number of references that are inspected again because their target has
// changed.
const maxReinspected = 64

// An ending is a place where values end that begin in bytes that were read again.
type ending struct {
	from  point
	depth int // depth of the outermost of these values
}

// compareKinds records which numbers less than to now belong to another kind of value.
func (ri *reindexer) compareKinds(to uint32) {
	if ri.learner == nil || ri.serial == NoSerial {
		return
	}
	for n := ri.serial; n < min(to, maxSerial); n++ {
		if ri.was.Kind(n) != ri.learner.Kind(n) {
			ri.changed[n] = true
		}
	}
}

// mergeRead sorts the spans read again and joins those that overlap.
func (ri *reindexer) mergeRead() {
	slices.SortFunc(ri.read, func(a, b span.Span) int { return cmp.Compare(a.Offset, b.Offset) })
	merged := ri.read[:0]
	for _, r := range ri.read {
		if n := len(merged); n > 0 && merged[n-1].End() >= r.Offset {
			merged[n-1] = span.Between(merged[n-1].Offset, max(merged[n-1].End(), r.End()))
		} else if r.Length > 0 {
			merged = append(merged, r)
		}
	}
	ri.read = merged
}

// isRead reports whether an offset was read again.
func (ri *reindexer) isRead(off int64) bool {
	i := sort.Search(len(ri.read), func(i int) bool { return ri.read[i].End() > off })
	return i < len(ri.read) && ri.read[i].Contains(off)
}

// reportEnding reports problems of values that begin in bytes read again if they are known only at the end
// of the values: that children are missing.
func (ri *reindexer) reportEnding(t ending) {
	s := ri.scanner()
	s.resume(&t.from)
	s.PassOrdinary, s.keyed = true, nil
	s.Report = func(p span.Problem) {
		if p.Offset < t.from.pos && ri.isRead(p.Offset) {
			ri.add(p)
		}
	}
	for s.Depth() > t.depth && s.Next() != Done {
	}
}

// reinspectReferences inspects the references to values that have changed. It returns false if there are
// too many.
func (ri *reindexer) reinspectReferences() bool {
	if len(ri.changed) == 0 {
		return true
	}
	r, s := ri.edited.NewReader(), ri.scanner()
	s.Report = ri.add
	inspected := 0
	for _, ref := range ri.edited.index.refs {
		if !ri.changed[ref.To] || ri.isRead(ref.At) {
			continue
		}
		n, err := r.At(ref.At)
		if inspected++; inspected > maxReinspected || err != nil || !n.Refers {
			return false
		}
		s.reinspect(n)
		ri.read = append(ri.read, n.Span())
	}
	ri.mergeRead()
	return true
}

// noteReferred records which numbers are referred to.
func (ri *reindexer) noteReferred() {
	x, old := &ri.edited.index, &ri.old.index
	x.referred = nil
	if len(x.refs) == maxReferences { // there may be more that are not listed
		old.mu.RLock()
		if old.referred != nil {
			bits := *old.referred
			x.referred = &bits
		}
		old.mu.RUnlock()
	}
	for _, r := range x.refs {
		x.noteReferred(r)
	}
}

// reinspect reports the problems of n other than its damage.
func (s *Scanner) reinspect(n *Node) {
	s.value, s.slot, s.key = n.Value, n.Slot, n.KeyAt
	s.win.TakeHole()
	s.inspect(n.parentValue(), &s.value)
	if n.Layout >= Sequence {
		s.checkNesting(n.Depth)
	}
}
