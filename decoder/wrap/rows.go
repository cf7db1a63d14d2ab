package wrap

import (
	"bytes"
	"strconv"
)

// A row is what a line of xxd or hexdump says beside its bytes.
type row struct {
	offset int64 // -1 where it has none that can be read
	star   bool  // it stands for repeated rows
	digits int   // characters of the offset
	bytes  int   // bytes in it
	text   bool  // a column of text follows
}

// lexRow lexes one line of xxd or hexdump.
func (x *lexer) lexRow(runs []run, b []byte) ([]run, row) {
	line := bytes.TrimRight(b, "\r\n")
	r := row{offset: -1}
	switch at := x.offsetEnd(line); {
	case len(bytes.TrimSpace(line)) == 0:
		return add(runs, len(b), isText), r
	case string(line) == "*":
		r.star = true
		return add(runs, len(b), isText), r
	case at <= 0:
		return add(add(runs, len(line), isWrong), len(b)-len(line), isText), r
	default:
		r.digits = at
		runs = r.lexOffset(runs, line[:at])
		rest := line[at:]
		end := x.columnEnd(rest)
		runs = x.lexColumn(runs, rest[:end], &r)
		r.text = len(bytes.TrimSpace(rest[end:])) > 0
		return add(runs, len(rest)-end+len(b)-len(line), isText), r
	}
}

// How many digits the offset of a row has.
const (
	leastOffset = 6 // in the first row
	maxOffset   = 16
)

// offsetEnd is how many characters the offset has at the start of a line, 0 if
// there is none.
func (x *lexer) offsetEnd(line []byte) int {
	head := line[:min(len(line), maxOffset+1)]
	if x.form == formXXD {
		return bytes.IndexByte(head, ':')
	}
	if i := bytes.IndexByte(head, ' '); i >= 0 {
		return i
	}
	if len(line) <= maxOffset {
		return len(line)
	}
	return 0
}

// lexOffset lexes the offset of a row.
func (r *row) lexOffset(runs []run, text []byte) []run {
	if n, err := strconv.ParseInt(string(text), 16, 64); err == nil && n >= 0 {
		r.offset = n
		return add(runs, len(text), isText)
	}
	for _, c := range text {
		k := isText
		if hexChars[c] != charDigit {
			k = isWrong
		}
		runs = add(runs, 1, k)
	}
	return runs
}

// columnEnd is how far the column of digits goes in what follows the offset: up
// to two blanks behind a digit, or to the bar.
func (x *lexer) columnEnd(rest []byte) int {
	if x.form == formHexdump {
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
func (x *lexer) lexColumn(runs []run, column []byte, r *row) []run {
	for i := 0; i < len(column); {
		if c := column[i]; c == ' ' || i == 0 && c == ':' {
			runs = add(runs, 1, isText)
			i++
			continue
		}
		if x.columns > 0 && r.bytes >= x.columns { // a damaged blank let the text in
			return add(runs, len(column)-i, isText)
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

// lexPair lexes the two characters of a byte, or one that stands alone.
func lexPair(runs []run, pair []byte) []run {
	if len(pair) == 1 {
		if hexChars[pair[0]] == charDigit {
			return add(runs, 1, isOdd)
		}
		return add(runs, 1, isWrong)
	}
	for _, c := range pair {
		k := isDigits
		if hexChars[c] != charDigit {
			k = isLost
		}
		runs = add(runs, 1, k)
	}
	return runs
}
