package elephant

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A numeral is a number as it is typed, or the bits of one that is copied.
type numeral struct {
	whole     bool // an integer that fits 64 bits: magnitude with its sign
	negative  bool
	magnitude uint64
	float     float64 // if it is not whole
	bits      *number // if it is copied
}

// number reads a number: 42, -1.5e3, 0x1f, 0b101, nan, inf, -inf.
func (p *literalParser) number() numeral {
	p.blanks()
	start := p.at
	for p.at < len(p.text) {
		c := p.text[p.at]
		sign := (c == '-' || c == '+') && (p.at == start || p.text[p.at-1]|0x20 == 'e')
		if !sign && c != '.' && !isLetter(c) && (c < '0' || c > '9') {
			break
		}
		p.at++
	}
	n, ok := parseNumeral(p.text[start:p.at])
	if !ok {
		p.fail(start, "a number is expected: 42, -1.5, 2e9, 0x1f, nan, inf")
	}
	return n
}

func parseNumeral(text string) (n numeral, ok bool) {
	digits := text
	switch {
	case strings.HasPrefix(text, "-"):
		n.negative, digits = true, text[1:]
	case strings.HasPrefix(text, "+"):
		digits = text[1:]
	}
	switch digits {
	case "nan":
		n.float = math.NaN()
		return n, digits == text
	case "inf":
		n.float = math.Inf(n.sign())
		return n, true
	}
	if digits == "" || strings.ContainsAny(digits[:1], "+-") || strings.Contains(digits, "_") {
		return n, false
	}
	base, tail := 10, digits
	switch {
	case strings.HasPrefix(digits, "0x"):
		base, tail = 16, digits[2:]
	case strings.HasPrefix(digits, "0b"):
		base, tail = 2, digits[2:]
	}
	if u, err := strconv.ParseUint(tail, base, 64); err == nil {
		n.whole, n.magnitude = true, u
		return n, true
	}
	if base != 10 || isLetter(digits[0]) {
		return n, false
	}
	x, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		return n, false // no number, or one beyond all floats
	}
	n.float = math.Copysign(x, float64(n.sign()))
	if x < 1<<53 && x == math.Trunc(x) && (x != 0 || !n.negative) {
		n.whole, n.magnitude = true, uint64(x)
	}
	return n, true
}

func (n *numeral) sign() int {
	if n.negative {
		return -1
	}
	return 1
}

// value is the number as GameMaker holds it.
func (n *numeral) value() float64 {
	switch {
	case n.bits != nil && n.bits.isFloat():
		return n.bits.float()
	case n.whole:
		return math.Copysign(float64(n.magnitude), float64(n.sign()))
	}
	return n.float
}

// as gives the bits of the number in a datatype. Where it does not fit, message
// says what does.
func (n *numeral) as(t typeID) (bits uint64, message string) {
	if n.bits != nil && n.bits.of == t {
		return n.bits.bits, ""
	}
	switch t {
	case tF16, tF32, tF64:
		return n.floating(t)
	}
	return n.integer(t)
}

// loses reports whether a copied number that fits a datatype would be another one
// in it.
func (n *numeral) loses(t typeID) bool {
	if n.bits == nil || n.bits.of == t {
		return false
	}
	bits, _ := n.as(t)
	is := number{t, bits}
	switch {
	case !is.isFloat():
		return false
	case n.bits.isFloat():
		return is.float() != n.bits.float() && !math.IsNaN(is.float())
	}
	x := math.Abs(is.float())
	return x >= 1<<64 || uint64(x) != n.magnitude
}

// floating gives the bits of the number in a float datatype.
func (n *numeral) floating(t typeID) (uint64, string) {
	x := n.value()
	switch {
	case math.IsNaN(x):
		return usualNaN[t], ""
	case t == tF64:
		return math.Float64bits(x), ""
	case t == tF16:
		if h, ok := toHalf(x); ok {
			return uint64(h), ""
		}
		return 0, "f16 holds up to 65504"
	}
	if f := float32(x); !math.IsInf(float64(f), 0) || math.IsInf(x, 0) {
		return uint64(math.Float32bits(f)), ""
	}
	return 0, "f32 holds up to 3.4028235e38"
}

// integer gives the bits of the number in an integer datatype.
func (n *numeral) integer(t typeID) (uint64, string) {
	width := uint(8 * width(t))
	least, most := uint64(0), uint64(math.MaxUint64)>>(64-width)
	if t == tS8 || t == tS16 || t == tS32 {
		least, most = 1<<(width-1), most>>1
	}
	text := fmt.Sprintf("%s holds %d to %d", typeName(t), -int64(least), most)
	if t == tU64 { // also the negative ones: GameMaker's int64 stands in it as two's complement
		least = 1 << 63
		text = "u64 holds 0 to 18446744073709551615, and GameMaker's int64"
	}
	switch {
	case !n.whole:
		return 0, text + ", no fractions"
	case n.negative && n.magnitude > least, !n.negative && n.magnitude > most:
		return 0, text
	case n.negative:
		return -n.magnitude & (math.MaxUint64 >> (64 - width)), ""
	}
	return n.magnitude, ""
}

// toHalf rounds a number to the nearest binary16, to the even one of two; ok is false for
// what lies beyond.
func toHalf(x float64) (h uint16, ok bool) {
	var sign uint16
	if math.Signbit(x) {
		sign = 0x8000
	}
	a := math.Abs(x)
	switch {
	case math.IsInf(x, 0):
		return sign | 0x7c00, true
	case a < 1.0/(1<<14): // below the normal ones
		return sign | uint16(math.RoundToEven(math.Ldexp(a, 24))), true
	}
	fraction, exponent := math.Frexp(a) // in [0.5, 1)
	steps := math.RoundToEven(fraction * 2048)
	if steps == 2048 {
		steps, exponent = 1024, exponent+1
	}
	if exponent > 16 {
		return 0, false
	}
	return sign | uint16(exponent+14)<<10 | uint16(steps)&0x3ff, true
}

// numeralOf is a number of a block.
func numeralOf(n number) numeral {
	x := numeral{bits: &n}
	switch n.of {
	case tF16, tF32, tF64:
		f := n.float()
		x.negative, x.float = math.Signbit(f), f
		if a := math.Abs(f); a < 1<<53 && a == math.Trunc(a) {
			x.whole, x.magnitude = true, uint64(a)
		}
		return x
	case tS8, tS16, tS32:
		shift := 64 - 8*width(n.of)
		i := int64(n.bits<<shift) >> shift
		x.whole, x.negative, x.magnitude = true, i < 0, uint64(max(i, -i))
		return x
	}
	x.whole, x.magnitude = true, n.bits
	return x
}

// equals reports whether the numeral says a number.
func (x *numeral) equals(n number) bool {
	if !n.isFloat() || x.bits != nil {
		bits, message := x.as(n.of)
		return message == "" && bits == n.bits
	}
	a, b := n.float(), x.value()
	return math.IsNaN(a) && math.IsNaN(b) || a == b && math.Signbit(a) == math.Signbit(b)
}
