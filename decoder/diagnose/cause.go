package diagnose

import (
	"bytes"
	"context"
	"fmt"

	"varview/decoder/edit"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// splices are the edit that a candidate stands for.
func (c *candidate) splices(ctx context.Context, t *tree.Tree) []source.Splice {
	if c.mends != nil || c.isCut {
		return c.mends
	}
	return []source.Splice{c.splice()}
}

// finding describes a candidate for people.
func (c *candidate) finding(p *met) Finding {
	f := Finding{Problem: span.Problem{Span: c.about, Severity: p.Severity, Code: c.code, Engine: p.Engine}, Drops: c.drops}
	then := c.then()
	switch c.code {
	case span.MissingBytes:
		f.Message = fmt.Sprintf("%s missing here: with %s %s", isMissing(c.size), it(c.size), then)
		f.Repair = fmt.Sprintf("put in % x at %#x", c.new, c.Offset)
	case span.ExtraBytes:
		f.Message = fmt.Sprintf("%s too many here: without %s %s", span.Bytes(int64(c.size)), it(c.size), then)
		f.Repair = fmt.Sprintf("take out %s at %#x", span.Bytes(c.Length), c.Offset)
	default:
		f.Message = fmt.Sprintf("%s; as %s %s", c.was, c.is, then)
		f.Repair = "make it " + c.is
	}
	if c.own {
		f.Problem = p.Problem
		if c.is != "" && c.code != p.Code {
			f.Message += "; as " + c.is + " " + then
			f.Repair = "make it " + c.is
		}
	}
	return f
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
	if !p.IsShortage() && p.Code != span.NegativeLength || !p.atEnd || s.short == 0 {
		return
	}
	c := candidate{change: change{Span: p.Span}, code: p.Code, about: p.Span, node: p.at, cost: s.base - s.short, size: 1, isCut: true, own: true}
	c.doubts = s.doubtCut(p)
	if r, err := repairOf(ctx, s.tree, p); err == nil {
		c.mends, c.drops = r.Splices, r.Drops
	}
	s.found = append(s.found, c)
	s.least = min(s.least, c.weight())
}

// doubtCut is what speaks against a cut: far more would be missing than there is, or
// a text goes on behind what looks like its end.
func (s *search) doubtCut(p *met) (doubts int) {
	if p.Code == span.NegativeLength {
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
			doubts += 2
		}
	}
	return doubts
}

// local is the candidate that the problem is all that is wrong.
func (s *search) local(ctx context.Context, p *met) {
	if p.Repair == "" || s.met > 1 || p.IsShortage() {
		return
	}
	r, err := repairOf(ctx, s.tree, p)
	if err != nil {
		return
	}
	c := candidate{change: change{Span: p.Span}, code: p.Code, about: p.Span, node: p.at, cost: max(0, s.base-weigh(&p.Problem)), size: 1, own: true, mends: r.Splices, drops: r.Drops}
	switch p.Code {
	case span.NonZeroPadding:
		c.doubts = 1
	case span.InvalidUTF8, span.TrailingBytes:
		c.doubts = 2
	}
	if p.Code == span.TrailingBytes {
		c.cost = 0
	}
	s.found = append(s.found, c)
	s.least = min(s.least, c.weight())
}

func repairOf(ctx context.Context, t *tree.Tree, p *met) (edit.Repair, error) {
	format, ok := t.Format.(edit.Repairer)
	if !ok || p.Repair == "" {
		return edit.Repair{}, ErrNoRepair
	}
	return format.Repair(ctx, t.NewReader(), p.at, &p.Problem)
}
