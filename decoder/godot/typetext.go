package godot

import (
	"varview/decoder/source"
	"varview/decoder/tree"
)

// AppendType implements tree.Reading: the type as Godot writes it in code, with
// what a container holds: Array[int], Dictionary[String, Variant].
func (f *Format) AppendType(dst []byte, w *source.Window, v *tree.Value) []byte {
	dst = append(dst, f.TypeName(v)...)
	if v.Damage != nil {
		return dst
	}
	switch shape := typeOf(v.Type).shape; {
	case shape == shapeArray || shape == shapeTyped:
		if elem, _ := f.containerTypes(w, v); elem.kind != kindNone {
			return append(append(append(dst, '['), elem.short()...), ']')
		}
	case shape == shapeDict:
		if key, value := f.containerTypes(w, v); key.kind|value.kind != kindNone {
			return append(append(append(append(append(dst, '['), key.short()...), ", "...), value.short()...), ']')
		}
	case shape == shapeObject && v.Layout == tree.Pairs:
		n := int64(w.U32(v.Head + 4))
		return append(dst[:len(dst)-len("Object")], tree.AppendEscaped(nil, w.View(v.Head+8, min(n, 256)), 0)...)
	}
	return dst
}

// short is the name for a row of the tree: of a script only the file.
func (c containerType) short() string {
	name := c.name
	if c.kind == kindScript {
		for i := len(name) - 1; i >= 0; i-- {
			if name[i] == '/' {
				name = name[i+1:]
				break
			}
		}
	}
	if name == "" {
		name = "Variant"
	}
	return string(tree.AppendEscaped(nil, []byte(name), 0))
}
