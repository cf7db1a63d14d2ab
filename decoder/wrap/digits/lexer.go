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
