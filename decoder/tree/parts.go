package tree

import (
	"context"
	"io"
	"sync"

	"varview/decoder/parallel"
)

// partSize is the number of bytes of a part, at least.
const partSize = 256 << 10

// partLevels is the number of levels of nesting for which a part is larger by its least size:
// the next part begins with looking at all values around it.
const partLevels = 1 << 10

// A part is a run of values: from a point, nil for the start of the buffer, to another, nil
// for the end of it.
type part struct{ from, to *point }

// A cutter divides a buffer into parts.
type cutter struct {
	ctx  context.Context
	s    *Scanner
	size int64
	from *point
	done bool
}

// cutter returns a cutter of the tree into parts of at least size bytes.
func (t *Tree) cutter(ctx context.Context, size int64) *cutter {
	s := t.Scanner()
	s.PassOrdinary = true
	return &cutter{ctx: ctx, s: s, size: size}
}

// next returns the next part. There is none after the end, or once the context is done.
func (c *cutter) next() (p part, ok bool) {
	if c.done {
		return part{}, false
	}
	p.from = c.from
	start := c.s.pos
	err := c.s.Run(c.ctx, func(Event) bool { return !c.s.canPart(start, c.size) })
	if c.done = len(c.s.levels) == 0; !c.done {
		at := c.s.position()
		c.from, p.to = &at, &at
	}
	return p, err == nil || c.done
}

// canPart reports whether a part that begins at start may end here.
func (s *Scanner) canPart(start, size int64) bool {
	return s.pos-start >= size && !s.cutShort && len(s.levels) > 0 && s.pos-start >= size+size*int64(s.Depth())/partLevels
}

// isAt reports whether the scanner has reached a point.
func (s *Scanner) isAt(p *point) bool {
	if s.pos < p.pos || len(s.levels) == 0 {
		return false
	}
	return s.pos > p.pos || s.Depth() == p.in.Depth+1 && s.levels[len(s.levels)-1].next == p.next
}

// A TextVisitor is a Visitor that writes text: it embeds a Writer. It can begin within a
// buffer: it is then shown what is open there.
type TextVisitor interface {
	Visitor
	After(slot Slot) // the child or key that was written last
	writer() *Writer
}

// Write writes v to out as the visitors do that visitor returns, each with a reader of its
// own: the parts of a large buffer beside each other.
func Write(ctx context.Context, out io.Writer, r *Reader, v *Value, visitor func(Writer, *Reader) TextVisitor) error {
	t := r.Tree
	if *v != t.Base.Value || t.Source.Size() <= t.PartSize || parallel.Workers() == 1 {
		x := visitor(NewWriter(ctx, out), r)
		Visit(r, v, x)
		return x.writer().Flush()
	}
	readers := sync.Pool{New: func() any { return t.NewReader() }}
	return parallel.Write(ctx, parallel.Workers(), out, t.cutter(ctx, t.PartSize).next, func(ctx context.Context, p part, out io.Writer) error {
		r := readers.Get().(*Reader)
		defer readers.Put(r)
		x := visitor(NewWriter(ctx, io.Discard), r)
		s, hidden := r.resumeVisit(p.from, x)
		w := x.writer()
		w.Dst, w.out = w.Dst[:0], out // what is open at the start has been written
		if p.from == nil && !x.Open(&t.Base.Value) {
			hidden = 1
		}
		visit(s, x, hidden, p.to)
		if err := w.Flush(); err != nil {
			return err
		}
		return r.win.Err()
	})
}

// resumeVisit shows x the values that are open at a point, as if it had been shown all
// before, and returns a scanner there. hidden is its depth below a value whose children are
// not wanted.
func (r *Reader) resumeVisit(p *point, x TextVisitor) (s *Scanner, hidden int) {
	if p == nil {
		return r.Scan(r.Tree.Base), 0
	}
	chain := make([]*Node, p.in.Depth+1)
	for n := p.in; n != nil; n = n.Parent {
		chain[n.Depth] = n
	}
	for i, n := range chain {
		if i > 0 {
			x.Before(n.Slot)
		}
		if !x.Open(&n.Value) {
			return r.scanFrom(p), len(chain) - i
		}
	}
	if last, ok := p.in.preceding(p.next); ok {
		x.After(last)
	}
	return r.scanFrom(p), 0
}

// preceding returns the slot before one of v, if there is any.
func (v *Value) preceding(slot Slot) (last Slot, ok bool) {
	switch {
	case v.Layout == Pairs && !slot.Key:
		return Slot{slot.Index, true}, true
	case slot.Index > 0:
		return Slot{Index: slot.Index - 1}, true
	}
	return Slot{}, false
}
