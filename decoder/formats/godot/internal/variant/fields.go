package variant

import (
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/types"
)

// A fieldLister lists the fields of a value up to where it could be read.
type fieldLister struct {
	span.Lister
	w *source.Window
}

// text adds a string: length, bytes, a NUL that the length counts, padding.
func (e *fieldLister) text(label string, nul bool) bool {
	n := int64(e.w.U32(e.At))
	if !e.Put(4, span.Length, "length") {
		return false
	}
	end := e.At + n
	if nul && n > 0 && end <= e.Tail && e.w.Byte(end-1) == 0 {
		e.Put(n-1, span.Text, label)
		e.Put(1, span.Terminator, "terminator")
	} else if !e.Put(n, span.Text, label) {
		return false
	}
	return e.Put(min(types.Pad(n), e.Tail-e.At), span.Padding, "padding")
}

// Fields implements tree.Reading.
func (f *Format) Fields(w *source.Window, parent, v *tree.Value, fields []span.Field) []span.Field {
	e := &fieldLister{span.Lister{Fields: fields, At: v.Start, Tail: v.Tail}, w}
	if v.Layout >= tree.Sequence {
		e.Tail = v.Body
	}
	switch v.Type {
	case types.Raw, types.Stream:
		e.Put(v.Body-v.Start, span.Gap, "gap")
	case types.Element, types.Byte:
	case types.Int32, types.Int64, types.Float32, types.Float64:
		e.Put(v.End-v.Start, span.Value, "value")
	case types.Name:
		e.text("property name", false)
	case types.Part, types.Property:
		switch {
		case v.Type == types.Part && !f.Dialect.Resource:
			e.text("name", false)
		case w.U32(v.Start)&inPlace == 0:
			e.Put(4, span.Ref, "name")
		default:
			e.inPlace()
		}
	case types.Entry:
		e.text("text", true)
	default:
		f.valueFields(e, v)
	}
	return e.Fields
}

// valueFields lists the fields of a value with a header.
func (f *Format) valueFields(e *fieldLister, v *tree.Value) {
	if v.Head > v.Start {
		e.Put(4, span.Length, "frame length")
	}
	if f.Dialect.Resource {
		if e.Put(4, span.Type, "type") && !f.resourceFields(e, v) {
			f.payloadFields(e, v)
		}
	} else if e.Put(2, span.Type, "type") && e.Put(2, span.Flags, "flags") {
		f.payloadFields(e, v)
	}
}

// payloadFields lists the fields after the header.
func (f *Format) payloadFields(e *fieldLister, v *tree.Value) {
	rest := e.Tail - e.At
	switch t := types.Of(v.Type); t.Shape {
	case types.ShapeBool, types.ShapeNumber:
		e.Put(rest, span.Value, "value")
	case types.ShapeText:
		e.text("text", false)
	case types.ShapePath:
		f.nodePathFields(e)
	case types.ShapeRID:
		e.Put(rest, span.ID, "id")
	case types.ShapeObject:
		f.objectFields(e, v)
	case types.ShapeSignal:
		if e.text("signal name", false) {
			e.Put(8, span.ID, "object id")
		}
	case types.ShapeDict, types.ShapeArray:
		if !f.Dialect.Typed || e.contentTypes(t.Shape, v.Flags) {
			e.Put(4, span.Length, "count")
		}
	case types.ShapeTyped:
		f.typedArrayFields(e, v)
	case types.ShapeBytes:
		e.bytes()
	case types.ShapePacked, types.ShapeStrings:
		e.Put(4, span.Length, "count")
	}
}

func (f *Format) nodePathFields(e *fieldLister) {
	if e.At+4 <= e.Tail && e.w.U32(e.At)&types.SharedBit == 0 {
		e.text("path", false)
		return
	}
	_ = e.Put(4, span.Length, "name count") && e.Put(4, span.Length, "subname count") && e.Put(4, span.Flags, "path flags")
}

// containerType lists the fields of a container type.
func (e *fieldLister) containerType(kind uint16, label string) bool {
	switch kind {
	case types.KindBuiltin:
		return e.Put(4, span.Type, label)
	case types.KindClass:
		return e.text(label+" class", false)
	case types.KindScript:
		return e.text(label+" script", false)
	}
	return true
}

func (f *Format) typedArrayFields(e *fieldLister, v *tree.Value) {
	if !e.Put(4, span.Type, "element type") {
		return
	}
	if f.HasClass(v) {
		if !e.Put(2, span.Type, "class name type") || !e.Put(2, span.Flags, "class name flags") || !e.text("class", false) {
			return
		}
	}
	e.Put(4, span.Length, "count")
}

// contentTypes puts the fields of the types of what is in a container, and reports whether there is room for them.
func (e *fieldLister) contentTypes(of types.Shape, flags uint16) bool {
	if of == types.ShapeArray {
		return e.containerType(flags&3, "element type")
	}
	return e.containerType(flags&3, "key type") && e.containerType(flags>>2&3, "value type")
}

// objectFields lists the fields of an object before its properties.
func (f *Format) objectFields(e *fieldLister, v *tree.Value) {
	if v.Flags&types.WideFlag != 0 && !f.Dialect.NoFlags {
		e.Put(8, span.ID, "object id")
	} else if e.text("class", false) {
		e.Put(4, span.Length, "property count")
	}
}

// bytes puts the fields of counted bytes.
func (e *fieldLister) bytes() {
	n := int64(e.w.U32(e.At))
	if e.Put(4, span.Length, "count") && e.Put(n, span.Data, "bytes") {
		e.Put(e.Tail-e.At, span.Padding, "padding")
	}
}
