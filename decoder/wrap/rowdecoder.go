package wrap

import (
	"bytes"

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

	doubt rowDoubt
	head  offsetField // of the first row
	heads int         // rows with an offset so far

	unread int      // number of the note on the first offset, from 1 on, where it cannot be read
	short  struct { // the last row, where it has fewer bytes than the first
		at   span.Span
		bad  bool // wrong characters of it are told
		miss int
	}

	stars  bool // a row was left out anywhere
	width  int  // bytes of the first row
	ended  bool // the last row has fewer
	uneven bool // a row has more, or fewer without being the last, or no offset
}

// count notes the number of bytes of a row with some offset.
func (s *rowState) count(n int, offset int64) {
	if s.width == 0 {
		s.width = n
	}
	s.uneven = s.uneven || s.ended || n > s.width || offset < 0
	s.ended = n < s.width
}

// decodeRow decodes one line of xxd or hexdump.
func (d *textDecoder) decodeRow(b []byte) error {
	s := &d.rows
	line, skip := b, d.markIn(b, d.at)
	b = b[skip:]
	var r row
	d.runs, r = d.lexRow(d.runs[:0], b)
	if r.star {
		s.star, s.stars, s.starAt = true, true, d.at
		s.doubt, s.short.miss = rowDoubt{}, 0
		return nil
	}
	field := offsetField{span.Span{Offset: d.at + int64(skip), Length: int64(r.digits)}, bytes.ContainsAny(b[:r.digits], "ABCDEF")}
	if s.star && len(s.last) > 0 && r.digits > 0 {
		line := bytes.Clone(line) // the next ones are looked at
		b = line[skip:]
		r.offset = d.behindStar(r, field, line)
	}
	switch {
	case r.offset >= 0:
		if err := d.place(r, field); err != nil {
			return err
		}
	case r.digits > 0 && !s.star:
		d.badOffset(field, b[:r.digits])
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
		s.short.miss = s.width - len(got)
		s.short.at, s.short.bad = span.Span{Offset: d.at + int64(skip), Length: int64(len(bytes.TrimRight(b, "\r\n")))}, !fine(d.runs)
	}
	return nil
}

// place compares the offset of a row with the bytes decoded before it, and
// repeats rows that were left out.
func (d *textDecoder) place(r row, field offsetField) error {
	s := &d.rows
	if !s.started {
		d.begin(r.offset, field)
	}
	if s.star && len(s.last) > 0 {
		if err := d.repeat(r.offset - s.first - s.n); err != nil {
			return err
		}
	}
	s.star = false
	d.compare(r.offset, field)
	s.heads++
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
