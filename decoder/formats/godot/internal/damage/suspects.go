package damage

import (
	"encoding/binary"
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
