package textual

import (
	"strconv"

	"varview/decoder/engine/lazy"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/value/notation"
)

// divide gives a value parts: the numbers in its text from an offset on. It remains one value, in one
// piece.
func divide(v *tree.Value, parts int, inside int64) {
	if parts > 0 && v.Damage == nil {
		v.Body, v.Layout, v.Count, v.Opaque = inside, tree.Fixed, int64(parts), true
	}
}

// divideText divides quoted text that stands for a value with numbers, or for a list.
func (r *Reading) divideText(w *source.Window, v *tree.Value) {
	if r.Inside != nil && v.Tail-v.Head <= maxSpelled {
		divide(v, r.Inside(w.View(v.Head, v.Tail-v.Head)), v.Body)
	}
	if at := textSpan(v); v.Layout == tree.Leaf && r.Elements != nil && v.Flags&Unclosed == 0 && at.Length >= 2 && at.Length <= maxDivided && w.Byte(at.Offset) == '[' {
		if list, ok := r.Elements(w.View(at.Offset, at.Length), at.Offset); ok {
			contain(v, &list)
		}
	}
}

// readPart reads the i-th part of a value.
func (r *Reading) readPart(w *source.Window, in *tree.Value, i int64, v *tree.Value) {
	if list, ok := in.Object.(*Element); ok {
		list.Items[i].read(w, in, i, v)
		return
	}
	b := w.View(in.Body, in.Tail-in.Body)
	_, typ := r.Part(r.token(w, in), in, i)
	from, to := number(b, i)
	start := in.Body + int64(from)
	*v = tree.Value{Start: start, Head: start, Body: in.Body + int64(to), Limit: in.Limit, Type: typ}
	v.Close(v.Body)
}

func (r *Reading) token(w *source.Window, v *tree.Value) []byte {
	return w.All(span.Between(v.Head, v.Tail))
}

// number returns the range of the i-th number in a text. A word before a colon is not a number.
func number(b []byte, i int64) (from, to int) {
	for to = 0; to < len(b); to++ {
		for from = to; to < len(b) && (notation.IsWord(b[to]) || b[to] == '.' || b[to] == '-' || b[to] == '+'); to++ {
		}
		if to > from && (to == len(b) || b[to] != ':') {
			if i--; i < 0 {
				return from, to
			}
		}
	}
	return len(b), len(b)
}

// PartName implements tree.Parter.
func (r *Reading) PartName(w *source.Window, v *tree.Value, i int64) string {
	if v.Object != nil {
		return ""
	}
	name, _ := r.Part(r.token(w, v), v, i)
	return name
}

// AppendType implements tree.TypeWriter.
func (r *Reading) AppendType(dst []byte, w *source.Window, v *tree.Value) []byte {
	if v.Layout == tree.Fixed && v.Object == nil && r.Typed != nil {
		if name := r.Typed(r.token(w, v)); name != "" {
			return append(dst, name...)
		}
	}
	return append(dst, r.TypeName(v)...)
}

// PartForm implements tree.Parter.
func (r *Reading) PartForm(w *source.Window, v *tree.Value) tree.Form {
	switch {
	case v.Type == buffer || r.Form == nil || v.Object != nil:
		return tree.FormList
	case v.Layout == tree.Sequence:
		return r.Form(nil, v)
	}
	return r.Form(r.token(w, v), v)
}

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
