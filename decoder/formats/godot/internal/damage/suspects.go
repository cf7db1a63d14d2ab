package damage

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"
	"strconv"

	"varview/decoder/diagnose"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/formats/godot/internal/variant"
)

// Limits of how many other counts and lengths are tried.
const (
	maxCounts = 4096     // counts of a packed array
	maxLength = 64 << 10 // lengths of a text
	maxNames  = 32       // counts of the names and of the subnames of a NodePath
)

// A suspecter tries changes of the fields of a value.
type suspecter struct {
	f   *variant.Format
	w   *source.Window
	v   *tree.Value
	try func(diagnose.Suspect) bool
	new [4]byte

	isZeroed bool // the header is zero where a Nil is unlikely: as a key, or behind other zeros
}

// Suspects implements diagnose.Suspecter.
func (f Judge) Suspects(w *source.Window, parent *tree.Value, slot tree.Slot, v *tree.Value, try func(diagnose.Suspect) bool) {
	s := &suspecter{f: f.Format, w: w, v: v, try: try}
	s.isZeroed = v.Limit-v.Head >= 4 && w.U32(v.Head) == 0 && (slot.Key || w.ZerosBefore(max(0, v.Head-4), v.Head) == 4)
	switch v.Type {
	case types.Name, types.Part:
		s.text(v.Start, false)
	case types.Entry:
		s.text(v.Start, true)
	case types.Byte, types.Int32, types.Int64, types.Float32, types.Float64, types.Element, types.Raw, types.Stream:
	default:
		if v.Limit-v.Head >= 4 && s.header() {
			s.payload()
		}
	}
}

// change tries another number at an offset.
func (s *suspecter) change(at int64, n uint32, code, was, is string, penalty int) bool {
	binary.LittleEndian.PutUint32(s.new[:], n)
	return s.try(diagnose.Suspect{Span: span.Span{Offset: at, Length: 4}, New: s.new[:], Code: code, Was: was, Is: is, Penalty: penalty})
}

// header tries other types and flags, beginning with those that differ in the fewest bytes.
func (s *suspecter) header() bool {
	header := s.w.U32(s.v.Head)
	for distance := 1; distance <= 4; distance++ {
		for id := range s.f.Dialect.Table {
			for _, flags := range s.flagsOf(s.f.Dialect.TypeOf(uint32(id))) {
				h := uint32(id) | uint32(flags)<<16
				if differingBytes(h, header) == distance && !s.tryHeader(header, h, distance) {
					return false
				}
			}
		}
	}
	return true
}

// flagsOf returns all flags that a value of a type can have.
func (s *suspecter) flagsOf(t types.ID) []uint16 {
	known := s.f.Dialect.KnownFlags(t)
	all := make([]uint16, 0, 16)
	for flags := uint16(0); flags <= known; flags++ {
		if flags&^known == 0 {
			all = append(all, flags)
		}
	}
	return all
}

// differingBytes counts the bytes in which two numbers differ.
func differingBytes(a, b uint32) (n int) {
	for x := a ^ b; x != 0; x >>= 8 {
		if x&0xff != 0 {
			n++
		}
	}
	return n
}

func (s *suspecter) tryHeader(was, is uint32, distance int) bool {
	t := s.f.Dialect.TypeOf(is)
	name := types.Of(t).Name
	at, code, old := s.v.Head, span.WrongType, "this is "+s.f.TypeName(s.v)
	length := int64(2)
	if was&0xffff == is&0xffff {
		at, code, length = at+2, span.WrongFlags, 2
		old, name = "flags "+hex16(was>>16), "flags "+hex16(is>>16)
	} else if was>>16 != is>>16 {
		length = 4
	}
	penalty := distance - 1 + s.typePenalty(t, is)
	switch { // lengths and counts are damaged more often than types
	case s.v.Type == types.Unknown, s.isZeroed:
	case s.v.Damage == nil:
		penalty += 4
	case types.Of(s.v.Type).Shape != types.ShapeFixed:
		penalty += 3
	}
	switch {
	case s.isZeroed:
	case distance > 2:
		penalty += otherHeader
	case length == 4:
		penalty += otherFlags
	}
	binary.LittleEndian.PutUint32(s.new[:], is)
	return s.try(diagnose.Suspect{Span: span.Span{Offset: at, Length: length}, New: s.new[at-s.v.Head:][:length], Code: code,
		Was: old, Is: name, Penalty: penalty})
}

const (
	otherFlags  = 3 // penalty of a header that differs both in its type and in its flags
	otherHeader = 8 // penalty of a header that differs in most of its bytes
)

