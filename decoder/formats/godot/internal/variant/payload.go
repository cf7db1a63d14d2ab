package variant

import (
	"bytes"
	"fmt"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/types"
)

// readText ends v after a string at off: u32 length, bytes, padding.
func (f *Format) readText(w *source.Window, v *tree.Value, off int64) {
	if v.Limit-off < 4 {
		v.Break(off, truncated(off, v.Limit, "the length of a string needs 4 bytes"))
		return
	}
	n := int64(w.U32(off))
	text := off + 4
	if n > v.Limit-text || n >= 1<<31 {
		p := overrun(off, fmt.Sprintf("a string of %s, but %s left", span.Bytes(n), span.BytesAre(v.Limit-text)))
		p.Engine = failsEnd
		if n >= 1<<31 {
			p.Code = span.NegativeLength
		}
		v.Break(text, p)
		return
	}
	v.Close(min(text+n+f.Dialect.Pad(n), v.Limit)) // Inspect reports missing padding
}

func overrun(at int64, message string) *span.Problem {
	return &span.Problem{Span: span.Between(at, at+4), Severity: span.Error, Code: span.LengthOverrun,
		Message: message, Engine: failsData}
}

// readCount reads the u32 at Body and moves Body past it.
func (f *Format) readCount(w *source.Window, v *tree.Value) (uint32, bool) {
	if v.Limit-v.Body < 4 {
		v.Break(v.Body, truncated(v.Body, v.Limit, "the count of "+f.TypeName(v)+" needs 4 bytes"))
		return 0, false
	}
	n := w.U32(v.Body)
	v.Body += 4
	return n, true
}

// readNodePath reads the three words before the names. If bit 31 of the first is
// clear it is the length of a single string, a form that both engines refuse.
func (f *Format) readNodePath(w *source.Window, v *tree.Value) {
	if f.Dialect.Resource {
		f.readIndexedPath(w, v)
		return
	}
	if v.Limit-v.Body >= 4 && w.U32(v.Body)&types.SharedBit == 0 {
		f.readText(w, v, v.Body)
		return
	}
	if v.Limit-v.Body < 12 {
		v.Break(v.Body, truncated(v.Body, v.Limit, "a NodePath begins with 12 bytes"))
		return
	}
	names, subnames := w.U32(v.Body)&^types.SharedBit, w.U32(v.Body+4)
	v.Sub = names
	v.Contain(tree.Sequence, int64(names)+int64(subnames), 4)
	if w.U32(v.Body+8)&2 != 0 { // obsolete: the property, one more subname
		v.Count++
	}
	v.Body += 12
}

// readObject reads an id, or the class and the number of properties.
func (f *Format) readObject(w *source.Window, v *tree.Value, byID bool) {
	if byID {
		f.readPlain(v, 8)
		return
	}
	head := v.Body
	f.readText(w, v, head)
	if v.Damage != nil || v.Tail == head+4 { // an empty class: a null object
		return
	}
	v.Body = v.Tail
	if n, ok := f.readCount(w, v); ok {
		v.Contain(tree.Pairs, int64(n), 4)
	}
}

// anyObject is the value in Sub for a class or script as container type.
const anyObject = 0xff

// skipContainerType moves Body past a container type, and sets the byte of Sub at shift to what it accepts:
// a type's id + 1, or anyObject.
func (f *Format) skipContainerType(w *source.Window, v *tree.Value, kind uint16, shift int) bool {
	switch kind {
	case types.KindBuiltin:
		if v.Limit-v.Body < 4 {
			v.Break(v.Body, truncated(v.Body, v.Limit, "the element type needs 4 bytes"))
			return false
		}
		v.Sub |= (w.U32(v.Body) + 1) & 0xff << shift
		v.Body += 4
	case types.KindClass, types.KindScript:
		at := v.Body
		if f.readText(w, v, at); v.Damage != nil {
			return false
		}
		v.Body = v.Tail
		v.Sub |= anyObject << shift
	}
	return true
}

func (f *Format) readDictionary(w *source.Window, v *tree.Value) {
	if f.Dialect.Typed && !(f.skipContainerType(w, v, v.Flags&3, 0) && f.skipContainerType(w, v, v.Flags>>2&3, 8)) {
		return
	}
	if n, ok := f.readCount(w, v); ok {
		v.Contain(tree.Pairs, int64(n&^types.SharedBit), 4)
	}
}

func (f *Format) readArray(w *source.Window, v *tree.Value) {
	if f.Dialect.Typed && !f.skipContainerType(w, v, v.Flags&3, 0) {
		return
	}
	if n, ok := f.readCount(w, v); ok {
		v.Contain(tree.Sequence, int64(n&^types.SharedBit), 4)
	}
}

