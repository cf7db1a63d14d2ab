// Package numeric converts numbers between bytes and digits.
package numeric

import (
	"encoding/binary"
	"math"
	"slices"
	"strconv"

	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/types"
)

// A Style is a notation of whole floats, infinities and NaN.
type Style uint8

const (
	StyleShort  Style = iota // 2  inf  -inf  nan: dump
	StyleText                // 2  inf  inf_neg  nan: components in var_to_str
	StyleFloat               // 2.0  inf  inf_neg  nan: a float in var_to_str
	StyleJSON                // 2.0  "inf"  "-inf"  "nan"
	StyleTagged              // 2.0  inf  -inf  nan: after "f:"
)

// AppendFloat appends the shortest digits that read back as the same number of size
// bits.
func AppendFloat(dst []byte, x float64, size int, s Style) []byte {
	switch {
	case math.IsInf(x, -1) && (s == StyleText || s == StyleFloat):
		return append(dst, "inf_neg"...)
	case s == StyleJSON && (math.IsNaN(x) || math.IsInf(x, 0)):
		return append(tree.AppendFloat(append(dst, '"'), x, size), '"')
	}
	dst = tree.AppendFloat(dst, x, size)
	if s >= StyleFloat && math.Abs(x) < 1e16 && x == math.Trunc(x) { // otherwise there is a point, or an exponent
		dst = append(dst, ".0"...)
	}
	return dst
}

// AppendAt appends the digits of the number of type t at off.
func AppendAt(dst []byte, w *source.Window, t types.ID, off int64, s Style) []byte {
	return AppendBits(dst, t, BitsAt(w, t, off), s)
}

// AppendBits appends the digits of the number of type t with the given bits.
func AppendBits(dst []byte, t types.ID, bits uint64, s Style) []byte {
	switch t {
	case types.Byte:
		return strconv.AppendUint(dst, bits, 10)
	case types.Int32:
		return strconv.AppendInt(dst, int64(int32(bits)), 10)
	case types.Int64:
		return strconv.AppendInt(dst, int64(bits), 10)
	case types.Float32:
		return AppendFloat(dst, float64(math.Float32frombits(uint32(bits))), 32, s)
	}
	return AppendFloat(dst, math.Float64frombits(bits), 64, s)
}

// Write writes the n numbers of type t from off on, separated by between.
func Write(t *tree.Writer, w *source.Window, of types.ID, off, n int64, s Style, between string) {
	const piece = 64 // numbers written before the writer is asked whether it is full
	size := types.Width(of)
	for first := true; n > 0 && !t.Full(); first = false {
		b := w.View(off, min(n, piece)*size)
		if int64(len(b)) < size {
			return
		}
		if !first {
			t.Put(between)
		}
		if w.IsBigEndian() && size > 1 {
			b = swapped(b, int(size))
		}
		t.Dst = appendList(t.Dst, of, b, s, between)
		off += int64(len(b)) / size * size
		n -= int64(len(b)) / size
	}
}

// swapped returns a copy of numbers of a size with their bytes in reverse order.
func swapped(b []byte, size int) []byte {
	b = slices.Clone(b)
	for n := range slices.Chunk(b, size) {
		slices.Reverse(n)
	}
	return b
}

// appendList appends the numbers of type t in b, separated by between.
func appendList(dst []byte, of types.ID, b []byte, s Style, between string) []byte {
	size := int(types.Width(of))
	for first := true; len(b) >= size; b = b[size:] {
		if !first {
			dst = append(dst, between...)
		}
		first = false
		switch of {
		case types.Byte:
			dst = strconv.AppendInt(dst, int64(b[0]), 10)
		case types.Float32:
			dst = AppendFloat(dst, float64(math.Float32frombits(binary.LittleEndian.Uint32(b))), 32, s)
		case types.Int32:
			dst = strconv.AppendInt(dst, int64(int32(binary.LittleEndian.Uint32(b))), 10)
		default:
			dst = AppendBits(dst, of, binary.LittleEndian.Uint64(b), s)
		}
	}
	return dst
}
