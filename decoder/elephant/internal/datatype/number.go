package datatype

import (
	"math"
	"strconv"

	"varview/decoder/source"
)

// A Number is a scalar's value: an integer, a float or a bool.
type Number struct {
	Of   ID
	Bits uint64
}

// NumberAt reads the scalar of type t at off.
func NumberAt(w *source.Window, t ID, off int64) Number {
	switch Width(t) {
	case 1:
		return Number{t, uint64(w.Byte(off))}
	case 2:
		return Number{t, uint64(w.U16(off))}
	case 4:
		return Number{t, uint64(w.U32(off))}
	}
	return Number{t, w.U64(off)}
}

func (n Number) IsFloat() bool { return n.Of == F16 || n.Of == F32 || n.Of == F64 }

// Float is the value of a float.
func (n Number) Float() float64 {
	switch n.Of {
	case F16:
		return half(uint16(n.Bits))
	case F32:
		return float64(math.Float32frombits(uint32(n.Bits)))
	}
	return math.Float64frombits(n.Bits)
}

// half is the value of an IEEE 754 binary16.
func half(h uint16) float64 {
	sign, exponent, fraction := 1.0, int(h>>10&0x1f), float64(h&0x3ff)
	if h&0x8000 != 0 {
		sign = -1
	}
	switch exponent {
	case 0:
		return math.Copysign(math.Ldexp(fraction, -24), sign)
	case 0x1f:
		if fraction != 0 {
			return math.NaN()
		}
		return math.Inf(int(sign))
	}
	return sign * math.Ldexp(1+fraction/1024, exponent-15)
}

// Append appends the number as dump and the typed form write it when they use no quotes:
// the shortest digits that read back to what GameMaker holds, which is a double whatever
// the datatype of a float.
func (n Number) Append(dst []byte) []byte {
	switch n.Of {
	case Bool:
		return strconv.AppendBool(dst, n.Bits != 0)
	case S8:
		return strconv.AppendInt(dst, int64(int8(n.Bits)), 10)
	case S16:
		return strconv.AppendInt(dst, int64(int16(n.Bits)), 10)
	case S32:
		return strconv.AppendInt(dst, int64(int32(n.Bits)), 10)
	case F16, F32, F64:
		return n.appendFloat(dst)
	}
	return strconv.AppendUint(dst, n.Bits, 10)
}

func (n Number) appendFloat(dst []byte) []byte {
	x := n.Float()
	switch {
	case math.IsNaN(x):
		return append(dst, "nan"...)
	case math.IsInf(x, 1):
		return append(dst, "inf"...)
	case math.IsInf(x, -1):
		return append(dst, "-inf"...)
	}
	if i := int64(x); float64(i) == x && -1<<24 < i && i < 1<<24 && (i != 0 || !math.Signbit(x)) { // many numbers are whole
		return strconv.AppendInt(dst, i, 10)
	}
	if a := math.Abs(x); a != 0 && (a < 1e-5 || a >= 1e16) {
		return strconv.AppendFloat(dst, x, 'e', -1, 64)
	}
	return strconv.AppendFloat(dst, x, 'f', -1, 64)
}

// UsualNaN holds the usual bits of a NaN.
var UsualNaN = map[ID]uint64{F16: 0x7e00, F32: 0x7fc00000, F64: 0x7ff8000000000000}
