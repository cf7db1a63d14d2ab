package savegame

import (
	"encoding/binary"
	"math"
)

// variantType is a type by meaning; typeIDs gives its number in each dialect.
type variantType uint8

const (
	typeBool variantType = iota
	typeInt
	typeFloat
	typeString
	typeVector2
	typeVector2i
	typeVector3
	typeTransform3D
	typeColor
	typeStringName
	typeNodePath
	typeDictionary
	typeArray
	typeBytes
	typeInt32s
	typeInt64s
	typeFloat32s
	typeStrings
	typeVector2s
	typeVector3s
)

// typeIDs follows the tables of Godot 4.0–4.6 and Godot 3.0–3.6. What Godot 3 lacks takes its nearest type.
var typeIDs = map[Dialect][]uint32{
	Godot4: {1, 2, 3, 4, 5, 6, 9, 18, 20, 21, 22, 27, 28, 29, 30, 31, 32, 34, 35, 36},
	Godot3: {1, 2, 3, 4, 5, 5, 7, 13, 14, 4, 15, 18, 19, 20, 21, 21, 22, 23, 24, 25},
}

// wide is header bit 16: an int or a float in 64 bits.
const wide = 1 << 16

// An encoder appends Variants to buf, in the widths that the engines choose.
type encoder struct {
	buf     []byte
	dialect Dialect
	ids     []uint32
}

func le32(n int) []byte {
	return binary.LittleEndian.AppendUint32(nil, uint32(n))
}

func (e *encoder) u32(n uint32) {
	e.buf = binary.LittleEndian.AppendUint32(e.buf, n)
}

func (e *encoder) u64(n uint64) {
	e.buf = binary.LittleEndian.AppendUint64(e.buf, n)
}

func (e *encoder) header(t variantType) {
	e.u32(e.ids[t])
}

// open begins a container, or a packed array, whose count close fills in.
func (e *encoder) open(t variantType) (at int) {
	e.header(t)
	e.u32(0)
	return len(e.buf) - 4
}

func (e *encoder) close(at, count int) {
	binary.LittleEndian.PutUint32(e.buf[at:], uint32(count))
}

// pad fills up to a multiple of four of n, the length of what was just appended.
func (e *encoder) pad(n int) {
	e.buf = append(e.buf, "\x00\x00\x00"[:-n&3]...)
}

func (e *encoder) bool(v bool) {
	e.header(typeBool)
	if v {
		e.u32(1)
	} else {
		e.u32(0)
	}
}

// int takes 32 bits when v fits.
func (e *encoder) int(v int64) {
	if int64(int32(v)) == v {
		e.header(typeInt)
		e.u32(uint32(v))
		return
	}
	e.u32(e.ids[typeInt] | wide)
	e.u64(uint64(v))
}

// float takes 32 bits if they keep v exactly.
func (e *encoder) float(v float64) {
	if float64(float32(v)) == v {
		e.header(typeFloat)
		e.u32(math.Float32bits(float32(v)))
		return
	}
	e.u32(e.ids[typeFloat] | wide)
	e.u64(math.Float64bits(v))
}

// text appends the content of a String after its header.
func (e *encoder) text(s string) {
	e.u32(uint32(len(s)))
	e.buf = append(e.buf, s...)
	e.pad(len(s))
}

func (e *encoder) string(s string) {
	e.header(typeString)
	e.text(s)
}

func (e *encoder) stringName(s string) {
	e.header(typeStringName)
	e.text(s)
}

// nodePath appends an absolute path without subnames.
func (e *encoder) nodePath(names ...string) {
	e.header(typeNodePath)
	e.u32(uint32(len(names)) | 1<<31)
	e.u32(0)
	e.u32(1)
	for _, name := range names {
		e.text(name)
	}
}

func (e *encoder) f32s(components ...float32) {
	for _, c := range components {
		e.u32(math.Float32bits(c))
	}
}

func (e *encoder) vector(t variantType, components ...float32) {
	e.header(t)
	e.f32s(components...)
}

func (e *encoder) vector2i(x, y int) {
	if e.dialect == Godot3 {
		e.vector(typeVector2i, float32(x), float32(y))
		return
	}
	e.header(typeVector2i)
	e.u32(uint32(x))
	e.u32(uint32(y))
}
