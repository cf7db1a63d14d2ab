// Package read evaluates descriptions: it reads the attributes of a file when they are asked for.
package read

import (
	"bytes"
	"fmt"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/formats/kaitai/expr"
	"varview/decoder/formats/kaitai/spec"
)

// A Problem says why something could not be read, or does not meet the description.
type Problem struct {
	Code  string
	Text  string
	At    span.Span // in the buffer
	In    *Buffer
	Where spec.Place

	Repair string // what puts it right; "" if nothing is known to
}

func (p *Problem) Error() string { return p.Text }

// A Buffer holds the bytes of the file, or the result of a process on some of them.
type Buffer struct {
	wins [2]*source.Window // windows of the file: what one place leads to stays near another one
	at   [2]int64          // where they were last
	src  source.Source     // of the file
	data []byte            // of others

	measures map[*spec.Attr]*measure // of the elements of arrays; nil for those that have none

	// Of others, what has made them of bytes of a buffer:
	outer  *Buffer
	start  int64
	end    int64
	change change
	by     Place
}

func newBuffer(src source.Source) *Buffer {
	return &Buffer{src: src, wins: [2]*source.Window{source.NewWindow(src), source.NewWindow(src)}}
}

// IsFile reports whether the bytes are those of the file.
func (b *Buffer) IsFile() bool { return b.src != nil }

// Source returns the bytes.
func (b *Buffer) Source() source.Source {
	if b.IsFile() {
		return b.src
	}
	return source.Bytes(b.data)
}

// Append appends the bytes of a span, which is in the buffer.
func (b *Buffer) Append(dst []byte, from, to int64) []byte {
	for from < to {
		v := b.view(from, to)
		if len(v) == 0 {
			break
		}
		dst = append(dst, v...)
		from += int64(len(v))
	}
	return dst
}

// view returns some bytes, valid until the next call; fewer than asked for where there are many.
func (b *Buffer) view(from, to int64) []byte {
	if !b.IsFile() {
		return b.data[from:to]
	}
	i := 0
	if max(from-b.at[0], b.at[0]-from) > max(from-b.at[1], b.at[1]-from) {
		i = 1
	}
	b.at[i] = from
	return b.wins[i].View(from, to-from)
}

// A Stream is a part of a buffer with a position.
type Stream struct {
	Buf       *Buffer
	Base, End int64 // in the buffer
	at        int64 // in the buffer
	left      uint8 // bits of the byte before at that are not read
	isBitsLE  bool  // these are the highest

	suspended *Struct // struct that goes on to read the stream
}

// Pos implements expr.IO.
func (s *Stream) Pos() int64 {
	if s.suspended != nil {
		s.suspended.Ensure()
	}
	return s.at - s.Base
}

// Size implements expr.IO.
func (s *Stream) Size() int64 { return s.End - s.Base }

// IsEnd implements expr.IO.
func (s *Stream) IsEnd() bool { return s.Pos() >= s.Size() && s.left == 0 }

// A mark is a position in a stream.
type mark struct {
	at   int64
	left uint8
	isLE bool
}

func (s *Stream) mark() mark     { return mark{s.at, s.left, s.isBitsLE} }
func (s *Stream) restore(m mark) { s.at, s.left, s.isBitsLE = m.at, m.left, m.isLE }
func (s *Stream) seek(at int64)  { s.at, s.left = at, 0 }

// need reports that n bytes are not there.
func (s *Stream) need(n int64, a *spec.Attr) error {
	if n <= s.End-s.at && n >= 0 && s.at >= s.Base {
		return nil
	}
	if n < 0 {
		return &Problem{Code: Unevaluated, Text: fmt.Sprintf("%s has %d bytes", a.ID, n), At: span.Span{Offset: s.at}, In: s.Buf, Where: a.Place}
	}
	left := max(0, s.End-s.at)
	return &Problem{Code: span.Truncated, Text: fmt.Sprintf("%s needs %s, but only %s left", a.ID, span.Bytes(n), span.BytesAre(left)), At: span.Between(min(s.at, s.End), s.End), In: s.Buf, Where: a.Place}
}

// number reads an integer of 1 to 8 bytes.
func (s *Stream) number(size int, isLittle bool) uint64 {
	b := s.Buf.view(s.at, s.at+int64(size))
	s.at += int64(size)
	return littleOrBig(b, isLittle)
}

func littleOrBig(b []byte, isLittle bool) (n uint64) {
	for i := range b {
		if isLittle {
			n |= uint64(b[i]) << (8 * i)
		} else {
			n = n<<8 | uint64(b[i])
		}
	}
	return n
}

// bits reads an integer of 1 to 64 bits.
func (s *Stream) bits(size int, isLittle bool, a *spec.Attr) (n uint64, err error) {
	if s.left > 0 && isLittle != s.isBitsLE {
		s.left = 0
	}
	s.isBitsLE = isLittle
	if err := s.need(max(0, (int64(size)-int64(s.left)+7)/8), a); err != nil {
		return 0, err
	}
	for have := range size {
		if s.left == 0 {
			s.at, s.left = s.at+1, 8
		}
		b := uint64(s.Buf.view(s.at-1, s.at)[0])
		if isLittle {
			n |= b >> (8 - s.left) & 1 << have
		} else {
			n = n<<1 | b>>(s.left-1)&1
		}
		s.left--
	}
	return n, nil
}

// IndexUnit returns the index of a terminator in b; -1 if there is none. A terminator of several bytes is
// at a multiple of their number.
func IndexUnit(b, term []byte) int {
	if len(term) == 1 {
		return bytes.IndexByte(b, term[0])
	}
	for i := 0; i+len(term) <= len(b); i += len(term) {
		if bytes.Equal(b[i:i+len(term)], term) {
			return i
		}
	}
	return -1
}

// find returns the offset of a terminator in [from, to); -1 if there is none. A terminator of several bytes
// is at a multiple of their number.
func (b *Buffer) find(from, to int64, term []byte) int64 {
	n := int64(len(term))
	for from+n <= to {
		v := b.view(from, to)
		if i := IndexUnit(v, term); i >= 0 {
			return from + int64(i)
		}
		if int64(len(v)) < n {
			break
		}
		from += int64(len(v)) / n * n
	}
	return -1
}

// trimmed returns the end of [from, to) without the bytes that fill it up.
func (b *Buffer) trimmed(from, to int64, pad byte) int64 {
	for to > from {
		start := max(from, to-source.MaxView)
		v := b.view(start, to)
		n := len(v)
		for n > 0 && v[n-1] == pad {
			n--
		}
		if n > 0 || len(v) == 0 {
			return start + int64(n)
		}
		to = start
	}
	return from
}

var _ expr.IO = (*Stream)(nil)
