package guess

import (
	"encoding/binary"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Types of numbers are named as in descriptions: u1, u2le, s4be, f8le.

// wholes are the types of whole numbers without a sign.
var wholes = []string{"u1", "u2le", "u2be", "u4le", "u4be", "u8le", "u8be"}

// sizeOf returns the number of bytes of a type.
func sizeOf(form string) int { return int(form[1] - '0') }

func isBig(form string) bool { return strings.HasSuffix(form, "be") }

// bitsOf returns the bits of a number of a type, which has all of the bytes.
func bitsOf(data []byte, form string) (bits uint64) {
	if isBig(form) {
		for _, b := range data {
			bits = bits<<8 | uint64(b)
		}
		return bits
	}
	for i, b := range data {
		bits |= uint64(b) << (8 * i)
	}
	return bits
}

// numberIn returns the digits of a number of a type.
func numberIn(data []byte, form string) string {
	bits, unused := bitsOf(data, form), 64-8*len(data)
	switch {
	case form[0] == 's':
		return strconv.FormatInt(int64(bits<<unused)>>unused, 10)
	case form[0] == 'u':
		return strconv.FormatUint(bits, 10)
	}
	return strconv.FormatFloat(floatOf(bits, len(data)), 'g', -1, 8*len(data))
}

// floatOf returns the float of 4 or 8 bytes with some bits.
func floatOf(bits uint64, size int) float64 {
	if size == 4 {
		return float64(math.Float32frombits(uint32(bits)))
	}
	return math.Float64frombits(bits)
}

// put returns the bytes of a number of a type, or its digits as text; nil if the type has no such number.
func put(v float64, form string) []byte {
	if form == "text" {
		return strconv.AppendFloat(nil, v, 'f', -1, 64)
	}
	size, low, high, bits := sizeOf(form), 0.0, math.Ldexp(1, 8*sizeOf(form)), math.Float64bits(v)
	if form[0] == 's' {
		low, high = -high/2, high/2
	}
	switch isWhole := form[0] != 'f'; {
	case isWhole && (v != math.Trunc(v) || v < low || v >= high):
		return nil
	case isWhole && v < 1<<63:
		bits = uint64(int64(v))
	case isWhole:
		bits = uint64(v)
	case size == 4:
		bits = uint64(math.Float32bits(float32(v)))
	}
	b := binary.LittleEndian.AppendUint64(nil, bits)[:size]
	if isBig(form) {
		slices.Reverse(b)
	}
	return b
}
