package variant

import (
	"math"

	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/numeric"
	"varview/decoder/formats/godot/internal/types"
)

// Component returns the type of the components of t, given flag bit 16 of the header.
func (f *Format) Component(t *types.Type, wide bool) types.ID {
	return f.Dialect.Component(t, f.Double, wide)
}

// ElementComp returns the type of the components of an element of a packed array.
func ElementComp(element *tree.Value) types.ID {
	comp := types.Of(types.ID(element.Sub)).Comp
	if comp == types.Float32 && element.Stride == 8 {
		return types.Float64
	}
	return comp
}

// Int returns the payload of an int.
func Int(w *source.Window, v *tree.Value) int64 {
	if v.Tail-v.Head > 8 {
		return int64(w.U64(v.Head + 4))
	}
	return int64(int32(w.U32(v.Head + 4)))
}

// Float returns the payload of a float.
func Float(w *source.Window, v *tree.Value) float64 {
	if v.Tail-v.Head > 8 {
		return math.Float64frombits(w.U64(v.Head + 4))
	}
	return float64(math.Float32frombits(w.U32(v.Head + 4)))
}

// AppendScalar appends the payload of an int or float. The digits of a float are those of the 64-bit number
// that the engine holds, even if 32 bits are stored.
func AppendScalar(dst []byte, w *source.Window, v *tree.Value, s numeric.Style) []byte {
	at, wide := v.Head+4, v.Tail-v.Head > 8
	if v.Type == types.Int {
		if wide {
			return numeric.AppendAt(dst, w, types.Int64, at, s)
		}
		return numeric.AppendAt(dst, w, types.Int32, at, s)
	}
	return numeric.AppendFloat(dst, Float(w, v), 64, s)
}

// IsWide reports whether v is a number in 64 bits that engines store in 32. NaN they
// always store in 64.
func (f *Format) IsWide(w *source.Window, v *tree.Value) bool {
	if v.Flags&types.WideFlag == 0 || f.Dialect.NoFlags {
		return false
	}
	bits := w.U64(v.Head + 4)
	if v.Type == types.Int {
		return int64(bits) == int64(int32(bits))
	}
	return numeric.FitsFloat32(math.Float64frombits(bits))
}

// maxWhole is the largest number up to which floats hold every whole number.
const maxWhole = 1 << 53

// ConvertsExactly reports whether v is an int that is the same number as a float, or
// a float that is the same number as an int. to is the other type.
func ConvertsExactly(w *source.Window, v *tree.Value, to types.ID) bool {
	switch {
	case v.Damage != nil:
	case v.Type == types.Int && to == types.Float:
		n := Int(w, v)
		return -maxWhole <= n && n <= maxWhole
	case v.Type == types.Float && to == types.Int:
		x := Float(w, v)
		return math.Abs(x) <= maxWhole && math.Trunc(x) == x && (x != 0 || !math.Signbit(x))
	}
	return false
}

// RID returns the id of a RID; 0 in dialects that do not store it.
func (f *Format) RID(w *source.Window, v *tree.Value) uint64 {
	switch {
	case !f.Dialect.RIDHasID:
		return 0
	case f.Dialect.Resource:
		return uint64(w.U32(v.Head + 4))
	}
	return w.U64(v.Head + 4)
}
