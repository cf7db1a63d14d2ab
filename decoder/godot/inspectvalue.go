package godot

import (
	"fmt"
	"math"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// payload looks at what stands behind the header.
func (in *inspector) payload() {
	v, f, at := in.v, in.f, in.v.Head+4
	if v.Layout >= tree.Sequence {
		in.count()
	}
	switch typeOf(v.Type).shape {
	case shapeBool:
		if n := in.w.U32(at); n > 1 {
			in.warn(at, 4, finding{span.BoolValue, fmt.Sprintf("a bool of %d", n), "read as true", "make it 1"})
		}
	case shapeNumber:
		if f.isWide(in.w, v) {
			in.note(at, 8, finding{span.WideNumber, f.TypeName(v) + " in 64 bits, for which 32 are enough", "read all the same", "store it in 32 bits"})
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
		in.typedArray(at)
	case shapeBytes:
		in.padding(v.Body+v.Count, v.Tail, pad(v.Count), true, false)
	case shapeStrings:
		if n := in.w.U32(at); n >= 1<<31 && v.Count == 0 {
			in.warn(at, 4, finding{span.NegativeLength, fmt.Sprintf("%s counts %s", f.TypeName(v), span.Grouped(int64(int32(n)))), "read as empty", "make the count 0"})
		}
	}
	if f.Dialect.engine == enginePandemonium {
		in.pandemonium()
	}
}

// count looks at how many children v says that it has.
func (in *inspector) count() {
	v, at := in.v, in.v.Body-4
	n := in.w.U32(at)
	if hasSharedBit(v.Type) && n&shared != 0 {
		in.warn(at, 4, finding{span.SharedBit, "bit 31 of the count is set, an old mark that no engine writes", "ignored", fmt.Sprintf("make the count %d", n&^shared)})
	}
	if !v.Overcounted() {
		return
	}
	negative := n >= 1<<31 && !hasSharedBit(v.Type)
	if v.Type == tNodePath { // two counts; the flags stand before the names
		at, negative = v.Head+4, false
		if int64(v.Sub)*4 <= v.Limit-v.Body {
			at, negative = v.Head+8, in.w.U32(v.Head+8) >= 1<<31
		}
	}
	code := span.LengthOverrun
	if negative {
		code = span.NegativeLength
	}
	in.fail(at, 4, finding{code, fmt.Sprintf("%s counts %s, but %s left", in.f.TypeName(v), span.Grouped(v.Count), span.AreLeft(v.Limit-v.Body)),
		"loading fails at the first one missing (ERR_INVALID_DATA)", closeUp})
}

// isWide reports whether v is a number in 64 bits for which engines use 32. NaN
// they always write in 64.
func (f *Format) isWide(w *source.Window, v *tree.Value) bool {
	if v.Flags&flagWide == 0 || f.Dialect.noFlags {
		return false
	}
	bits := w.U64(v.Head + 4)
	if v.Type == tInt {
		return int64(bits) == int64(int32(bits))
	}
	return survives(math.Float64frombits(bits))
}

func (in *inspector) nodePath(at int64) {
	if in.w.U32(at)&shared == 0 {
		found := finding{span.OldNodePath, "a NodePath in the old form, as one string", failsData, ""}
		if _, ok := in.f.oldPath(in.w, in.v); ok {
			found.repair = "write it in the form of today, as names and subnames"
		}
		in.fail(at, 4, found)
		in.text(at, false, true)
		return
	}
	flags := in.w.U32(at + 8)
	found := finding{span.UnknownFlags, fmt.Sprintf("flags %#x mean nothing on a NodePath", flags&^3), "ignored", fmt.Sprintf("make the flags %#x", flags&1)}
	if flags&2 != 0 {
		if found.repair += ", and count one more subname"; in.w.U32(at+4) >= math.MaxInt32 {
			found.repair = ""
		}
		if flags&^3 == 0 {
			found.message, found.engine = "flag 2 on a NodePath, an old mark for one more subname that no engine writes", "one more subname is read"
		}
	}
	if flags&^1 != 0 {
		in.warn(at+8, 4, found)
	}
}

func (in *inspector) object(at int64) {
	v := in.v
	null := finding{span.NullObject, "a null object with a header of its own; engines write Nil", "read as null", "make it Nil"}
	if v.Flags&flagWide != 0 && !in.f.Dialect.noFlags {
		if in.w.U64(at) == 0 {
			in.note(at, 8, null)
		} else {
			in.note(at, 8, finding{span.ObjectByID, "an object stored as the id it had while the game ran; it cannot be restored", "becomes EncodedObjectAsID", ""})
		}
		return
	}
	n := int64(in.w.U32(at))
	if n == 0 {
		in.note(at, 4, null)
		return
	}
	in.text(at, false, false)
	in.note(at, 4+n, finding{span.ObjectInData, fmt.Sprintf("a whole object of class %s: loading it with objects allowed creates it", printable(in.w.View(at+4, n))),
		"refused unless objects are allowed (ERR_UNAUTHORIZED)", ""})
}

// script notes a property "script" that is not null.
func (in *inspector) script() {
	v := in.v
	if v.Damage != nil || in.w.U32(v.Start) != 6 || v.Limit-v.End < 8 || string(in.w.View(v.Start+4, 6)) != "script" {
		return
	}
	if t := in.f.Dialect.typeOf(in.w.U32(v.End)); t == tString || t == tObject && in.w.U32(v.End)>>16&flagWide == 0 {
		in.note(v.Start, v.End-v.Start, finding{span.RunsCode, "the object carries a script: loading it with objects allowed runs code", "the script is attached", ""})
	}
}

// containerType looks at an element type and returns the offset behind it.
func (in *inspector) containerType(at int64, kind uint16) int64 {
	switch kind {
	case kindBuiltin:
		if id := in.w.U32(at); id >= uint32(len(in.f.Dialect.table)) {
			in.noType(at, id)
		}
		return at + 4
	case kindClass, kindScript:
		in.text(at, false, false)
		n := int64(in.w.U32(at))
		if kind == kindScript {
			in.note(at, 4+n, finding{span.RunsCode, fmt.Sprintf("elements of the script %s", printable(in.w.View(at+4, n))), "the script is loaded", ""})
		}
		return at + 4 + n + pad(n)
	}
	return at
}

func (in *inspector) noType(at int64, id uint32) {
	in.fail(at, 4, finding{span.ContainerType, fmt.Sprintf("element type %d is no type", id), failsData, "make the container untyped"})
}

// typedArray looks at what stands before the count of a TypedArray.
func (in *inspector) typedArray(at int64) {
	v := in.v
	if in.w.U32(at)&shared != 0 {
		in.warn(at, 4, finding{span.SharedBit, "bit 31 of the element type is set, an old mark that no engine writes", "ignored", fmt.Sprintf("make the element type %d", v.Sub)})
	}
	if v.Sub >= uint32(len(in.f.Dialect.table)) {
		in.noType(at, v.Sub)
	} else if in.f.hasClass(v) {
		in.headerBits(at+4, in.f.Dialect.typeName(in.w.U32(at+4)), 0)
		in.text(at+8, false, false)
	}
}

// pandemonium tells what that engine's own reader gets wrong.
func (in *inspector) pandemonium() {
	v := in.v
	inside := in.parent.Type != tRaw && in.parent.Type != tStream
	switch {
	case v.Type == tProjection && v.Limit-v.End < 184:
		in.unread("a right Projection, which Pandemonium reads only with 184 more bytes behind it", "loading fails")
	case (v.Type == tVector4 || v.Type == tVector4i) && inside && v.End < v.Limit:
		in.unread("a right "+in.f.TypeName(v)+", of which Pandemonium skips only 12 bytes inside a container", "what follows is misread")
	case v.Type == tPoolVector4Array && v.Count > 0:
		in.unread("a right PoolVector4Array", "w is read as z")
	}
}

func (in *inspector) unread(message, engine string) {
	in.warn(in.v.Head, in.v.Tail-in.v.Head, finding{span.EngineReadBack, message, engine, ""})
}
