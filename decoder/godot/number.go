package godot

import (
	"math"
	"strconv"

	"varview/decoder/source"
	"varview/decoder/tree"
)

// style says how numbers that Godot could take for others are written.
type style uint8

const (
	styleShort  style = iota // 2  inf  -inf  nan: dump
	styleText                // 2  inf  inf_neg  nan: components in var_to_str
	styleFloat               // 2.0  inf  inf_neg  nan: a float in var_to_str
	styleJSON                // 2.0  "inf"  "-inf"  "nan"
	styleTagged              // 2.0  inf  -inf  nan: behind "f:"
)

// appendFloat appends the shortest digits that read back to the same number of
// the given size in bits.
func appendFloat(dst []byte, x float64, size int, s style) []byte {
	switch {
	case math.IsNaN(x):
		return appendSpecial(dst, "nan", s)
	case math.IsInf(x, 1):
		return appendSpecial(dst, "inf", s)
	case math.IsInf(x, -1):
		if s == styleText || s == styleFloat {
			return append(dst, "inf_neg"...)
		}
		return appendSpecial(dst, "-inf", s)
	}
	if i := int64(x); float64(i) == x && -1<<24 < i && i < 1<<24 && (i != 0 || !math.Signbit(x)) { // many are whole
		dst = strconv.AppendInt(dst, i, 10)
		if s >= styleFloat {
			dst = append(dst, ".0"...)
		}
		return dst
	}
	start := len(dst)
	if a := math.Abs(x); a != 0 && (a < 1e-5 || a >= 1e16) {
		return strconv.AppendFloat(dst, x, 'e', -1, size)
	}
	dst = strconv.AppendFloat(dst, x, 'f', -1, size)
	if s >= styleFloat {
		for _, c := range dst[start:] {
			if c == '.' {
				return dst
			}
		}
		dst = append(dst, ".0"...)
	}
	return dst
}

func appendSpecial(dst []byte, name string, s style) []byte {
	if s == styleJSON {
		return strconv.AppendQuote(dst, name)
	}
	return append(dst, name...)
}

// appendNumber appends the number of type t at off.
func appendNumber(dst []byte, w *source.Window, t typeID, off int64, s style) []byte {
	switch t {
	case tByte:
		return strconv.AppendUint(dst, uint64(w.Byte(off)), 10)
	case tInt32:
		return strconv.AppendInt(dst, int64(int32(w.U32(off))), 10)
	case tInt64:
		return strconv.AppendInt(dst, int64(w.U64(off)), 10)
	case tFloat32:
		return appendFloat(dst, float64(math.Float32frombits(w.U32(off))), 32, s)
	}
	return appendFloat(dst, math.Float64frombits(w.U64(off)), 64, s)
}

// appendScalar appends the payload of an int or float. A float's digits are
// those of the 64-bit number that the engine holds, also where 32 bits are
// stored.
func (f *Format) appendScalar(dst []byte, w *source.Window, v *tree.Value, s style) []byte {
	at, wide := v.Head+4, v.Tail-v.Head > 8
	if v.Type == tInt {
		if wide {
			return appendNumber(dst, w, tInt64, at, s)
		}
		return appendNumber(dst, w, tInt32, at, s)
	}
	return appendFloat(dst, f.float(w, v), 64, s)
}

// float is the payload of a float.
func (f *Format) float(w *source.Window, v *tree.Value) float64 {
	if v.Tail-v.Head > 8 {
		return math.Float64frombits(w.U64(v.Head + 4))
	}
	return float64(math.Float32frombits(w.U32(v.Head + 4)))
}
