package block

import (
	"math"

	"varview/decoder/elephant/internal/datatype"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// Look implements tree.Looker.
func (f *Reading) Look(w *source.Window, v *tree.Value) tree.Look {
	width := datatype.Width(v.Type)
	switch {
	case v.Refers:
		return tree.Look{}
	case v.Type == datatype.Array:
		return tree.Look{Form: tree.FormList}
	case width == 0 || v.Layout != tree.Leaf || v.Tail-width < v.Start:
		return tree.Look{}
	}
	at := span.Span{Offset: v.Tail - width, Length: width}
	d := datatype.NumberAt(w, v.Type, at.Offset)
	n := tree.Number{Kind: tree.Uint, Bits: d.Bits, At: at}
	switch v.Type {
	case datatype.Bool:
		n.Kind = tree.Bool
	case datatype.S8:
		n.Kind, n.Bits = tree.Int, uint64(int64(int8(d.Bits)))
	case datatype.S16:
		n.Kind, n.Bits = tree.Int, uint64(int64(int16(d.Bits)))
	case datatype.S32:
		n.Kind, n.Bits = tree.Int, uint64(int64(int32(d.Bits)))
	case datatype.F16, datatype.F32, datatype.F64:
		n.Kind, n.Bits = tree.Float64, math.Float64bits(d.Float())
	}
	return tree.Look{Form: tree.FormNumber, Number: n}
}
