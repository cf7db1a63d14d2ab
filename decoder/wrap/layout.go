package wrap

import (
	"bytes"

	"varview/decoder/source"
	"varview/decoder/span"
)

// A Layout is how a text writes its bytes, as its first 64 KiB and its end show.
type Layout struct {
	Form    string // "base64", "hex", "xxd", "hexdump -C"
	LineEnd string // "\n", "\r\n"; "" where there is one line only
	Final   bool   // a line end follows the last line
	Upper   bool   // hexadecimal digits A to F are upper case

	// Of base64 and hex.
	Lead   string // what stands before the first digit
	Trail  string // what stands behind the last digit
	Padded bool   // base64: padding fills up the last group of four digits

	LineDigits int    // digits of a line that others follow; 0 where none does
	Group      int    // hexadecimal digits between which nothing stands; 0 where nothing does at all
	Between    string // what stands between groups on a line, prefixes like 0x included

	// Of rows.
	OffsetDigits int
	FirstOffset  int64
	TextColumn   bool
	Squeezed     bool // rows that repeat are left out
}

// layout looks at how the text is written.
func (d *textDecoder) layout() *Layout {
	y := &Layout{Form: formNames[d.form]}
	n := min(d.region.Length, source.MaxView)
	tail := bytes.Clone(d.win.View(d.region.End()-n, n))
	head := d.win.View(d.region.Offset, n)
	y.Final = bytes.HasSuffix(tail, []byte("\n"))
	if i := bytes.IndexByte(head, '\n'); i >= 0 {
		y.LineEnd = "\n"
		if i > 0 && head[i-1] == '\r' {
			y.LineEnd = "\r\n"
		}
	}
	if d.form < formXXD {
		d.trail(y, tail)
	}
	d.lines(y, head)
	return y
}

// trail looks at what stands behind the last digit.
func (d *textDecoder) trail(y *Layout, tail []byte) {
	chars := &hexChars
	if d.form == formBase64 {
		chars = &base64Chars
	}
	n := len(tail)
	for n > 0 && chars[tail[n-1]] != charDigit {
		n--
	}
	y.Trail = string(tail[n:])
	y.Padded = d.form == formBase64 && bytes.IndexByte(tail[n:], '=') >= 0
}

// lines looks at the first line that has digits, and whether others follow.
func (d *textDecoder) lines(y *Layout, head []byte) {
	off, seen := d.region.Offset, false
	for len(head) > 0 {
		n := bytes.IndexByte(head, '\n') + 1
		if n == 0 {
			n = len(head)
		}
		b := head[:n]
		if string(bytes.TrimSpace(b)) == "*" {
			y.Squeezed = true
		}
		runs := d.lex(nil, b, off)
		digits := countDigits(runs)
		switch {
		case digits == 0 && !seen:
			y.Lead += string(b)
		case digits > 0 && !seen:
			seen = true
			d.firstLine(y, runs, b, off)
		case digits > 0 && y.LineDigits == 0:
			y.LineDigits = d.firstDigits
		}
		y.Upper = y.Upper || d.form != formBase64 && hasUpper(runs, b)
		off += int64(n)
		head = head[n:]
	}
	if d.form >= formXXD {
		y.LineDigits, y.Lead = 2*d.columns, ""
	}
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

// firstLine looks at the first line with digits.
func (d *textDecoder) firstLine(y *Layout, runs []run, b []byte, off int64) {
	d.firstDigits = countDigits(runs)
	if d.form >= formXXD {
		skip := 0
		if d.bom && off == d.region.Offset {
			skip = len(byteOrderMark)
		}
		_, r := d.lexRow(nil, b[skip:])
		y.OffsetDigits, y.FirstOffset, y.TextColumn = r.digits, r.offset, r.text
	}
	state := 0 // before the digits, behind the first group
	for i, r := range runs {
		text := string(b[:r.n])
		b = b[r.n:]
		switch kind := classKinds[r.class]; {
		case kind == span.Data && state == 0:
			y.Group, state = r.n, 1
		case kind == span.Text && state == 0:
			y.Lead += text
		case kind == span.Text && state == 1:
			if countDigits(runs[i:]) == 0 {
				y.Group = 0
			} else {
				y.Between = text
			}
			return
		}
	}
	y.Group = 0
}
