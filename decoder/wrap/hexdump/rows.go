package hexdump

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/wrap/digits"
	"varview/decoder/wrap/layer"
	"varview/decoder/wrap/part"
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

// rowDecoding is the state of decoding rows.
type rowDecoding struct {
	pairs
	rows    *rows
	n       int64  // bytes decoded so far
	begin   int64  // offset of the first byte, according to the first row
	first   int64  // the same according to the last row
	was     int64  // the same according to the last two rows that agree
	started bool   // a row had an offset
	last    []byte // bytes of the last row, for rows left out
	star    bool   // a row was left out
	starAt  int64  // where the text says so
}

// Piece implements digits.Decoding.
func (d *rowDecoding) Piece(b []byte) error {
	mark := d.MarkIn(b, d.At)
	b = b[mark:]
	var r row
	d.Runs, r = d.rows.lexRow(d.Runs[:0], b)
	at := span.Span{Offset: d.At + int64(mark), Length: int64(r.digits)}
	switch {
	case r.star:
		d.star, d.starAt = true, d.At
		return nil
	case r.offset >= 0:
		if err := d.place(r.offset, at); err != nil {
			return err
		}
	case r.digits > 0:
		problem := d.Note(at, span.Error, layer.WrongOffset, fmt.Sprintf("%s is not an offset", part.Quoted(bytes.TrimSpace(b[:r.digits]))))
		if d.started && !d.star {
			problem.RepairBy(d.rightOffset(at)).Apart = true
		}
	}
	if err := d.Flush(64 << 10); err != nil {
		return err
	}
	from := len(d.Out)
	d.decode(b)
	if got := d.Out[from:]; len(got) > 0 {
		d.last = append(d.last[:0], got...)
		d.n += int64(len(got))
	}
	return nil
}

// place compares the offset of a row with the bytes decoded before it, and repeats
// rows that were left out.
func (d *rowDecoding) place(offset int64, at span.Span) error {
	if !d.started {
		d.started, d.begin, d.first, d.was = true, offset-d.n, offset-d.n, offset-d.n
	}
	if d.star && len(d.last) > 0 {
		if err := d.repeat(offset - d.first - d.n); err != nil {
			return err
		}
	}
	d.star = false
	switch first := offset - d.n; first {
	case d.first:
		d.was = d.first
	case d.was: // the row before had a wrong offset
		d.first = d.was
	default: // the row before may have a wrong offset too: those that agree count
		d.Note(at, span.Warning, layer.WrongOffset, fmt.Sprintf("this row says %#x, but the rows before it end at %#x", offset, d.was+d.n)).
			RepairBy(d.rightOffset(at)).Apart = true
		d.first = first
	}
	return nil
}

// rightOffset writes the offset that a row should have, according to the rows before it.
func (d *rowDecoding) rightOffset(at span.Span) (how string, splice source.Splice) {
	want := d.was + d.n
	return fmt.Sprintf("write the offset %#x", want), source.Put(at.Offset, at.Length, fmt.Appendf(nil, "%0*x", int(at.Length), want))
}

// repeat appends n bytes that repeat those of the last row.
func (d *rowDecoding) repeat(n int64) error {
	for n > 0 {
		m := min(n, int64(len(d.last)))
		d.Out = append(d.Out, d.last[:m]...)
		d.n += m
		n -= m
		if len(d.Out) > 64<<10 {
			if err := d.Ctx.Err(); err != nil {
				return err
			}
			if err := d.Flush(0); err != nil {
				return err
			}
		}
	}
	return nil
}

// Finish implements digits.Decoding.
func (d *rowDecoding) Finish() {
	if d.star {
		d.Note(span.Span{Offset: d.starAt, Length: 1}, span.Error, layer.WrongOffset,
			"rows are left out here, and no later offset says how many")
	}
}

// HasStray implements digits.Decoding.
func (d *rowDecoding) HasStray() bool { return false }

// Packer implements digits.Decoding.
func (d *rowDecoding) Packer(o digits.Old) layer.Packer {
	return &rowPacker{Old: o, dump: d.rows.dump, first: d.begin}
}

// columns is the number of bytes that xxd and hexdump print in a row.
const columns = 16

// rowPacker writes rows as xxd or hexdump -C prints them, beginning at the offset of the
// old text's first row.
type rowPacker struct {
	digits.Old
	dump  bool  // as hexdump -C does
	first int64 // offset of the first byte
}

// Rewrap implements layer.Packer.
func (t *rowPacker) Rewrap(w *layer.Rewrapping) (int64, error) {
	out := w.Output(0)
	if err := t.write(w, out); err != nil {
		return 0, err
	}
	return out.Finish()
}

func (t *rowPacker) write(w *layer.Rewrapping, out *layer.Output) error {
	at, in := t.first, w.Reader()
	if at > math.MaxInt64-w.Plain.Size() {
		at = 0
	}
	var row, last [columns]byte
	before := 0 // bytes of the last row
	squeezed := false
	for {
		n, err := io.ReadFull(in, row[:])
		if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
			return err
		}
		switch {
		case n == 0 && (before == 0 || !t.dump):
			return nil
		case n == 0:
			_, err = fmt.Fprintf(out, "%08x%s", at, t.LineEnd)
			return err
		case t.dump && n == before && n == columns && row == last:
			if !squeezed {
				squeezed = true
				if _, err := out.WriteString("*" + t.LineEnd); err != nil {
					return err
				}
			}
		default:
			squeezed = false
			if _, err := out.WriteString(t.row(at, row[:n]) + t.LineEnd); err != nil {
				return err
			}
		}
		at, before, last = at+int64(n), n, row
	}
}

// row is the line of a row without its end.
func (t *rowPacker) row(at int64, row []byte) string {
	shown := bytes.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '.'
		}
		return r
	}, bytes.Clone(row))
	var text strings.Builder
	for i, c := range row {
		fmt.Fprintf(&text, "%02x", c)
		if t.dump || i%2 == 1 {
			text.WriteByte(' ')
		}
		if t.dump && i == 7 {
			text.WriteByte(' ')
		}
	}
	if t.dump {
		return fmt.Sprintf("%08x  %-49s |%s|", at, text.String(), shown)
	}
	return fmt.Sprintf("%08x: %-40s %s", at, text.String(), shown)
}
