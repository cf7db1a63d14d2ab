package damage

import (
	"encoding/binary"
	"fmt"
	"strconv"

	"varview/decoder/diagnose"
	"varview/decoder/elephant/internal/block"
	"varview/decoder/elephant/internal/datatype"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// A suspecter lists what could be wrong with the leading fields of one value.
type suspecter struct {
	f      *block.Reading
	w      *source.Window
	parent *tree.Value
	slot   tree.Slot
	v      *tree.Value
	try    func(diagnose.Suspect) bool
	done   bool // no further suspects are wanted
	new    [2]byte
}

// Suspects lists the leading fields of v that could be wrong: tags, texts without their
// end, marks and counts of arrays with a stride, constructors, schema versions and lists of
// skipped members. The number of a reference is never among them, as any can be read.
func Suspects(f *block.Reading, w *source.Window, parent *tree.Value, slot tree.Slot, v *tree.Value, try func(diagnose.Suspect) bool) {
	s := &suspecter{f: f, w: w, parent: parent, slot: slot, v: v, try: try}
	if v.Type == datatype.File || v.Type == datatype.Skipped {
		return
	}
	if v.Flags&block.Tagged != 0 {
		for at := v.Head; at < min(f.TagsEnd(w, v), v.Limit, v.Head+block.MaxAny); at++ {
			s.tag(at, "tag")
		}
	}
	switch {
	case v.Type == datatype.MemberName:
		s.ends(v.Start, v.Tail-1)
	case datatype.IsText(v.Type):
		s.ends(v.Body, v.Tail-1)
	case v.Type == datatype.Array:
		s.array()
	case v.Type == datatype.Struct && v.Flags&block.Constructed != 0:
		s.constructed()
	case v.Type == datatype.Struct:
		s.marks(f.TagsEnd(w, v))
	}
}

// Recount returns what makes n the number of children of v; ok is false if v has no such
// count, or n is too large for it.
func Recount(f *block.Reading, w *source.Window, v *tree.Value, n int64) (s diagnose.Suspect, ok bool) {
	at := countAt(f, w, v)
	room := int64(f.Rules.Room(v.Type))
	if at == v.Body-2 && v.Flags&block.Constructed != 0 { // no mark is looked for there
		room = 1<<16 - 1
	}
	if at == tree.Unknown || at+2 > v.Limit || n < 0 || n > room {
		return s, false
	}
	s = diagnose.Suspect{Span: span.Span{Offset: at, Length: 2}, New: binary.LittleEndian.AppendUint16(nil, uint16(n)),
		Code: span.WrongCount, Was: counts(f, w, v, at), Is: strconv.FormatInt(n, 10)}
	if !f.Rules.CtorTags && isHalfMark(w.U16(at)) {
		s.Penalty = 2
	}
	return s, true
}

// countAt returns where the count of an array's or struct's children is, or a mark in its
// place; Unknown if there is none.
func countAt(f *block.Reading, w *source.Window, v *tree.Value) int64 {
	switch {
	case v.Type != datatype.Array && v.Type != datatype.Struct:
		return tree.Unknown
	case v.Flags&block.Constructed != 0 && v.Layout == tree.Pairs:
		return v.Body - 2
	case v.Flags&block.OldTag != 0:
		return tree.Unknown
	}
	return f.TagsEnd(w, v)
}

// counts describes a count, or the mark in its place.
func counts(f *block.Reading, w *source.Window, v *tree.Value, at int64) string {
	switch n := w.U16(at); {
	case f.Rules.CtorTags, at == v.Body-2 && v.Flags&block.Constructed != 0:
	case n == block.MarkRef:
		return "the mark of a reference"
	case n == block.MarkCtor && v.Type == datatype.Struct:
		return "the mark of a constructor"
	}
	return "a count of " + span.Grouped(int64(w.U16(at)))
}

// offer offers one way in which n bytes at an offset could be wrong.
func (s *suspecter) offer(at, n int64, code, was, is string, penalty int) {
	if s.done || at+n > s.v.Limit {
		return
	}
	s.done = !s.try(diagnose.Suspect{Span: span.Span{Offset: at, Length: n}, New: s.new[:n], Code: code, Was: was, Is: is, Penalty: penalty})
}

func (s *suspecter) offer8(at int64, b byte, code, was, is string, penalty int) {
	s.new[0] = b
	s.offer(at, 1, code, was, is, penalty)
}

func (s *suspecter) offer16(at int64, n uint16, code, was, is string, penalty int) {
	binary.LittleEndian.PutUint16(s.new[:], n)
	s.offer(at, 2, code, was, is, penalty)
}

// mostEnds is the number of bytes of a text in which its end is searched for.
const mostEnds = 1024

// ends tries whether a text in [off, end) ends earlier, where another byte has replaced its
// NUL: a byte that is rare in texts, or one before such a byte.
func (s *suspecter) ends(off, end int64) {
	if s.v.Damage != nil && s.v.Tail <= off {
		if end = s.v.Limit; end > off {
			s.offer8(end-1, 0, block.MissingEnd, inText(s.w.Byte(end-1)), theEnd, 1)
		}
	}
	b := append([]byte{}, s.w.View(off, min(end-off, mostEnds))...)
	if tree.IsPlain(b) {
		return
	}
	for i, c := range b {
		switch at := off + int64(i); {
		case isOdd(c):
			s.offer8(at, 0, block.MissingEnd, inText(c), theEnd, 0)
		case i+1 < len(b) && isOdd(b[i+1]):
			s.offer8(at, 0, block.MissingEnd, inText(c), theEnd, 1)
		}
	}
}

const theEnd = "the NUL at its end"

func inText(c byte) string { return fmt.Sprintf("byte %#02x in a text", c) }

// isOdd reports whether a byte is not a printable ASCII character.
func isOdd(c byte) bool { return c < ' ' || c >= 0x7f }

// marks tries whether a reference or a constructed struct takes the place of a
// count, or the reverse.
func (s *suspecter) marks(at int64) {
	if s.f.Rules.CtorTags || at+2 > s.v.Limit {
		return
	}
	n := s.w.U16(at)
	was := counts(s.f, s.w, s.v, at)
	penalty := 2
	if isHalfMark(n) {
		penalty = 0
	}
	if n != block.MarkCtor && s.v.Type == datatype.Struct {
		s.offer16(at, block.MarkCtor, span.WrongType, was, "a constructed struct", penalty)
	}
	if n != block.MarkRef {
		s.offer16(at, block.MarkRef, span.WrongType, was, "a reference", penalty)
	}
	if n != block.MarkRef && (n != block.MarkCtor || s.v.Type != datatype.Struct) {
		return
	}
	for count := range uint16(fewCounts) {
		s.offer16(at, count, span.WrongCount, was, strconv.Itoa(int(count)), 1)
	}
}

// isHalfMark reports whether a count has one of the two bytes of a mark.
func isHalfMark(n uint16) bool { return n>>8 == 0xff || n&0xff >= 0xfe }

// fewCounts is the number of counts that are tried in place of a mark, or if it is not
// known which ones could fit.
const fewCounts = 64
