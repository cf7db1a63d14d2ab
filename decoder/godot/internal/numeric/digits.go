// Package numeric converts numbers between bytes and digits.
package numeric

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"varview/decoder/godot/internal/types"
	"varview/decoder/source"
	"varview/decoder/tree"
)

// Style is the notation of whole floats, infinities and NaN.
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
	case math.IsNaN(x):
		return appendSpecial(dst, "nan", s)
	case math.IsInf(x, 1):
		return appendSpecial(dst, "inf", s)
	case math.IsInf(x, -1):
		if s == StyleText || s == StyleFloat {
			return append(dst, "inf_neg"...)
		}
		return appendSpecial(dst, "-inf", s)
	}
	if i := int64(x); float64(i) == x && -1<<24 < i && i < 1<<24 && (i != 0 || !math.Signbit(x)) { // a quick way for whole numbers, which are frequent
		dst = AppendInt(dst, i)
		if s >= StyleFloat {
			dst = append(dst, ".0"...)
		}
		return dst
	}
	if n, ok := thousandths(x, size); ok { // another for the next most frequent
		if math.Signbit(x) {
			dst = append(dst, '-')
		}
		return append(AppendInt(dst, n/1000), decimals[n%1000]...)
	}
	start := len(dst)
	if a := math.Abs(x); a != 0 && (a < 1e-5 || a >= 1e16) {
		return strconv.AppendFloat(dst, x, 'e', -1, size)
	}
	dst = strconv.AppendFloat(dst, x, 'f', -1, size)
	if s >= StyleFloat {
		for _, c := range dst[start:] {
			if c == '.' {
				return dst
			}
		}
		dst = append(dst, ".0"...)
	}
	return dst
}

// thousandths returns n if the shortest digits of x, of size bits, are those of n/1000 or of
// -n/1000, and x is no whole number. Below its limits numbers of that size are less than
// 1/1000 apart, so that at most one thousandth reads back as x. Dividing rounds as reading
// digits does.
func thousandths(x float64, size int) (n int64, ok bool) {
	x = math.Abs(x)
	if x < 1e-3 || x >= 1<<42 || size == 32 && x >= 1<<13 {
		return 0, false
	}
	n = int64(x*1000 + 0.5)
	near := float64(n) / 1000
	if size == 32 {
		near = float64(float32(near))
	}
	return n, near == x && n%1000 != 0
}

// decimals are the digits of thousandths, with the point.
var decimals = func() (all [1000]string) {
	for i := range all {
		all[i] = strings.TrimRight(fmt.Sprintf(".%03d", i), "0")
	}
	return all
}()

func appendSpecial(dst []byte, name string, s Style) []byte {
	if s == StyleJSON {
		return strconv.AppendQuote(dst, name)
	}
	return append(dst, name...)
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
		return AppendInt(dst, int64(int32(bits)))
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
		t.Dst = AppendList(t.Dst, of, b, s, between)
		off += int64(len(b)) / size * size
		n -= int64(len(b)) / size
	}
}

// swapped returns a copy of numbers of a size with their bytes in the other order.
func swapped(b []byte, size int) []byte {
	b = slices.Clone(b)
	for n := range slices.Chunk(b, size) {
		slices.Reverse(n)
	}
	return b
}

// AppendList appends the numbers of type t in b, separated by between.
func AppendList(dst []byte, of types.ID, b []byte, s Style, between string) []byte {
	size := int(types.Width(of))
	for first := true; len(b) >= size; b = b[size:] {
		if !first {
			dst = append(dst, between...)
		}
		first = false
		switch of {
		case types.Byte:
			dst = AppendInt(dst, int64(b[0]))
		case types.Float32:
			dst = AppendFloat(dst, float64(math.Float32frombits(binary.LittleEndian.Uint32(b))), 32, s)
		case types.Int32:
			dst = AppendInt(dst, int64(int32(binary.LittleEndian.Uint32(b))))
		default:
			dst = AppendBits(dst, of, binary.LittleEndian.Uint64(b), s)
		}
	}
	return dst
}

// small are the digits of numbers up to three digits long.
var small = func() (all [1000]string) {
	for i := range all {
		all[i] = strconv.Itoa(i)
	}
	return all
}()

// AppendInt appends the digits of a number, quickly if it is small.
func AppendInt(dst []byte, n int64) []byte {
	if 0 <= n && n < int64(len(small)) {
		return append(dst, small[n]...)
	}
	return strconv.AppendInt(dst, n, 10)
}
