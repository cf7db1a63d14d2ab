package variant

import (
	"fmt"
	"math"

	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/types"
)

// payload inspects the bytes after the header.
func (in *inspector) payload() {
	v, f, at := in.v, in.f, in.v.Head+4
	if v.Layout >= tree.Sequence {
		in.count()
	}
	switch types.Of(v.Type).Shape {
	case types.ShapeBool:
		if n := in.w.U32(at); n > 1 {
			in.warn(at, 4, problem{span.BoolValue, fmt.Sprintf("a bool of %d", n), "read as true", "set it to 1"})
		}
	case types.ShapeNumber:
		if f.IsWide(in.w, v) {
			in.note(at, 8, problem{span.WideNumber, f.TypeName(v) + " in 64 bits, for which 32 are enough", "accepted", "store it in 32 bits"})
		}
	case types.ShapeText, types.ShapeSignal:
		in.text(at, false, false)
	case types.ShapePath:
		in.nodePath(at)
	case types.ShapeObject:
		in.object(at)
	case types.ShapeArray, types.ShapeDict:
		in.contentTypes(at)
	case types.ShapeTyped:
		in.typedArray(at)
	case types.ShapeBytes:
		in.padding(v.Body+v.Count, v.Tail, types.Pad(v.Count), true, false)
	case types.ShapeStrings:
		in.negativeCount(at)
	}
	if f.Dialect.Engine == types.EnginePandemonium {
		in.pandemonium()
	}
}

// count inspects the number of children that v declares.
func (in *inspector) count() {
	v, at := in.v, in.v.Body-4
	n := in.w.U32(at)
	if types.HasSharedBit(v.Type) && n&types.SharedBit != 0 {
		in.warn(at, 4, problem{span.SharedBit, "bit 31 of the count is set, an obsolete bit that no engine writes", "ignored", fmt.Sprintf("set the count to %d", n&^types.SharedBit)})
	}
	if !v.Overcounted() {
		return
	}
	negative := n >= 1<<31 && !types.HasSharedBit(v.Type)
	if v.Type == types.NodePath { // two counts, with the flags between them and the names
		at, negative = v.Head+4, false
		if int64(v.Sub)*4 <= v.Limit-v.Body {
			at, negative = v.Head+8, in.w.U32(v.Head+8) >= 1<<31
		}
	}
	code := span.LengthOverrun
	if negative {
		code = span.NegativeLength
	}
	in.fail(at, 4, problem{code, fmt.Sprintf("%s counts %s, but %s left", in.f.TypeName(v), span.Grouped(v.Count), span.BytesAre(v.Limit-v.Body)),
		"loading fails at the first one missing (ERR_INVALID_DATA)", repairShortage})
}

func (in *inspector) nodePath(at int64) {
	if in.w.U32(at)&types.SharedBit == 0 {
		p := problem{span.OldNodePath, "a NodePath in the old form, as one string", failsData, ""}
		if _, ok := OldPath(in.w, in.v); ok {
			p.repair = "rewrite it in the current form, as names and subnames"
		}
		in.fail(at, 4, p)
		in.text(at, false, true)
		return
	}
	flags := in.w.U32(at + 8)
	p := problem{span.UnknownFlags, fmt.Sprintf("flags %#x have no meaning on a NodePath", flags&^3), "ignored", fmt.Sprintf("set the flags to %#x", flags&1)}
	if flags&2 != 0 {
		if p.repair += ", and add 1 to the count of subnames"; in.w.U32(at+4) >= math.MaxInt32 {
			p.repair = ""
		}
		if flags&^3 == 0 {
			p.message, p.engine = "flag 2 on a NodePath, an obsolete bit for one more subname that no engine writes", "one more subname is read"
		}
	}
	if flags&^1 != 0 {
		in.warn(at+8, 4, p)
	}
}

func (in *inspector) object(at int64) {
	v := in.v
	null := problem{span.NullObject, "a null object with a header of its own; engines write Nil", "read as null", "make it Nil"}
	if v.Flags&types.WideFlag != 0 && !in.f.Dialect.NoFlags {
		if in.w.U64(at) == 0 {
			in.note(at, 8, null)
		} else {
			in.note(at, 8, problem{span.ObjectByID, "an object stored as the id it had while the game ran; it cannot be restored", "becomes EncodedObjectAsID", ""})
		}
		return
	}
	n := int64(in.w.U32(at))
	if n == 0 {
		in.note(at, 4, null)
		return
	}
	in.text(at, false, false)
	in.note(at, 4+n, problem{span.ObjectInData, fmt.Sprintf("a whole object of class %s: loading it with objects allowed creates it", Printable(in.w.View(at+4, n))),
		"refused unless objects are allowed (ERR_UNAUTHORIZED)", ""})
}

