package godot

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"
	"strconv"
	"unicode"

	"varview/decoder/diagnose"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

var _ diagnose.Suspecter = (*Format)(nil)

// How many other counts of a packed array, and bytes of a text, are tried.
const (
	maxCounts = 4096
	maxLength = 64 << 10
	maxNames  = 32 // of a NodePath
)

// A suspecter tries what could be wrong with a value.
type suspecter struct {
	f   *Format
	w   *source.Window
	v   *tree.Value
	try func(diagnose.Suspect) bool
	new [4]byte
}

// Suspects implements diagnose.Suspecter.
func (f *Format) Suspects(w *source.Window, parent *tree.Value, slot tree.Slot, v *tree.Value, try func(diagnose.Suspect) bool) {
	s := &suspecter{f: f, w: w, v: v, try: try}
	switch v.Type {
	case tName, tPart:
		s.text(v.Start, false)
	case tEntry:
		s.text(v.Start, true)
	case tByte, tInt32, tInt64, tFloat32, tFloat64, tElement, tRaw, tStream:
	default:
		if v.Limit-v.Head >= 4 && s.header() {
			s.payload()
		}
	}
}

// change tries another number at an offset.
func (s *suspecter) change(at int64, n uint32, code, was, is string, doubts int) bool {
	binary.LittleEndian.PutUint32(s.new[:], n)
	return s.try(diagnose.Suspect{Span: span.Span{Offset: at, Length: 4}, New: s.new[:], Code: code, Was: was, Is: is, Doubts: doubts})
}

// header tries other types, those first of which the header differs least, and
// other flags.
func (s *suspecter) header() bool {
	header := s.w.U32(s.v.Head)
	for far := 1; far <= 4; far++ {
		for id := range s.f.Dialect.table {
			for _, flags := range s.flagsOf(s.f.Dialect.typeOf(uint32(id))) {
				h := uint32(id) | uint32(flags)<<16
				if differing(h, header) == far && !s.tryHeader(header, h, far) {
					return false
				}
			}
		}
	}
	return true
}

// flagsOf are all flags that a value of a type can have.
func (s *suspecter) flagsOf(t typeID) []uint16 {
	known := s.f.knownFlags(t)
	all := make([]uint16, 0, 16)
	for flags := uint16(0); flags <= known; flags++ {
		if flags&^known == 0 {
			all = append(all, flags)
		}
	}
	return all
}

// differing counts the bytes in which two numbers differ.
func differing(a, b uint32) (n int) {
	for x := a ^ b; x != 0; x >>= 8 {
		if x&0xff != 0 {
			n++
		}
	}
	return n
}

func (s *suspecter) tryHeader(was, is uint32, far int) bool {
	t := s.f.Dialect.typeOf(is)
	name := typeOf(t).name
	at, code, old := s.v.Head, span.WrongType, s.f.TypeName(s.v)+" stands here"
	length := int64(2)
	if was&0xffff == is&0xffff {
		at, code, length = at+2, span.WrongFlags, 2
		old, name = "flags "+hex16(was>>16), "flags "+hex16(is>>16)
	} else if was>>16 != is>>16 {
		length = 4
	}
	doubts := far - 1 + s.unlikely(t, is)
	if s.v.Type != tUnknown { // lengths and counts go wrong more often than types
		doubts += 4
	}
	binary.LittleEndian.PutUint32(s.new[:], is)
	return s.try(diagnose.Suspect{Span: span.Span{Offset: at, Length: length}, New: s.new[at-s.v.Head:][:length], Code: code,
		Was: old, Is: name, Doubts: doubts})
}

func hex16(n uint32) string { return "0x" + strconv.FormatUint(uint64(n), 16) }

// unlikely is what speaks against a value of a type at first sight: that it reads
// well as what it is, types that hardly any file has, and numbers that look like
// those of another type.
func (s *suspecter) unlikely(t typeID, header uint32) (doubts int) {
	if s.v.Damage == nil && s.v.Type != t {
		doubts = 2
		if n := s.v.Tail - s.v.Head - 8; typeOf(s.v.Type).shape == shapeText && n > 0 && isReadable(s.w.View(s.v.Head+8, min(n, 32))) {
			doubts = 4
		}
	}
	at, info, wide := s.v.Head+4, typeOf(t), header>>16&flagWide != 0
	switch info.shape {
	case shapeBool:
		if s.w.U32(at) > 1 {
			doubts += 3
		}
	case shapeNone, shapeRID, shapeSignal, shapeObject:
		doubts += 2
	case shapeNumber:
		doubts += s.oddNumbers(at, t, wide, 1)
	case shapeFixed:
		doubts += s.oddNumbers(at, s.f.component(info, wide), false, int64(len(info.parts)))
	case shapePacked:
		doubts += s.oddNumbers(at+4, s.f.component(info, wide), false, min(int64(s.w.U32(at))*int64(max(1, len(info.parts))), 8))
	}
	return doubts
}

// someNumbers is how many of an array are looked at.
const someNumbers = 64

