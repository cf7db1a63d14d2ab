package explore

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"varview/decoder/engine/span"
	"varview/model"
)

// Wider returns a larger span around s: the field in which its bytes lie, then the value, and then the
// values around it.
func (x *Explorer) Wider(s span.Span) span.Span {
	isMore := func(t span.Span) bool {
		return t.Length > s.Length && t.Offset <= s.Offset && t.End() >= s.End()
	}
	if isMore(x.field.Span) {
		return x.field.Span
	}
	for n := x.owner; n != nil && n.Depth > 0; n = n.Parent {
		if end, err := x.read.End(n); err == nil && isMore(span.Between(n.Start, end)) {
			return span.Between(n.Start, end)
		}
	}
	if all := span.Between(0, x.Buffer.Size()); isMore(all) {
		return all
	}
	return s
}

// Fill replaces the bytes of s by a pattern, repeated as often as it fits.
func (x *Explorer) Fill(s span.Span, pattern []byte) model.Intention {
	at := x.Cursor()
	return x.intend(fmt.Sprintf("fill %s at %#x", span.Bytes(s.Length), s.Offset), func(_ context.Context, t *model.Transaction) (model.Cursor, error) {
		if s.Length > model.MaxCopied {
			return at, model.ErrManyBytes
		}
		if len(pattern) == 0 {
			return at, errors.New("nothing to fill with")
		}
		b := slices.Repeat(pattern, int(s.Length)/len(pattern)+1)
		return at, t.Bytes(s.Offset, s.Length, b[:s.Length])
	})
}