// readTypedArray reads Pandemonium's TypedArray: element type, class as a complete
// StringName if the type is Object, count.
func (f *Format) readTypedArray(w *source.Window, v *tree.Value) {
	if v.Limit-v.Body < 4 {
		v.Break(v.Body, truncated(v.Body, v.Limit, "the element type needs 4 bytes"))
		return
	}
	v.Sub = w.U32(v.Body) &^ types.SharedBit
	v.Body += 4
	if f.HasClass(v) {
		var name tree.Value
		f.readClass(w, v, &name)
		if name.Damage != nil {
			v.Break(name.Tail, name.Damage)
			return
		}
		v.Body = name.End
	}
	if n, ok := f.readCount(w, v); ok {
		v.Contain(tree.Sequence, int64(n&^types.SharedBit), 4)
	}
}

// readClass reads the StringName value after the element type of a TypedArray, which
// names the class of its elements.
func (f *Format) readClass(w *source.Window, v, name *tree.Value) {
	at := v.Head + 8
	*name = tree.Value{Start: at, Head: at, Body: at, Limit: v.Limit}
	if v.Limit-at < 4 {
		name.Break(at, truncated(at, v.Limit, "the class of a TypedArray's elements needs a header of 4 bytes"))
		return
	}
	header := w.U32(at)
	if name.Type = f.Dialect.TypeOf(header); types.Of(name.Type).Shape != types.ShapeText { // other types could nest without limit
		name.Break(at, &span.Problem{Span: span.Between(at, at+2), Severity: span.Error, Code: span.ContainerType,
			Message: "the class of a TypedArray's elements must be a StringName, not " + f.Dialect.TypeName(header),
			Engine:  "loading fails"})
		return
	}
	name.Body += 4
	f.readText(w, name, name.Body)
}

// readBytes reads a packed byte array. At the end of the buffer its padding may be
// missing.
func (f *Format) readBytes(w *source.Window, v *tree.Value) {
	n, ok := f.readCount(w, v)
	if !ok {
		return
	}
	size := int64(n)
	if left := v.Limit - v.Body; size > left || n >= 1<<31 {
		v.Break(v.Body, f.countOverrun(v, n, left))
		return
	}
	v.Sub, v.Stride, v.Count, v.Layout, v.Opaque = uint32(types.Byte), 1, size, tree.Fixed, true
	v.Close(min(v.Body+size+types.Pad(size), v.Limit))
	if size == 0 {
		v.Layout = tree.Leaf
	}
}

// readPacked reads a packed array. If the count is too large, the elements that
// exist are kept.
func (f *Format) readPacked(w *source.Window, v *tree.Value, t *types.Type, wide bool) {
	n, ok := f.readCount(w, v)
	if !ok {
		return
	}
	comp := f.Component(t, wide)
	stride := types.Width(comp) * int64(t.Each())
	v.Sub, v.Stride, v.Count, v.Layout = uint32(comp), uint16(stride), int64(n), tree.Fixed
	if left := v.Limit - v.Body; v.Count > left/stride || n >= 1<<31 {
		v.Count = min(v.Count, left/stride)
		v.Tail, v.End = v.Body+v.Count*stride, v.Limit
		v.Damage = f.countOverrun(v, n, left)
	} else {
		v.Close(v.Body + v.Count*stride)
	}
	if v.Count == 0 {
		v.Layout = tree.Leaf
	}
}

func (f *Format) countOverrun(v *tree.Value, n uint32, left int64) *span.Problem {
	p := overrun(v.Body-4, fmt.Sprintf("%s counts %s elements, but %s left", f.TypeName(v), span.Grouped(int64(n)), span.BytesAre(left)))
	if n >= 1<<31 {
		p.Code = span.NegativeLength
	}
	return p
}

// Constraint returns what parent accepts at a slot.
func (f *Format) Constraint(parent *tree.Value, slot tree.Slot) types.Constraint {
	id := uint32(0)
	switch parent.Type {
	case types.Array:
		id = parent.Sub & 0xff
	case types.Dictionary:
		if id = parent.Sub & 0xff; !slot.Key {
			id = parent.Sub >> 8 & 0xff
		}
	case types.TypedArray, types.PackedTypedArray:
		id = parent.Sub + 1
	}
	switch {
	case id <= 1: // untyped, or typed as Variant
		return types.Constraint{Any: true}
	case id == anyObject:
		return types.Constraint{T: types.Object, Name: "Object"}
	}
	w := types.Constraint{T: f.Dialect.TypeOf(id - 1), Name: f.Dialect.TypeName(id - 1)}
	w.Any = w.T == types.Unknown
	return w
}

