package godot

import (
	"fmt"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// Nesting implements tree.Reading.
func (f *Format) Nesting() (int, string) {
	return int(f.Dialect.depth), "loading fails (ERR_OUT_OF_MEMORY)"
}

// Shortage implements tree.Reading.
func (f *Format) Shortage() string { return failsData }

// What engines do with what they refuse.
const (
	failsData = "loading fails (ERR_INVALID_DATA)"
	failsEnd  = "loading fails (ERR_FILE_EOF)"
)

// An inspector reports what is unusual about one value.
type inspector struct {
	f      *Format
	w      *source.Window
	parent *tree.Value
	v      *tree.Value
	report func(span.Problem)
}

// Inspect implements tree.Reading.
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
		return v.Flags == 0
	case tString:
		return v.Flags == 0 && isPlainText(w, v.Head+4, v.End)
	case tDictionary, tArray:
		return v.Flags == 0 && !v.Overcounted() && w.U32(v.Head+4)&shared == 0
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
		in.terminator()
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

// A finding is a problem but for its span and severity.
type finding struct{ code, message, engine, repair string }

func (in *inspector) tell(s span.Severity, at, length int64, f finding) {
	in.report(span.Problem{Span: span.Span{Offset: at, Length: length}, Severity: s, Code: f.code, Message: f.message, Engine: f.engine, Repair: f.repair})
}

func (in *inspector) note(at, length int64, f finding) { in.tell(span.Note, at, length, f) }

func (in *inspector) warn(at, length int64, f finding) { in.tell(span.Warning, at, length, f) }

func (in *inspector) fail(at, length int64, f finding) { in.tell(span.Error, at, length, f) }

func (in *inspector) frame() {
	n, left := int64(in.f.frameLength(in.w, in.v.Start)), in.parent.Limit-in.v.Head
	if n > left {
		in.fail(in.v.Start, 4, finding{span.LengthOverrun, fmt.Sprintf("a frame of %s, but %s left", span.Bytes(n), span.AreLeft(left)),
			"get_var fails (ERR_FILE_EOF)", closeUp})
	}
}

// header looks at the type id, the flags, and whether the container wants such
// a value.
func (in *inspector) header(slot tree.Slot) {
	v := in.v
	in.headerBits(v.Head, in.f.TypeName(v), in.f.knownFlags(v.Type))
	if in.parent.Sub != 0 {
		in.element(slot)
	}
}

// headerBits looks at bits of the header at an offset that engines ignore.
func (in *inspector) headerBits(at int64, name string, known uint16) {
	header := in.w.U32(at)
	if header&0xff00 != 0 {
		in.warn(at, 2, finding{span.HighTypeBits, fmt.Sprintf("type id %d: engines look at the low 8 bits only, which say %s", header&0xffff, name),
			"read as " + name, fmt.Sprintf("make the type id %d", header&0xff)})
	}
	if flags := uint16(header >> 16); flags&^known != 0 {
		in.warn(at+2, 2, finding{span.UnknownFlags, fmt.Sprintf("flags %#x mean nothing on %s", flags&^known, name),
			"ignored", fmt.Sprintf("make the flags %#x", flags&known)})
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
		if typeOf(t).wide && f.Dialect.wideParts {
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
	found := finding{span.ElementType, fmt.Sprintf("%s in a container of %s", in.f.TypeName(v), w.name), "dropped", "make the container untyped"}
	if in.f.converts(in.w, v, w.t) {
		found.repair = "make it " + article(w.name)
	}
	numbers := w.t == tInt && v.Type == tFloat || w.t == tFloat && v.Type == tInt
	switch {
	case in.parent.Type == tDictionary && !slot.Key:
		found.engine = "accepted"
		in.warn(v.Head, 2, found)
	case numbers && typeOf(in.parent.Type).shape != shapeTyped: // Pandemonium drops these too
		found.engine = "converted"
		in.warn(v.Head, 2, found)
	default:
		in.fail(v.Head, 2, found)
	}
}

// article is a name of a number type behind "a" or "an".
func article(name string) string {
	if name == "int" {
		return "an int"
	}
	return "a " + name
}
