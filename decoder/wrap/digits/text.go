// Package digits opens texts whose digits represent bytes: base64, pairs of hexadecimal
// digits, and the rows of xxd and hexdump -C.
package digits

import (
	"bytes"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/wrap/layer"
)

// A text is a text of digits. It is read in pieces: lines, or parts of long ones.
type text struct {
	kind
	region span.Span
	begin  int64 // start of the digits, after a byte order mark
	end    int64 // end of the digits: padding, blanks, and zeros of a larger buffer follow
	rows   *rows // hexadecimal: layout of its rows; nil if it has none
	tight  bool  // hexadecimal: nothing is between the bytes
	stray  bool  // wrong characters come between digits, not in place of them
}

const (
	pieceSize     = 1024 // greatest size of a piece; the rows of xxd and hexdump are shorter
	byteOrderMark = "\xef\xbb\xbf"
)

// newText finds out how the text of a region is written.
func newText(k kind, w *source.Window, region span.Span) *text {
	t := &text{kind: k, region: region, begin: region.Offset, end: region.End() - w.ZerosBefore(region.Offset, region.End())}
	if n := min(t.end-region.Offset, source.MaxView); k.base64 {
		t.end += int64(len(bytes.TrimRight(w.View(t.end-n, n), "= \t\r\n"))) - n
	}
	head := w.View(region.Offset, min(region.Length, layer.Sniffed))
	if bytes.HasPrefix(head, []byte(byteOrderMark)) {
		t.begin += int64(len(byteOrderMark))
		head = head[len(byteOrderMark):]
	}
	if !k.base64 {
		line, rest, _ := bytes.Cut(bytes.TrimLeft(head, " \t\r\n"), []byte("\n"))
		next, _, _ := bytes.Cut(rest, []byte("\n"))
		t.rows = rowsOf(line, next)
		t.tight = !bytes.ContainsFunc(bytes.TrimRight(line, " \t\r"), func(r rune) bool {
			return r < 0x80 && k.chars[r] == charBlank || r == '\\' || r|0x20 == 'x'
		})
	}
	return t
}

// title says what the text is.
func (t *text) title() string {
	if t.rows != nil {
		return t.rows.name
	}
	return t.Name
}

// piece returns the piece that begins at off; it is valid until the window moves.
func (t *text) piece(w *source.Window, off int64) []byte {
	b := w.View(off, min(pieceSize, t.region.End()-off))
	if i := bytes.IndexByte(b, '\n'); i >= 0 {
		return b[:i+1]
	}
	if len(b) == pieceSize && !t.base64 && t.rows == nil && !t.stray && t.end > off {
		_, safe := t.lexPairs(nil, b)
		return b[:safe]
	}
	return b
}

// runs appends the runs of the piece b, which begins at off.
func (t *text) runs(runs []run, b []byte, off int64) []run {
	mark := int(min(max(0, t.begin-off), int64(len(b))))
	rest := int(min(max(0, off+int64(len(b))-t.end), int64(len(b)-mark)))
	runs = add(runs, mark, isText)
	switch digits := b[mark : len(b)-rest]; {
	case t.rows != nil:
		runs, _ = t.rows.lex(runs, digits)
	case t.base64 || t.stray:
		runs = t.lexChars(runs, digits)
	default:
		runs, _ = t.lexPairs(runs, digits)
	}
	return add(runs, rest, isText)
}

// A class tells what characters are.
type class uint8

const (
	isText   class = iota
	isDigits       // base64 digits, or pairs of hexadecimal digits, one of which may be isLost
	isHalf         // single hexadecimal digit for a whole byte: 0x5
	isLost         // a wrong character in place of a digit, which counts as 0
	isOdd          // a hexadecimal digit without its pair, or a stray character: ignored
	isWrong        // any other wrong character

	classes = iota
)

var kinds = [classes]span.Kind{span.Text, span.Data, span.Data, span.Gap, span.Gap, span.Gap}

