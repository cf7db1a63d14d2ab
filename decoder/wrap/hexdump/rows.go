package hexdump

import (
	"bytes"
	"strconv"

	"varview/decoder/wrap/digits"
)

// rows is the notation of the rows of xxd and hexdump -C.
type rows struct {
	name    string
	dump    bool // of hexdump -C
	columns int  // the most bytes in a row, 0 if that is not known
}

// Lex implements digits.Notation.
func (x *rows) Lex(t *digits.Text, runs []digits.Run, b []byte, off int64) []digits.Run {
	runs, _ = x.lexRow(runs, b)
	return runs
}

// Cut implements digits.Notation.
func (*rows) Cut(t *digits.Text, b []byte) int { return len(b) }

// Skip implements digits.Notation: of the offset of a row.
func (x *rows) Skip(b []byte) int {
	_, r := x.lexRow(nil, b)
	return r.digits
}

// CanTakeOut implements digits.Notation.
func (*rows) CanTakeOut(t *digits.Text, c digits.Class) bool { return false }

// Decode implements digits.Notation.
func (x *rows) Decode(d *digits.Decoder) digits.Decoding {
	return &rowDecoding{pairs: pairs{Decoder: d, high: -1}, rows: x}
}

// A row is what a line says in addition to its bytes.
type row struct {
	offset int64 // -1 if it has none that can be read
	star   bool  // it is a star, which replaces repeated rows
	digits int   // characters of the offset
	bytes  int   // bytes in it
}

// lexRow lexes one line of xxd or hexdump.
func (x *rows) lexRow(runs []digits.Run, b []byte) ([]digits.Run, row) {
	line := bytes.TrimRight(b, "\r\n")
	r := row{offset: -1}
	switch at := x.offsetEnd(line); {
	case len(bytes.TrimSpace(line)) == 0:
		return digits.Add(runs, len(b), digits.IsText), r
	case string(line) == "*":
		r.star = true
		return digits.Add(runs, len(b), digits.IsText), r
	case at <= 0:
		return digits.Add(digits.Add(runs, len(line), digits.IsWrong), len(b)-len(line), digits.IsText), r
	default:
		r.digits = at
		runs = r.lexOffset(runs, line[:at])
		rest := line[at:]
		end := x.columnEnd(rest)
		runs = x.lexColumn(runs, rest[:end], &r)
		return digits.Add(runs, len(rest)-end+len(b)-len(line), digits.IsText), r
	}
}

// offsetEnd returns the number of characters of the offset at the start of a line, 0 if
// there is none.
func (x *rows) offsetEnd(line []byte) int {
	head := line[:min(len(line), digits.MaxOffset+1)]
	if !x.dump {
		return bytes.IndexByte(head, ':')
	}
	if i := bytes.IndexByte(head, ' '); i >= 0 {
		return i
	}
	if len(line) <= digits.MaxOffset {
		return len(line)
	}
	return 0
}

// lexOffset lexes the offset of a row.
func (r *row) lexOffset(runs []digits.Run, text []byte) []digits.Run {
	if n, err := strconv.ParseInt(string(text), 16, 64); err == nil && n >= 0 {
		r.offset = n
		return digits.Add(runs, len(text), digits.IsText)
	}
	for _, c := range text {
		k := digits.IsText
		if digits.HexChars[c] != digits.CharDigit {
			k = digits.IsWrong
		}
		runs = digits.Add(runs, 1, k)
	}
	return runs
}

// columnEnd returns how far the column of digits extends in what follows the offset: up to
// two blanks after a digit, or to the bar.
func (x *rows) columnEnd(rest []byte) int {
	if x.dump {
		if i := bytes.IndexByte(rest, '|'); i >= 0 {
			return i
		}
		return len(rest)
	}
	from := 0
	for from < len(rest) && (rest[from] == ' ' || rest[from] == ':') {
		from++
	}
	if i := bytes.Index(rest[from:], []byte("  ")); i >= 0 {
		return from + i
	}
	return len(rest)
}

// lexColumn lexes the digits of a row.
func (x *rows) lexColumn(runs []digits.Run, column []byte, r *row) []digits.Run {
	for i := 0; i < len(column); {
		if c := column[i]; c == ' ' || i == 0 && c == ':' {
			runs = digits.Add(runs, 1, digits.IsText)
			i++
			continue
		}
		if x.columns > 0 && r.bytes >= x.columns { // a damaged blank moved the text into the column
			return digits.Add(runs, len(column)-i, digits.IsText)
		}
		n := 1
		if i+1 < len(column) && column[i+1] != ' ' {
			n = 2
		}
		runs = lexPair(runs, column[i:i+n])
		if n == 2 {
			r.bytes++
		}
		i += n
	}
	return runs
}

// lexPair lexes the two characters of a byte, or a single one.
func lexPair(runs []digits.Run, pair []byte) []digits.Run {
	if len(pair) == 1 {
		if digits.HexChars[pair[0]] == digits.CharDigit {
			return digits.Add(runs, 1, digits.IsOdd)
		}
		return digits.Add(runs, 1, digits.IsWrong)
	}
	for _, c := range pair {
		k := digits.IsDigits
		if digits.HexChars[c] != digits.CharDigit {
			k = digits.IsLost
		}
		runs = digits.Add(runs, 1, k)
	}
	return runs
}
