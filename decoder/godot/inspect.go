package godot

import (
	"fmt"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// Nesting implements tree.Format.
func (f *Format) Nesting() (int, string) {
	return int(f.Dialect.depth), "loading fails (ERR_OUT_OF_MEMORY)"
}

// Shortage implements tree.Format.
func (f *Format) Shortage() string { return "loading fails (ERR_INVALID_DATA)" }

// An inspector reports what is unusual about one value.
type inspector struct {
	f      *Format
	w      *source.Window
	parent *tree.Value
	v      *tree.Value
	report func(span.Problem)
}

// Inspect implements tree.Format.
func (f *Format) Inspect(w *source.Window, parent *tree.Value, slot tree.Slot, v *tree.Value, report func(span.Problem)) {
	if parent != nil && !f.isOrdinary(w, parent, v) {
		in := inspector{f, w, parent, v, report}
		in.inspect(slot)
	}
}

// isOrdinary reports at one look that there is nothing to tell of v. It knows
// only what most values of most files are.
func (f *Format) isOrdinary(w *source.Window, parent, v *tree.Value) bool {
	if parent.Sub != 0 || v.Start != v.Head || v.Damage != nil || w.U32(v.Head)&^(flagWide<<16|0xff) != 0 {
		return false
	}
	switch v.Type {
	case tInt, tFloat:
		return v.Flags == 0 || !f.Dialect.noFlags
	case tString:
		return v.Flags == 0 && isPlainText(w, v.Head+4, v.End)
	case tDictionary, tArray:
		return v.Flags == 0 && !v.Overcounted()
	case tNil, tVector2, tVector3, tColor:
		return v.Flags == 0
	}
	return false
}

func (in *inspector) inspect(slot tree.Slot) {
	v := in.v
	switch v.Type {
	case tPart: // its padding is uninitialised memory in real files
		in.text(v.Start, false, true)
		return
	case tEntry:
		in.text(v.Start, true, false)
		return
	case tName:
		in.text(v.Start, false, false)
		in.script()
		return
	case tByte, tInt32, tInt64, tFloat32, tFloat64, tElement, tRaw, tStream:
		return
	}
	if v.Head > v.Start {
		in.frame()
	}
	if v.Type == tUnknown || v.Tail != tree.Unknown && v.Tail < v.Head+4 {
		return
	}
	in.header(slot)
	if v.Damage == nil {
		in.payload()
	}
}

func (in *inspector) warn(at, length int64, code, message, engine string) {
	in.report(span.Problem{Span: span.Span{Offset: at, Length: length}, Severity: span.Warning, Code: code, Message: message, Engine: engine})
}

func (in *inspector) fail(at, length int64, code, message, engine string) {
	in.report(span.Problem{Span: span.Span{Offset: at, Length: length}, Severity: span.Error, Code: code, Message: message, Engine: engine})
}

func (in *inspector) note(at, length int64, code, message, engine string) {
	in.report(span.Problem{Span: span.Span{Offset: at, Length: length}, Severity: span.Note, Code: code, Message: message, Engine: engine})
}

func (in *inspector) frame() {
	if n := int64(in.f.frameLength(in.w, in.v.Start)); in.v.Head+n > in.parent.Limit {
		in.fail(in.v.Start, 4, span.LengthOverrun,
			fmt.Sprintf("a frame of %s, but %s left", span.Bytes(n), span.AreLeft(in.parent.Limit-in.v.Head)), "get_var fails (ERR_FILE_EOF)")
	}
}

// header looks at the type id, the flags, and whether the container wants such
// a value.
func (in *inspector) header(slot tree.Slot) {
	v := in.v
	header := in.w.U32(v.Head)
	if header&0xff00 != 0 {
		in.warn(v.Head, 2, span.HighTypeBits, fmt.Sprintf("type id %d: engines look at the low 8 bits only, which say %s", header&0xffff, in.f.TypeName(v)), "read as "+in.f.TypeName(v))
	}
	if unknown := v.Flags &^ in.f.knownFlags(v.Type); unknown != 0 {
		in.warn(v.Head+2, 2, span.UnknownFlags, fmt.Sprintf("flags %#x mean nothing on %s", unknown, in.f.TypeName(v)), "ignored")
	}
	if in.parent.Sub != 0 {
		in.element(slot)
	}
}

// knownFlags are the flag bits that mean something on a type.
func (f *Format) knownFlags(t typeID) uint16 {
	if f.Dialect.noFlags {
		return 0
	}
	switch t {
	case tInt, tFloat, tObject, tTypedArray, tPackedTypedArray:
		return flagWide
	case tArray:
		if f.Dialect.typed {
			return 3
		}
	case tDictionary:
		if f.Dialect.typed {
			return 15
		}
	default:
		if types[t].wide && f.Dialect.wideParts {
			return flagWide
		}
	}
	return 0
}

// element checks the value against the element type of the container it is in.
func (in *inspector) element(slot tree.Slot) {
	w, v := in.f.wants(in.parent, slot), in.v
	if w.takes(v.Type) {
		return
	}
	wantType, name := w.t, w.name
	message := fmt.Sprintf("%s in a container of %s", in.f.TypeName(v), name)
	switch {
	case in.parent.Type == tDictionary && !slot.Key:
		in.warn(v.Head, 2, span.ElementType, message, "accepted")
	case wantType == tInt && v.Type == tFloat || wantType == tFloat && v.Type == tInt:
		in.warn(v.Head, 2, span.ElementType, message, "converted")
	default:
		in.fail(v.Head, 2, span.ElementType, message, "dropped")
	}
}

// payload looks at what stands behind the header.
func (in *inspector) payload() {
	v, f, at := in.v, in.f, in.v.Head+4
	if v.Layout >= tree.Sequence && v.Overcounted() {
		in.fail(v.Body-4, 4, span.LengthOverrun,
			fmt.Sprintf("%s counts %d, but %s left", f.TypeName(v), v.Count, span.AreLeft(v.Limit-v.Body)), "loading fails at the first one missing (ERR_INVALID_DATA)")
	}
	switch types[v.Type].shape {
	case shapeBool:
		if n := in.w.U32(at); n > 1 {
			in.warn(at, 4, span.BoolValue, fmt.Sprintf("a bool of %d", n), "read as true")
		}
	case shapeText, shapeSignal:
		in.text(at, false, false)
	case shapePath:
		in.nodePath(at)
	case shapeObject:
		in.object(at)
	case shapeArray:
		if f.Dialect.typed {
			in.containerType(at, v.Flags&3)
		}
	case shapeDict:
		if f.Dialect.typed {
			in.containerType(in.containerType(at, v.Flags&3), v.Flags>>2&3)
		}
	case shapeTyped:
		if v.Sub >= uint32(len(f.Dialect.table)) {
			in.fail(at, 4, span.ContainerType, fmt.Sprintf("element type %d is no type", v.Sub), "loading fails")
		} else if f.hasClass(v) {
			in.text(at+8, false, false)
		}
	case shapeBytes:
		in.padding(v.Body+v.Count, v.Tail, pad(v.Count), true)
	}
	if f.Dialect.engine == enginePandemonium {
		in.pandemonium()
	}
}

func (in *inspector) nodePath(at int64) {
	if in.w.U32(at)&shared == 0 {
		in.fail(at, 4, span.OldNodePath, "a NodePath in the old form, as one string", "loading fails (ERR_INVALID_DATA)")
		in.text(at, false, true)
	}
}

func (in *inspector) object(at int64) {
	v := in.v
	if v.Flags&flagWide != 0 && !in.f.Dialect.noFlags {
		if id := in.w.U64(at); id != 0 {
			in.note(at, 8, span.ObjectByID, "an object stored as the id it had while the game ran; it cannot be restored", "becomes EncodedObjectAsID")
		}
		return
	}
	if n := int64(in.w.U32(at)); n > 0 {
		in.text(at, false, false)
		in.note(at, 4+n, span.ObjectInData, fmt.Sprintf("a whole object of class %s: loading it with objects allowed creates it", printable(in.w.View(at+4, n))),
			"refused unless objects are allowed (ERR_UNAUTHORIZED)")
	}
}

// script notes a property "script" that is not null.
func (in *inspector) script() {
	v := in.v
	if v.Damage != nil || in.w.U32(v.Start) != 6 || v.Limit-v.End < 8 || string(in.w.View(v.Start+4, 6)) != "script" {
		return
	}
	if t := in.f.Dialect.typeOf(in.w.U32(v.End)); t == tString || t == tObject && in.w.U32(v.End)>>16&flagWide == 0 {
		in.note(v.Start, v.End-v.Start, span.RunsCode, "the object carries a script: loading it with objects allowed runs code", "the script is attached")
	}
}

// containerType looks at an element type and returns the offset behind it.
func (in *inspector) containerType(at int64, kind uint16) int64 {
	switch kind {
	case kindBuiltin:
		if id := in.w.U32(at); id >= uint32(len(in.f.Dialect.table)) {
			in.fail(at, 4, span.ContainerType, fmt.Sprintf("element type %d is no type", id), "loading fails (ERR_INVALID_DATA)")
		}
		return at + 4
	case kindClass, kindScript:
		in.text(at, false, false)
		n := int64(in.w.U32(at))
		if kind == kindScript {
			in.note(at, 4+n, span.RunsCode, fmt.Sprintf("elements of the script %s", printable(in.w.View(at+4, n))), "the script is loaded")
		}
		return at + 4 + n + pad(n)
	}
	return at
}

// pandemonium tells what that engine's own reader gets wrong.
func (in *inspector) pandemonium() {
	v := in.v
	inside := in.parent.Type != tRaw && in.parent.Type != tStream
	switch {
	case v.Type == tProjection && v.Limit-v.End < 184:
		in.warn(v.Head, v.Tail-v.Head, span.EngineReadBack, "a right Projection, which Pandemonium reads only with 184 more bytes behind it", "loading fails")
	case (v.Type == tVector4 || v.Type == tVector4i) && inside && v.End < v.Limit:
		in.warn(v.Head, v.Tail-v.Head, span.EngineReadBack, "a right "+in.f.TypeName(v)+", of which Pandemonium skips only 12 bytes inside a container", "what follows is misread")
	case v.Type == tPoolVector4Array && v.Count > 0:
		in.warn(v.Head, v.Tail-v.Head, span.EngineReadBack, "a right PoolVector4Array", "w is read as z")
	}
}
