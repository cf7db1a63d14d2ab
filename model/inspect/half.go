package inspect

import "math"

// half returns the value of an IEEE 754 binary16.
func half(bits uint64) float64 {
	exponent, fraction := int(bits>>10&0x1f), float64(bits&0x3ff)
	v := math.Ldexp(1+fraction/1024, exponent-15)
	switch {
	case exponent == 0:
		v = math.Ldexp(fraction, -24)
	case exponent == 0x1f && fraction != 0:
		return math.NaN()
	case exponent == 0x1f:
		v = math.Inf(1)
	}
	if bits&0x8000 != 0 {
		return -v
	}
	return v
}

// halfBits returns the binary16 nearest to v; ties go to even.
func halfBits(v float64) uint64 {
	sign := uint64(0)
	if math.Signbit(v) {
		sign, v = 0x8000, -v
	}
	if math.IsNaN(v) {
		return 0x7e00
	}
	_, exponent := math.Frexp(v)
	exponent = max(exponent-1, -14) // of the last place: numbers below 2^-14 share one
	scaled := math.RoundToEven(math.Ldexp(v, 10-exponent))
	switch {
	case v == 0:
		return sign
	case v >= 65520:
		return sign | 0x7c00
	}
	return sign | uint64(scaled) + uint64(exponent+14)<<10 // rounding up carries into the exponent
}
