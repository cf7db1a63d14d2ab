package damage

import (
	"encoding/binary"
	"math"
	"math/bits"
	"strconv"

	"varview/decoder/diagnose"
	"varview/decoder/engine/span"
	"varview/decoder/formats/godot/internal/types"
)

// payload tries other lengths and counts in the payload.
func (s *suspecter) payload() {
	v, at := s.v, s.v.Head+4
	switch t := types.Of(v.Type); t.Shape {
	case types.ShapeText, types.ShapeSignal:
		s.text(at, false)
	case types.ShapeObject:
		if v.Flags&types.WideFlag == 0 || s.f.Dialect.NoFlags {
			s.text(at, false)
		}
	case types.ShapePath:
		s.nodePath(at)
	case types.ShapeArray, types.ShapeDict:
		s.containerType(at)
	case types.ShapeTyped:
		if v.Limit-at >= 4 && s.elementType(at) && s.f.HasClass(v) {
			s.text(at+8, false)
		}
	case types.ShapeBytes:
		s.bytes(at)
	case types.ShapePacked:
		s.packed(at, int64(types.Width(s.f.Component(t, v.Flags&types.WideFlag != 0)))*int64(t.Each()))
	}
}

// text tries other lengths of the string at off: those with which it ends before the first NUL. counts is
// set for an entry of a string array, whose length includes a NUL.
func (s *suspecter) text(off int64, counts bool) {
	if s.v.Limit-off < 4 {
		return
	}
	was := s.w.U32(off)
	start := off + 4
	about := "a string of " + span.Bytes(int64(was))
	last := uint32(math.MaxUint32) // the four bytes before the end
	for end := start; end <= min(s.v.Limit, start+maxLength); end += 4 {
		zeros := int64(bits.LeadingZeros32(last) / 8)
		n, penalty := end-start-zeros, 0
		switch {
		case counts && zeros > 0:
			n++
		case counts && n > 0:
			penalty = 1
		case zeros == 4:
			return
		}
		if n > 0 && s.w.Byte(start+n-1) < ' ' && (!counts || zeros == 0) {
			penalty += 2
		}
		if n != int64(was) && !s.change(off, uint32(n), span.WrongLength, about, span.Bytes(n), penalty) {
			return
		}
		if hasZero(last) {
			if k := int64(bits.TrailingZeros32(zerosIn(last)) / 8); 0 < k && !counts && differingBytes(last>>(8*k), 0) == 1 {
				s.padded(off, end-4-start+k, about)
			}
			return
		}
		last = s.w.U32(end)
	}
}

// padded tries a length of the string at off with a padding of zeros, which are other bytes: the length and a byte of the padding
// may both be damaged.
func (s *suspecter) padded(off, n int64, about string) {
	const penalty = 2
	is := binary.LittleEndian.AppendUint32(nil, uint32(n))
	is = append(append(is, s.w.View(off+4, n)...), make([]byte, types.Pad(n))...)
	s.try(diagnose.Suspect{Span: span.Span{Offset: off, Length: int64(len(is))}, New: is, Code: span.WrongLength, Was: about, Is: span.Bytes(n) + " and zeros behind it", Penalty: penalty})
}

// hasZero reports whether one of the four bytes of a number is zero.
func hasZero(x uint32) bool { return zerosIn(x) != 0 }

// zerosIn returns a number of which the lowest bit that is set is in the first byte of another that is zero.
func zerosIn(x uint32) uint32 { return (x - 0x01010101) &^ x & 0x80808080 }

// elementType tries other element types at an offset, beginning with those that differ in
// the fewest bytes.
func (s *suspecter) elementType(at int64) bool {
	was := s.w.U32(at)
	old := "the element type is " + s.f.Dialect.ElementName(was)
	for distance := 1; distance <= 4; distance++ {
		for id := range uint32(len(s.f.Dialect.Table)) {
			if differingBytes(id, was) == distance && !s.change(at, id, span.WrongType, old, s.f.Dialect.TypeName(id), distance-1) {
				return false
			}
		}
	}
	return true
}

