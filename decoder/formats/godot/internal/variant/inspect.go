package variant

import (
	"fmt"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/types"
)

// Traits implements tree.Traited.
func (f *Format) Traits() tree.Traits {
	return tree.Traits{Levels: int(f.Dialect.Depth), TooDeep: "loading fails (ERR_OUT_OF_MEMORY)", Shortage: failsData}
}

// What engines do with data that they refuse.
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

// Inspect implements tree.Inspector.
func (f *Format) Inspect(w *source.Window, parent *tree.Value, slot tree.Slot, v *tree.Value, report func(span.Problem)) {
	if parent != nil {
		in := inspector{f, w, parent, v, report}
		in.inspect(slot)
	}
}

func (in *inspector) inspect(slot tree.Slot) {
	v := in.v
	switch v.Type {
	case types.Part: // its padding is uninitialised memory in real files
		in.text(v.Start, false, true)
		return
	case types.Entry:
		in.text(v.Start, true, false)
		in.terminator()
		return
	case types.Name:
		in.text(v.Start, false, false)
		in.script()
		return
	case types.Byte, types.Int32, types.Int64, types.Float32, types.Float64, types.Element, types.Raw, types.Stream:
		return
	}
	if v.Head > v.Start {
		in.frame()
	}
	if v.Type == types.Unknown || v.Tail != tree.Unknown && v.Tail < v.Head+4 {
		return
	}
	in.header(slot)
	if v.Damage == nil {
		in.payload()
	}
}

// A problem is a span.Problem without span and severity.
type problem struct{ code, message, engine, repair string }

func (in *inspector) add(s span.Severity, at, length int64, f problem) {
	in.report(span.Problem{Span: span.Span{Offset: at, Length: length}, Severity: s, Code: f.code, Message: f.message, Engine: f.engine, Repair: f.repair})
}

func (in *inspector) note(at, length int64, f problem) { in.add(span.Note, at, length, f) }

func (in *inspector) warn(at, length int64, f problem) { in.add(span.Warning, at, length, f) }

func (in *inspector) fail(at, length int64, f problem) { in.add(span.Error, at, length, f) }

func (in *inspector) frame() {
	n, left := int64(in.f.FrameLength(in.w, in.v.Start)), in.parent.Limit-in.v.Head
	if n > left {
		in.fail(in.v.Start, 4, problem{span.LengthOverrun, fmt.Sprintf("a frame of %s, but %s left", span.Bytes(n), span.BytesAre(left)),
			"get_var fails (ERR_FILE_EOF)", repairShortage})
	}
}

// header checks the type id, the flags, and whether the container accepts such a
// value.
func (in *inspector) header(slot tree.Slot) {
	v := in.v
	in.headerBits(v.Head, in.f.TypeName(v), in.f.Dialect.KnownFlags(v.Type))
	if in.parent.Sub != 0 {
		in.element(slot)
	}
}

// headerBits checks for bits of the header at an offset that engines ignore.
func (in *inspector) headerBits(at int64, name string, known uint16) {
	header := in.w.U32(at)
	if header&0xff00 != 0 {
		in.warn(at, 2, problem{span.HighTypeBits, fmt.Sprintf("type id %d: engines look at the low 8 bits only, which say %s", header&0xffff, name),
			"read as " + name, fmt.Sprintf("set the type id to %d", header&0xff)})
	}
	if flags := uint16(header >> 16); flags&^known != 0 {
		in.warn(at+2, 2, problem{span.UnknownFlags, fmt.Sprintf("flags %#x have no meaning on %s", flags&^known, name),
			"ignored", fmt.Sprintf("set the flags to %#x", flags&known)})
	}
}

// element checks the value against the element type of the container it is in.
func (in *inspector) element(slot tree.Slot) {
	w, v := in.f.Constraint(in.parent, slot), in.v
	if w.Allows(v.Type) {
		return
	}
	p := problem{span.ElementType, fmt.Sprintf("%s in a container of %s", in.f.TypeName(v), w.Name), "dropped", "make the container untyped"}
	if ConvertsExactly(in.w, v, w.T) {
		p.repair = "make it " + span.Article(w.Name)
	}
	numbers := w.T == types.Int && v.Type == types.Float || w.T == types.Float && v.Type == types.Int
	switch {
	case in.parent.Type == types.Dictionary && !slot.Key:
		p.engine = "accepted"
		in.warn(v.Head, 2, p)
	case numbers && types.Of(in.parent.Type).Shape != types.ShapeTyped: // Pandemonium drops these too
		p.engine = "converted"
		in.warn(v.Head, 2, p)
	default:
		in.fail(v.Head, 2, p)
	}
}
