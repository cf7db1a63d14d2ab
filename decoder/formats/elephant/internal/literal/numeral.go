package literal

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"varview/decoder/formats/elephant/internal/datatype"
	"varview/decoder/value/notation"
)

// A Numeral is a number as it is typed, or the bits of one that is copied.
type Numeral struct {
	Whole     bool // an integer whose magnitude fits 64 bits
	Negative  bool
	Magnitude uint64
	Float     float64          // value if it is not whole
	Bits      *datatype.Number // the number if it is copied
}

// number reads a number: 42, -1.5e3, 0x1f, 0b101, nan, inf, -inf.
func (p *literalParser) number() Numeral {
	p.Peek()
	start := p.At
	for p.At < len(p.Text) {
		c := p.Text[p.At]
		sign := (c == '-' || c == '+') && (p.At == start || p.Text[p.At-1]|0x20 == 'e')
		if !sign && c != '.' && !notation.IsWord(c) {
			break
		}
		p.At++
	}
	n, ok := ParseNumeral(p.Text[start:p.At])
	if !ok {
		p.Fail(start, "a number is expected: 42, -1.5, 2e9, 0x1f, nan, inf")
	}
	return n
}

func ParseNumeral(text string) (n Numeral, ok bool) {
	digits := text
	switch {
	case strings.HasPrefix(text, "-"):
		n.Negative, digits = true, text[1:]
	case strings.HasPrefix(text, "+"):
		digits = text[1:]
	}
	switch digits {
	case "nan":
		n.Float = math.NaN()
		return n, digits == text
	case "inf":
		n.Float = math.Inf(n.sign())
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
		n.Whole, n.Magnitude = true, u
		return n, true
	}
	if base != 10 || notation.IsLetter(digits[0]) {
		return n, false
	}
	x, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		return n, false // not a number, or greater than all floats
	}
	n.Float = math.Copysign(x, float64(n.sign()))
	if x < 1<<53 && x == math.Trunc(x) && (x != 0 || !n.Negative) {
		n.Whole, n.Magnitude = true, uint64(x)
	}
	return n, true
}

func (n *Numeral) sign() int {
	if n.Negative {
		return -1
	}
	return 1
}

// Value returns the number as GameMaker holds it.
func (n *Numeral) Value() float64 {
	switch {
	case n.Bits != nil && n.Bits.IsFloat():
		return n.Bits.Float()
	case n.Whole:
		return math.Copysign(float64(n.Magnitude), float64(n.sign()))
	}
	return n.Float
}

// As returns the bits of the number in a datatype. If it does not fit, message says what would.
func (n *Numeral) As(t datatype.ID) (bits uint64, message string) {
	if n.Bits != nil && n.Bits.Of == t {
		return n.Bits.Bits, ""
	}
	switch t {
	case datatype.F16, datatype.F32, datatype.F64:
		return n.floating(t)
	}
	return n.integer(t)
}

// Loses reports whether a copied number that fits a datatype would have another value in
// it.
func (n *Numeral) Loses(t datatype.ID) bool {
	if n.Bits == nil || n.Bits.Of == t {
		return false
	}
	bits, _ := n.As(t)
	is := datatype.Number{Of: t, Bits: bits}
	switch {
	case !is.IsFloat():
		return false
	case n.Bits.IsFloat():
		return is.Float() != n.Bits.Float() && !math.IsNaN(is.Float())
	}
	x := math.Abs(is.Float())
	return x >= 1<<64 || uint64(x) != n.Magnitude
}

// floating returns the bits of the number in a float datatype.
func (n *Numeral) floating(t datatype.ID) (uint64, string) {
	x := n.Value()
	switch {
	case math.IsNaN(x):
		return datatype.UsualNaN[t], ""
	case t == datatype.F64:
		return math.Float64bits(x), ""
	case t == datatype.F16:
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

// integer returns the bits of the number in an integer datatype.
func (n *Numeral) integer(t datatype.ID) (uint64, string) {
	width := uint(8 * datatype.Width(t))
	least, most := uint64(0), uint64(math.MaxUint64)>>(64-width)
	switch t {
	case datatype.S8, datatype.S16, datatype.S32:
		least, most = 1<<(width-1), most>>1
	case datatype.U64: // negative ones too: GameMaker's int64 is stored in it as two's complement
		least = 1 << 63
	}
	switch isInside := n.Negative && n.Magnitude <= least || !n.Negative && n.Magnitude <= most; {
	case n.Whole && isInside && n.Negative:
		return -n.Magnitude & (math.MaxUint64 >> (64 - width)), ""
	case n.Whole && isInside:
		return n.Magnitude, ""
	}
	text := fmt.Sprintf("%s holds %d to %d", datatype.Name(t), -int64(least), most)
	if t == datatype.U64 {
		text = "u64 holds 0 to 18446744073709551615, and GameMaker's int64"
	}
	if !n.Whole {
		text += ", no fractions"
	}
	return 0, text
}

// toHalf rounds a number to the nearest binary16, to even if two are equally near; ok is false if it is too
// large.
func toHalf(x float64) (h uint16, ok bool) {
	var sign uint16
	if math.Signbit(x) {
		sign = 0x8000
	}
	a := math.Abs(x)
	switch {
	case math.IsInf(x, 0):
		return sign | 0x7c00, true
	case a < 1.0/(1<<14): // below the normal numbers
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

// NumeralOf returns the numeral of a number in a block.
func NumeralOf(n datatype.Number) Numeral {
	x := Numeral{Bits: &n}
	switch n.Of {
	case datatype.F16, datatype.F32, datatype.F64:
		f := n.Float()
		x.Negative, x.Float = math.Signbit(f), f
		if a := math.Abs(f); a < 1<<53 && a == math.Trunc(a) {
			x.Whole, x.Magnitude = true, uint64(a)
		}
		return x
	case datatype.S8, datatype.S16, datatype.S32:
		shift := 64 - 8*datatype.Width(n.Of)
		i := int64(n.Bits<<shift) >> shift
		x.Whole, x.Negative, x.Magnitude = true, i < 0, uint64(max(i, -i))
		return x
	}
	x.Whole, x.Magnitude = true, n.Bits
	return x
}

// Equals reports whether the numeral means a number.
func (x *Numeral) Equals(n datatype.Number) bool {
	if !n.IsFloat() || x.Bits != nil {
		bits, message := x.As(n.Of)
		return message == "" && bits == n.Bits
	}
	a, b := n.Float(), x.Value()
	return math.IsNaN(a) && math.IsNaN(b) || a == b && math.Signbit(a) == math.Signbit(b)
}
