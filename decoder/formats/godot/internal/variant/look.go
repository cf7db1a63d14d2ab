package variant

import (
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/numeric"
	"varview/decoder/formats/godot/internal/types"
)

// Look implements tree.Looker.
func (f *Format) Look(w *source.Window, v *tree.Value) tree.Look {
	switch v.Type {
	case types.Element:
		if types.Of(types.ID(v.Sub)).Parts[0] == "r" {
			return tree.Look{Form: tree.FormColor}
		}
		return tree.Look{Form: tree.FormVector}
	case types.Color:
		return tree.Look{Form: tree.FormColor}
	case types.Quat, types.Quaternion:
		return tree.Look{Form: tree.FormQuaternion}
	case types.Basis, types.Transform, types.Transform3D:
		return tree.Look{Form: tree.FormBasis}
	case types.String:
		return tree.LookAtText(w, span.Span{Offset: v.Head + 8, Length: f.TextLength(w, v, v.Head+4)})
	case types.Bool:
		return numberLook(w, types.Int32, v.Head+4, tree.Bool)
	case types.Int, types.Float:
		is := storedAs(v)
		return numberLook(w, is, v.Head+4, numberKinds[is])
	case types.Byte, types.Int32, types.Int64, types.Float32, types.Float64:
		return numberLook(w, v.Type, v.Start, numberKinds[v.Type])
	}
	return shapeLook(v)
}

// storedAs returns the type as which an int or a float is stored.
func storedAs(v *tree.Value) types.ID {
	narrow, wide := types.Int32, types.Int64
	if v.Type == types.Float {
		narrow, wide = types.Float32, types.Float64
	}
	if v.Tail-v.Head > 8 {
		return wide
	}
	return narrow
}

var numberKinds = map[types.ID]tree.ScalarKind{types.Byte: tree.Uint, types.Int32: tree.Int, types.Int64: tree.Int, types.Float32: tree.Float32, types.Float64: tree.Float64}

// shapeLook returns how a value is drawn of whose type only the shape matters.
func shapeLook(v *tree.Value) tree.Look {
	t := types.Of(v.Type)
	switch t.Shape {
	case types.ShapeFixed:
		return tree.Look{Form: tree.FormVector}
	case types.ShapeArray, types.ShapeTyped:
		return tree.Look{Form: tree.FormList}
	case types.ShapeBytes:
		return tree.Look{Form: tree.FormData, Data: span.Span{Offset: v.Body, Length: v.Count}}
	case types.ShapePacked:
		switch {
		case len(t.Parts) == 2, len(t.Parts) == 3:
			return tree.Look{Form: tree.FormPoints}
		case len(t.Parts) > 0 && t.Parts[0] == "r":
			return tree.Look{Form: tree.FormColors}
		}
		return tree.Look{Form: tree.FormList}
	}
	return tree.Look{}
}

// numberLook returns the look of the number stored as t at off.
func numberLook(w *source.Window, t types.ID, off int64, kind tree.ScalarKind) tree.Look {
	n := tree.Number{Kind: kind, Bits: numeric.BitsAt(w, t, off), At: span.Span{Offset: off, Length: types.Width(t)}, Big: w.IsBigEndian()}
	if t == types.Int32 {
		n.Bits = uint64(int64(int32(n.Bits)))
	}
	if kind == tree.Bool && n.Bits != 0 {
		n.Bits = 1
	}
	return tree.Look{Form: tree.FormNumber, Number: n}
}
