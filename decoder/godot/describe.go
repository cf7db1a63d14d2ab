package godot

import (
	"strconv"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// maxFieldText bounds the decoded text of one field; more is cut with "…".
const maxFieldText = 64 << 10

// AppendField implements tree.Reading.
func (f *Format) AppendField(dst []byte, w *source.Window, v *tree.Value, field span.Field) []byte {
	at := field.Offset
	switch field.Kind {
	case span.Type:
		if field.Length == 2 {
			return append(dst, f.Dialect.typeName(uint32(w.U16(at)))...)
		}
		return append(dst, f.Dialect.elementName(w.U32(at)&^shared)...)
	case span.Flags:
		if field.Length == 2 {
			return strconv.AppendUint(dst, uint64(w.U16(at)), 10)
		}
		return strconv.AppendUint(dst, uint64(w.U32(at)), 10)
	case span.Length:
		return f.appendLength(dst, w, v, field)
	case span.Value:
		return f.appendPayload(dst, w, v, at, styleShort)
	case span.ID:
		return strconv.AppendUint(dst, w.U64(at), 10)
	case span.Text:
		dst = tree.AppendEscaped(dst, w.View(at, min(field.Length, maxFieldText)), 0)
		if field.Length > maxFieldText {
			dst = append(dst, "…"...)
		}
		return dst
	}
	return tree.AppendHex(dst, w.View(at, min(field.Length, 64)), field.Length)
}

func (f *Format) appendLength(dst []byte, w *source.Window, v *tree.Value, field span.Field) []byte {
	n := w.U32(field.Offset)
	switch {
	case field.Label == "frame length":
		n = f.frameLength(w, field.Offset)
	case field.Label == "name count":
		n &^= shared
	case field.Label == "count" && n&shared != 0 && hasSharedBit(v.Type):
		dst = strconv.AppendUint(dst, uint64(n&^shared), 10)
		return append(dst, " shared"...)
	}
	return strconv.AppendUint(dst, uint64(n), 10)
}

func hasSharedBit(t typeID) bool {
	return t == tDictionary || t == tArray || t == tTypedArray || t == tPackedTypedArray
}

// appendPayload appends the number or bool at off that v stands for.
func (f *Format) appendPayload(dst []byte, w *source.Window, v *tree.Value, off int64, s style) []byte {
	switch v.Type {
	case tBool:
		return strconv.AppendBool(dst, w.U32(off) != 0)
	case tInt, tFloat:
		return f.appendScalar(dst, w, v, s)
	}
	return appendNumber(dst, w, v.Type, off, s)
}

// AppendStep implements tree.Reading: Godot's own notation for keys, indexes,
// components and properties.
func (f *Format) AppendStep(dst []byte, r *tree.Reader, parent *tree.Value, slot tree.Slot, key *tree.Value) []byte {
	if key != nil {
		return appendKeyStep(dst, r, key)
	}
	switch t := typeOf(parent.Type); {
	case parent.Type == tRaw:
		return dst
	case t.shape == shapeFixed && slot.Index < int64(len(t.parts)):
		return append(append(dst, '.'), t.parts[slot.Index]...)
	case parent.Type == tElement:
		return append(append(dst, '.'), typeOf(typeID(parent.Sub)).parts[slot.Index]...)
	case t.shape == shapePath:
		if names := int64(parent.Sub); slot.Index >= names {
			return tree.AppendIndexStep(append(dst, ".subnames"...), slot.Index-names)
		}
		return tree.AppendIndexStep(append(dst, ".names"...), slot.Index)
	}
	return tree.AppendIndexStep(dst, slot.Index)
}

func appendKeyStep(dst []byte, r *tree.Reader, key *tree.Value) []byte {
	if (key.Type == tString || key.Type == tName) && key.Damage == nil {
		at := key.Start
		if key.Type == tString {
			at = key.Head + 4
		}
		n := int64(r.Window().U32(at))
		if n <= tree.MaxKey {
			return tree.AppendTextStep(dst, r.Window().View(at+4, n))
		}
	}
	dst = append(dst, '[')
	dst = r.AppendLiteral(dst, key, tree.MaxKey)
	return append(dst, ']')
}
