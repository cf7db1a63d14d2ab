// Package hexdump opens hexadecimal text: pairs of digits in any order, and the rows of
// xxd and hexdump -C.
package hexdump

import (
	"bytes"
	"context"

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
		t.Notation = &plain{isTight(head), region.End() - w.ZerosBefore(region.Offset, region.End())}
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
