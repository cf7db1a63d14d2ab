package inspect

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/lucasb-eyer/go-colorful"
)

// A Form is how bytes are written as text, to be pasted elsewhere.
type Form struct {
	Key, Name string
	Write     func(b []byte) string
}

// Forms lists the forms.
var Forms = []Form{
	{"h", "hex", func(b []byte) string { return fmt.Sprintf("% x", b) }},
	{"c", "C", cArray},
	{"g", "GDScript", packedByteArray},
	{"b", "base64", base64.StdEncoding.EncodeToString},
	{"o", "Go", func(b []byte) string { return array("var bytes = []byte{", b, "}\n") }},
	{"r", "Rust", func(b []byte) string { return array(fmt.Sprintf("const BYTES: [u8; %d] = [", len(b)), b, "];\n") }},
	{"p", "Python", func(b []byte) string { return array("data = bytes([", b, "])\n") }},
	{"s", "C#", func(b []byte) string { return array("byte[] bytes = {", b, "};\n") }},
}

// cArray returns a declaration of a C array.
func cArray(b []byte) string {
	return array(fmt.Sprintf("const unsigned char bytes[%d] = {", len(b)), b, "};\n")
}

// array writes bytes between the beginning and the end of a declaration, twelve per line.
func array(begin string, b []byte, end string) string {
	var out strings.Builder
	out.WriteString(begin)
	for i, x := range b {
		switch {
		case i%12 == 0:
			out.WriteString("\n\t")
		default:
			out.WriteByte(' ')
		}
		fmt.Fprintf(&out, "0x%02x,", x)
	}
	return out.String() + "\n" + end
}

func packedByteArray(b []byte) string {
	digits := make([]string, len(b))
	for i, x := range b {
		digits[i] = fmt.Sprint(x)
	}
	return "PackedByteArray([" + strings.Join(digits, ", ") + "])"
}

// ParseHex returns the bytes of hex digits, two per byte, with or without blanks.
func ParseHex(s string) ([]byte, error) {
	b, err := hex.DecodeString(strings.Join(strings.Fields(s), ""))
	if err != nil || len(b) == 0 {
		return nil, errors.New("type hex digits, two for each byte: 00, or de ad be ef")
	}
	return b, nil
}

// Euler returns a rotation in degrees about x, y and z, in the order in which Godot shows it: about y
// first, then x, then z (Basis.get_euler). rows are the rows of a matrix that rotates and may also scale.
func Euler(rows [3][3]float64) [3]float64 {
	rows = turning(rows)
	const right = math.Pi / 2
	var e [3]float64
	switch s := rows[1][2]; {
	case s >= 1-1e-9:
		e = [3]float64{-right, -math.Atan2(rows[0][1], rows[0][0]), 0}
	case s <= -1+1e-9:
		e = [3]float64{right, math.Atan2(rows[0][1], rows[0][0]), 0}
	default:
		e = [3]float64{math.Asin(-s), math.Atan2(rows[0][2], rows[2][2]), math.Atan2(rows[1][0], rows[1][1])}
	}
	for i := range e {
		e[i] *= 180 / math.Pi
	}
	return e
}

// turning removes the scale from a matrix: its columns get length 1. A mirroring matrix is negated.
func turning(m [3][3]float64) [3][3]float64 {
	for c := range 3 {
		length := math.Hypot(math.Hypot(m[0][c], m[1][c]), m[2][c])
		for r := range 3 {
			m[r][c] /= length
		}
	}
	if determinant(m) < 0 {
		for r := range 3 {
			for c := range 3 {
				m[r][c] = -m[r][c]
			}
		}
	}
	return m
}

func determinant(m [3][3]float64) float64 {
	return m[0][0]*(m[1][1]*m[2][2]-m[1][2]*m[2][1]) - m[0][1]*(m[1][0]*m[2][2]-m[1][2]*m[2][0]) + m[0][2]*(m[1][0]*m[2][1]-m[1][1]*m[2][0])
}

