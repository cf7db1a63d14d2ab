package elephantref

import (
	"math"
)

var sizes = map[Datatype]int{
	U8: 1, S8: 1, U16: 2, S16: 2, U32: 4, S32: 4, F16: 2, F32: 4, F64: 8, Bool: 1, U64: 8,
}

// number reads the number or bool of v's datatype.
func (d *decoder) number(v *Value) {
	b := d.take(v, sizes[v.Type], "value")
	var raw uint64
	for i, c := range b {
		raw |= uint64(c) << (8 * i)
	}
	switch v.Type {
	case U8, U16, U32:
		v.Num = float64(raw)
	case S8:
		v.Num = float64(int8(raw))
	case S16:
		v.Num = float64(int16(raw))
	case S32:
		v.Num = float64(int32(raw))
	case F16:
		v.Num, v.Int = half(uint16(raw)), raw
	case F32:
		v.Num = float64(math.Float32frombits(uint32(raw)))
	case F64:
		v.Num = math.Float64frombits(raw)
	case Bool:
		if raw != 0 {
			v.Num = 1
		}
	case U64:
		v.Int = raw
	}
}

// half converts IEEE binary16: 1 sign bit, 5 of exponent, 10 of fraction.
func half(bits uint16) float64 {
	exponent, fraction := int(bits>>10&31), float64(bits&1023)
	var x float64
	switch {
	case exponent == 31 && fraction != 0:
		return math.NaN()
	case exponent == 31:
		x = math.Inf(1)
	case exponent == 0:
		x = math.Ldexp(fraction, -24)
	default:
		x = math.Ldexp(1024+fraction, exponent-25)
	}
	if bits&0x8000 != 0 {
		return math.Copysign(x, -1)
	}
	return x
}
