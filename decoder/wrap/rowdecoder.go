package wrap

import (
	"fmt"

	"varview/decoder/span"
)

// rowState is where a decoder is between two rows of xxd or hexdump.
type rowState struct {
	n       int64  // bytes decoded so far
	first   int64  // offset of the first byte
	started bool   // an offset was met
	last    []byte // bytes of the last row, for rows left out
	star    bool   // a row was left out
	starAt  int64  // where that is said

	stars  bool // a row was left out anywhere
	width  int  // bytes of the first row
	short  bool // the last row has fewer
	uneven bool // a row has more, or fewer without being the last, or no offset
}

// count notes the number of bytes of a row with some offset.
func (s *rowState) count(n int, offset int64) {
	if s.width == 0 {
		s.width = n
	}
	s.uneven = s.uneven || s.short || n > s.width || offset < 0
	s.short = n < s.width
}

// decodeRow decodes one line of xxd or hexdump.
func (d *textDecoder) decodeRow(b []byte) error {
	s := &d.rows
	skip := 0
	if d.bom && d.at == d.region.Offset {
		skip = min(len(byteOrderMark), len(b))
		b = b[skip:]
	}
	var r row
	d.runs, r = d.lexRow(d.runs[:0], b)
	if r.star {
		s.star, s.stars, s.starAt = true, true, d.at
		return nil
	}
	if r.offset >= 0 {
		if err := d.place(r, skip); err != nil {
			return err
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
		s.count(len(got), r.offset)
	}
	return nil
}

// place compares the offset of a row with the bytes decoded before it, and
// repeats rows that were left out.
func (d *textDecoder) place(r row, skip int) error {
	s := &d.rows
	if !s.started {
		s.started, s.first = true, r.offset
	}
	if s.star && len(s.last) > 0 {
		if err := d.repeat(r.offset - s.first - s.n); err != nil {
			return err
		}
	}
	s.star = false
	if want := s.first + s.n; r.offset != want {
		at := span.Span{Offset: d.at + int64(skip), Length: int64(r.digits)}
		d.note(at, span.Warning, WrongOffset, fmt.Sprintf("this row is to be at %#x, the rows before it end at %#x", r.offset, want))
		s.first = r.offset - s.n
	}
	return nil
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
