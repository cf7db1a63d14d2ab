package tree

import (
	"varview/decoder/source"
	"varview/decoder/span"
)

// A Checkpoint is a place between two values at which a reading stood.
type Checkpoint struct{ point }

// Checkpoint is where the scanner stands.
func (s *Scanner) Checkpoint() Checkpoint { return Checkpoint{s.position()} }

// IsClean reports whether the scanner would report behind a checkpoint made here
// what it will report itself: no damage is about to close open values.
func (s *Scanner) IsClean() bool { return !s.cutShort }

// Pos is the offset up to which everything was passed.
func (c *Checkpoint) Pos() int64 { return c.pos }

// In is the innermost value open, in which Next is the next child.
func (c *Checkpoint) In() *Node { return c.in }

// Next says which child of In comes next.
func (c *Checkpoint) Next() Slot { return c.next }

// Restart returns a scanner that goes on from c over other bytes, those of w, in
// which the values take the given region. Before c they are the same but for the
// leading fields of values open there, which are read again. What was learnt
// behind c is forgotten. ok is false where values that were open no longer are.
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

// reread makes the node of a value that was open from other bytes.
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

// Inspect reports what is unusual about an open value, apart from its damage.
func (s *Scanner) Inspect(n *Node, report func(span.Problem)) {
	s.can.inspect(s.win, n.parentValue(), n.Slot, &n.Value, report)
}

// Reading is what the scanner reads by.
func (s *Scanner) Reading() Reading { return s.format }

// Outer is the value around the one that was entered last, nil around the buffer.
func (s *Scanner) Outer() *Value { return s.outer() }
