package variant

import (
	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/types"
)

// Constraint returns what parent accepts at a slot.
func (f *Format) Constraint(parent *tree.Value, slot tree.Slot) types.Constraint {
	id := uint32(0)
	switch parent.Type {
	case types.Array:
		id = parent.Sub & 0xff
	case types.Dictionary:
		if id = parent.Sub & 0xff; !slot.Key {
			id = parent.Sub >> 8 & 0xff
		}
	case types.TypedArray, types.PackedTypedArray:
		id = parent.Sub + 1
	}
	switch {
	case id <= 1: // untyped, or typed as Variant
		return types.Constraint{Any: true}
	case id == anyObject:
		return types.Constraint{T: types.Object, Name: "Object"}
	}
	w := types.Constraint{T: f.Dialect.TypeOf(id - 1), Name: f.Dialect.TypeName(id - 1)}
	w.Any = w.T == types.Unknown
	return w
}

// maxName bounds the name of a class or script that is copied into memory.
const maxName = 4096

// ContainerType reads the container type at off and returns the offset after it.
func (f *Format) ContainerType(w *source.Window, off int64, kind uint16) (types.ContainerType, int64) {
	switch kind {
	case types.KindBuiltin:
		return types.ContainerType{Kind: kind, Name: f.Dialect.ElementName(w.U32(off))}, off + 4
	case types.KindClass, types.KindScript:
		n := int64(w.U32(off))
		return types.ContainerType{Kind: kind, Name: string(w.View(off+4, min(n, maxName)))}, off + 4 + n + types.Pad(n)
	}
	return types.ContainerType{}, off
}

// ContainerTypes returns the declared types of a typed container: of its elements, or of the keys and the
// values of a Dictionary.
func (f *Format) ContainerTypes(w *source.Window, v *tree.Value) (elem, value types.ContainerType) {
	switch types.Of(v.Type).Shape {
	case types.ShapeArray, types.ShapeDict:
		if !f.Dialect.Typed {
			break
		}
		elem, at := f.ContainerType(w, v.Head+4, v.Flags&3)
		if v.Type == types.Dictionary {
			value, _ = f.ContainerType(w, at, v.Flags>>2&3)
		}
		return elem, value
	case types.ShapeTyped:
		if f.HasClass(v) {
			n := int64(w.U32(v.Head + 12))
			return types.ContainerType{Kind: types.KindClass, Name: string(w.View(v.Head+16, min(n, maxName)))}, value
		} else if v.Sub != 0 {
			return types.ContainerType{Kind: types.KindBuiltin, Name: f.Dialect.ElementName(v.Sub)}, value
		}
	}
	return elem, value
}

// HasClass reports whether a TypedArray names the class of its elements.
func (f *Format) HasClass(v *tree.Value) bool {
	return v.Sub <= 0xff && f.Dialect.TypeOf(v.Sub) == types.Object && v.Flags&types.WideFlag == 0
}
