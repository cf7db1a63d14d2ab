package damage

import (
	"bytes"
	"math"
	"slices"
	"unicode"

	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/value/notation"
)

// Oddness implements diagnose.Suspecter.
func (f Judge) Oddness(w *source.Window, parent *tree.Value, slot tree.Slot, v *tree.Value) (odd int) {
	s := suspecter{f: f.Format, w: w, v: v}
	if v.Damage != nil {
		return s.oddRest()
	}
	odd = s.oddContent(parent, slot)
	if parent.Layout < tree.Sequence || parent.Start == v.Start {
		return odd
	}
	isKey := types.Of(v.Type).Shape == types.ShapeText || v.Type == types.Int // as most are
	switch {
	case slot.Key && v.Layout >= tree.Sequence:
		odd += 4 // hardly anybody writes a container as a key
	case slot.Key && !isKey && types.Of(parent.Type).Shape == types.ShapeDict:
		odd += 2
	case slot.Index > 0 && (parent.Type == types.Array || parent.Type == types.Dictionary && slot.Key):
		if !areAlike(f.Dialect.TypeOf(w.U32(parent.Body)), v.Type) {
			odd++
		}
	}
	return odd
}

// areAlike reports whether types are the same, or both numbers.
func areAlike(a, b types.ID) bool { return a == b || isNumber(a) && isNumber(b) }

// oddNull returns how odd a value without content is.
func oddNull(parent *tree.Value, slot tree.Slot, v *tree.Value) int {
	switch {
	case parent.Type == types.Raw:
		return 2 // nobody saves only that
	case slot.Key || v.Type == types.Callable:
		return 1
	}
	return 0
}

// oddContent returns how odd the type and the content of a value are by themselves.
func (s *suspecter) oddContent(parent *tree.Value, slot tree.Slot) (odd int) {
	w, v, at, t := s.w, s.v, s.v.Head+4, types.Of(s.v.Type)
	switch t.Shape {
	case types.ShapeText:
		if n := v.Tail - at - 4; n > 0 && !isReadable(w.View(at+4, min(n, maxText))) { // with its padding
			odd = 2
		}
	case types.ShapeNone:
		odd = oddNull(parent, slot, v)
	case types.ShapeRID:
		odd = 1
	case types.ShapeSignal:
		odd = 1 + 2*s.oddText(at) + s.oddID(v.Tail-8)
	case types.ShapeStrings:
		odd = s.oddStrings(at)
	case types.ShapeObject:
		if v.Flags&types.WideFlag != 0 {
			odd = s.oddID(at)
		}
	case types.ShapeNumber:
		odd = s.oddNumber(at)
	case types.ShapeFixed:
		odd = s.oddNumbers(at, types.ID(v.Sub), false, v.Count)
	case types.ShapePacked:
		odd = s.oddNumbers(at+4, types.ID(v.Sub), false, min(v.Count*int64(t.Each()), maxNumbers))
	}
	return odd
}

// oddRest counts the odd numbers of a value that is cut off, as far as it exists.
func (s *suspecter) oddRest() int {
	at, t := s.v.Head+4, types.Of(s.v.Type)
	component := s.f.Component(t, s.v.Flags&types.WideFlag != 0)
	switch t.Shape {
	case types.ShapePacked:
		at += 4
	case types.ShapeFixed:
	default:
		return 0
	}
	width := int64(types.Width(component))
	if width == 0 || !s.v.Damage.IsShortage() {
		return 0
	}
	return min(maxOddRest, s.oddNumbers(at, component, false, min(max(0, s.v.Limit-at)/width, maxNumbers)))
}

// maxOddRest is the largest oddness of the numbers of a cut-off value: it may be cut off because a header
// of the game was read as a length.
const maxOddRest = 2

func isNumber(t types.ID) bool { return t == types.Int || t == types.Float }

// oddText returns how unlike text the string at an offset is. Empty strings are common.
func (s *suspecter) oddText(at int64) int {
	n := int64(s.w.U32(at))
	return oddUnless(n == 0 || isReadable(s.w.View(at+4, min(n, maxText))))
}

// maxText is the number of bytes of a string that are examined.
const maxText = 32

// oddStrings adds up how unlike text the NUL-terminated strings of an array are.
func (s *suspecter) oddStrings(at int64) (odd int) {
	at += 4
	for range min(s.v.Count, maxStrings) {
		n := int64(s.w.U32(at))
		if n != 1 || s.w.Byte(at+4) != 0 {
			odd += s.oddText(at)
		}
		at += 4 + n + types.Pad(n)
	}
	return odd
}

// maxStrings is the number of elements of an array of strings that are examined.
const maxStrings = 16

// oddNumbers counts those of n numbers that hardly any game stores: floats far from 1 except 0, integers of
// more than 20 bits.
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

// oddFour returns how unlike typical values of a type its four floats are: a rotation has the length 1, so
// has the normal of a plane, parts of a colour are from 0 to 1, and the size of a rectangle is positive.
func (s *suspecter) oddFour(at int64, t, component types.ID) (odd int) {
	var x [4]float64
	for i := range x {
		if x[i] = float64(math.Float32frombits(s.w.U32(at + 4*int64(i)))); component == types.Float64 {
			x[i] = math.Float64frombits(s.w.U64(at + 8*int64(i)))
		}
	}
	normal := x[0]*x[0] + x[1]*x[1] + x[2]*x[2]
	isRotation, isPlane := isOne(normal+x[3]*x[3]), isOne(normal)
	isColour := min(x[0], x[1], x[2], x[3]) >= 0 && max(x[0], x[1], x[2], x[3]) <= 1
	switch t {
	case types.Quat, types.Quaternion:
		return oddUnless(isRotation)
	case types.Plane:
		return oddUnless(isPlane)
	case types.Color:
		return oddUnless(isColour)
	case types.Rect2:
		return oddUnless(x[2] > 0 && x[3] > 0 && !isRotation && !isPlane && !isColour)
	case types.Vector4:
		return oddUnless(false)
	}
	return 0
}

// oddID returns how unlike the id of an object a number is. Godot 4 counts objects in the
// bits from 24 on, with a place in a table below them; other engines count from 1 on.
func (s *suspecter) oddID(at int64) int {
	id := s.w.U64(at) &^ (1 << 63)
	if s.f.Dialect.Engine == types.EngineGodot4 {
		id >>= 24
	}
	return oddUnless(id > 0 && id < 1<<31)
}

func isOne(x float64) bool { return math.Abs(x-1) < 1e-4 }

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
	return !slices.ContainsFunc(b, func(c byte) bool { return !notation.IsWord(c) })
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

// oddNumber returns how odd an int or a float is.
func (s *suspecter) oddNumber(at int64) int {
	if s.v.Limit-at < 8 {
		return 0
	}
	odd := s.oddNumbers(at, s.v.Type, s.v.Tail-at == 8, 1)
	if s.f.IsWide(s.w, s.v) { // no engine stores it so
		odd += 2
	}
	return odd
}
