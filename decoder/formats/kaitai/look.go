package kaitai

import (
	"math"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/kaitai/expr"
	"varview/decoder/formats/kaitai/spec"
)

// Choices implements tree.Described: the names in the enum of the value.
func (r *reading) Choices(v *tree.Value) []string {
	defer r.lock()()
	if n := r.nodeOf(v); n != nil && n.attr != nil && n.attr.Enum != nil {
		return n.attr.Enum.Order
	}
	return nil
}

// Look implements tree.Looker: numbers and bytes are drawn if they are in the file, and so are arrays of
// them.
func (r *reading) Look(w *source.Window, v *tree.Value) tree.Look {
	if p := partOf(v); p != nil {
		return p.look(w, v)
	}
	defer r.lock()()
	n := r.nodeOf(v)
	t := n.cell.Type
	switch {
	case n.inner != nil && n.inFile && n.embedded.isHere:
		return n.embedded.read.Look(&n.inner.Value)
	case !n.inFile || t == nil || n.cell.Bad != nil:
		return tree.Look{}
	case n.array() != nil:
		return tree.Look{Form: tree.FormList}
	case t.Kind == spec.RawBytes:
		return tree.Look{Form: tree.FormData, Data: span.Between(n.cell.Body, n.cell.Tail)}
	case t.Kind == spec.Unsigned || t.Kind == spec.Signed || t.Kind == spec.Float:
		return lookOf(t, n.cell.Val, span.Between(n.cell.Start, n.cell.End), n.owner.IsBig(t))
	}
	return tree.Look{}
}

func (p *planned) look(w *source.Window, v *tree.Value) tree.Look {
	switch {
	case p.kind == listPart:
		return tree.Look{Form: tree.FormList}
	case p.kind == numberPart:
		return lookOf(p.typ, p.number(w, v), v.Span(), p.typ.Endian == spec.Big)
	case p.kind == bytesPart && !p.isText:
		return tree.Look{Form: tree.FormData, Data: p.body(v)}
	}
	return tree.Look{}
}

// lookOf returns how a number is drawn.
func lookOf(t *spec.TypeRef, x expr.Value, at span.Span, isBig bool) tree.Look {
	number := tree.Number{Kind: tree.Uint, Bits: x.N, At: at, Big: isBig}
	switch {
	case t.Kind == spec.Float && t.Size == 4:
		number.Kind, number.Bits = tree.Float32, uint64(math.Float32bits(float32(x.Float())))
	case x.Kind == expr.Float:
		number.Kind = tree.Float64
	case t.Kind == spec.Signed:
		number.Kind = tree.Int
	}
	return tree.Look{Form: tree.FormNumber, Number: number}
}
