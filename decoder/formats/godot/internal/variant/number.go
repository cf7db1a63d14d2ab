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

// States of reading UTF-8, each the place of six bits in a word.
const (
	atRune  = 6 * iota // a character may begin
	notUTF8            // or a NUL was read
	oneMore            // that many bytes of 0x80 to 0xbf must follow
	twoMore
	threeMore
	afterE0 // not all of these may follow
	afterED
	afterF0
	afterF4
)

// utf8Steps has for each byte the state that follows each state, at its place. A text is
// read with it without branches, which other scripts than Latin make hard to predict.
var utf8Steps = func() (all [256]uint64) {
	for b := range all {
		for state := atRune; state <= afterF4; state += 6 {
			all[b] |= notUTF8 << state
		}
	}
	for _, r := range []struct {
		state      int
		first, end byte
		next       uint64
	}{ // the table of well-formed sequences in chapter 3 of the Unicode Standard
		{atRune, 0x01, 0x7f, atRune},
		{atRune, 0xc2, 0xdf, oneMore},
		{atRune, 0xe0, 0xe0, afterE0},
		{atRune, 0xe1, 0xec, twoMore},
		{atRune, 0xed, 0xed, afterED},
		{atRune, 0xee, 0xef, twoMore},
		{atRune, 0xf0, 0xf0, afterF0},
		{atRune, 0xf1, 0xf3, threeMore},
		{atRune, 0xf4, 0xf4, afterF4},
		{oneMore, 0x80, 0xbf, atRune},
		{twoMore, 0x80, 0xbf, oneMore},
		{threeMore, 0x80, 0xbf, twoMore},
		{afterE0, 0xa0, 0xbf, oneMore},
		{afterED, 0x80, 0x9f, oneMore},
		{afterF0, 0x90, 0xbf, twoMore},
		{afterF4, 0x80, 0x8f, twoMore},
	} {
		for b := int(r.first); b <= int(r.end); b++ {
			all[b] = all[b]&^(63<<r.state) | r.next<<r.state
		}
	}
	return all
}()

// isUTF8 reports whether a text is valid UTF-8 without a NUL.
func isUTF8(text []byte) bool {
	state := uint64(atRune)
	for _, b := range text {
		state = utf8Steps[b] >> (state & 63)
	}
	return state&63 == atRune
}