// A run is a number of characters of one class.
type run struct {
	n     int
	class class
}

// kind returns the kind of the field that contains a run.
func (r run) kind() span.Kind { return kinds[r.class] }

// add appends n characters to the runs.
func add(runs []run, n int, c class) []run {
	if n == 0 {
		return runs
	}
	if last := len(runs) - 1; last >= 0 && runs[last].class == c && c != isHalf {
		runs[last].n += n
		return runs
	}
	return append(runs, run{n, c})
}

// count returns the number of characters in runs that belong to fields of a kind.
func count(runs []run, kind span.Kind) (n int) {
	for _, r := range runs {
		if r.kind() == kind {
			n += r.n
		}
	}
	return n
}

// What a character can be.
const (
	charWrong uint8 = iota
	charDigit
	charBlank // between digits
)

// Tables with the kind of each character, and the value of each digit.
var hexChars, hexValues = charTable("0123456789abcdef", " \t\r\n,:;{}\"")
var base64Chars, base64Values = charTable("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", " \t\r\n")

func charTable(digits, blanks string) (chars *[256]uint8, values *[256]byte) {
	chars, values = new([256]uint8), new([256]byte)
	for i, c := range []byte(digits) {
		chars[c], values[c] = charDigit, byte(i)
		if upper := c &^ 0x20; len(digits) == 16 && c >= 'a' {
			chars[upper], values[upper] = charDigit, byte(i)
		}
	}
	for _, c := range []byte(blanks) {
		chars[c] = charBlank
	}
	return chars, values
}

// lexChars lexes characters that do not depend on one another.
func (t *text) lexChars(runs []run, b []byte) []run {
	classes := [...]class{charWrong: isLost, charDigit: isDigits, charBlank: isText}
	if t.stray {
		classes[charWrong] = isOdd
	}
	for i := 0; i < len(b); {
		start, c := i, t.chars[b[i]]
		for i++; i < len(b) && t.chars[b[i]] == c; i++ {
		}
		runs = add(runs, i-start, classes[c])
	}
	return runs
}

// lexPairs lexes pairs of hexadecimal digits and what is between them. safe is a place where a long line
// can be cut.
func (t *text) lexPairs(runs []run, b []byte) (all []run, safe int) {
	at := func(i int) uint8 {
		if i < len(b) {
			return t.chars[b[i]]
		}
		return charBlank
	}
	isPrefix := func(i int) bool { // 0x or \x
		return i+1 < len(b) && (b[i] == '0' || b[i] == '\\') && b[i+1]|0x20 == 'x'
	}
	prefixed := false
	for i := 0; i < len(b); {
		c, next := at(i), at(i+1)
		was := prefixed
		prefixed = false
		switch {
		case c == charDigit && next == charDigit:
			start := i
			for i += 2; i+1 < len(b) && t.chars[b[i]] == charDigit && t.chars[b[i+1]] == charDigit; i += 2 {
			}
			runs = add(runs, i-start, isDigits)
			safe = i
		case isPrefix(i):
			runs = add(runs, 2, isText)
			i += 2
			prefixed = true
		case c == charBlank:
			runs = add(runs, 1, isText)
			i++
			safe = i
		case c == charDigit && next == charBlank && was:
			runs = add(runs, 1, isHalf)
			i++
		case c == charDigit && next == charBlank:
			runs = add(runs, 1, isOdd)
			i++
		case c == charDigit:
			runs = add(add(runs, 1, isDigits), 1, isLost)
			i += 2
		case next == charDigit && (t.tight || at(i+2) != charDigit) && !isPrefix(i+1):
			runs = add(add(runs, 1, isLost), 1, isDigits)
			i += 2
		default:
			runs = add(runs, 1, isWrong)
			i++
		}
	}
	if safe == 0 {
		safe = len(b)
	}
	return runs, safe
}
