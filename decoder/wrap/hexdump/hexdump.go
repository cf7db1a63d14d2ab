// Package hexdump opens hexadecimal text: pairs of digits in any order, and the rows of
// xxd and hexdump -C.
package hexdump

import (
	"bytes"
	"context"
	"encoding/hex"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/wrap/digits"
	"varview/decoder/wrap/layer"
)

// Kind is this kind of wrapper.
var Kind layer.Kind = kind{layer.Info{Name: "hex", About: "hexadecimal text, also as xxd and hexdump -C print it", Text: true}}

type kind struct{ layer.Info }

// Open implements layer.Kind.
func (kind) Open(ctx context.Context, l *layer.Layer, src source.Source, o layer.Options) error {
	return digits.Open(ctx, l, newText(source.NewWindow(src), l.Region), src, o)
}

// newText finds out how the text of a region is written.
func newText(w *source.Window, region span.Span) *digits.Text {
	t := &digits.Text{Title: "hex", Digit: "hexadecimal", Region: region, BOM: digits.HasBOM(w, region)}
	head := w.View(region.Offset, min(region.Length, layer.Sniffed))
	if t.BOM {
		head = head[len(digits.ByteOrderMark):]
	}
	if r := rowsOf(head); r != nil {
		t.Notation, t.Title = r, r.name
	} else {
		t.Notation = &plain{isTight(head)}
	}
	return t
}

// rowsOf returns the notation of rows according to the first line that is not empty, or the
// second if the first has a damaged offset; nil if the text has no rows.
func rowsOf(head []byte) *rows {
	line, rest, _ := bytes.Cut(bytes.TrimLeft(head, " \t\r\n"), []byte("\n"))
	next, _, _ := bytes.Cut(rest, []byte("\n"))
	line, next = bytes.TrimRight(line, " \t\r"), bytes.TrimRight(next, " \t\r")
	for _, r := range []rows{{name: "xxd"}, {name: "hexdump -C", dump: true}} {
		if r.has(line) || r.has(next) && r.hasDamaged(line) {
			r.columns = r.widest(head)
			return &r
		}
	}
	return nil
}

// has reports whether a line is a row.
func (x *rows) has(line []byte) bool {
	at := x.offsetEnd(line)
	if at < digits.LeastOffset || !x.dump && (at+1 >= len(line) || line[at+1] != ' ') || x.dump && !bytes.HasPrefix(line[at:], []byte("  ")) {
		return false
	}
	_, r := x.lexRow(nil, line)
	return r.offset >= 0 && r.bytes > 0
}

// hasDamaged reports whether a line is a row whose offset has one wrong character.
func (x *rows) hasDamaged(line []byte) bool {
	at := x.offsetEnd(line)
	if at < digits.LeastOffset {
		return false
	}
	wrong := 0
	for i, c := range line[:at] {
		if digits.HexChars[c] != digits.CharDigit {
			if wrong++; wrong > 1 {
				return false
			}
			line = bytes.Clone(line)
			line[i] = '0'
		}
	}
	return wrong == 1 && x.has(line)
}

// widest returns the number of bytes in the widest row of a text without anything wrong,
// not counting the last row; 0 if there is none.
func (x *rows) widest(head []byte) (columns int) {
	for {
		line, rest, _ := bytes.Cut(head, []byte("\n"))
		if len(rest) == 0 {
			return columns
		}
		if runs, r := x.lexRow(nil, line); digits.AreRight(runs) {
			columns = max(columns, r.bytes)
		}
		head = rest
	}
}

// isTight reports whether hexadecimal digits follow one another with only line ends between
// them.
func isTight(head []byte) bool {
	line, _, _ := bytes.Cut(bytes.TrimLeft(head, " \t\r\n"), []byte("\n"))
	line = bytes.TrimRight(line, " \t\r")
	for _, c := range line {
		if digits.HexChars[c] == digits.CharBlank || c == '\\' || c|0x20 == 'x' {
			return false
		}
	}
	return true
}

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
