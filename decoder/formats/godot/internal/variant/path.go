package variant

import (
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/types"
)

// AppendStep implements tree.Stepper with the engine's notation for components and
// the parts of a NodePath.
func (f *Format) AppendStep(dst []byte, r *tree.Reader, parent *tree.Value, slot tree.Slot, key *tree.Value) []byte {
	if key != nil {
		return f.appendKeyStep(dst, r, key)
	}
	switch t := types.Of(parent.Type); {
	case parent.Type == types.Raw:
		return dst
	case t.Shape == types.ShapeFixed && slot.Index < int64(len(t.Parts)):
		return append(append(dst, '.'), t.Parts[slot.Index]...)
	case parent.Type == types.Element:
		return append(append(dst, '.'), types.Of(types.ID(parent.Sub)).Parts[slot.Index]...)
	case t.Shape == types.ShapePath:
		if names := int64(parent.Sub); slot.Index >= names {
			return tree.AppendIndexStep(append(dst, ".subnames"...), slot.Index-names)
		}
		return tree.AppendIndexStep(append(dst, ".names"...), slot.Index)
	}
	return tree.AppendIndexStep(dst, slot.Index)
}

func (f *Format) appendKeyStep(dst []byte, r *tree.Reader, key *tree.Value) []byte {
	if key.Type == types.Property {
		text, _, _ := f.NameAt(r.Window(), key.Start)
		if text.Length <= tree.MaxKey {
			return tree.AppendTextStep(dst, r.Window().View(text.Offset, text.Length))
		}
	}
	if (key.Type == types.String || key.Type == types.Name) && key.Damage == nil {
		at := key.Start
		if key.Type == types.String {
			at = key.Head + 4
		}
		n := f.TextLength(r.Window(), key, at)
		if n <= tree.MaxKey {
			return tree.AppendTextStep(dst, r.Window().View(at+4, n))
		}
	}
	dst = append(dst, '[')
	dst = r.AppendLiteral(dst, key, tree.MaxKey)
	return append(dst, ']')
}
