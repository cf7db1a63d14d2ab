package tree

import (
	"context"
	"io"

	"varview/decoder/parallel"
	"varview/decoder/span"
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
// own: the segments of a large buffer are written at the same time. If r counts problems and
// v is the whole buffer, it is checked meanwhile.
func Write(ctx context.Context, out io.Writer, r *Reader, v *Value, visitor func(Writer, *Reader) TextVisitor) error {
	t := r.Tree
	whole := *v == t.Base.Value
	if !whole || t.Source.Size() <= t.TextSegment || parallel.Workers() == 1 {
		w := NewWriter(ctx, out)
		w.Dst, r.text = r.text, nil
		x := visitor(w, r)
		if !whole || r.problems == nil {
			Visit(r, v, x)
			err := x.Text().Flush()
			r.text = x.Text().Dst
			return err
		}
		f, err := r.writeSegment(segment{}, out, x)
		*r.problems += f.count
		return err
	}
	p := newPlanner(t, nil, parallel.Workers())
	p.size, p.frame = t.TextSegment, t.TextSegment
	type memory struct {
		*Reader
		text []byte
	}
	spares := parallel.Spares[*memory]{New: func() *memory {
		m := &memory{Reader: t.NewReader()}
		m.problems = r.problems
		return m
	}}
	write := func(ctx context.Context, seg segment, out io.Writer) (*found, error) {
		m := spares.Get()
		defer spares.Put(m)
		w := NewWriter(ctx, io.Discard)
		w.Dst = m.text
		x := visitor(w, m.Reader)
		f, err := m.writeSegment(seg, out, x)
		m.text = x.Text().Dst
		if err == nil {
			err = m.win.Err()
		}
		return f, err
	}
	return parallel.WriteResults(ctx, parallel.Workers(), out, func() (segment, bool) { return p.next(ctx) }, write, r.counting(ctx))
}

// writeSegment shows a segment to x, which writes it to out. If the reader counts problems it
// is checked too.
func (r *Reader) writeSegment(seg segment, out io.Writer, x TextVisitor) (*found, error) {
	f := &found{segment: seg, s: &Scanner{win: r.win, spareKeys: r.spareKeys}, counter: noCounter{}}
	s := f.s
	s.enterSegment(r.Tree, seg)
	hidden := 0
	if seg.from != nil {
		hidden = seg.from.show(x)
	}
	w := x.Text()
	w.Dst, w.out = w.Dst[:0], out // what is open at the start has been written
	if seg.from == nil && !x.Open(&r.Tree.Base.Value) {
		hidden = 1
	}
	if r.problems != nil {
		s.spanning, s.initial = map[levelID]*KeySet{}, s.Depth()
		s.Report = func(p span.Problem) { countWarning(&f.count, p) }
	}
	visit(s, x, hidden)
	r.spareKeys, s.spareKeys = s.spareKeys, nil
	return f, w.Flush()
}

// countWarning counts a problem, unless it is only a note.
func countWarning(n *int64, p span.Problem) {
	if p.Severity > span.Note {
		*n++
	}
}

// counting returns what adds up the problems of segments, in their order.
func (r *Reader) counting(ctx context.Context) func(*found) error {
	if r.problems == nil {
		return func(*found) error { return nil }
	}
	k := &checker{tree: r.Tree, known: map[levelID]*KeySet{}, report: func(p span.Problem, _ *Node) { countWarning(r.problems, p) }}
	return func(f *found) error {
		f.s.win = r.win // its own is used for another segment
		if !k.add(f) {
			return k.repeat(ctx, f)
		}
		*r.problems += f.count
		k.end(f)
		return nil
	}
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
