package variant

import (
	"fmt"
	"slices"
	"strconv"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/numeric"
	"varview/decoder/formats/godot/internal/types"
)

// Tables are what the values of a resource file refer to by numbers.
type Tables interface {
	// Text returns the span of a string in the table of strings.
	Text(index uint32) (span.Span, bool)

	// Add returns the index of a string, and adds it if it is new.
	Add(text []byte) uint32

	// ID returns the id of a resource by the number that a reference of type t stores; "" if there is none.
	ID(t types.ID, number uint32) string

	// Number returns the number that a reference to the resource with an id stores.
	Number(t types.ID, id string) (number uint32, ok bool)
}

// Kinds of references in a file.
const (
	emptyReference    = 0
	internalReference = 2
	externalReference = 3
)

// inPlace is the bit of a name's index that makes it the length of a string that follows.
const inPlace = 1 << 31

// AppendBinary appends the bytes of a number of type comp in the order of the file.
func (f *Format) AppendBinary(dst []byte, comp types.ID, bits uint64) []byte {
	start := len(dst)
	dst = numeric.AppendBinary(dst, comp, bits)
	if f.BigEndian && f.Dialect.Resource {
		slices.Reverse(dst[start:])
	}
	return dst
}

// AppendPathCounts appends the counts of a NodePath; absolute is 1 or 0.
func (f *Format) AppendPathCounts(dst []byte, names, subnames int, absolute uint32) []byte {
	counts := []byte{byte(names), byte(names >> 8), byte(subnames), byte(subnames>>8) | byte(absolute<<7)}
	if f.BigEndian {
		counts[0], counts[1], counts[2], counts[3] = counts[1], counts[0], counts[3], counts[2]
	}
	return append(dst, counts...)
}

// ReadName reads a name: the index of a string, or a string in place.
func (f *Format) ReadName(w *source.Window, v *tree.Value) {
	if v.Limit-v.Start < 4 {
		v.Break(v.Start, truncated(v.Start, v.Limit, "a name needs 4 bytes"))
		return
	}
	_, end, _ := f.NameAt(w, v.Start)
	if end > v.Limit {
		v.Break(v.Start+4, overrun(v.Start, fmt.Sprintf("a name of %s, but %s left", span.Bytes(end-v.Start-4), span.BytesAre(v.Limit-v.Start-4))))
		return
	}
	v.Close(end)
}

// NameAt returns the text of the name at an offset, and where the name ends. ok is false if there is no
// such string.
func (f *Format) NameAt(w *source.Window, off int64) (text span.Span, end int64, ok bool) {
	n := w.U32(off)
	if n&inPlace == 0 {
		text, ok = f.Tables.Text(n)
		return text, off + 4, ok
	}
	text = span.Span{Offset: off + 4, Length: int64(n &^ inPlace)}
	end = text.End()
	if text.Length > 0 && w.Byte(end-1) == 0 {
		text.Length--
	}
	return text, end, true
}

// readIndexedPath reads a NodePath with its parts in the table of strings.
func (f *Format) readIndexedPath(w *source.Window, v *tree.Value) {
	if v.Limit-v.Body < 4 {
		v.Break(v.Body, truncated(v.Body, v.Limit, "a NodePath begins with 4 bytes"))
		return
	}
	names, subnames := int64(w.U16(v.Body)), int64(w.U16(v.Body+2)&0x7fff)
	if f.PathProp {
		subnames++
	}
	v.Sub = uint32(names)
	v.Body += 4
	v.Contain(tree.Sequence, names+subnames, 4)
}

// readReference reads an Object of a resource file: nothing, or a reference.
func (f *Format) readReference(w *source.Window, v *tree.Value) {
	if v.Limit-v.Body < 4 {
		v.Break(v.Body, truncated(v.Body, v.Limit, "an Object needs 4 bytes for its kind"))
		return
	}
	switch kind := w.U32(v.Body); kind {
	case emptyReference:
		v.Type = types.Nil
		v.Close(v.Body + 4)
		return
	case internalReference:
		v.Type = types.SubResource
	case externalReference:
		v.Type = types.ExtResource
	default:
		v.Break(v.Body+4, &span.Problem{Span: span.Between(v.Body, v.Body+4), Severity: span.Error, Code: span.UnknownType,
			Message: fmt.Sprintf("an Object of kind %d, which does not exist", kind), Engine: failsData})
		return
	}
	v.Body += 4
	f.readPlain(v, 4)
}

// ReferenceKind returns the kind that is stored for a reference of type t.
func ReferenceKind(t types.ID) uint32 {
	if t == types.SubResource {
		return internalReference
	}
	return externalReference
}

// Reference returns the number that a reference stores.
func Reference(w *source.Window, v *tree.Value) uint32 { return w.U32(v.Head + 8) }

// ReferenceID returns the id of the resource that v refers to, or its number if there is no such
// resource.
func (f *Format) ReferenceID(w *source.Window, v *tree.Value) string {
	n := Reference(w, v)
	if id := f.Tables.ID(v.Type, n); id != "" {
		return id
	}
	return strconv.FormatUint(uint64(n), 10)
}

func (f *Format) appendReferenceMeaning(dst []byte, w *source.Window, v *tree.Value) []byte {
	return append(append(dst, types.Of(v.Type).Name...), f.ReferenceID(w, v)...)
}

// inPlace lists the fields of a name that is not an index.
func (e *fieldLister) inPlace() {
	n := int64(e.w.U32(e.At) &^ inPlace)
	if e.Put(4, span.Length, "length") && n > 0 && e.Put(n-1, span.Text, "name") {
		e.Put(1, span.Terminator, "terminator")
	}
}

// resourceFields lists the fields of a value of a resource file after its type. ok is false for those
// that are the same in other files.
func (f *Format) resourceFields(e *fieldLister, v *tree.Value) (ok bool) {
	switch types.Of(v.Type).Shape {
	case types.ShapeNone, types.ShapeObject, types.ShapeUnknown:
		e.Put(e.Tail-e.At, span.Type, "kind")
	case types.ShapePath:
		_ = e.Put(2, span.Length, "name count") && e.Put(2, span.Length, "subname count")
	case types.ShapeReference:
		_ = e.Put(4, span.Type, "kind") && e.Put(4, span.Ref, "resource")
	case types.ShapeSignal:
	case types.ShapeText:
		e.text("text", true)
	default:
		return false
	}
	return true
}