// containerType tries other element types, and other lengths of the names of
// classes.
func (s *suspecter) containerType(at int64) {
	if !s.f.Dialect.Typed {
		return
	}
	kinds := []uint16{s.v.Flags & 3}
	if s.v.Type == types.Dictionary {
		kinds = append(kinds, s.v.Flags>>2&3)
	}
	for _, kind := range kinds {
		switch kind {
		case types.KindBuiltin:
			if s.v.Limit-at < 4 || !s.elementType(at) {
				return
			}
			at += 4
		case types.KindClass, types.KindScript:
			s.text(at, false)
			n := int64(s.w.U32(at))
			at += 4 + n + types.Pad(n)
		}
		if at > s.v.Limit-4 {
			return
		}
	}
}

// nodePath tries other counts of names and subnames, and the mark of the current
// form.
func (s *suspecter) nodePath(at int64) {
	if s.v.Limit-at < 12 {
		return
	}
	for i, what := range []string{"names", "subnames"} {
		word := at + 4*int64(i)
		was, mark := s.w.U32(word), uint32(0)
		if i == 0 {
			mark = types.SharedBit
		}
		for n := range uint32(maxNames) {
			if n|mark != was && !s.change(word, n|mark, span.WrongCount, "a NodePath counts "+strconv.Itoa(int(was&^mark))+" "+what, strconv.Itoa(int(n)), differingBytes(n|mark, was)-1) {
				return
			}
		}
	}
	for flags := range uint32(2) {
		if was := s.w.U32(at + 8); was != flags && !s.change(at+8, flags, span.WrongFlags, "flags "+hex16(was), "flags "+hex16(flags), 0) {
			return
		}
	}
}

// bytes tries other lengths of a byte array. Padding has to be zero.
func (s *suspecter) bytes(at int64) {
	if s.v.Limit-at < 4 {
		return
	}
	was, start := s.w.U32(at), at+4
	about := s.f.TypeName(s.v) + " counts " + span.Grouped(int64(was))
	for n := int64(0); n <= min(s.v.Limit-start, maxCounts); n++ {
		padded := start + n
		for padded < start+n+types.Pad(n) && s.w.Byte(padded) == 0 {
			padded++
		}
		if padded < min(start+n+types.Pad(n), s.v.Limit) || n == int64(was) {
			continue
		}
		penalty := 0
		if n > 0 && s.w.Byte(start+n-1) == 0 { // it may be padding
			penalty = 1
		}
		penalty += s.surplusPenalty(n-int64(was), padded)
		if !s.change(at, uint32(n), span.WrongCount, about, span.Grouped(n), penalty) {
			return
		}
	}
}

// packed tries other counts of a packed array whose elements have stride bytes.
func (s *suspecter) packed(at, stride int64) {
	if s.v.Limit-at < 4 {
		return
	}
	was, most := int64(s.w.U32(at)), (s.v.Limit-at-4)/stride
	about := s.f.TypeName(s.v) + " counts " + span.Grouped(was)
	for n := int64(0); n <= most; n++ {
		if n > maxCounts/2 && n < most-maxCounts/2 {
			n = most - maxCounts/2
		}
		penalty := s.surplusPenalty((n-was)*stride, at+4+n*stride)
		if n != was && !s.change(at, uint32(n), span.WrongCount, about, span.Grouped(n), penalty) {
			return
		}
	}
}

const (
	bytesPerPenalty   = 4  // number of bytes by which an array grows that count as a penalty of one
	maxSurplusPenalty = 24 // largest such penalty
)

// surplusPenalty returns how implausible it is that an array is longer by the given number of bytes, and
// ends there. The surplus could be other values, and an array that takes all remaining bytes fits whatever
// they are.
func (s *suspecter) surplusPenalty(grows, end int64) int {
	if end < s.v.Limit {
		grows /= 4
	}
	return int(min(max(0, grows)/bytesPerPenalty, maxSurplusPenalty))
}
