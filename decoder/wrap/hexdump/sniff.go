package hexdump

import (
	"bytes"
	"encoding/hex"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/wrap/digits"
	"varview/decoder/wrap/layer"
)

// Sniff implements layer.Kind.
func (kind) Sniff(s *layer.Sample) bool { return isHex(s.Head, s.Whole) || startsHex(s.Head) }

// isHex reports whether a text, or its beginning, is hexadecimal digits of at least two
// bytes, damaged or not.
func isHex(head []byte, whole bool) bool {
	t := newText(source.NewWindow(source.Bytes(head)), span.Between(0, int64(len(head))))
	if !whole {
		head = head[:lastWhole(t, head)]
	}
	right, wrong := 0, 0
	off := int64(0)
	for _, line := range bytes.SplitAfter(head, []byte("\n")) {
		runs := t.Runs(nil, line, off)
		right += digits.Count(runs, span.Data)
		if wrong += digits.Count(runs, span.Gap); wrong > max(1, len(head)/digits.DamagedRatio) {
			return false
		}
		off += int64(len(line))
	}
	if wrong == 0 && bytes.HasSuffix(head, []byte{0}) {
		return right >= digits.DamagedLeast
	}
	if wrong == 0 {
		return right >= 4
	}
	_, isPlain := t.Notation.(*plain)
	return digits.AreFew(wrong, right+wrong) && !digits.HasControls(head) && (!isPlain || looksHex(t, head))
}

// lastWhole returns the end of the last line that is not cut off; if there is one long
// line, its last byte.
func lastWhole(t *digits.Text, head []byte) int {
	p, isPlain := t.Notation.(*plain)
	if i := bytes.LastIndexByte(head, '\n'); i >= 0 || !isPlain {
		return i + 1
	}
	return p.Cut(t, head)
}

// looksHex reports whether a text with wrong characters begins with digits that are more
// than decimal numbers.
func looksHex(t *digits.Text, head []byte) bool {
	start := t.Runs(nil, head[:min(len(head), digits.DamagedStart)], 0)
	return digits.Count(start, span.Gap) <= 2 && bytes.ContainsAny(head, "abcdefABCDEF")
}

// startsHex reports whether head begins with pairs of digits that hold a save, or that are
// nearly all of it; what follows them may be anything.
func startsHex(head []byte) bool {
	n := bytes.IndexFunc(head, func(r rune) bool {
		return r >= 0x80 || digits.HexChars[r] != digits.CharDigit && digits.HexChars[r] != digits.CharBlank
	})
	if n < 0 {
		n = len(head)
	}
	text := bytes.Join(bytes.Fields(head[:n]), nil)
	if len(text) < digits.LeastStart {
		return false
	}
	held := make([]byte, len(text)/2)
	got, _ := hex.Decode(held, text[:len(text)&^1])
	return digits.LooksSaved(held[:got]) || n >= len(head)/10*9 && bytes.ContainsAny(text, "abcdefABCDEF")
}
