package godot

import (
	"math"

	"varview/decoder/source"
	"varview/decoder/tree"
)

// int is the payload of an int.
func (f *Format) int(w *source.Window, v *tree.Value) int64 {
	if v.Tail-v.Head > 8 {
		return int64(w.U64(v.Head + 4))
	}
	return int64(int32(w.U32(v.Head + 4)))
}

// storedInt is an int as an engine stores it.
func (f *Format) storedInt(n int64) []byte {
	e := encoder{f: f}
	e.putInt(n)
	return e.out
}

// storedFloat is a float as an engine stores it.
func (f *Format) storedFloat(x float64) []byte {
	e := encoder{f: f}
	e.putFloat(x)
	return e.out
}

// maxWhole is up to where floats hold every whole number.
const maxWhole = 1 << 53

// converts reports whether v is an int that a float of the type to can hold, or a
// float that is an int of it.
func (f *Format) converts(w *source.Window, v *tree.Value, to typeID) bool {
	switch {
	case v.Damage != nil:
	case v.Type == tInt && to == tFloat:
		n := f.int(w, v)
		return -maxWhole <= n && n <= maxWhole
	case v.Type == tFloat && to == tInt:
		x := f.float(w, v)
		return math.Abs(x) <= maxWhole && math.Trunc(x) == x && (x != 0 || !math.Signbit(x))
	}
	return false
}
