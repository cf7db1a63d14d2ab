package variant

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

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

// text inspects the string at off: u32 length, bytes, padding. A NUL at its end
// belongs to it if nul is set. anyPadding accepts padding that is not zero.
func (in *inspector) text(off int64, nul, anyPadding bool) {
	n := int64(in.w.U32(off))
	start := off + 4
	end := start + n
	if end > in.v.Limit || in.v.Damage != nil && end > in.v.Tail {
		return // the damage of the value is reported already
	}
	body := n
	if nul && n > 0 && in.w.Byte(end-1) == 0 {
		body--
	}
	in.utf8(start, body)
	in.padding(end, min(end+types.Pad(n), in.v.Limit), types.Pad(n), false, anyPadding)
}

// terminator checks that the length of a packed string counts a NUL at its end.
func (in *inspector) terminator() {
	v := in.v
	if v.Damage != nil {
		return
	}
	if n := int64(in.w.U32(v.Start)); n == 0 || in.w.Byte(v.Start+3+n) != 0 {
		in.warn(v.Start, 4, problem{span.MissingNul, "a packed string without the NUL that its length should count", "accepted", "add the NUL"})
	}
}

// isASCII reports whether each of eight bytes is a character of ASCII other than NUL.
func isASCII(x uint64) bool { return (x|(x-0x0101010101010101))&0x8080808080808080 == 0 }

// isPlain reports whether b, a text of n bytes with its padding, is valid UTF-8
// without a NUL or byte order mark and padded with zeros.
func isPlain(b []byte, n int64) bool {
	rest := b
	for len(rest) > 8 && isASCII(binary.LittleEndian.Uint64(rest)) {
		rest = rest[8:]
	}
	if len(rest) <= 8 {
		var x uint64 // the last bytes, the very last uppermost
		switch len(rest) {
		case 0:
			return true
		case 4:
			x = uint64(binary.LittleEndian.Uint32(rest))<<32 | 0x01010101
		default:
			x = binary.LittleEndian.Uint64(rest)
		}
		text := 64 - 8*uint(types.Pad(n))
		if x>>text != 0 {
			return false
		}
		if isASCII(x | 0x0101010101010101<<text) { // the padding taken for text
			return true
		}
	}
	text, padding := b[:n], b[n:]
	ascii := len(b) - len(rest)
	return isUTF8(text[ascii:]) && !bytes.HasPrefix(text, byteOrderMark) && string(padding) == "\x00\x00\x00"[:len(padding)]
}

// isCleanText reports whether a text is valid UTF-8 without a NUL or byte order mark.
func isCleanText(text []byte) bool { return isUTF8(text) && !bytes.HasPrefix(text, byteOrderMark) }

var byteOrderMark = []byte("\ufeff")

// padding inspects the padding [at, end), whose length should be want. Engines need padding only after
// strings.
func (in *inspector) padding(at, end, want int64, optional, anyPadding bool) {
	if missing := want - (end - at); missing > 0 {
		p := problem{span.MissingPadding, span.Bytes(missing) + " of padding missing", failsEnd, "add the padding and correct the enclosing counts"}
		if optional {
			p.engine = "accepted"
			in.warn(at, end-at, p)
		} else {
			in.fail(at, end-at, p)
		}
		return
	}
	for i := at; i < at+want && !anyPadding; i++ {
		if in.w.Byte(i) != 0 {
			in.warn(at, want, problem{span.NonZeroPadding, "padding that is not zero", "ignored", "set the padding to zero"})
			return
		}
	}
}

// MaxRewritten is the length in bytes of the longest text that a repair may rewrite.
const MaxRewritten = 64 << 20

// utf8 reports the first byte that is not valid UTF-8, a byte order mark, and a NUL
// inside.
func (in *inspector) utf8(off, n int64) {
	repair := func(text string) string {
		if n > MaxRewritten {
			return ""
		}
		return text
	}
	if n >= 3 {
		if b := in.w.View(off, 3); string(b) == "\ufeff" {
			in.warn(off, 3, problem{span.ByteOrderMark, "the string begins with a byte order mark", "dropped on reading", repair("delete the mark")})
		}
	}
	looked := n
	if limit := in.f.MaxText; limit > 0 && n > limit {
		looked = limit
	}
	bad, nul := tree.ScanText(in.w, off, looked, in.f.RuneSize)
	if bad != tree.Unknown && (looked == n || bad < off+looked-6) { // a character may be cut by the limit
		in.fail(bad, 1, problem{span.InvalidUTF8, fmt.Sprintf("byte %#02x is not valid UTF-8", in.w.Byte(bad)), failsData, repair("replace each invalid byte with U+FFFD")})
	}
	if nul != tree.Unknown {
		in.warn(nul, 1, problem{span.NulInText, "a NUL inside the string", "the string is cut here", repair("delete all NULs so that the rest is read")})
	}
}

