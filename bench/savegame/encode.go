package savegame

import (
	"encoding/binary"
	"math"
)

// wide is header bit 16: numbers in 64 bits, or an object by its id.
const wide = 1 << 16

// An encoder appends Variants to buf, in the widths that the engines choose.
type encoder struct {
	buf     []byte
	dialect Dialect
	ids     [typeCount]int
	double  bool // as a build with double precision
}

func le32(n int) []byte {
	return binary.LittleEndian.AppendUint32(nil, uint32(n))
}

func (e *encoder) has(t variantType) bool {
	return e.ids[t] >= 0
}

func (e *encoder) u32(n uint32) {
	e.buf = binary.LittleEndian.AppendUint32(e.buf, n)
}

func (e *encoder) u64(n uint64) {
	e.buf = binary.LittleEndian.AppendUint64(e.buf, n)
}

func (e *encoder) header(t variantType, flags uint32) {
	e.u32(uint32(e.ids[t]) | flags)
}

// open begins a container, or a packed array, whose count close fills in.
func (e *encoder) open(t variantType) (at int) {
	e.header(t, e.width(t))
	return e.openCount()
}

func (e *encoder) openCount() (at int) {
	e.u32(0)
	return len(e.buf) - 4
}

func (e *encoder) close(at, count int) {
	binary.LittleEndian.PutUint32(e.buf[at:], uint32(count))
}

// width is the flag of a type whose numbers a double-precision build stores in 64 bits.
func (e *encoder) width(t variantType) uint32 {
	if e.double && layouts[t].wide {
		return wide
	}
	return 0
}

// pad fills up to a multiple of four of n, the length of what was just appended.
func (e *encoder) pad(n int) {
	e.buf = append(e.buf, "\x00\x00\x00"[:-n&3]...)
}

func (e *encoder) bool(v bool) {
	e.header(typeBool, 0)
	if v {
		e.u32(1)
	} else {
		e.u32(0)
	}
}

// int takes 32 bits when v fits.
func (e *encoder) int(v int64) {
	if int64(int32(v)) == v {
		e.header(typeInt, 0)
		e.u32(uint32(v))
		return
	}
	e.header(typeInt, wide)
	e.u64(uint64(v))
}

// float takes 32 bits if they keep v exactly.
func (e *encoder) float(v float64) {
	if float64(float32(v)) == v {
		e.header(typeFloat, 0)
		e.u32(math.Float32bits(float32(v)))
		return
	}
	e.header(typeFloat, wide)
	e.u64(math.Float64bits(v))
}

// text appends the content of a String after its header.
func (e *encoder) text(s string) {
	e.u32(uint32(len(s)))
	e.buf = append(e.buf, s...)
	e.pad(len(s))
}

func (e *encoder) string(s string) {
	e.header(typeString, 0)
	e.text(s)
}

// name appends a StringName, which is a String in Godot 3.
func (e *encoder) name(s string) {
	if !e.has(typeStringName) {
		e.string(s)
		return
	}
	e.header(typeStringName, 0)
	e.text(s)
}

// elements appends n numbers of a type, each from one.
func (e *encoder) elements(t variantType, n int, one func() float64) {
	l := layouts[t]
	for range n * l.count {
		v := one()
		switch {
		case l.form == int32s:
			e.u32(uint32(int32(v)))
		case l.form == int64s:
			e.u64(uint64(int64(v)))
		case l.form == float64s || e.width(t) != 0:
			e.u64(math.Float64bits(v))
		default:
			e.u32(math.Float32bits(float32(v)))
		}
	}
}
