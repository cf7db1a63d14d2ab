package godot

import (
	"encoding/binary"
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
	return appendBits(dst, t, bitsAt(w, t, off), s)
}

// bitsAt are those of the number of type t that is stored at off.
func bitsAt(w *source.Window, t typeID, off int64) uint64 {
	switch width(t) {
	case 1:
		return uint64(w.Byte(off))
	case 4:
		return uint64(w.U32(off))
	}
	return w.U64(off)
}

// appendBits appends the number of type t that is stored as bits.
func appendBits(dst []byte, t typeID, bits uint64, s style) []byte {
	switch t {
	case tByte:
		return strconv.AppendUint(dst, bits, 10)
	case tInt32:
		return strconv.AppendInt(dst, int64(int32(bits)), 10)
	case tInt64:
		return strconv.AppendInt(dst, int64(bits), 10)
	case tFloat32:
		return appendFloat(dst, float64(math.Float32frombits(uint32(bits))), 32, s)
	}
	return appendFloat(dst, math.Float64frombits(bits), 64, s)
}

// numbers writes the n numbers of type t from off on, piece by piece.
func numbers(t *tree.Writer, w *source.Window, of typeID, off, n int64, s style, between string) {
	const piece = 64 // after so many it is seen whether more are wanted
	size := width(of)
	for first := true; n > 0 && !t.Full(); {
		b := w.View(off, min(n, piece)*size)
		if int64(len(b)) < size {
			return
		}
		for ; int64(len(b)) >= size; b = b[size:] {
			var bits uint64
			switch size {
			case 1:
				bits = uint64(b[0])
			case 4:
				bits = uint64(binary.LittleEndian.Uint32(b))
			default:
				bits = binary.LittleEndian.Uint64(b)
			}
			if !first {
				t.Dst = append(t.Dst, between...)
			}
			first = false
			t.Dst = appendBits(t.Dst, of, bits, s)
			off += size
			n--
		}
	}
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
