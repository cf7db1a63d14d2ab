package digits

import (
	"bytes"
	"fmt"
	"strconv"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/wrap/layer"
	"varview/decoder/wrap/part"
)

// rows is the layout of rows as xxd or hexdump -C writes them.
type rows struct {
	name string
	dump bool // of hexdump -C
}

// A row is what a line says besides its bytes.
type row struct {
	offset int64 // offset at its start; -1 if it has none that can be read
	star   bool  // a star, which replaces repeated rows
	digits int   // number of characters of the offset
	bytes  int   // bytes in it
}

// Numbers of digits in the offset of a row.
const (
	leastOffset = 6 // in the first row
	maxOffset   = 16
)

// rowsOf returns the layout of rows if one of the first two lines is a row; nil if not.
func rowsOf(lines ...[]byte) *rows {
	for _, line := range lines {
		line = bytes.TrimRight(line, " \t\r")
		for _, x := range []rows{{name: "xxd"}, {name: "hexdump -C", dump: true}} {
			if x.has(line) {
				return &x
			}
		}
	}
	return nil
}

// has reports whether a line is a row.
func (x *rows) has(line []byte) bool {
	at := x.offsetEnd(line)
	if at < leastOffset || !x.dump && (at+1 >= len(line) || line[at+1] != ' ') || x.dump && !bytes.HasPrefix(line[at:], []byte("  ")) {
		return false
	}
	_, r := x.lex(nil, line)
	return r.offset >= 0 && r.bytes > 0
}

// lex lexes one line.
func (x *rows) lex(runs []run, b []byte) ([]run, row) {
	line := bytes.TrimRight(b, "\r\n")
	r := row{offset: -1}
	at := x.offsetEnd(line)
	switch {
	case len(bytes.TrimSpace(line)) == 0:
		return add(runs, len(b), isText), r
	case string(line) == "*":
		r.star = true
		return add(runs, len(b), isText), r
	case at <= 0:
		return add(add(runs, len(line), isWrong), len(b)-len(line), isText), r
	}
	r.digits = at
	wrong := isWrong
	if n, err := strconv.ParseInt(string(line[:at]), 16, 64); err == nil && n >= 0 {
		r.offset, wrong = n, isText
	}
	for _, c := range line[:at] {
		runs = add(runs, 1, classOf(c, isText, wrong))
	}
	end := at + x.columnEnd(line[at:])
	for i := at; i < end; {
		if line[i] == ' ' || i == at && line[i] == ':' {
			runs = add(runs, 1, isText)
			i++
			continue
		}
		if i+1 == end || line[i+1] == ' ' {
			runs = add(runs, 1, classOf(line[i], isOdd, isWrong))
			i++
			continue
		}
		for _, c := range line[i : i+2] {
			runs = add(runs, 1, classOf(c, isDigits, isLost))
		}
		r.bytes++
		i += 2
	}
	return add(runs, len(b)-end, isText), r
}

// classOf returns one of two classes of a character: that of a hexadecimal digit, or the other.
func classOf(c byte, digit, other class) class {
	if hexChars[c] == charDigit {
		return digit
	}
	return other
}

// offsetEnd returns the number of characters of the offset at the start of a line; 0 or less if there is
// none.
func (x *rows) offsetEnd(line []byte) int {
	head := line[:min(len(line), maxOffset+1)]
	if !x.dump {
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

// columnEnd returns the length of the column of digits in the text after the offset: up to two blanks after
// a digit, or to the bar.
func (x *rows) columnEnd(rest []byte) int {
	from, mark := len(rest)-len(bytes.TrimLeft(rest, " :")), "  "
	if x.dump {
		mark = "|"
	}
	if i := bytes.Index(rest[from:], []byte(mark)); i >= 0 {
		return from + i
	}
	return len(rest)
}

// A placing compares the offsets of rows with the bytes decoded before them.
type placing struct {
	n       int64  // number of bytes decoded so far
	begin   int64  // offset of the first byte, according to the first row
	first   int64  // the same according to the last row
	was     int64  // the same according to the last two rows that agree
	started bool   // a row had an offset
	last    []byte // bytes of the last row, which rows left out repeat
	star    bool   // a row was left out
	starAt  int64  // offset of the star in the text
}

// add takes the bytes of a row.
func (p *placing) add(got []byte) {
	if len(got) > 0 {
		p.last = append(p.last[:0], got...)
		p.n += int64(len(got))
	}
}

// place reads what the row of a piece says besides its bytes; skip says that it has no bytes.
func (d *decoder) place(b []byte) (skip bool, err error) {
	mark := max(0, d.begin-d.at)
	_, r := d.rows.lex(d.some[:0], b[mark:])
	p, at := &d.row, span.Span{Offset: d.at + mark, Length: int64(r.digits)}
	switch {
	case r.star:
		p.star, p.starAt = true, d.at
	case r.offset >= 0:
		return false, d.follow(r.offset, at)
	case r.digits > 0:
		problem := d.note(at, span.Error, layer.WrongOffset, fmt.Sprintf("%s is not an offset", part.Quoted(bytes.TrimSpace(b[mark:][:r.digits]))))
		if p.started && !p.star {
			problem.RepairBy(p.rightOffset(at)).Apart = true
		}
	}
	return r.star, nil
}

// follow compares the offset of a row with the number of bytes decoded before it, and repeats rows that
// were left out.
func (d *decoder) follow(offset int64, at span.Span) error {
	p := &d.row
	if !p.started {
		p.started, p.begin, p.first, p.was = true, offset-p.n, offset-p.n, offset-p.n
	}
	for n := offset - p.first - p.n; p.star && len(p.last) > 0 && n > 0; {
		some := p.last[:min(n, int64(len(p.last)))]
		d.out = append(d.out, some...)
		p.n += int64(len(some))
		n -= int64(len(some))
		if err := d.flush(64 << 10); err != nil {
			return err
		}
	}
	p.star = false
	switch first := offset - p.n; first {
	case p.first:
		p.was = p.first
	case p.was: // the row before had a wrong offset
		p.first = p.was
	default: // the row before may have a wrong offset too: the offsets that agree count
		d.note(at, span.Warning, layer.WrongOffset, fmt.Sprintf("this row says %#x, but the rows before it end at %#x", offset, p.was+p.n)).
			RepairBy(p.rightOffset(at)).Apart = true
		p.first = first
	}
	return nil
}

// rightOffset returns the repair that writes the offset a row should have by the rows before it.
func (p *placing) rightOffset(at span.Span) (how string, splice source.Splice) {
	want := p.was + p.n
	return fmt.Sprintf("write the offset %#x", want), source.Put(at.Offset, at.Length, fmt.Appendf(nil, "%0*x", int(at.Length), want))
}
