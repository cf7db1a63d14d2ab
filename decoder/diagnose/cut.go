package diagnose

import (
	"bytes"
	"context"

	"varview/decoder/span"
	"varview/decoder/tree"
)

// tryCut adds the hypothesis that the buffer is cut off, if the problem is that bytes
// are missing.
func (s *search) tryCut(ctx context.Context, p *observation) {
	if !p.IsShortage() || !p.atEnd || s.shortage == 0 || !s.isOpenEnded(p) {
		return
	}
	c := hypothesis{change: change{Span: p.Span}, code: p.Code, blamed: p.Span, node: p.at, cost: s.baseCost - s.shortage, size: 1, isCut: true, isOwn: true}
	c.penalty, c.oddness, c.values = s.cutPenalty(p), s.baseOddness, s.baseValues
	if r, err := repairOf(ctx, s.tree, p); err == nil {
		c.repair, c.loss = r.Splices, r.Loss
	}
	s.add(c)
}

// isOpenEnded reports whether the end of the buffer may be missing after a value: no frame
// around the value ends within the buffer.
func (s *search) isOpenEnded(p *observation) bool {
	for n := p.at; n.Parent != nil; n = n.Parent {
		if n.Fenced {
			return s.goesPastEnd(n)
		}
	}
	return true
}

// goesPastEnd reports whether a frame is longer than the buffer.
func (s *search) goesPastEnd(n *tree.Node) (past bool) {
	s.tree.Inspect(s.unchanged, &n.Parent.Value, n.Slot, &n.Value, func(p span.Problem) {
		past = past || p.IsShortage() && p.Offset == n.Start
	})
	return past
}

// cutPenalty returns how implausible it is that the buffer is cut off: far more would be
// missing than there is, or a text continues after what looks like its end.
func (s *search) cutPenalty(p *observation) (penalty int) {
	if p.late && p.at.Fenced { // everything in the frame is complete
		penalty += 4
	}
	if p.Code == span.Truncated && (s.tree.Region.End()-p.at.Start)%word == 0 {
		penalty++ // three of four cuts leave a part of a word
	}
	if p.Code != span.LengthOverrun && p.Code != span.NegativeLength || p.Length > 4 {
		return penalty
	}
	left := s.tree.Region.End() - p.Offset
	n, used := int64(0), 0
	for i := p.End() - 1; i >= p.Offset; i-- {
		b := s.unchanged.Byte(i)
		if n = n<<8 | int64(b); b != 0 {
			used++
		}
	}
	switch tooMuch := n > 64<<10 && n/8 > left; {
	case tooMuch && used > 1:
		penalty += nonsense
	case tooMuch:
		penalty += farMore
	}
	if p.Code == span.LengthOverrun && bytes.IndexByte(s.unchanged.View(p.End(), left), 0) >= 0 && p.at.Layout == tree.Leaf {
		penalty += 4
	}
	return penalty
}

const word = 4 // bytes of the unit of which most values consist

// The penalties of a length that goes far beyond the buffer.
const (
	farMore  = 3 // one of its bytes may have been changed
	nonsense = 8 // no change of one byte makes a plausible length of it
)
