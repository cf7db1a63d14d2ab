package simple

import (
	"math"
	"slices"
	"strconv"
	"unicode"

	"varview/decoder/diagnose"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// mostLengths is the number of lengths that are tried for a text.
const mostLengths = 256

// Suspects implements diagnose.Suspecter: the length of a text may be wrong, which then holds other characters
// than text, or lacks some.
func (e editor) Suspects(w *source.Window, _ *tree.Value, _ tree.Slot, v *tree.Value, try func(diagnose.Suspect) bool) {
	if v.Layout >= tree.Sequence || v.Type == buffer || v.Type == column {
		return
	}
	c := e.again(w, v)
	c.run()
	length, isText, from := c.length, c.scalar.Kind == tree.Text && !c.untied, c.at
	e.cursors.Put(c)
	if !isText || length.Length == 0 {
		return
	}
	if v.Damage == nil {
		from -= int64(length.value)
	}
	text := w.View(from, min(mostLengths, v.Limit-from))
	for n := int64(0); n <= int64(len(text)); n++ {
		if n > 0 && unicode.IsControl(rune(text[n-1])) {
			return
		}
		s, ok := e.changed(w, v, &length, n, span.WrongLength, "a length of ")
		if ok && n != int64(length.value) && !try(s) {
			return
		}
	}
}

// Recount implements diagnose.Suspecter. The counts of columns are none of these: with another one, the values
// before a place would be others too.
func (e editor) Recount(w *source.Window, _, v *tree.Value, n int64) (s diagnose.Suspect, ok bool) {
	if v.Type == buffer || v.Type == column || v.Flags&isColumns != 0 || v.Marked || n < 0 {
		return s, false
	}
	c := e.again(w, v)
	c.run()
	count := c.count
	e.cursors.Put(c)
	return e.changed(w, v, &count, n, span.WrongCount, "a count of ")
}

// Resize implements diagnose.Suspecter: no value has an end of its own.
func (e editor) Resize(*source.Window, *tree.Value, *tree.Value, int64) (diagnose.Suspect, bool) {
	return diagnose.Suspect{}, false
}

// changed returns the suspect that sets a number of a value to n.
func (e editor) changed(w *source.Window, v *tree.Value, is *number, n int64, code, what string) (s diagnose.Suspect, ok bool) {
	if is.Length == 0 || is.End() > v.Limit {
		return s, false
	}
	b := slices.Clone(w.View(is.Offset, is.Length))
	if !e.add(b, is.Offset, is, n-clamp(is.value)) {
		return s, false
	}
	return diagnose.Suspect{Span: is.Span, New: b, Code: code, Was: what + span.Grouped(clamp(is.value)), Is: strconv.FormatInt(n, 10)}, true
}

// isOddInText reports whether texts hardly ever have a byte.
func isOddInText(c byte) bool {
	return unicode.IsControl(rune(c)) && c != '\n' && c != '\t' && c != '\r' && c < 0x80
}

// Oddness implements diagnose.Suspecter: control characters in text, floats near zero, and keys that are neither text nor whole
// numbers.
func (e editor) Oddness(w *source.Window, _ *tree.Value, slot tree.Slot, v *tree.Value) int {
	const much, looked = 2, 64
	if v.Damage != nil {
		return 0
	}
	if v.Layout >= tree.Sequence {
		if slot.Key {
			return 2 * much
		}
		return 0
	}
	s := e.Describe(w, v)
	if slot.Key && s.Kind != tree.Text && s.Kind != tree.Int && s.Kind != tree.Uint {
		return 2 * much
	}
	switch s.Kind {
	case tree.Text:
		if slices.ContainsFunc(w.View(s.Span.Offset, min(s.Span.Length, looked)), isOddInText) {
			return much
		}
	case tree.Float64:
		if x := math.Abs(math.Float64frombits(s.Bits)); x != 0 && x < 1e-100 || x > 1e100 && !math.IsInf(x, 0) {
			return much
		}
	}
	return 0
}
