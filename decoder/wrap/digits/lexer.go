// Package digits opens texts whose digits represent bytes. A Notation says how;
// decoder/wrap/text and decoder/wrap/hexdump have the notations.
package digits

import (
	"bytes"

	"varview/decoder/source"
	"varview/decoder/span"
)

// A Text is a text of digits. It is read in pieces: lines, or parts of long ones.
type Text struct {
	Notation
	Title  string // what it is: "base64", "xxd"
	Digit  string // what its digits are: "hexadecimal"
	Region span.Span
	BOM    bool // the region begins with a UTF-8 byte order mark
	Stray  bool // wrong characters are between digits, not in the place of one
}

// A Notation is a way to write bytes as digits. It holds no state of a reading.
type Notation interface {
	// Lex appends the runs of a piece that begins at off, after a byte order mark.
	Lex(t *Text, runs []Run, b []byte, off int64) []Run

	// Cut returns how much of the beginning of a long line makes a piece.
	Cut(t *Text, b []byte) int

	// Skip returns the number of bytes of a line before its digits, which a Decoding
	// checks.
	Skip(b []byte) int

	// CanTakeOut reports whether wrong characters of a class can be deleted without
	// changing the digits.
	CanTakeOut(t *Text, c Class) bool

	// Decode starts decoding a text.
	Decode(d *Decoder) Decoding
}

// pieceSize is the greatest size of a piece of a line. The rows of xxd and hexdump are
// shorter.
const pieceSize = 1024

// ByteOrderMark is the byte order mark of UTF-8.
const ByteOrderMark = "\xef\xbb\xbf"

// HasBOM reports whether a region begins with a byte order mark.
func HasBOM(w *source.Window, region span.Span) bool {
	return string(w.View(region.Offset, min(region.Length, 3))) == ByteOrderMark
}

// Piece returns the piece that begins at off; it is valid until the window moves.
func (t *Text) Piece(w *source.Window, off int64) []byte {
	b := w.View(off, min(pieceSize, t.Region.End()-off))
	if i := bytes.IndexByte(b, '\n'); i >= 0 {
		return b[:i+1]
	}
	if len(b) == pieceSize {
		return b[:t.Cut(t, b)]
	}
	return b
}

// Runs appends the runs of the piece b, which begins at off, to runs.
func (t *Text) Runs(runs []Run, b []byte, off int64) []Run {
	mark := t.MarkIn(b, off)
	return t.Lex(t, Add(runs, mark, IsText), b[mark:], off+int64(mark))
}

// MarkIn returns the number of bytes of a piece that belong to the byte order mark.
func (t *Text) MarkIn(b []byte, off int64) int {
	if t.BOM && off == t.Region.Offset {
		return min(len(ByteOrderMark), len(b))
	}
	return 0
}

// A Class says what characters are.
type Class uint8

// The classes of characters.
const (
	IsText   Class = iota
	IsDigits       // base64 digits, or pairs of hexadecimal digits, one of which may be IsLost
	IsHalf         // one hexadecimal digit that is a whole byte: 0x5
	IsLost         // a wrong character in place of a digit, which counts as 0
	IsOdd          // a hexadecimal digit without its pair, or a stray character: it is ignored
	IsWrong        // any other wrong character

	classes = iota
)

var kinds = [classes]span.Kind{span.Text, span.Data, span.Data, span.Gap, span.Gap, span.Gap}

// A Run is a number of characters of one class.
type Run struct {
	N     int
	Class Class
}

// Kind returns the kind of the field that a run is in.
func (r Run) Kind() span.Kind { return kinds[r.Class] }

// Add appends n characters to the runs.
func Add(runs []Run, n int, c Class) []Run {
	if n == 0 {
		return runs
	}
	if last := len(runs) - 1; last >= 0 && runs[last].Class == c && c != IsHalf {
		runs[last].N += n
		return runs
	}
	return append(runs, Run{n, c})
}

// Count returns the number of characters in runs that belong to fields of a kind.
func Count(runs []Run, kind span.Kind) (n int) {
	for _, r := range runs {
		if r.Kind() == kind {
			n += r.N
		}
	}
	return n
}

// AreRight reports whether all runs are digits and text.
func AreRight(runs []Run) bool { return Count(runs, span.Gap) == 0 }

// What a character can be.
const (
	CharWrong uint8 = iota
	CharDigit
	CharBlank // between digits
)

const (
	base64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	lowerDigits  = "0123456789abcdef"
	upperDigits  = "0123456789ABCDEF"
)

// The kind of each byte.
var (
	HexChars    = charTable("0123456789abcdefABCDEF", " \t\r\n,:;{}\"")
	Base64Chars = charTable(base64Digits, " \t\r\n")
)

func charTable(digits, blanks string) (t [256]uint8) {
	for _, c := range []byte(digits) {
		t[c] = CharDigit
	}
	for _, c := range []byte(blanks) {
		t[c] = CharBlank
	}
	return t
}

// Base64Values are the values of base64 digits, 0 for all other bytes.
var Base64Values = func() (t [256]byte) {
	for i := range len(base64Digits) {
		t[base64Digits[i]] = byte(i)
	}
	return t
}()

// HexValue returns the value of a hexadecimal digit, 0 for any other byte.
func HexValue(c byte) byte {
	switch {
	case c >= '0' && c <= '9':
		return c - '0'
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10
	}
	return 0
}

func appendHex(dst []byte, c byte, upper bool) []byte {
	set := lowerDigits
	if upper {
		set = upperDigits
	}
	return append(dst, set[c>>4], set[c&15])
}

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
