package tree

import (
	"slices"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
)

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
