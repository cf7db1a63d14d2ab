package wrap

import (
	"bytes"

	"varview/decoder/source"
	"varview/decoder/span"
)

// A layout is how a text writes its bytes, as its first 64 KiB show.
type layout struct {
	lineEnd    string // "\n", "\r\n"
	lineDigits int    // digits of a line that others follow; 0 where none does
	upper      bool   // hexadecimal digits A to F are upper case
}

// layout looks at how the text is written.
func (d *textDecoder) layout() layout {
	y := layout{lineEnd: "\n"}
	off := d.region.Offset
	head := d.win.View(off, min(d.region.Length, source.MaxView))
	first := 0 // digits of the first line that has any
	for i, line := range bytes.SplitAfter(head, []byte("\n")) {
		if i == 0 && bytes.HasSuffix(line, []byte("\r\n")) {
			y.lineEnd = "\r\n"
		}
		runs := d.lex(nil, line, off)
		digits := countDigits(runs)
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

func countDigits(runs []run) (n int) {
	for _, r := range runs {
		if classKinds[r.class] == span.Data {
			n += r.n
		}
	}
	return n
}

// hasUpper reports whether digits of b are upper-case letters.
func hasUpper(runs []run, b []byte) bool {
	for _, r := range runs {
		if classKinds[r.class] == span.Data && bytes.ContainsAny(b[:r.n], "ABCDEF") {
			return true
		}
		b = b[r.n:]
	}
	return false
}
