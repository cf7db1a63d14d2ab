package textual

import (
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// A Part is an element of a list that a text spells. The text stays one value, in one piece; the parts are
// children that lie in its bytes.
type Part struct {
	span.Span
	Type  uint16
	Text  bool   // it is text without quotes
	List  bool   // it is a list itself
	Items []Part // of a list
}

// maxDivided is the number of bytes of a text up to which it is divided into parts.
const maxDivided = 64 << 10

// partMark is between two parts.
const partMark = ", "

// divide makes the parts of a text its children, if it has any.
func (r *Reading) divide(w *source.Window, v *tree.Value) {
	at := textSpan(v)
	if r.Parts == nil || v.Flags&Unclosed != 0 || at.Length < 2 || at.Length > maxDivided || w.Byte(at.Offset) != '[' {
		return
	}
	if list, ok := r.Parts(w.View(at.Offset, at.Length), at.Offset); ok {
		contain(v, &list)
	}
}

func contain(v *tree.Value, list *Part) {
	v.Layout, v.Opaque, v.Count, v.Object = tree.Fixed, true, int64(len(list.Items)), list
}

// part reads a child of a text.
func (r *Reading) part(w *source.Window, in *tree.Value, slot tree.Slot, v *tree.Value) {
	p := &in.Object.(*Part).Items[slot.Index]
	*v = tree.Value{Start: p.Offset, Head: p.Offset, Body: p.Offset, Limit: in.Limit, Type: p.Type}
	v.Close(p.End())
	if slot.Index > 0 {
		v.Start -= int64(len(partMark))
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

// isPart reports whether what is in a value are the parts of a text.
func isPart(in *tree.Node) bool { return in != nil && in.Layout == tree.Fixed }