func hex16(n uint32) string { return "0x" + strconv.FormatUint(uint64(n), 16) }

// typePenalty returns how implausible a type is at first sight: because the value is
// readable with its own type, the type is rare in files, or the numbers look like those
// of another type.
func (s *suspecter) typePenalty(t types.ID, header uint32) (penalty int) {
	if s.v.Damage == nil && s.v.Type != t && !s.isZeroed {
		penalty = 2
	}
	if s.v.Type != t && s.holdsText() {
		penalty = 4
	}
	at, info, wide := s.v.Head+4, types.Of(t), header>>16&types.WideFlag != 0
	switch info.Shape {
	case types.ShapeBool:
		if s.w.U32(at) > 1 {
			penalty += 3
		}
	case types.ShapeNone, types.ShapeRID, types.ShapeSignal, types.ShapeObject:
		penalty += 2
	case types.ShapeNumber:
		penalty += s.oddNumbers(at, t, wide, 1)
	case types.ShapeFixed:
		component := s.f.Component(info, wide)
		penalty += s.oddNumbers(at, component, false, int64(len(info.Parts))) + s.oddFour(at, t, component)
	case types.ShapePacked:
		penalty += s.oddNumbers(at+4, s.f.Component(info, wide), false, min(int64(s.w.U32(at))*int64(info.Each()), 8))
	}
	return penalty
}

// holdsText reports whether the value is a text whose characters look like one.
func (s *suspecter) holdsText() bool {
	n := s.v.Tail - s.v.Head - 8
	if s.v.Damage != nil {
		n = s.v.Limit - s.v.Head - 8
	}
	return types.Of(s.v.Type).Shape == types.ShapeText && n > 0 && isReadable(s.w.View(s.v.Head+8, min(n, 32)))
}

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

// Recount implements diagnose.Suspecter.
func (f Judge) Recount(w *source.Window, parent, v *tree.Value, n int64) (u diagnose.Suspect, ok bool) {
	at, mark, most := v.Body-4, uint32(0), int64(math.MaxInt32)
	switch types.Of(v.Type).Shape {
	case types.ShapePath:
		at, mark = v.Head+4, types.SharedBit
		n -= v.Count - int64(v.Sub)
	case types.ShapeDict, types.ShapeArray, types.ShapeTyped:
		mark = w.U32(at) & types.SharedBit
	case types.ShapeObject:
		if v.Layout != tree.Pairs {
			return u, false
		}
	case types.ShapeStrings:
	default:
		return u, false
	}
	if n < 0 || n > most {
		return u, false
	}
	return diagnose.Suspect{Span: span.Span{Offset: at, Length: 4}, New: binary.LittleEndian.AppendUint32(nil, uint32(n)|mark), Code: span.WrongCount,
		Was: f.TypeName(v) + " counts " + span.Grouped(int64(w.U32(at)&^mark)), Is: span.Grouped(n)}, true
}

// Resize implements diagnose.Resizer.
func (f Judge) Resize(w *source.Window, parent, v *tree.Value, end int64) (u diagnose.Suspect, ok bool) {
	n := end - v.Head
	length, err := f.AppendFrameLength(nil, n)
	if v.Head == v.Start || err != nil {
		return u, false
	}
	return diagnose.Suspect{Span: span.Span{Offset: v.Start, Length: 4}, New: length, Code: span.WrongFrame,
		Was: "a frame of " + span.Bytes(int64(f.FrameLength(w, v.Start))), Is: span.Bytes(n)}, true
}

// Relength implements diagnose.Texter. The padding of the text before the change
// still exists, after the text.
func (f Judge) Relength(w *source.Window, parent, v *tree.Value, by int64) (u diagnose.Suspect, padding source.Splice, ok bool) {
	at := v.Head + 4
	switch {
	case v.Type == types.Name, v.Type == types.Part:
		at = v.Start
	case types.Of(v.Type).Shape != types.ShapeText:
		return u, padding, false
	}
	was := int64(w.U32(at))
	n, start := was+by, at+4
	if n < 0 || start+n+types.Pad(was) > w.Size() || !isReadable(w.View(start, n)) || len(bytes.Trim(w.View(start+n, types.Pad(was)), "\x00")) > 0 {
		return u, padding, false
	}
	u = diagnose.Suspect{Span: span.Span{Offset: at, Length: 4}, New: binary.LittleEndian.AppendUint32(nil, uint32(n)), Code: span.WrongLength,
		Was: "a string of " + span.Bytes(was), Is: span.Bytes(n)}
	return u, source.Put(start+n, types.Pad(was), make([]byte, types.Pad(n))), true
}
