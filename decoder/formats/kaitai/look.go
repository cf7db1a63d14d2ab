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
func (r *reading) Look(_ *source.Window, v *tree.Value) tree.Look {
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
		return tree.Look{Form: tree.FormNumber, Number: numberOf(n)}
	}
	return tree.Look{}
}

// numberOf returns a number with its bytes.
func numberOf(n *node) tree.Number {
	t, x := n.cell.Type, n.cell.Val
	number := tree.Number{Kind: tree.Uint, Bits: x.N, At: span.Between(n.cell.Start, n.cell.End), Big: n.owner.IsBig(t)}
	switch {
	case t.Kind == spec.Float && t.Size == 4:
		number.Kind, number.Bits = tree.Float32, uint64(math.Float32bits(float32(x.Float())))
	case x.Kind == expr.Float:
		number.Kind = tree.Float64
	case t.Kind == spec.Signed:
		number.Kind = tree.Int
	}
	return number
}
