package elephant

import (
	"math"
	"strconv"

	"varview/decoder/source"
)

// A number is a scalar's value: an integer, a float or a bool.
type number struct {
	of   typeID
	bits uint64
}

// numberAt reads the scalar of type t at off.
func numberAt(w *source.Window, t typeID, off int64) number {
	switch width(t) {
	case 1:
		return number{t, uint64(w.Byte(off))}
	case 2:
		return number{t, uint64(w.U16(off))}
	case 4:
		return number{t, uint64(w.U32(off))}
	}
	return number{t, w.U64(off)}
}

func (n number) isFloat() bool { return n.of == tF16 || n.of == tF32 || n.of == tF64 }

// float is the value of a float.
func (n number) float() float64 {
	switch n.of {
	case tF16:
		return half(uint16(n.bits))
	case tF32:
		return float64(math.Float32frombits(uint32(n.bits)))
	}
	return math.Float64frombits(n.bits)
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

// append appends the number as dump and the typed form without quotes have it:
// the shortest digits that read back to what GameMaker holds, which is a double
// whatever the datatype of a float.
func (n number) append(dst []byte) []byte {
	switch n.of {
	case tBool:
		return strconv.AppendBool(dst, n.bits != 0)
	case tS8:
		return strconv.AppendInt(dst, int64(int8(n.bits)), 10)
	case tS16:
		return strconv.AppendInt(dst, int64(int16(n.bits)), 10)
	case tS32:
		return strconv.AppendInt(dst, int64(int32(n.bits)), 10)
	case tF16, tF32, tF64:
		return n.appendFloat(dst)
	}
	return strconv.AppendUint(dst, n.bits, 10)
}

func (n number) appendFloat(dst []byte) []byte {
	x := n.float()
	switch {
	case math.IsNaN(x):
		return append(dst, "nan"...)
	case math.IsInf(x, 1):
		return append(dst, "inf"...)
	case math.IsInf(x, -1):
		return append(dst, "-inf"...)
	}
	if i := int64(x); float64(i) == x && -1<<24 < i && i < 1<<24 && (i != 0 || !math.Signbit(x)) { // many are whole
		return strconv.AppendInt(dst, i, 10)
	}
	if a := math.Abs(x); a != 0 && (a < 1e-5 || a >= 1e16) {
		return strconv.AppendFloat(dst, x, 'e', -1, 64)
	}
	return strconv.AppendFloat(dst, x, 'f', -1, 64)
}

// usualNaN is what a NaN looks like that says nothing but that.
var usualNaN = map[typeID]uint64{tF16: 0x7e00, tF32: 0x7fc00000, tF64: 0x7ff8000000000000}