// InspectText reports what is unusual about n bytes of text at an offset of a value.
func (f *Format) InspectText(w *source.Window, v *tree.Value, off, n int64, report func(span.Problem)) {
	in := inspector{f: f, w: w, v: v, report: func(p span.Problem) {
		p.Repair = "" // of Variants
		if p.Code == span.InvalidUTF8 && f.Dialect.Resource {
			p.Engine = "the text is empty, or cut there"
		}
		report(p)
	}}
	in.utf8(off, n)
}

// RuneSize returns the length of the character at the start of b; 0 if there is none. A dialect that is not
// strict accepts surrogates and code points past 10FFFF.
func (f *Format) RuneSize(b []byte) int {
	if size := tree.RuneSize(b); size > 0 || f.Dialect.StrictText || len(b) < 3 {
		return size
	}
	switch { // Godot 3 accepts these beyond the standard, but no overlong forms
	case b[0] == 0xed && b[1] >= 0xa0:
		return follow(b, 3)
	case b[0] == 0xf4 && b[1] >= 0x90, b[0] > 0xf4 && b[0] < 0xf8:
		return follow(b, 4)
	case b[0] == 0xf8 && b[1] >= 0x88, b[0] > 0xf8 && b[0] < 0xfc:
		return follow(b, 5)
	case b[0] == 0xfc && b[1] >= 0x84, b[0] == 0xfd:
		return follow(b, 6)
	}
	return 0
}

// follow returns n if the first byte is followed by all other bytes of a character of n.
func follow(b []byte, n int) int {
	if len(b) < n || slices.ContainsFunc(b[1:n], func(c byte) bool { return c&0xc0 != 0x80 }) {
		return 0
	}
	return n
}

// Printable returns text escaped for a message and cut to 80 bytes.
func Printable(text []byte) string {
	cut := ""
	if len(text) > 80 {
		text, cut = text[:80], "…"
	}
	return string(tree.AppendEscaped(nil, text, 0)) + cut
}

// TextLength returns the length of the string at off, without the NUL at its end that packed strings count,
// and all strings of resource files.
func (f *Format) TextLength(w *source.Window, v *tree.Value, off int64) int64 {
	n := int64(w.U32(off))
	if (v.Type == types.Entry || f.Dialect.Resource) && n > 0 && w.Byte(off+4+n-1) == 0 {
		n--
	}
	return n
}

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

// repairShortage describes the repair of missing bytes at the end of a buffer or
// frame.
const repairShortage = "cut off the incomplete part and correct the counts"

// Remedy implements tree.Remedier.
func (f *Format) Remedy(parent, v *tree.Value, p *span.Problem) string {
	switch {
	case p.Code == span.TrailingBytes:
		return "delete these bytes"
	case p.Code == span.MissingValue,
		v.Damage == nil && p.Code == span.Truncated && v.Type != types.Raw, // a buffer without bytes has no value
		v.Damage != nil && IsShort(v) && (parent.Type != types.Raw || CanShorten(v)):
		return repairShortage
	}
	return ""
}

// IsShort reports whether v is damaged because the bytes end before it does.
func IsShort(v *tree.Value) bool {
	switch v.Damage.Code {
	case span.Truncated, span.LengthOverrun, span.NegativeLength:
		return true
	}
	return false
}

// CanShorten reports whether a smaller length or count makes a value of the bytes
// that exist of v, which is short.
func CanShorten(v *tree.Value) bool {
	if v.Damage.Code == span.Truncated {
		return false
	}
	switch types.Of(v.Type).Shape {
	case types.ShapeText, types.ShapePath, types.ShapeBytes, types.ShapePacked:
		return true
	}
	return false
}

// KeyIdentity implements tree.Keyed: in Godot 4 a StringName equals a String with the same text.
func (f *Format) KeyIdentity(key *tree.Value, b []byte) []byte {
	if f.Dialect.Engine == types.EngineGodot4 && (key.Type == types.String || key.Type == types.StringName) {
		return b[4:]
	}
	return b
}

// RepeatedKey implements tree.Keyed.
func (f *Format) RepeatedKey(w *source.Window, key *tree.Value) span.Problem {
	message, what := "an earlier entry has the same key", "entry"
	if key.Type == types.Name {
		message, what = "an earlier property has the same name", "property"
	}
	return span.Problem{Span: key.Span(), Severity: span.Warning, Code: span.RepeatedKey, Message: message,
		Engine: "the last value wins, at the first position", Repair: "move this value to the first " + what + " and delete this one"}
}
