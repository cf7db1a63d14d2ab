package hexdump

import (
	"bytes"
	"fmt"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/wrap/digits"
	"varview/decoder/wrap/layer"
	"varview/decoder/wrap/part"
)

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
			problem.RepairBy(d.rightOffset(at))
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
			RepairBy(d.rightOffset(at))
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
