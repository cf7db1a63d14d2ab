package wrap

import (
	"bytes"
	"fmt"

	"varview/decoder/source"
	"varview/decoder/span"
)

// rowState is where a decoder is between two rows of xxd or hexdump.
type rowState struct {
	n       int64  // bytes decoded so far
	begin   int64  // offset of the first byte, by the first row
	first   int64  // and by the last row
	was     int64  // and by the rows before one with another offset than they let expect
	started bool   // an offset was met
	last    []byte // bytes of the last row, for rows left out
	star    bool   // a row was left out
	starAt  int64  // where that is said
}

// decodeRow decodes one line of xxd or hexdump.
func (d *textDecoder) decodeRow(b []byte) error {
	s := &d.rows
	mark := d.markIn(b, d.at)
	b = b[mark:]
	var r row
	d.runs, r = d.lexRow(d.runs[:0], b)
	at := span.Span{Offset: d.at + int64(mark), Length: int64(r.digits)}
	switch {
	case r.star:
		s.star, s.starAt = true, d.at
		return nil
	case r.offset >= 0:
		if err := d.place(r.offset, at); err != nil {
			return err
		}
	case r.digits > 0:
		found := d.note(at, span.Error, WrongOffset, fmt.Sprintf("%s is no offset", quoted(bytes.TrimSpace(b[:r.digits]))))
		if s.started && !s.star {
			found.cure(d.rightOffset(at))
		}
	}
	if err := d.flush(64 << 10); err != nil {
		return err
	}
	from := len(d.out)
	d.digits(b)
	if got := d.out[from:]; len(got) > 0 {
		s.last = append(s.last[:0], got...)
		s.n += int64(len(got))
	}
	return nil
}

// place compares the offset of a row with the bytes decoded before it, and repeats
// rows that were left out.
func (d *textDecoder) place(offset int64, at span.Span) error {
	s := &d.rows
	if !s.started {
		s.started, s.begin, s.first, s.was = true, offset-s.n, offset-s.n, offset-s.n
	}
	if s.star && len(s.last) > 0 {
		if err := d.repeat(offset - s.first - s.n); err != nil {
			return err
		}
	}
	s.star = false
	switch first := offset - s.n; first {
	case s.first:
		s.was = s.first
	case s.was: // the row before had a wrong offset
		s.first = s.was
	default:
		d.note(at, span.Warning, WrongOffset, fmt.Sprintf("this row says %#x, but the rows before it end at %#x", offset, s.first+s.n)).
			cure(d.rightOffset(at))
		s.was, s.first = s.first, first
	}
	return nil
}

// rightOffset writes the offset that a row should have, by those before it.
func (d *textDecoder) rightOffset(at span.Span) (how string, splice source.Splice) {
	want := d.rows.first + d.rows.n
	return fmt.Sprintf("write the offset %#x", want), source.Put(at.Offset, at.Length, fmt.Appendf(nil, "%0*x", int(at.Length), want))
}

// repeat appends n bytes as the last row has them.
func (d *textDecoder) repeat(n int64) error {
	s := &d.rows
	for n > 0 {
		m := min(n, int64(len(s.last)))
		d.out = append(d.out, s.last[:m]...)
		s.n += m
		n -= m
		if len(d.out) > 64<<10 {
			if err := d.ctx.Err(); err != nil {
				return err
			}
			if err := d.flush(0); err != nil {
				return err
			}
		}
	}
	return nil
}

// endRows tells of rows left out at the end.
func (d *textDecoder) endRows() {
	if d.rows.star {
		d.note(span.Span{Offset: d.rows.starAt, Length: 1}, span.Error, WrongOffset,
			"rows are left out here, and no offset behind tells how many")
	}
}