// oddNumbers counts those of n numbers that hardly any game stores: floats far from
// 1 that are not 0, integers of more than 20 bits.
func (s *suspecter) oddNumbers(at int64, t typeID, wide bool, n int64) (odd int) {
	for i := range n {
		switch {
		case t == tFloat && wide, t == tFloat64:
			odd += oddFloat(math.Float64frombits(s.w.U64(at + 8*i)))
		case t == tFloat, t == tFloat32:
			odd += oddFloat(float64(math.Float32frombits(s.w.U32(at + 4*i))))
		case t == tInt && wide, t == tInt64:
			odd += oddInt(int64(s.w.U64(at + 8*i)))
		default:
			odd += oddInt(int64(int32(s.w.U32(at + 4*i))))
		}
	}
	return min(odd, someNumbers)
}

func oddFloat(x float64) int {
	if x := math.Abs(x); x == 0 || x >= 1e-6 && x <= 1e9 {
		return 0
	}
	return 2
}

func oddInt(x int64) int {
	if x >= -1<<20 && x <= 1<<20 {
		return 0
	}
	return 1
}

// Odd implements diagnose.Suspecter.
func (f *Format) Odd(w *source.Window, parent *tree.Value, slot tree.Slot, v *tree.Value) (odd int) {
	if v.Damage != nil {
		return 0
	}
	s := suspecter{f: f, w: w, v: v}
	at, t := v.Head+4, typeOf(v.Type)
	switch t.shape {
	case shapeText:
		if n := v.Tail - at - 4; n > 0 && !isReadable(w.View(at+4, min(n, 32))) {
			odd = 2
		}
	case shapeNone:
		if slot.Key || v.Type == tCallable {
			odd = 1
		}
	case shapeRID, shapeSignal:
		odd = 1
	case shapeNumber:
		if v.Limit-at >= 8 {
			odd = s.oddNumbers(at, v.Type, v.Tail-at == 8, 1)
		}
	case shapeFixed:
		odd = s.oddNumbers(at, typeID(v.Sub), false, v.Count)
	case shapePacked:
		odd = s.oddNumbers(at+4, typeID(v.Sub), false, min(v.Count*int64(max(1, len(t.parts))), someNumbers))
	}
	if parent.Layout < tree.Sequence || parent.Start == v.Start {
		return odd
	}
	switch {
	case slot.Key && typeOf(parent.Type).shape == shapeDict && t.shape != shapeText && v.Type != tInt:
		odd += 2
	case parent.Type == tArray && slot.Index > 0, parent.Type == tDictionary && slot.Key && slot.Index > 0:
		first := f.Dialect.typeOf(w.U32(parent.Body))
		if first != v.Type && !(isNumber(first) && isNumber(v.Type)) {
			odd++
		}
	}
	return odd
}

func isNumber(t typeID) bool { return t == tInt || t == tFloat }

// isReadable reports whether bytes look like text: nothing but padding is a control
// character.
func isReadable(text []byte) bool {
	text = bytes.TrimRight(text, "\x00")
	return len(text) > 0 && !bytes.ContainsFunc(text, unicode.IsControl)
}

// payload tries other lengths and counts of what stands in the value itself.
func (s *suspecter) payload() {
	v, at := s.v, s.v.Head+4
	switch t := typeOf(v.Type); t.shape {
	case shapeText, shapeSignal:
		s.text(at, false)
	case shapeObject:
		if v.Flags&flagWide == 0 || s.f.Dialect.noFlags {
			s.text(at, false)
		}
	case shapePath:
		s.nodePath(at)
	case shapeArray, shapeDict:
		s.containerType(at)
	case shapeTyped:
		if v.Limit-at >= 4 && s.elementType(at) && s.f.hasClass(v) {
			s.text(at+8, false)
		}
	case shapeBytes:
		s.bytes(at)
	case shapePacked:
		s.packed(at, int64(width(s.f.component(t, v.Flags&flagWide != 0)))*int64(max(1, len(t.parts))))
	}
}

// text tries other lengths of the string at off: those with which it ends before the
// first NUL. Those of a string array's entries count one NUL.
func (s *suspecter) text(off int64, counts bool) {
	if s.v.Limit-off < 4 {
		return
	}
	was := s.w.U32(off)
	start := off + 4
	about := "a string of " + span.Bytes(int64(was))
	for end := start; end <= min(s.v.Limit, start+maxLength); end += 4 {
		zeros := int64(0)
		if end > start {
			zeros = int64(bits.LeadingZeros32(s.w.U32(end-4)) / 8)
		}
		n, doubts := end-start-zeros, 0
		switch {
		case counts && zeros > 0:
			n++
		case counts && n > 0:
			doubts = 1
		case zeros == 4:
			return
		}
		if n > 0 && s.w.Byte(start+n-1) < ' ' && !(counts && zeros > 0) {
			doubts += 2
		}
		if n != int64(was) && !s.change(off, uint32(n), span.WrongLength, about, span.Bytes(n), doubts) {
			return
		}
		if end > start && hasZero(s.w.U32(end-4)) {
			return
		}
	}
}

// hasZero reports whether one of the four bytes of a number is zero.
func hasZero(x uint32) bool { return (x-0x01010101)&^x&0x80808080 != 0 }