// maxName bounds the name of a class or script that is copied into memory.
const maxName = 4096

// ContainerType reads the container type at off and returns the offset after it.
func (f *Format) ContainerType(w *source.Window, off int64, kind uint16) (types.ContainerType, int64) {
	switch kind {
	case types.KindBuiltin:
		return types.ContainerType{Kind: kind, Name: f.Dialect.ElementName(w.U32(off))}, off + 4
	case types.KindClass, types.KindScript:
		n := int64(w.U32(off))
		return types.ContainerType{Kind: kind, Name: string(w.View(off+4, min(n, maxName)))}, off + 4 + n + types.Pad(n)
	}
	return types.ContainerType{}, off
}

// ContainerTypes returns the declared types of a typed container: of its elements, or of the keys and the
// values of a Dictionary.
func (f *Format) ContainerTypes(w *source.Window, v *tree.Value) (elem, value types.ContainerType) {
	switch types.Of(v.Type).Shape {
	case types.ShapeArray, types.ShapeDict:
		if !f.Dialect.Typed {
			break
		}
		elem, at := f.ContainerType(w, v.Head+4, v.Flags&3)
		if v.Type == types.Dictionary {
			value, _ = f.ContainerType(w, at, v.Flags>>2&3)
		}
		return elem, value
	case types.ShapeTyped:
		if f.HasClass(v) {
			n := int64(w.U32(v.Head + 12))
			return types.ContainerType{Kind: types.KindClass, Name: string(w.View(v.Head+16, min(n, maxName)))}, value
		} else if v.Sub != 0 {
			return types.ContainerType{Kind: types.KindBuiltin, Name: f.Dialect.ElementName(v.Sub)}, value
		}
	}
	return elem, value
}

// HasClass reports whether a TypedArray names the class of its elements.
func (f *Format) HasClass(v *tree.Value) bool {
	return v.Sub <= 0xff && f.Dialect.TypeOf(v.Sub) == types.Object && v.Flags&types.WideFlag == 0
}

// A NodePath is a NodePath split into its parts.
type NodePath struct {
	absolute        bool
	Names, Subnames [][]byte
}

// Flags returns the flags that an engine writes for a path.
func (p *NodePath) Flags() uint32 {
	if p.absolute {
		return 1
	}
	return 0
}

// ParsePath splits a path as the engine does: names between slashes up to the first
// colon, then subnames between colons. Empty names are dropped. ok is false for an
// empty subname, other than at the end, which the engine refuses.
func ParsePath(text []byte) (p NodePath, ok bool) {
	names, subnames, some := bytes.Cut(text, []byte(":"))
	p.absolute = bytes.HasPrefix(names, []byte("/"))
	for name := range bytes.SplitSeq(names, []byte("/")) {
		if len(name) > 0 {
			p.Names = append(p.Names, name)
		}
	}
	subnames = bytes.TrimSuffix(subnames, []byte(":"))
	if !some || len(subnames) == 0 {
		return p, true
	}
	for name := range bytes.SplitSeq(subnames, []byte(":")) {
		if len(name) == 0 {
			return p, false
		}
		p.Subnames = append(p.Subnames, name)
	}
	return p, true
}

// A PathPart is a name or subname of a NodePath.
type PathPart struct {
	Off, N int64 // its text
	Sub    bool
}

// EachPart calls each for the names and subnames of a NodePath in order, until it
// returns false or the bytes end.
func (f *Format) EachPart(w *source.Window, v *tree.Value, each func(PathPart) bool) {
	at := v.Body
	for i := int64(0); i < v.Count && v.Limit-at >= 4; i++ {
		if f.Dialect.Resource {
			text, next, _ := f.NameAt(w, at)
			if !each(PathPart{text.Offset, text.Length, i >= int64(v.Sub)}) {
				return
			}
			at = next
			continue
		}
		n := int64(w.U32(at))
		if n > v.Limit-at-4 || !each(PathPart{at + 4, n, i >= int64(v.Sub)}) {
			return
		}
		at += 4 + n + types.Pad(n)
	}
}

// PathFlags returns the flags of a NodePath. Bit 0 is set if it begins at the root.
func (f *Format) PathFlags(w *source.Window, v *tree.Value) uint32 {
	if f.Dialect.Resource {
		return uint32(w.U16(v.Head+6)) >> 15
	}
	return w.U32(v.Head + 12)
}

// OldPath parses a NodePath in the old form, a single string.
func OldPath(w *source.Window, v *tree.Value) (NodePath, bool) {
	n := int64(w.U32(v.Head + 4))
	text := w.View(v.Head+8, n)
	if int64(len(text)) < n {
		return NodePath{}, false
	}
	return ParsePath(bytes.Clone(text))
}
