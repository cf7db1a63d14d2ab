package tree

import (
	"varview/decoder/source"
	"varview/decoder/span"
)

// A Checkpoint is a place between two values at which another scanner can resume.
type Checkpoint struct{ point }

// Checkpoint returns the scanner's current place.
func (s *Scanner) Checkpoint() Checkpoint { return Checkpoint{s.position()} }

// IsClean reports whether a scanner that resumes here would report the same as this one: no
// damage is about to close open values.
func (s *Scanner) IsClean() bool { return !s.cutShort }

// Pos is the offset up to which everything has been passed.
func (c *Checkpoint) Pos() int64 { return c.pos }

// In is the innermost open value; Next is its next child.
func (c *Checkpoint) In() *Node { return c.in }

// Next is the slot of the next child of In.
func (c *Checkpoint) Next() Slot { return c.next }

// Restart returns a scanner that resumes at c over the bytes of w, in which the values are
// in the given region. Before c these bytes must be the same, except for the leading fields
// of the values that are open there, which are read again. The reading forgets what it
// learnt after c. ok is false if values that were open no longer are.
func (t *Tree) Restart(c *Checkpoint, w *source.Window, region span.Span) (s *Scanner, ok bool) {
	f := t.Reading
	can := t.can
	if can.resyncer != nil {
		f = can.resyncer.Fork(c.pos, false)
		can = capabilitiesOf(f)
	}
	base := &Node{Value: f.Root(w.Size(), region), KeyAt: Unknown}
	in, ok := reread(f, w, base, c.in)
	if !ok || in.Layout < Sequence || in.Count != Unknown && c.next.Index > in.Count {
		return nil, false
	}
	scanner := Scanner{format: f, can: can, win: w, resumes: &t.resumes}
	scanner.keyed = can.keyed
	p := c.point
	p.in = in
	scanner.resume(&p)
	return &scanner, true
}

// reread returns an open value as it is in other bytes.
func reread(f Reading, w *source.Window, base, n *Node) (*Node, bool) {
	if n.Parent == nil {
		return base, base.Body == n.Body
	}
	parent, ok := reread(f, w, base, n.Parent)
	if !ok || parent.Layout < Sequence || parent.Count != Unknown && n.Slot.Index >= parent.Count {
		return nil, false
	}
	again := &Node{Parent: parent, Slot: n.Slot, KeyAt: n.KeyAt, Depth: n.Depth}
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

// Outer returns the value that contains the one entered last, nil for the buffer.
func (s *Scanner) Outer() *Value { return s.outer() }
