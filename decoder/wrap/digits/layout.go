package digits

import (
	"bytes"

	"varview/decoder/source"
	"varview/decoder/span"
)

// A Layout is how a text writes its bytes, according to its first 64 KiB.
type Layout struct {
	LineEnd    string // "\n", "\r\n"
	lineDigits int    // digits of a line that is not the last; 0 if there is none
	upper      bool   // hexadecimal digits A to F are upper case
}

// layout finds out how the text is written.
func (d *Decoder) layout() Layout {
	y := Layout{LineEnd: "\n"}
	off := d.Region.Offset
	head := d.Win.View(off, min(d.Region.Length, source.MaxView))
	first := 0 // digits of the first line that has any
	for i, line := range bytes.SplitAfter(head, []byte("\n")) {
		if i == 0 && bytes.HasSuffix(line, []byte("\r\n")) {
			y.LineEnd = "\r\n"
		}
		runs := d.Text.Runs(nil, line, off)
		digits := Count(runs, span.Data)
		if first == 0 {
			first = digits
		} else if digits > 0 {
			y.lineDigits = first
		}
		y.upper = y.upper || hasUpper(runs, line)
		off += int64(len(line))
	}
	return y
}

// hasUpper reports whether digits of b are upper-case letters.
func hasUpper(runs []Run, b []byte) bool {
	for _, r := range runs {
		if r.Kind() == span.Data && bytes.ContainsAny(b[:r.N], "ABCDEF") {
			return true
		}
		b = b[r.N:]
	}
	return false
}
