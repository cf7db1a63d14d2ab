package numeric

import (
	"encoding/binary"
	"math"

	"varview/decoder/engine/source"
	"varview/decoder/formats/godot/internal/types"
)

// BitsAt returns the bits of the number of type t at off.
func BitsAt(w *source.Window, t types.ID, off int64) uint64 {
	switch types.Width(t) {
	case 1:
		return uint64(w.Byte(off))
	case 4:
		return uint64(w.U32(off))
	}
	return w.U64(off)
}

// AppendBinary appends the bytes of a number of type comp.
func AppendBinary(dst []byte, comp types.ID, bits uint64) []byte {
	switch types.Width(comp) {
	case 1:
		return append(dst, byte(bits))
	case 4:
		return binary.LittleEndian.AppendUint32(dst, uint32(bits))
	}
	return binary.LittleEndian.AppendUint64(dst, bits)
}

// IsNaN reports whether the stored bits of type comp are a NaN.
func IsNaN(comp types.ID, bits uint64) bool {
	switch comp {
	case types.Float32:
		return math.IsNaN(float64(math.Float32frombits(uint32(bits))))
	case types.Float64:
		return math.IsNaN(math.Float64frombits(bits))
	}
	return false
}

// SameNumber reports whether two stored numbers of type comp are equal. All NaN are equal.
func SameNumber(comp types.ID, a, b uint64) bool {
	if types.Width(comp) == 4 {
		a, b = uint64(uint32(a)), uint64(uint32(b))
	}
	return a == b || IsNaN(comp, a) && IsNaN(comp, b)
}

// SameFloat reports whether two floats are the same number; 0 and -0 are not. All NaN are the same.
func SameFloat(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || math.IsNaN(a) && math.IsNaN(b)
}

// FitsFloat32 reports whether engines store x in 32 bits.
func FitsFloat32(x float64) bool { return float64(float32(x)) == x }
