package damage

import (
	"bytes"
	"math"
	"unicode"

	"varview/decoder/godot/internal/types"
	"varview/decoder/source"
	"varview/decoder/tree"
)

// Oddness implements diagnose.Suspecter.
func (f Judge) Oddness(w *source.Window, parent *tree.Value, slot tree.Slot, v *tree.Value) (odd int) {
	if v.Damage != nil {
		return 0
	}
	s := suspecter{f: f.Format, w: w, v: v}
	at, t := v.Head+4, types.Of(v.Type)
	switch t.Shape {
	case types.ShapeText:
		if n := v.Tail - at - 4; n > 0 && !isReadable(w.View(at+4, min(n, maxText))) { // with its padding
			odd = 2
		}
	case types.ShapeNone:
		switch {
		case parent.Type == types.Raw:
			odd = 2 // nobody saves only that
		case slot.Key || v.Type == types.Callable:
			odd = 1
		}
	case types.ShapeRID, types.ShapeSignal:
		odd = 1
	case types.ShapeNumber:
		if v.Limit-at >= 8 {
			odd = s.oddNumbers(at, v.Type, v.Tail-at == 8, 1)
			if f.IsWide(w, v) { // no engine stores it so
				odd += 2
			}
		}
	case types.ShapeFixed:
		odd = s.oddNumbers(at, types.ID(v.Sub), false, v.Count)
	case types.ShapePacked:
		odd = s.oddNumbers(at+4, types.ID(v.Sub), false, min(v.Count*int64(max(1, len(t.Parts))), maxNumbers))
	}
	if parent.Layout < tree.Sequence || parent.Start == v.Start {
		return odd
	}
	switch {
	case slot.Key && types.Of(parent.Type).Shape == types.ShapeDict && t.Shape != types.ShapeText && v.Type != types.Int:
		odd += 2
	case parent.Type == types.Array && slot.Index > 0, parent.Type == types.Dictionary && slot.Key && slot.Index > 0:
		first := f.Dialect.TypeOf(w.U32(parent.Body))
		if first != v.Type && !(isNumber(first) && isNumber(v.Type)) {
			odd++
		}
	}
	return odd
}

func isNumber(t types.ID) bool { return t == types.Int || t == types.Float }

// maxText is the number of bytes of a string that are examined.
const maxText = 32

// oddNumbers counts those of n numbers that hardly any game stores: floats far from 1
// except 0, integers of more than 20 bits.
func (s *suspecter) oddNumbers(at int64, t types.ID, wide bool, n int64) (odd int) {
	for i := range n {
		switch {
		case t == types.Float && wide, t == types.Float64:
			odd += oddFloat(math.Float64frombits(s.w.U64(at+8*i)), s.w.View(at+8*i, 8))
		case t == types.Float, t == types.Float32:
			odd += oddFloat(float64(math.Float32frombits(s.w.U32(at+4*i))), s.w.View(at+4*i, 4))
		case t == types.Int && wide, t == types.Int64:
			odd += oddInt(int64(s.w.U64(at + 8*i)))
		default:
			odd += oddInt(int64(int32(s.w.U32(at + 4*i))))
		}
	}
	return min(odd, maxNumbers)
}

// maxNumbers is the number of elements of an array that are examined.
const maxNumbers = 64

func oddUnless(usual bool) int {
	if usual {
		return 0
	}
	return 2
}

// oddFloat returns how unlikely a number is, given its bytes too: small integers and text
// that are read as floats are far from 1, or made of letters.
func oddFloat(x float64, stored []byte) int {
	switch x = math.Abs(x); {
	case x == 0:
		return 0
	case x >= 1e-6 && x <= 1e9:
		return oddUnless(!isWord(stored))
	}
	return 2
}

// isWord reports whether bytes are a part of a word.
func isWord(b []byte) bool {
	for _, c := range b {
		if c != '_' && !('0' <= c && c <= '9') && !('A' <= c && c <= 'Z') && !('a' <= c && c <= 'z') {
			return false
		}
	}
	return true
}

func oddInt(x int64) int {
	if x >= -1<<20 && x <= 1<<20 {
		return 0
	}
	return 1
}

// isReadable reports whether bytes look like text: they have no control characters
// except padding.
func isReadable(text []byte) bool {
	text = bytes.TrimRight(text, "\x00")
	return len(text) > 0 && !bytes.ContainsFunc(text, unicode.IsControl)
}
