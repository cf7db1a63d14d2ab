package encode

import (
	"varview/decoder/formats/godot/internal/literal"
	"varview/decoder/formats/godot/internal/types"
)

// container writes an Array, Dictionary or TypedArray.
func (e *Encoder) container(l *literal.Literal) error {
	n := len(l.Children)
	if l.Kind == types.Dictionary {
		n /= 2
	}
	e.ContainerHeader(l)
	e.U32(uint32(n))
	return e.children(l)
}

// ContainerHeader writes the fields of a container before its count.
func (e *Encoder) ContainerHeader(l *literal.Literal) {
	switch types.Of(l.Kind).Shape {
	case types.ShapeTyped:
		e.typedHeader(l)
	case types.ShapeStrings:
		e.Header(l.Kind, 0)
	default:
		e.Header(l.Kind, uint32(l.Elem.Kind|l.Value.Kind<<2))
		e.containerType(l.Elem)
		e.containerType(l.Value)
	}
}

func (e *Encoder) containerType(c types.ContainerType) {
	switch c.Kind {
	case types.KindBuiltin:
		e.U32(e.Format.Dialect.BuiltinID(c))
	case types.KindClass, types.KindScript:
		e.PutString([]byte(c.Name))
	}
}

// typedHeader writes the fields of a TypedArray before its count. Object without a
// class is the element type of objects stored as ids.
func (e *Encoder) typedHeader(l *literal.Literal) {
	object, _ := e.Format.Dialect.IDOf(types.Object)
	switch {
	case l.Elem.Kind == types.KindClass:
		e.Header(l.Kind, 0)
		e.U32(object)
		e.Header(types.StringName, 0)
		e.PutString([]byte(l.Elem.Name))
	case l.Elem.Kind == types.KindNone:
		e.Header(l.Kind, 0)
		e.U32(0)
	case e.Format.Dialect.BuiltinID(l.Elem) == object:
		e.Header(l.Kind, types.WideFlag)
		e.U32(object)
	default:
		e.Header(l.Kind, 0)
		e.containerType(l.Elem)
	}
}

// packed writes a packed array of numbers or vectors.
func (e *Encoder) packed(l *literal.Literal) error {
	t := types.Of(l.Kind)
	e.Header(l.Kind, 0)
	e.U32(uint32(len(l.Children) / t.Each()))
	err := e.Components(l, e.Format.Component(t, false))
	if t.Shape == types.ShapeBytes {
		e.Pad(len(l.Children))
	}
	return err
}