// Rows returns the rows of the rotation matrix of a quaternion.
func Rows(x, y, z, w float64) [3][3]float64 {
	n := x*x + y*y + z*z + w*w
	s := 2 / n
	return [3][3]float64{
		{1 - s*(y*y+z*z), s * (x*y - w*z), s * (x*z + w*y)},
		{s * (x*y + w*z), 1 - s*(x*x+z*z), s * (y*z - w*x)},
		{s * (x*z - w*y), s * (y*z + w*x), 1 - s*(x*x+y*y)},
	}
}

// RGB returns a colour with components from 0 to 1 as bytes. Components outside that range are clamped,
// as on a screen.
func RGB(c [4]float64) (rgb [3]byte) {
	for i := range rgb {
		rgb[i] = byte(max(0, min(c[i], 1))*255 + 0.5)
	}
	return rgb
}

// Unhex returns the colour that Hex has written as s.
func Unhex(s string) (c [4]float64) {
	digits, _ := strconv.ParseUint(strings.TrimPrefix(s, "#"), 16, 32)
	if len(s) == len("#rrggbb") {
		digits = digits<<8 | 0xff
	}
	for i := range c {
		c[i] = float64(digits>>(24-8*i)&0xff) / 0xff
	}
	return c
}

// Hex returns a colour as #rrggbb, or as #rrggbbaa where it is not opaque.
func Hex(c [4]float64) string {
	rgb := RGB(c)
	if alpha := byte(max(0, min(c[3], 1))*255 + 0.5); alpha != 255 {
		return fmt.Sprintf("#%x%02x", rgb, alpha)
	}
	return fmt.Sprintf("#%x", rgb)
}

// HexLike is Hex in the case of another one, with the level of alpha if that has one.
func HexLike(c [4]float64, other string) string {
	s := Hex(c)
	if len(other) > len(s) {
		s += "ff"
	}
	if strings.ToUpper(other) == other {
		s = strings.ToUpper(s)
	}
	return s
}

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

// Levels are what can be changed of a colour, with the largest number that is shown of each and its unit: its parts, and
// the same colour by hue, saturation and value.
var Levels = []struct {
	Name string
	Most float64
	Unit string

	IsLight bool // of a bright colour it may be more
}{{"red", 255, "", true}, {"green", 255, "", true}, {"blue", 255, "", true}, {"alpha", 255, "", false},
	{"hue", 360, "°", false}, {"saturation", 100, " %", false}, {"value", 100, " %", true}}

// Brightness returns the value of a colour: at most 1, or more if it is brighter than a screen shows.
func Brightness(c [4]float64) float64 { return max(c[0], c[1], c[2]) }

// Level returns how much of one of the Levels a colour of red, green, blue and alpha has, usually from 0 to 1.
func Level(c [4]float64, i int) float64 {
	if i < len(c) {
		return c[i]
	}
	h, s, v := colorful.Color{R: c[0], G: c[1], B: c[2]}.Hsv()
	return [3]float64{h / 360, s, v}[i-len(c)]
}

// WithLevel returns a colour with another amount of one of the Levels, from 0 to 1, to what it has if that is more, or of light to any if the
// colour may be brighter than a screen shows.
func WithLevel(c [4]float64, i int, to float64, mayBeBright bool) [4]float64 {
	was := Level(c, i)
	if to = max(min(was, 0), to); !mayBeBright || !Levels[i].IsLight {
		to = min(to, max(was, 1))
	}
	if i < len(c) {
		c[i] = to
		return c
	}
	hsv := [3]float64{Level(c, 4), Level(c, 5), Level(c, 6)}
	hsv[i-len(c)] = to
	rgb := colorful.Hsv(min(hsv[0]*360, 359.99), hsv[1], hsv[2])
	return [4]float64{rgb.R, rgb.G, rgb.B, c[3]}
}
