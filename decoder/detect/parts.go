package detect

import (
	"bytes"
	"context"
	"unicode/utf8"

	"varview/decoder/diagnose"
	"varview/decoder/engine/span"
	"varview/decoder/score"
)

// isPartOfText reports whether what is before or behind a text is more of it: a part of a damaged text is whole by chance.
func (c *candidate) isPartOfText(head, tail []byte) bool {
	_, isText := c.tree.Reading.(diagnose.Text)
	isMore := func(b []byte) bool { return bytes.IndexByte(b, '"') >= 0 && bytes.ContainsAny(b, ":,") }
	return isText && (isMore(head) && !endsText(head) || isLines(tail) && isMore(tail) || areMarks(head) || areMarks(tail))
}

// areMarks reports whether bytes are nothing but marks of a text, a bracket or quote among them: of one that is damaged, which no game
// writes around it.
func areMarks(b []byte) bool {
	return bytes.ContainsAny(b, `{}[]()"`) && len(bytes.Trim(b, "{}[](),:\" \t\r\n")) == 0
}

// endsText reports whether a header has whole objects or lists, and bytes that are no text behind them.
func endsText(head []byte) bool {
	end := bytes.LastIndexAny(head, "}]") + 1
	open, closed := bytes.Count(head, []byte("{"))+bytes.Count(head, []byte("[")), bytes.Count(head, []byte("}"))+bytes.Count(head, []byte("]"))
	return end > 0 && open == closed && !printable(head[end:])
}

// isLines reports whether bytes are lines of text.
func isLines(b []byte) bool { return utf8.Valid(b) && printable(bytes.Join(bytes.Fields(b), nil)) }

// beginsAsText reports whether a region begins as a text that the family knows: behind the start of a damaged
// text, a part of it may be a whole one.
func (r *Result) beginsAsText() bool {
	_, isText := r.Tree.Reading.(diagnose.Text)
	return r.signed && isText
}

// IsTrusted reports whether a region is read so well that nothing in it can be a header, or holds values nested too
// deeply, which fewer bytes before them do not make sound. The error is that of ctx or of reading.
func (r *Result) IsTrusted(ctx context.Context) (bool, error) {
	switch {
	case r.best == nil:
		return true, nil
	case r.Cost > 0:
		return score.HasProblem(ctx, r.best.tree, true, func(p *span.Problem) bool { return p.Code == span.NestedTooDeep })
	case r.best.rareness() <= 0:
		return !r.best.isMostlyComment(), nil
	}
	return diagnose.RateClean(ctx, r.best.tree).Values >= leastRead, nil
}

// commentBytes is the largest size of a text that may be mostly comment.
const commentBytes = 1 << 20

// isMostlyComment reports whether most of a text is not in its values, which are few.
func (c *candidate) isMostlyComment() bool {
	if _, isText := c.tree.Reading.(diagnose.Text); !isText || c.tree.Region.Length > commentBytes {
		return false
	}
	r, left := c.tree.NewReader(), c.tree.Region.Length/2
	for i := range int64(leastRead) {
		v, err := r.Child(c.tree.Base, i)
		if err == nil {
			v, err = r.Finish(v)
		}
		if err != nil {
			return left > 0
		}
		left -= v.Tail - v.Head
	}
	return false
}
