package tree

import (
	"sort"
	"sync"
)

const (
	// pointEvery is the number of bytes between two points in a large buffer: a look-up
	// passes over about that many, and a GiB takes about 8 MB of points.
	pointEvery = 16 << 10

	// leastEvery is the same for a small buffer, where points are closer together: there may be thousands
	// of look-ups, one for each problem.
	leastEvery = 4 << 10
	// enoughPoints is the number of points up to which a buffer has them that close together.
	enoughPoints = 4 << 10

	// nodeEvery is the number of bytes that must have been passed since the last point for each node that
	// the next one needs. It bounds the memory of an index to a fraction of the file if values are nested
	// thousands of levels deep; points are farther apart there.
	nodeEvery = 4 << 10
)

// spacing returns the number of bytes between two points in a buffer of the given size.
func spacing(size int64) int64 {
	return min(pointEvery, max(leastEvery, size/enoughPoints))
}

// A point is a place between two values at which a scanner can resume.
type point struct {
	pos    int64
	in     *Node // innermost open value
	next   Slot  // its next child
	nextAt int64 // offset of that child's key
	serial uint32
}

// A pointIndex remembers places that a scanner has passed. One scanner writes it while
// any number of readers use it.
type pointIndex struct {
	mu     sync.RWMutex
	points []point
	busy   bool // a scanner is writing it
	done   bool
	base   int64 // number of children of the base; Unknown until they are counted

	refs     []reference
	referred *[maxSerial / 64]uint64 // bit set of the numbers that are referred to

	every, perNode int64 // spacing and nodeEvery
}

// acquire lets a scanner write the index from the last point on; nil is the start of the
// buffer. Only one scanner may write at a time, and none once the whole buffer has been
// passed.
func (x *pointIndex) acquire() (from *point, ok bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.busy || x.done {
		return nil, false
	}
	x.busy = true
	if n := len(x.points); n > 0 {
		last := x.points[n-1]
		from = &last
	}
	return from, true
}

// release ends the writing.
func (x *pointIndex) release() {
	x.mu.Lock()
	x.busy = false
	x.mu.Unlock()
}

// recordIn makes the scanner leave points in x from the point from on; nil is the start of the buffer.
func (s *Scanner) recordIn(x *pointIndex, from *point) {
	s.index, s.lastPoint = x, 0
	if from != nil {
		s.lastPoint = from.pos
	}
	s.nextPoint = s.lastPoint + x.every
}

// Done reports whether the whole buffer has been passed.
func (x *pointIndex) Done() bool {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.done
}

// reached returns the offset up to which points are remembered.
func (x *pointIndex) reached() int64 {
	x.mu.RLock()
	defer x.mu.RUnlock()
	if len(x.points) == 0 {
		return 0
	}
	return x.points[len(x.points)-1].pos
}

// continues reports whether a scanner writes the index from p on, and has left no point after it.
func (x *pointIndex) continues(p *point) bool {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.busy && !x.done && len(x.points) > 0 && p.pos == x.points[len(x.points)-1].pos
}

// canLeavePoint reports whether another scanner could resume here and report the same. It
// could not if damage is about to close open values, or if a problem without bytes was
// reported here: the next value could report the same one.
func (s *Scanner) canLeavePoint() bool { return !s.cutShort && s.pos != s.emptyProblemAt }

// markPoint leaves a point here, if that is possible and not too expensive.
func (s *Scanner) markPoint() {
	x := s.index
	if x == nil || !s.canLeavePoint() {
		return
	}
	fresh := int64(len(s.levels) - s.numNodes)
	if since := s.pos - s.lastPoint; since < fresh*x.perNode {
		s.nextPoint = s.pos + x.every
		return
	}
	s.leavePoint()
}

// leavePoint leaves a point here, unless one is there.
func (s *Scanner) leavePoint() {
	x := s.index
	p := s.position()
	s.lastPoint, s.nextPoint = s.pos, s.pos+x.every
	x.add(p)
}

// addCheap adds a point, unless it needs too many nodes of its own.
func (x *pointIndex) addCheap(p point) {
	if p.pos-x.reached() >= int64(p.in.Depth)*x.perNode {
		x.add(p)
	}
}

// add adds a point, unless there is one here or farther on.
func (x *pointIndex) add(p point) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if n := len(x.points); n > 0 && x.points[n-1].pos >= p.pos {
		return
	}
	x.points = append(x.points, p)
}

// position returns the scanner's place.
func (s *Scanner) position() point {
	l := &s.levels[len(s.levels)-1]
	return point{s.pos, s.Node(), l.next, l.nextAt, s.serial}
}

// leaveLastPoint leaves a point as near as possible after the scanner's place, so that another scanner can
// resume there.
func (s *Scanner) leaveLastPoint() {
	for !s.canLeavePoint() && s.Next() != Done {
	}
	if len(s.levels) > 0 {
		s.leavePoint()
	}
}

// noteEnd records the end of the buffer itself, with its number of children. It ignores the
// ends of other values.
func (x *pointIndex) noteEnd(n *Node, children int64) {
	if n == nil || n.Depth > 0 {
		return
	}
	x.mu.Lock()
	x.done, x.base = true, children
	x.mu.Unlock()
}

// baseCount returns the number of children of the base; Unknown until they are counted.
func (x *pointIndex) baseCount() int64 {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.base
}

// noteCount records the number of children of the base.
func (x *pointIndex) noteCount(children int64) {
	x.mu.Lock()
	x.base = children
	x.mu.Unlock()
}

// before returns the last point for which isBefore is true. It must be true for all points up to some
// place.
func (x *pointIndex) before(isBefore func(*point) bool) (point, bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	i := sort.Search(len(x.points), func(i int) bool { return !isBefore(&x.points[i]) })
	if i == 0 {
		return point{}, false
	}
	return x.points[i-1], true
}

// childAt returns the index of the child of n that contains the point, or that comes next there; ok is
// false if the point is not in n.
func (p *point) childAt(n *Node) (index int64, ok bool) {
	in := p.in
	if in.Depth < n.Depth {
		return 0, false
	}
	if in.Depth == n.Depth {
		return p.next.Index, in.Start == n.Start
	}
	in = in.Around(n.Depth + 1)
	return in.Slot.Index, in.Parent.Start == n.Start
}