// SourceProperty is the property of a script that holds its source.
const SourceProperty = "script/source"

// script reports a property "script" that is not null, and the source of a script.
func (in *inspector) script() {
	v := in.v
	n := in.w.U32(v.Start)
	if v.Damage != nil || n != 6 && n != uint32(len(SourceProperty)) || v.Limit-v.End < 8 {
		return
	}
	t := in.f.Dialect.TypeOf(in.w.U32(v.End))
	switch string(in.w.View(v.Start+4, int64(n))) {
	case "script":
		if t == types.String || t == types.Object && in.w.U32(v.End)>>16&types.WideFlag == 0 {
			in.note(v.Start, v.End-v.Start, problem{span.RunsCode, "the object carries a script: loading it with objects allowed runs code", "the script is attached", ""})
		}
	case SourceProperty:
		if t == types.String && in.w.U32(v.End+4) > 0 {
			in.note(v.Start, v.End-v.Start, problem{span.RunsCode, "the source of a script: loading the object with objects allowed compiles it", "the script is compiled", ""})
		}
	}
}

// containerType inspects an element type and returns the offset after it.
func (in *inspector) containerType(at int64, kind uint16) int64 {
	switch kind {
	case types.KindBuiltin:
		if id := in.w.U32(at); id >= uint32(len(in.f.Dialect.Table)) {
			in.noType(at, id)
		}
		return at + 4
	case types.KindClass, types.KindScript:
		in.text(at, false, false)
		n := int64(in.w.U32(at))
		if kind == types.KindScript {
			in.note(at, 4+n, problem{span.RunsCode, fmt.Sprintf("elements of the script %s", Printable(in.w.View(at+4, n))), "the script is loaded", ""})
		}
		return at + 4 + n + types.Pad(n)
	}
	return at
}

func (in *inspector) noType(at int64, id uint32) {
	in.fail(at, 4, problem{span.ContainerType, fmt.Sprintf("unknown element type %d", id), failsData, "make the container untyped"})
}

// typedArray inspects the fields of a TypedArray before its count.
func (in *inspector) typedArray(at int64) {
	v := in.v
	if in.w.U32(at)&types.SharedBit != 0 {
		in.warn(at, 4, problem{span.SharedBit, "bit 31 of the element type is set, an obsolete bit that no engine writes", "ignored", fmt.Sprintf("set the element type to %d", v.Sub)})
	}
	if v.Sub >= uint32(len(in.f.Dialect.Table)) {
		in.noType(at, v.Sub)
	} else if in.f.HasClass(v) {
		in.headerBits(at+4, in.f.Dialect.TypeName(in.w.U32(at+4)), 0)
		in.text(at+8, false, false)
	}
}

// pandemonium reports sound values that this engine's own reader misreads.
func (in *inspector) pandemonium() {
	v := in.v
	inside := in.parent.Type != types.Raw && in.parent.Type != types.Stream
	switch {
	case v.Type == types.Projection && v.Limit-v.End < 184:
		in.unread("a valid Projection, which Pandemonium reads only if 184 more bytes follow", "loading fails")
	case (v.Type == types.Vector4 || v.Type == types.Vector4i) && inside && v.End < v.Limit:
		in.unread("a valid "+in.f.TypeName(v)+"; inside a container Pandemonium skips only 12 bytes of it", "what follows is misread")
	case v.Type == types.PoolVector4Array && v.Count > 0:
		in.unread("a valid PoolVector4Array", "w is read as z")
	}
}

func (in *inspector) unread(message, engine string) {
	in.warn(in.v.Head, in.v.Tail-in.v.Head, problem{span.EngineReadBack, message, engine, ""})
}

// contentTypes inspects the types of what is in a container.
func (in *inspector) contentTypes(at int64) {
	if !in.f.Dialect.Typed {
		return
	}
	at = in.containerType(at, in.v.Flags&3)
	if types.Of(in.v.Type).Shape == types.ShapeDict {
		in.containerType(at, in.v.Flags>>2&3)
	}
}

// negativeCount inspects the count of an array of strings.
func (in *inspector) negativeCount(at int64) {
	if n := in.w.U32(at); n >= 1<<31 && in.v.Count == 0 {
		in.warn(at, 4, problem{span.NegativeLength, fmt.Sprintf("%s counts %s", in.f.TypeName(in.v), span.Grouped(int64(int32(n)))), "read as empty", "set the count to 0"})
	}
}
