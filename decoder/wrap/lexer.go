package wrap

import (
	"bytes"

	"varview/decoder/source"
	"varview/decoder/span"
)

// form is how a text writes bytes.
type form uint8

const (
	formBase64  form = iota
	formPlain        // pairs of hexadecimal digits and what may stand between them
	formXXD          // rows as xxd prints them
	formHexdump      // rows as hexdump -C prints them
)

var formNames = []string{"base64", "hex", "xxd", "hexdump -C"}

// pieceSize is how much of a line is looked at in one piece. The rows of xxd and
// hexdump are shorter.
const pieceSize = 1024

// A lexer tells the digits of a text from everything else. It goes over the text
// in pieces: lines, or parts of long ones.
type lexer struct {
	form    form
	region  span.Span
	bom     bool  // the region begins with a UTF-8 byte order mark
	tight   bool  // plain: nothing stands between the bytes
	columns int   // rows: the most bytes in one, 0 if that is not known
	padFrom int64 // base64: from here on only padding follows
	stray   bool  // wrong characters stand between digits, not in the place of one
}

// class is what characters are.
type class uint8

const (
	isText   class = iota
	isDigits       // of base64, or whole pairs of hexadecimal ones but for isLost beside them
	isHalf         // one hexadecimal digit that is a whole byte: 0x5
	isLost         // a wrong character in the place of a digit, which counts as 0
	isOdd          // a hexadecimal digit without its pair, or a stray character: it counts as nothing
	isWrong        // any other wrong character
	classes  = iota
)

// kinds are the kinds of fields that classes are.
var classKinds = [classes]span.Kind{span.Text, span.Data, span.Data, span.Gap, span.Gap, span.Gap}

// A run is a number of characters of one class.
type run struct {
	n     int
	class class
}

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

// piece returns the piece that begins at off; it is valid until the window moves.
func (x *lexer) piece(w *source.Window, off int64) []byte {
	b := w.View(off, min(pieceSize, x.region.End()-off))
	if i := bytes.IndexByte(b, '\n'); i >= 0 {
		return b[:i+1]
	}
	if x.form == formPlain && len(b) == pieceSize {
		_, safe := x.lexPlain(nil, b)
		return b[:safe]
	}
	return b
}

const byteOrderMark = "\xef\xbb\xbf"

// lex appends the runs of the piece b, which begins at off, to runs.
func (x *lexer) lex(runs []run, b []byte, off int64) []run {
	if x.bom && off == x.region.Offset {
		n := min(len(byteOrderMark), len(b))
		runs = add(runs, n, isText)
		b = b[n:]
		off += int64(n)
	}
	switch x.form {
	case formBase64:
		return x.lexBase64(runs, b, off)
	case formPlain:
		runs, _ = x.lexPlain(runs, b)
		return runs
	}
	runs, _ = x.lexRow(runs, b)
	return runs
}

// What a character can be.
const (
	charWrong uint8 = iota
	charDigit
	charBlank // between digits
)

// hexChars and base64Chars tell what each byte is.
var (
	hexChars    = charTable("0123456789abcdefABCDEF", " \t\r\n,:;{}\"")
	base64Chars = charTable(base64Digits, " \t\r\n")
)

func charTable(digits, blanks string) (t [256]uint8) {
	for _, c := range []byte(digits) {
		t[c] = charDigit
	}
	for _, c := range []byte(blanks) {
		t[c] = charBlank
	}
	return t
}

func (x *lexer) lexBase64(runs []run, b []byte, off int64) []run {
	for i := 0; i < len(b); {
		start, c := i, base64Chars[b[i]]
		for i++; i < len(b) && base64Chars[b[i]] == c; i++ {
		}
		switch c {
		case charDigit:
			runs = add(runs, i-start, isDigits)
		case charBlank:
			runs = add(runs, i-start, isText)
		default:
			for j := start; j < i; j++ {
				runs = add(runs, 1, x.base64Mark(b[j], off+int64(j)))
			}
		}
	}
	return runs
}

// base64Mark is the class of a character that is neither digit nor blank.
func (x *lexer) base64Mark(c byte, off int64) class {
	switch {
	case c == '=' && off >= x.padFrom:
		return isText
	case x.stray:
		return isOdd
	case c != '=':
		return isLost
	}
	return isWrong
}

// lexPlain lexes pairs of digits and what stands between them. safe is where a
// long line can be cut.
func (x *lexer) lexPlain(runs []run, b []byte) (all []run, safe int) {
	if x.stray {
		for _, c := range b {
			runs = add(runs, 1, [...]class{isOdd, isDigits, isText}[hexChars[c]])
		}
		return runs, len(b)
	}
	prefixed := false
	for i := 0; i < len(b); {
		var next uint8 = charBlank
		if i+1 < len(b) {
			next = hexChars[b[i+1]]
		}
		switch c := hexChars[b[i]]; {
		case prefixAt(b, i):
			runs = add(runs, 2, isText)
			i += 2
			prefixed = true
			continue
		case c == charBlank:
			runs = add(runs, 1, isText)
			i++
			safe = i
		case c == charDigit && next == charDigit:
			runs = add(runs, 2, isDigits)
			i += 2
			safe = i
		case c == charDigit && next == charBlank:
			runs = add(runs, 1, single(prefixed))
			i++
		case c == charDigit:
			runs = add(add(runs, 1, isDigits), 1, isLost)
			i += 2
		case next == charDigit && (x.tight || !digitAt(b, i+2)) && !prefixAt(b, i+1):
			runs = add(add(runs, 1, isLost), 1, isDigits)
			i += 2
		default:
			runs = add(runs, 1, isWrong)
			i++
		}
		prefixed = false
	}
	if safe == 0 {
		safe = len(b)
	}
	return runs, safe
}

// single is the class of a digit without another one.
func single(prefixed bool) class {
	if prefixed {
		return isHalf
	}
	return isOdd
}

// prefixAt reports whether 0x or \x stands at i.
func prefixAt(b []byte, i int) bool {
	return i+1 < len(b) && (b[i] == '0' || b[i] == '\\') && b[i+1]|0x20 == 'x'
}

func digitAt(b []byte, i int) bool { return i < len(b) && hexChars[b[i]] == charDigit }