// elementType tries other types of elements at an offset, those first that differ
// least.
func (s *suspecter) elementType(at int64) bool {
	was := s.w.U32(at)
	old := "the element type is " + s.f.Dialect.elementName(was)
	for far := 1; far <= 4; far++ {
		for id := range uint32(len(s.f.Dialect.table)) {
			if differing(id, was) == far && !s.change(at, id, span.WrongType, old, s.f.Dialect.typeName(id), far-1) {
				return false
			}
		}
	}
	return true
}

// containerType tries other types of elements, and other lengths of the names of
// classes.
func (s *suspecter) containerType(at int64) {
	if !s.f.Dialect.typed {
		return
	}
	kinds := []uint16{s.v.Flags & 3}
	if s.v.Type == tDictionary {
		kinds = append(kinds, s.v.Flags>>2&3)
	}
	for _, kind := range kinds {
		switch kind {
		case kindBuiltin:
			if s.v.Limit-at < 4 || !s.elementType(at) {
				return
			}
			at += 4
		case kindClass, kindScript:
			s.text(at, false)
			n := int64(s.w.U32(at))
			at += 4 + n + pad(n)
		}
		if at > s.v.Limit-4 {
			return
		}
	}
}

// nodePath tries other numbers of names and subnames, and the mark of the form that
// engines write.
func (s *suspecter) nodePath(at int64) {
	if s.v.Limit-at < 12 {
		return
	}
	for i, what := range []string{"names", "subnames"} {
		word := at + 4*int64(i)
		was, mark := s.w.U32(word), uint32(0)
		if i == 0 {
			mark = shared
		}
		for n := range uint32(maxNames) {
			if n|mark != was && !s.change(word, n|mark, span.WrongCount, "a NodePath counts "+strconv.Itoa(int(was&^mark))+" "+what, strconv.Itoa(int(n)), differing(n|mark, was)-1) {
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

// bytes tries other lengths of a byte array. What would be padding has to be zero.
func (s *suspecter) bytes(at int64) {
	if s.v.Limit-at < 4 {
		return
	}
	was, start := s.w.U32(at), at+4
	about := s.f.TypeName(s.v) + " counts " + span.Grouped(int64(was))
	for n := int64(0); n <= min(s.v.Limit-start, maxCounts); n++ {
		padded := start + n
		for padded < start+n+pad(n) && s.w.Byte(padded) == 0 {
			padded++
		}
		if padded < min(start+n+pad(n), s.v.Limit) || n == int64(was) {
			continue
		}
		doubts := 0
		if n > 0 && s.w.Byte(start+n-1) == 0 { // it could be padding as well
			doubts = 1
		}
		if n > 4*int64(was)+manyMore { // it takes in what else can be read
			doubts += swallows
		}
		if !s.change(at, uint32(n), span.WrongCount, about, span.Grouped(n), doubts) {
			return
		}
	}
}

// manyMore is how many bytes more in an array prove nothing, swallows how many doubts
// there are about it then.
const (
	manyMore = 64
	swallows = 16
)

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
		doubts := 0
		if n*stride > 4*was*stride+manyMore {
			doubts = swallows
		}
		if n != was && !s.change(at, uint32(n), span.WrongCount, about, span.Grouped(n), doubts) {
			return
		}
	}
}

// Recount implements diagnose.Suspecter.
func (f *Format) Recount(w *source.Window, parent, v *tree.Value, n int64) (u diagnose.Suspect, ok bool) {
	at, mark, most := v.Body-4, uint32(0), int64(math.MaxInt32)
	switch typeOf(v.Type).shape {
	case shapePath:
		at, mark = v.Head+4, shared
		n -= v.Count - int64(v.Sub)
	case shapeDict, shapeArray, shapeTyped:
		mark = w.U32(at) & shared
	case shapeObject:
		if v.Layout != tree.Pairs {
			return u, false
		}
	case shapeStrings:
	default:
		return u, false
	}
	if n < 0 || n > most {
		return u, false
	}
	return diagnose.Suspect{Span: span.Span{Offset: at, Length: 4}, New: binary.LittleEndian.AppendUint32(nil, uint32(n)|mark), Code: span.WrongCount,
		Was: f.TypeName(v) + " counts " + span.Grouped(int64(w.U32(at)&^mark)), Is: span.Grouped(n)}, true
}

// Resize implements diagnose.Suspecter.
func (f *Format) Resize(w *source.Window, parent, v *tree.Value, end int64) (u diagnose.Suspect, ok bool) {
	n := end - v.Head
	if v.Head == v.Start || n < 0 || n > math.MaxUint32 {
		return u, false
	}
	length := uint32(n)
	if f.BigEndian {
		length = bits.ReverseBytes32(length)
	}
	return diagnose.Suspect{Span: span.Span{Offset: v.Start, Length: 4}, New: binary.LittleEndian.AppendUint32(nil, length), Code: span.WrongFrame,
		Was: "a frame of " + span.Bytes(int64(f.frameLength(w, v.Start))), Is: span.Bytes(n)}, true
}
