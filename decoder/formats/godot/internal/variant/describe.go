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
