package search

import (
	"bytes"
	"strings"
	"unicode"

	"varview/decoder/source"
	"varview/decoder/span"
)

// A text is searched for in keys and strings.
type text struct {
	needle []byte
	fold   *folded // finds it whatever its case; nil if case matters
}

// newText returns a text to search for. With anyCase, the case of a text without capitals
// does not matter.
func newText(s string, anyCase bool) *text {
	t := &text{needle: []byte(s)}
	if anyCase && !hasCapitals(s) {
		t.needle = bytes.ToLower(t.needle)
		t.fold = fold(t.needle)
	}
	return t
}

func hasCapitals(s string) bool { return strings.IndexFunc(s, unicode.IsUpper) >= 0 }

// index returns the first place of the text in b, -1 if it is not there.
func (t *text) index(b []byte) int {
	if t.fold != nil {
		return t.fold.index(b)
	}
	return bytes.Index(b, t.needle)
}

// find returns the first place of the text in a field, at or after from. It searches the
// field piece by piece.
func (t *text) find(w *source.Window, f span.Span, from int64) (span.Span, bool) {
	const piece = 32 << 10
	size := int64(len(t.needle))
	for at := max(f.Offset, from); at < f.End(); at += piece {
		b := w.View(at, min(piece+size-1, f.End()-at))
		if i := t.index(b); i >= 0 {
			return span.Span{Offset: at + int64(i), Length: size}, true
		}
	}
	return span.Span{}, false
}
