package variant

import (
	"strconv"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/numeric"
	"varview/decoder/formats/godot/internal/types"
)

// AppendField implements tree.Reading.
func (f *Format) AppendField(dst []byte, w *source.Window, v *tree.Value, field span.Field) []byte {
	at := field.Offset
	switch field.Kind {
	case span.Type:
		switch {
		case field.Label == "kind":
			return append(dst, types.Of(v.Type).Name...)
		case field.Length == 2 || f.Dialect.Resource:
			return append(dst, f.headerName(w, field)...)
		}
		return append(dst, f.Dialect.ElementName(w.U32(at)&^types.SharedBit)...)
	case span.Flags:
		flags := w.U32(at)
		if field.Length == 2 {
			flags = uint32(w.U16(at))
		}
		return strconv.AppendUint(dst, uint64(flags), 10)
	case span.Length:
		return f.appendLength(dst, w, v, field)
	case span.Value:
		return AppendPayload(dst, w, v, at, numeric.StyleShort)
	case span.Ref:
		return f.appendReference(dst, w, v, at)
	case span.ID:
		if f.Dialect.Resource {
			return strconv.AppendUint(dst, f.RID(w, v), 10)
		}
		return strconv.AppendUint(dst, w.U64(at), 10)
	case span.Text:
		return tree.AppendText(dst, w, field.Span)
	}
	return tree.AppendData(dst, w, field.Span)
}

// appendReference appends what a field refers to: a resource, or a name.
func (f *Format) appendReference(dst []byte, w *source.Window, v *tree.Value, at int64) []byte {
	if v.Type != types.Part && v.Type != types.Property {
		return append(dst, f.ReferenceID(w, v)...)
	}
	if text, _, ok := f.NameAt(w, at); ok {
		return tree.AppendText(dst, w, text)
	}
	return strconv.AppendUint(dst, uint64(w.U32(at)), 10)
}

// headerName returns the name of the type in the field of a header.
func (f *Format) headerName(w *source.Window, field span.Field) string {
	if field.Length == 2 {
		return f.Dialect.TypeName(uint32(w.U16(field.Offset)))
	}
	return f.Dialect.TypeName(w.U32(field.Offset))
}

func (f *Format) appendLength(dst []byte, w *source.Window, v *tree.Value, field span.Field) []byte {
	n := w.U32(field.Offset)
	switch {
	case field.Length == 2: // a count of parts of a NodePath
		n = uint32(w.U16(field.Offset)) & 0x7fff
	case field.Label == "frame length":
		n = f.FrameLength(w, field.Offset)
	case field.Label == "name count":
		n &^= types.SharedBit
	case field.Label == "count" && n&types.SharedBit != 0 && types.HasSharedBit(v.Type):
		dst = strconv.AppendUint(dst, uint64(n&^types.SharedBit), 10)
		return append(dst, " shared"...)
	}
	return strconv.AppendUint(dst, uint64(n), 10)
}

// AppendPayload appends the number or bool v, whose digits start at off if it is a
// part of a value.
func AppendPayload(dst []byte, w *source.Window, v *tree.Value, off int64, s numeric.Style) []byte {
	switch v.Type {
	case types.Bool:
		return strconv.AppendBool(dst, w.U32(off) != 0)
	case types.Int, types.Float:
		return AppendScalar(dst, w, v, s)
	}
	return numeric.AppendAt(dst, w, v.Type, off, s)
}

// AppendType implements tree.TypeWriter in the notation of code: Array[int],
// Dictionary[String, Variant].
func (f *Format) AppendType(dst []byte, w *source.Window, v *tree.Value) []byte {
	dst = append(dst, f.TypeName(v)...)
	if v.Damage != nil {
		return dst
	}
	switch shape := types.Of(v.Type).Shape; {
	case shape == types.ShapeArray || shape == types.ShapeTyped:
		if elem, _ := f.ContainerTypes(w, v); elem.Kind != types.KindNone {
			return append(append(append(dst, '['), elem.Short()...), ']')
		}
	case shape == types.ShapeDict:
		if key, value := f.ContainerTypes(w, v); key.Kind|value.Kind != types.KindNone {
			return append(append(append(append(append(dst, '['), key.Short()...), ", "...), value.Short()...), ']')
		}
	case shape == types.ShapeObject && v.Layout == tree.Pairs:
		n := int64(w.U32(v.Head + 4))
		return append(dst[:len(dst)-len("Object")], tree.AppendEscaped(nil, w.View(v.Head+8, min(n, 256)), 0)...)
	}
	return dst
}

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
