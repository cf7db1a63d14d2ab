package textual

import (
	"strconv"

	"varview/decoder/engine/lazy"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// An Element is an element of a list that a text spells. The text remains one value, in one piece; the
// elements are children that lie in its bytes.
type Element struct {
	span.Span
	Type  uint16
	Text  bool      // it is text without quotes
	List  bool      // it is a list itself
	Items []Element // elements of a list
}

// maxDivided is the length in bytes of the longest text that is divided into elements.
const maxDivided = 64 << 10

// elementMark is between two elements.
const elementMark = ", "

func contain(v *tree.Value, list *Element) {
	v.Layout, v.Opaque, v.Count, v.Object = tree.Fixed, true, int64(len(list.Items)), list
}

// read reads the i-th element of a text.
func (p *Element) read(w *source.Window, in *tree.Value, i int64, v *tree.Value) {
	*v = tree.Value{Start: p.Offset, Head: p.Offset, Body: p.Offset, Limit: in.Limit, Type: p.Type}
	v.Close(p.End())
	if i > 0 {
		v.Start -= int64(len(elementMark))
	}
	if p.Text {
		v.Flags = Quoted | Bare
		for _, c := range w.View(p.Offset, p.Length) {
			v.Flags |= flagOf(c)
		}
	}
	if p.List {
		contain(v, p)
	}
}

// isList reports whether the children of a value are the elements of a text.
func isList(in *tree.Node) bool { return in != nil && in.Layout == tree.Fixed && in.Object != nil }

// sixDecimals is a number as native runners of GameMaker write it.
var sixDecimals = lazy.Regexp(`^-?[0-9]+\.[0-9]{6}$`)

// SixDecimals returns a number with six decimals if the old one had six, and if they suffice; otherwise nil.
func SixDecimals(number, old []byte) []byte {
	if !sixDecimals().Match(old) {
		return nil
	}
	x, err := strconv.ParseFloat(string(number), 64)
	fixed := strconv.FormatFloat(x, 'f', 6, 64)
	if back, badly := strconv.ParseFloat(fixed, 64); err != nil || badly != nil || back != x {
		return nil
	}
	return []byte(fixed)
}
