package godot

import (
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// A fielder lists fields one behind the other, up to where the value was
// understood.
type fielder struct {
	fields []span.Field
	w      *source.Window
	at     int64
	tail   int64
}

// put adds a field of n bytes unless it is empty or not all there; it reports
// whether reading may go on behind it.
func (e *fielder) put(n int64, kind span.Kind, label string) bool {
	if e.at+n > e.tail {
		return false
	}
	if n > 0 {
		e.fields = append(e.fields, span.Field{Span: span.Span{Offset: e.at, Length: n}, Kind: kind, Label: label})
		e.at += n
	}
	return true
}

// text adds a string: length, bytes, a NUL that the length counts, padding.
func (e *fielder) text(label string, nul bool) bool {
	n := int64(e.w.U32(e.at))
	if !e.put(4, span.Length, "length") {
		return false
	}
	end := e.at + n
	if nul && n > 0 && end <= e.tail && e.w.Byte(end-1) == 0 {
		e.put(n-1, span.Text, label)
		e.put(1, span.Terminator, "terminator")
	} else if !e.put(n, span.Text, label) {
		return false
	}
	return e.put(min(pad(n), e.tail-e.at), span.Padding, "padding")
}

// Fields implements tree.Format.
func (f *Format) Fields(w *source.Window, parent, v *tree.Value, fields []span.Field) []span.Field {
	e := &fielder{fields: fields, w: w, at: v.Start, tail: v.Tail}
	if v.Layout >= tree.Sequence {
		e.tail = v.Body
	}
	switch v.Type {
	case tRaw, tStream:
		e.put(v.Body-v.Start, span.Gap, "gap")
		return e.fields
	case tElement:
		return fields
	case tByte:
		return fields
	case tInt32, tInt64, tFloat32, tFloat64:
		e.put(v.End-v.Start, span.Value, "value")
		return e.fields
	case tName:
		e.text("property name", false)
		return e.fields
	case tPart:
		e.text("name", false)
		return e.fields
	case tEntry:
		e.text("text", true)
		return e.fields
	}
	if v.Head > v.Start {
		e.put(4, span.Length, "frame length")
	}
	if e.put(2, span.Type, "type") && e.put(2, span.Flags, "flags") {
		f.payloadFields(e, v)
	}
	return e.fields
}

// payloadFields lists what stands behind the header.
func (f *Format) payloadFields(e *fielder, v *tree.Value) {
	rest := e.tail - e.at
	switch t := &types[v.Type]; t.shape {
	case shapeBool, shapeNumber:
		e.put(rest, span.Value, "value")
	case shapeText:
		e.text("text", false)
	case shapePath:
		f.nodePathFields(e)
	case shapeRID:
		e.put(rest, span.ID, "id")
	case shapeObject:
		if v.Flags&flagWide != 0 && !f.Dialect.noFlags {
			e.put(8, span.ID, "object id")
		} else if e.text("class", false) {
			e.put(4, span.Length, "property count")
		}
	case shapeSignal:
		if e.text("signal name", false) {
			e.put(8, span.ID, "object id")
		}
	case shapeDict:
		if !f.Dialect.typed || e.containerType(v.Flags&3, "key type") && e.containerType(v.Flags>>2&3, "value type") {
			e.put(4, span.Length, "count")
		}
	case shapeArray:
		if !f.Dialect.typed || e.containerType(v.Flags&3, "element type") {
			e.put(4, span.Length, "count")
		}
	case shapeTyped:
		f.typedArrayFields(e, v)
	case shapeBytes:
		n := int64(e.w.U32(e.at))
		if e.put(4, span.Length, "count") && e.put(n, span.Data, "bytes") {
			e.put(e.tail-e.at, span.Padding, "padding")
		}
	case shapePacked, shapeStrings:
		e.put(4, span.Length, "count")
	}
}

func (f *Format) nodePathFields(e *fielder) {
	if e.at+4 <= e.tail && e.w.U32(e.at)&shared == 0 {
		e.text("path", false)
		return
	}
	_ = e.put(4, span.Length, "name count") && e.put(4, span.Length, "subname count") && e.put(4, span.Flags, "path flags")
}

// containerType lists what bits of a header announce about elements.
func (e *fielder) containerType(kind uint16, label string) bool {
	switch kind {
	case kindBuiltin:
		return e.put(4, span.Type, label)
	case kindClass:
		return e.text(label+" class", false)
	case kindScript:
		return e.text(label+" script", false)
	}
	return true
}

func (f *Format) typedArrayFields(e *fielder, v *tree.Value) {
	if !e.put(4, span.Type, "element type") {
		return
	}
	if f.hasClass(v) {
		if !e.put(2, span.Type, "class name type") || !e.put(2, span.Flags, "class name flags") || !e.text("class", false) {
			return
		}
	}
	e.put(4, span.Length, "count")
}
