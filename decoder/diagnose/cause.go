package diagnose

import (
	"bytes"
	"context"
	"fmt"

	"varview/decoder/edit"
	"varview/decoder/score"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// splices returns the edit that makes a hypothesis true.
func (c *hypothesis) splices() []source.Splice {
	if c.repair != nil || c.isCut {
		return c.repair
	}
	return []source.Splice{c.splice()}
}

// diagnosis describes a hypothesis for people.
func (c *hypothesis) diagnosis(p *observation) Diagnosis {
	f := Diagnosis{Problem: p.Problem, Loss: c.loss}
	if c.isOwn && c.is == "" {
		return f
	}
	evidence := c.evidence()
	if !c.isOwn {
		f.Span, f.Code, f.Message = c.blamed, c.code, c.was
		if !p.local {
			f.Severity = span.Error
		}
		f.Engine = "what follows is misread: " + p.Engine
		if p.Code == span.TrailingBytes {
			f.Engine = "what is left over is not read"
		} else if p.Engine == "" || p.Severity < span.Error {
			f.Engine = "what follows is misread"
		}
	}
	switch c.code {
	case span.MissingBytes:
		f.Severity = span.Error
		f.Message = fmt.Sprintf("%s missing here: with %s %s", span.BytesAre(int64(len(c.new))), pronoun(len(c.new)), evidence)
		f.Repair = fmt.Sprintf("insert % x at %#x", c.new, c.Offset)
	case span.ExtraBytes:
		f.Severity = span.Error
		if c.group == zeroGroup {
			f.Message = fmt.Sprintf("%s at the end are zero, as in a file that was not written to its end, and belong to nothing", span.Bytes(c.Length))
			f.Repair = "delete the zeros"
			break
		}
		if c.group == ownHeaderGroup {
			f.Message = fmt.Sprintf("the first %s are not a value: without them %s; if they are the game's own header, --offset %d skips them", span.Bytes(c.Length), evidence, c.Length)
			f.Repair = fmt.Sprintf("delete the first %s", span.Bytes(c.Length))
			break
		}
		f.Message = fmt.Sprintf("%s too many here: without %s %s", span.Bytes(c.Length), pronoun(int(c.Length)), evidence)
		f.Repair = fmt.Sprintf("delete %s at %#x", span.Bytes(c.Length), c.Offset)
	default:
		how, does := verbs(c.code)
		f.Message += fmt.Sprintf("; %s %s %s", how, c.is, evidence)
		f.Repair = does + " " + c.is
	}
	return f
}

// verbs return how a message introduces the new value of a field, and how a repair does.
func verbs(code string) (how, does string) {
	switch code {
	case span.WrongLength:
		return "with", "set the length to"
	case span.WrongCount:
		return "with", "set the count to"
	case span.WrongFrame:
		return "with", "set the length of the frame to"
	case span.WrongFlags:
		return "with", "set"
	}
	return "as", "make it"
}

func pronoun(n int) string {
	if n == 1 {
		return "it"
	}
	return "them"
}

// evidence returns what can be read with the change.
func (c *hypothesis) evidence() string {
	switch {
	case c.cost > 0:
		return "more of what follows can be read"
	case c.toEnd:
		return "all that follows can be read"
	}
	return fmt.Sprintf("what follows can be read, at least up to %#x", c.to)
}

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

// isOpenEnded reports whether the end of the buffer may be missing after a value: no
// frame around the value lies within the buffer.
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

// The penalties of a length far beyond what is there.
const (
	farMore  = 3 // one of its bytes may have been changed
	nonsense = 8 // it is no length with one byte changed
)

// cutPenalty is how implausible it is that the buffer is cut off: far more would be
// missing than there is, or a text continues after what looks like its end.
func (s *search) cutPenalty(p *observation) (penalty int) {
	if p.late && p.at.Fenced { // everything in the frame is complete
		penalty += 4
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

// tryLocal adds the hypothesis that the problem has no cause but itself.
func (s *search) tryLocal(ctx context.Context, p *observation) {
	if p.Repair == "" || p.IsShortage() {
		return
	}
	r, err := repairOf(ctx, s.tree, p)
	if err != nil {
		return
	}
	c := hypothesis{change: change{Span: p.Span}, code: p.Code, blamed: p.Span, node: p.at, cost: max(0, s.baseCost-score.Of(&p.Problem)), size: 1, isOwn: true, repair: r.Splices, loss: r.Loss}
	c.oddness, c.values = s.baseOddness, s.baseValues
	if last := &s.steps[len(s.steps)-1]; len(r.Splices) == 1 && r.Splices[0].Added() <= source.MaxView {
		ch := c.minimal(s.unchanged)
		if rest := s.trial.run(s.tree, &last.from, &ch, noCost); rest < noCost {
			c.cost, c.oddness, c.values = last.cost+rest+s.trailing, last.oddness+s.oddness, last.values+s.support
		}
	}
	switch p.Code {
	case span.NonZeroPadding, span.NulInText:
		c.penalty++
	case span.InvalidUTF8:
		c.penalty += 2
	}
	if p.Code == span.TrailingBytes {
		c.cost, c.size = 0, 1+int(min(p.Length, score.MaxGap))/4
	}
	s.add(c)
}

func repairOf(ctx context.Context, t *tree.Tree, p *observation) (edit.Repair, error) {
	format, ok := t.Reading.(edit.Repairer)
	if !ok || p.Repair == "" {
		return edit.Repair{}, ErrNoRepair
	}
	return format.Repair(ctx, t.NewReader(), p.at, &p.Problem)
}
