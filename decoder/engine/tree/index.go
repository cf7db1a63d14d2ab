package tree

import (
	"slices"
	"sort"
	"sync"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
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
func spacing(size int64) int64 { return min(pointEvery, max(leastEvery, size/enoughPoints)) }

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

// A Checkpoint is a place between two values at which another scanner can resume.
type Checkpoint struct{ point }

// Checkpoint returns the scanner's current place.
func (s *Scanner) Checkpoint() Checkpoint { return Checkpoint{s.position()} }

// IsClean reports whether a scanner that resumes here would report the same as this one: no damage is about
// to close open values.
func (s *Scanner) IsClean() bool { return !s.cutShort }

// Pos returns the offset up to which everything has been passed.
func (c *Checkpoint) Pos() int64 { return c.pos }

// In returns the innermost open value; Next returns its next child.
func (c *Checkpoint) In() *Node { return c.in }

// Next returns the slot of the next child of In.
func (c *Checkpoint) Next() Slot { return c.next }

// Restart places a scanner at c over the bytes of w, in which the values are in the given region. Before c
// these bytes must be the same, except for the leading fields of the values that are open there, which are
// read again. The reading forgets what it learnt after c. It returns false if values that were open no
// longer are. The scanner may have been used before; its nodes are then no longer valid.
func (s *Scanner) Restart(t *Tree, c *Checkpoint, w *source.Window, region span.Span) bool {
	m := s.restarts
	if m == nil {
		m = new(restartMemory)
	}
	*s = Scanner{format: t.Reading, can: t.can, win: w, levels: s.levels[:0], resumes: &t.resumes,
		restarts: m, spareKeys: s.spareKeys, reportReadable: s.reportReadable}
	if t.can.resyncer != nil {
		if s.format = t.can.resyncer.Fork(c.pos, false); s.format != t.Reading {
			m.can.lookUp(s.format)
			s.can = &m.can
		}
	}
	m.nodes = slices.Grow(m.nodes[:0], c.in.Depth+1)[:c.in.Depth+1]
	m.nodes[0] = Node{Value: s.format.Root(w.Size(), region), KeyAt: Unknown}
	in, ok := m.reread(s.format, w, c.in)
	if !ok || in.Layout < Sequence || in.Count != Unknown && c.next.Index > in.Count {
		return false
	}
	s.keyed = s.can.keyed
	p := c.point
	p.in = in
	s.resume(&p)
	return true
}

// A restartMemory is the memory of a restart, kept for the next one.
type restartMemory struct {
	nodes []Node       // open values by depth
	can   capabilities // capabilities of the fork of the reading
}

// reread returns an open value as it is in other bytes.
func (m *restartMemory) reread(f Reading, w *source.Window, n *Node) (*Node, bool) {
	again := &m.nodes[n.Depth]
	if n.Parent == nil {
		return again, again.Body == n.Body
	}
	parent, ok := m.reread(f, w, n.Parent)
	if !ok || parent.Layout < Sequence || parent.Count != Unknown && n.Slot.Index >= parent.Count {
		return nil, false
	}
	*again = Node{Parent: parent, Slot: n.Slot, KeyAt: n.KeyAt, Depth: n.Depth}
	f.Read(w, &parent.Value, n.Slot, n.Start, &again.Value)
	again.Serial = n.Serial
	return again, again.Body == n.Body && again.Layout == n.Layout
}

// Inspect reports the problems of an open value other than its damage.
func (s *Scanner) Inspect(n *Node, report func(span.Problem)) {
	s.can.inspect(s.win, n.parentValue(), n.Slot, &n.Value, report)
}

// Reading returns the scanner's reading, which may be a fork of the reading of the tree.
func (s *Scanner) Reading() Reading { return s.format }

// Outer returns the value that contains the one entered last; nil for the buffer.
func (s *Scanner) Outer() *Value { return s.outer() }
