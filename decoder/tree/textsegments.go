package tree

import (
	"context"
	"io"

	"varview/decoder/parallel"
)

// textSegmentBytes is about the size of a segment that is written as text. Most of the text
// of several segments is kept in memory until it is their turn.
const textSegmentBytes = 256 << 10

// A TextVisitor is a Visitor that writes text: it embeds a Writer. It can begin inside a
// buffer: it is then shown the values that are open there.
type TextVisitor interface {
	Visitor
	After(slot Slot) // the child or key that was written last
	Text() *Writer   // where it writes
}

// Write writes v to out with the visitors that visitor returns, each with a reader of its
// own: the segments of a large buffer are written at the same time.
func Write(ctx context.Context, out io.Writer, r *Reader, v *Value, visitor func(Writer, *Reader) TextVisitor) error {
	t := r.Tree
	if *v != t.Base.Value || t.Source.Size() <= t.TextSegment || parallel.Workers() == 1 {
		x := visitor(NewWriter(ctx, out), r)
		Visit(r, v, x)
		return x.Text().Flush()
	}
	p := newPlanner(t, nil, parallel.Workers())
	p.size, p.frame = t.TextSegment, t.TextSegment
	type memory struct {
		*Reader
		text []byte
	}
	spares := parallel.Spares[*memory]{New: func() *memory { return &memory{Reader: t.NewReader()} }}
	return parallel.Write(ctx, parallel.Workers(), out, func() (segment, bool) { return p.next(ctx) },
		func(ctx context.Context, seg segment, out io.Writer) error {
			m := spares.Get()
			defer spares.Put(m)
			w := NewWriter(ctx, io.Discard)
			w.Dst = m.text
			x := visitor(w, m.Reader)
			err := m.writeSegment(seg, out, x)
			m.text = x.Text().Dst
			if err != nil {
				return err
			}
			return m.win.Err()
		})
}

// writeSegment shows a segment to x, which writes it to out.
func (r *Reader) writeSegment(seg segment, out io.Writer, x TextVisitor) error {
	s := r.Scan(r.Tree.Base)
	hidden := 0
	if seg.from != nil {
		s.resume(seg.from)
		hidden = seg.from.show(x)
	}
	w := x.Text()
	w.Dst, w.out = w.Dst[:0], out // what is open at the start has been written
	if seg.from == nil && !x.Open(&r.Tree.Base.Value) {
		hidden = 1
	}
	s.until = seg.to
	visit(s, x, hidden)
	return w.Flush()
}

// show shows x the values that are open at the point, as if it had been shown everything
// before. hidden is the depth of the point below a value whose children are not wanted.
func (p *point) show(x TextVisitor) (hidden int) {
	chain := make([]*Node, p.in.Depth+1)
	for n := p.in; n != nil; n = n.Parent {
		chain[n.Depth] = n
	}
	for i, n := range chain {
		if i > 0 {
			x.Before(n.Slot)
		}
		if !x.Open(&n.Value) {
			return len(chain) - i
		}
	}
	if last, ok := p.in.preceding(p.next); ok {
		x.After(last)
	}
	return 0
}

// preceding returns the slot before one of v, if there is one.
func (v *Value) preceding(slot Slot) (last Slot, ok bool) {
	switch {
	case v.Layout == Pairs && !slot.Key:
		return Slot{slot.Index, true}, true
	case slot.Index > 0:
		return Slot{Index: slot.Index - 1}, true
	}
	return Slot{}, false
}
