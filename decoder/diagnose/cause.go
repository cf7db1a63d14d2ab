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

// splices are the edit that a candidate stands for.
func (c *candidate) splices() []source.Splice {
	if c.mends != nil || c.isCut {
		return c.mends
	}
	return []source.Splice{c.splice()}
}

// finding describes a candidate for people.
func (c *candidate) finding(p *met) Finding {
	f := Finding{Problem: p.Problem, Drops: c.drops}
	if c.own && c.is == "" {
		return f
	}
	then := c.then()
	if !c.own {
		f.Span, f.Code, f.Message = c.about, c.code, c.was
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
		f.Message = fmt.Sprintf("%s missing here: with %s %s", isMissing(c.size), it(c.size), then)
		f.Repair = fmt.Sprintf("put in % x at %#x", c.new, c.Offset)
	case span.ExtraBytes:
		f.Severity = span.Error
		if c.group == zeroGroup {
			f.Message = fmt.Sprintf("%s at the end are zero, as of a file that was not written to its end: nothing claims them", span.Bytes(c.Length))
			f.Repair = "take the zeros away"
			break
		}
		if c.group == ownerGroup {
			f.Message = fmt.Sprintf("the first %s are no value: without them %s; if they are a header of the game's own, --offset %d leaves them out", span.Bytes(c.Length), then, c.Length)
			f.Repair = fmt.Sprintf("take out the first %s", span.Bytes(c.Length))
			break
		}
		f.Message = fmt.Sprintf("%s too many here: without %s %s", span.Bytes(c.Length), it(int(c.Length)), then)
		f.Repair = fmt.Sprintf("take out %s at %#x", span.Bytes(c.Length), c.Offset)
	default:
		how, does := verbs(c.code)
		f.Message += fmt.Sprintf("; %s %s %s", how, c.is, then)
		f.Repair = does + " " + c.is
	}
	return f
}

// verbs say with what, or as what, bytes can be read, and what a repair does.
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

func isMissing(n int) string {
	if n == 1 {
		return "1 byte is"
	}
	return fmt.Sprintf("%d bytes are", n)
}

func it(n int) string {
	if n == 1 {
		return "it"
	}
	return "them"
}

// then says what can be read with the change: the evidence.
func (c *candidate) then() string {
	switch {
	case c.cost > 0:
		return "more of what follows can be read"
	case c.toEnd:
		return "all that follows can be read"
	}
	return fmt.Sprintf("what follows can be read, at least up to %#x", c.to)
}

// cut is the candidate that bytes are missing at the end, if the problem is that.
func (s *search) cut(ctx context.Context, p *met) {
	if !p.IsShortage() || !p.atEnd || s.short == 0 {
		return
	}
	if !s.isOpenEnded(p) {
		return
	}
	c := candidate{change: change{Span: p.Span}, code: p.Code, about: p.Span, node: p.at, cost: s.base - s.short, size: 1, isCut: true, own: true}
	c.doubts, c.odd, c.values = s.doubtCut(p), s.odds, s.values
	if r, err := repairOf(ctx, s.tree, p); err == nil {
		c.mends, c.drops = r.Splices, r.Drops
	}
	s.found = append(s.found, c)
	s.least = min(s.least, c.weight())
}

// isOpenEnded reports whether no frame around a value says that all its bytes are
// there.
func (s *search) isOpenEnded(p *met) bool {
	for n := p.at; n.Parent != nil; n = n.Parent {
		if !n.Fenced {
			continue
		}
		return s.goesPastEnd(n)
	}
	return true
}

// goesPastEnd reports whether a frame says that it goes on past the end.
func (s *search) goesPastEnd(n *tree.Node) (past bool) {
	s.tree.Inspect(s.look, &n.Parent.Value, n.Slot, &n.Value, func(p span.Problem) {
		past = past || p.IsShortage() && p.Offset == n.Start
	})
	return past
}

// doubtCut is what speaks against a cut: far more would be missing than there is, or
// a text goes on behind what looks like its end.
func (s *search) doubtCut(p *met) (doubts int) {
	if p.Code == span.NegativeLength || p.late && p.at.Fenced { // all that is in the frame is whole
		doubts += 4
	}
	left := s.tree.Region.End() - p.Offset
	if p.Code == span.LengthOverrun && p.Length <= 4 {
		n := int64(0)
		for i := p.End() - 1; i >= p.Offset; i-- {
			n = n<<8 | int64(s.look.Byte(i))
		}
		if n > 64<<10 && n/8 > left {
			doubts += 3
		}
		if bytes.IndexByte(s.look.View(p.End(), left), 0) >= 0 && p.at.Layout == tree.Leaf {
			doubts += 4
		}
	}
	return doubts
}

// local is the candidate that the problem is all that is wrong.
func (s *search) local(ctx context.Context, p *met) {
	if p.Repair == "" || p.IsShortage() {
		return
	}
	r, err := repairOf(ctx, s.tree, p)
	if err != nil {
		return
	}
	c := candidate{change: change{Span: p.Span}, code: p.Code, about: p.Span, node: p.at, cost: max(0, s.base-score.Of(&p.Problem)), size: 1, own: true, mends: r.Splices, drops: r.Drops}
	c.odd, c.values = s.odds, s.values
	if last := &s.steps[len(s.steps)-1]; len(r.Splices) == 1 && r.Splices[0].Added() <= source.MaxView {
		ch := c.minimal(s.look)
		if rest := s.trial.run(s.tree, &last.from, &ch, noCost); rest < noCost {
			c.cost, c.odd, c.values = last.cost+rest+s.behind, last.odd+s.odd, last.n+s.passed
		}
	}
	switch p.Code {
	case span.NonZeroPadding, span.NulInText:
		c.doubts++
	case span.InvalidUTF8:
		c.doubts += 2
	}
	if p.Code == span.TrailingBytes {
		c.cost, c.size = 0, 1+int(min(p.Length, score.MaxGap))/4
	}
	s.found = append(s.found, c)
	s.least = min(s.least, c.weight())
}

func repairOf(ctx context.Context, t *tree.Tree, p *met) (edit.Repair, error) {
	format, ok := t.Reading.(edit.Repairer)
	if !ok || p.Repair == "" {
		return edit.Repair{}, ErrNoRepair
	}
	return format.Repair(ctx, t.NewReader(), p.at, &p.Problem)
}
