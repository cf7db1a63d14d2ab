package wrap

import (
	"bytes"
	"fmt"
	"strings"

	"varview/decoder/source"
	"varview/decoder/span"
)

// An offsetField is the offset of a row.
type offsetField struct {
	span.Span
	upper bool // its letters are in upper case
}

// put is a splice that writes another offset.
func (f offsetField) put(offset int64) source.Splice {
	text := fmt.Sprintf("%0*x", int(f.Length), offset)
	if f.upper {
		text = strings.ToUpper(text)
	}
	return source.Put(f.Offset, f.Length, []byte(text))
}

// A rowDoubt is a row that had another offset than the rows before it let expect:
// the next one tells whether its offset is wrong, or bytes are missing.
type rowDoubt struct {
	open   bool
	before int64 // offset of the first byte, going by the rows before
	jump   int64
	note   int // number of what was noted, -1 where nothing was
	heads  int // rows with an offset before it
}

// compare tells of an offset that is not that of the row.
func (d *textDecoder) compare(offset int64, field offsetField) {
	s := &d.rows
	want := s.first + s.n
	jump := offset - want
	doubt := s.doubt
	s.doubt = rowDoubt{}
	switch {
	case jump == 0:
		if doubt.open {
			d.confirm(doubt)
		}
		return
	case doubt.open && offset == doubt.before+s.n: // only the offset between was wrong
		s.first = doubt.before
		return
	case jump > 0 && jump == int64(s.short.miss):
		d.tellShortRow(jump)
		s.first = offset - s.n
		return
	}
	s.doubt = rowDoubt{open: true, before: s.first, jump: jump, note: -1, heads: s.heads}
	if len(d.notes) < maxNotes {
		s.doubt.note = len(d.notes)
	}
	d.note(field.Span, span.Warning, WrongOffset, fmt.Sprintf("this row says %#x, but the rows before it end at %#x", offset, want)).
		cure(fmt.Sprintf("write the offset %#x", want), field.put(want))
	s.first = offset - s.n
}

// behindStar is the offset of the row behind rows that are left out. Where it
// leaves no whole number of them, or cannot be read, the rows behind it tell it.
func (d *textDecoder) behindStar(r row, field offsetField, text []byte) int64 {
	s := &d.rows
	whole := func(offset int64) bool {
		n := offset - s.first - s.n
		return n > 0 && n%int64(len(s.last)) == 0
	}
	at := d.at + int64(len(text))
	by, next := d.offsetBy(at, r.bytes)
	again, _ := d.offsetBy(next, r.bytes+int(by.bytes))
	told := by.offset >= 0 && whole(by.offset)
	if behind := d.nextOffset(at); behind >= 0 && behind < r.offset && !told {
		d.note(field.Span, span.Warning, WrongOffset, fmt.Sprintf("this row says %#x, but a row behind it says %#x; nothing tells how many rows are left out before", r.offset, behind))
		return -1
	}
	switch {
	case r.offset >= 0 && (r.offset == by.offset || r.offset == again.offset || whole(r.offset) && (by.offset != again.offset || !told)):
		return r.offset
	case r.offset >= 0 && !told && (r.bytes == 0 || by.offset < 0 && again.offset < 0):
		return r.offset // the last row can be a part of one
	}
	found := d.note(field.Span, span.Warning, WrongOffset, fmt.Sprintf("by this offset, %#x, no whole number of rows is left out before", r.offset))
	if r.offset < 0 {
		found.Severity, found.Message = span.Error, fmt.Sprintf("%s is no offset, and tells not how many rows are left out before", quoted(bytes.TrimSpace(text[:field.End()-d.at])))
	}
	if !told {
		return r.offset
	}
	if r.offset >= 0 {
		found.Message = fmt.Sprintf("this row says %#x, but by the rows behind it it begins at %#x", r.offset, by.offset)
	}
	found.cure(fmt.Sprintf("write the offset %#x", by.offset), field.put(by.offset))
	return by.offset
}

// nextOffset is the first offset from some place on, -1 where the next lines have
// none.
func (d *textDecoder) nextOffset(at int64) int64 {
	for range 3 {
		r, next := d.offsetBy(at, 0)
		if r.offset >= 0 {
			return r.offset
		}
		at = next
	}
	return -1
}

// offsetBy is the offset of a row by that of the one at some place, so many bytes
// behind it; -1 where that has none. next is where the row behind that is.
func (d *textDecoder) offsetBy(at int64, bytes int) (r row, next int64) {
	if at >= d.region.End() {
		return row{offset: -1}, at
	}
	b := d.piece(d.win, at)
	_, r = d.lexRow(nil, b)
	if r.offset = max(-1, r.offset-int64(bytes)); r.digits == 0 {
		r.offset = -1
	}
	return r, at + int64(len(b))
}

// confirm takes the next row into account, which goes on where the one in doubt
// ends: bytes are missing before that, or, where it is the second, the offset of
// the first row is wrong.
func (d *textDecoder) confirm(doubt rowDoubt) {
	if doubt.note < 0 {
		return
	}
	s := &d.rows
	found := &d.notes[doubt.note]
	missing := doubt.jump > 0 && s.width > 0 && doubt.jump%int64(s.width) == 0
	switch {
	case missing:
		found.Message = fmt.Sprintf("%s are missing before this row, by its offset and those behind it", byteCount(doubt.jump))
		found.Repair, found.splices = "", nil
	case doubt.heads == 1 && s.first >= 0:
		found.Span = s.head.Span
		found.Message = fmt.Sprintf("this row says %#x, but by the rows behind it it begins at %#x", doubt.before, s.first)
		found.cure(fmt.Sprintf("write the offset %#x", s.first), s.head.put(s.first))
	default:
		found.Message += ", and the rows behind it follow it"
		found.Repair, found.splices = "", nil
	}
}

// tellShortRow tells of a row with fewer bytes than the first, where the row behind
// it shows that some are missing. Where wrong characters of it are told that is
// enough.
func (d *textDecoder) tellShortRow(missing int64) {
	short := &d.rows.short
	if !short.bad {
		d.note(short.at, span.Warning, span.MissingBytes, fmt.Sprintf("%s missing in this row, by the offset of the next one", lacks(missing)))
	}
}

func lacks(n int64) string {
	if n == 1 {
		return "1 byte is"
	}
	return byteCount(n) + " are"
}

// badOffset tells of an offset with characters that are no digits.
func (d *textDecoder) badOffset(field offsetField, text []byte) {
	s := &d.rows
	s.doubt = rowDoubt{}
	found := d.note(field.Span, span.Error, WrongOffset, fmt.Sprintf("%s is no offset", quoted(text)))
	switch {
	case s.started:
		want := s.first + s.n
		found.cure(fmt.Sprintf("write the offset %#x", want), field.put(want))
	case s.n == 0:
		s.unread, s.head = len(d.notes), field
	}
}

// begin takes the first offset that can be read; the rows before it may have some
// that cannot.
func (d *textDecoder) begin(offset int64, field offsetField) {
	s := &d.rows
	s.started, s.first = true, offset-s.n
	if s.unread > 0 && s.first >= 0 {
		d.notes[s.unread-1].cure(fmt.Sprintf("write the offset %#x", s.first), s.head.put(s.first))
	}
	s.head = field
}

// endRows tells of rows left out at the end.
func (d *textDecoder) endRows() {
	if d.rows.star {
		d.note(span.Span{Offset: d.rows.starAt, Length: 1}, span.Error, WrongOffset,
			"rows are left out here, and no offset behind tells how many")
	}
}
