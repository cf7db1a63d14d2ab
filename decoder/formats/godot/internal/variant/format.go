// Package variant reads Variants in a buffer: values, fields, paths and problems.
package variant

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/numeric"
	"varview/decoder/formats/godot/internal/types"
)

// Framing is how values follow one another in a buffer.
type Framing uint8

const (
	Raw      Framing = iota // one bare value
	Stream                  // u32 length and value, repeated
	Sequence                // bare values up to the end
)

// String returns the name that --framing takes.
func (f Framing) String() string { return [...]string{"raw", "stream", "sequence"}[f] }

// A Format reads buffers in one dialect and framing. It holds no state of a reading.
type Format struct {
	Dialect   *types.Dialect
	Framing   Framing
	Double    bool  // components are 64-bit without a flag
	BigEndian bool  // frame lengths are big-endian, as FileAccess.big_endian makes them; in a resource file all numbers
	MaxText   int64 // largest number of bytes of a string that are inspected; 0 for no limit

	Tables   Tables // tables of a resource file; otherwise nil
	PathProp bool   // a NodePath has one more subname than it counts
}

// Root describes the buffer: one bare value, or frames or bare values up to the end.
func (f *Format) Root(size int64, region span.Span) tree.Value {
	v := tree.Value{Body: region.Offset, Limit: region.End(), Type: types.Raw, Fenced: true}
	v.Contain(tree.Sequence, 1, 1)
	if f.Framing != Raw {
		v.Type = types.Stream
		v.Contain(tree.Sequence, tree.Unknown, 4)
	}
	v.End = size
	return v
}

// TypeName names the type of a value: "Dictionary", "type 77", "stream".
func (f *Format) TypeName(v *tree.Value) string {
	switch v.Type {
	case types.Unknown:
		return f.Dialect.TypeName(v.Sub)
	case types.Element:
		return types.Of(types.ID(v.Sub)).Element()
	}
	return types.Of(v.Type).Name
}

// Read implements tree.Reading. The meaning of a child depends on what contains it.
func (f *Format) Read(w *source.Window, parent *tree.Value, slot tree.Slot, off int64, v *tree.Value) {
	*v = tree.Value{Start: off, Head: off, Body: off, Limit: parent.Limit}
	if parent.Type == types.Dictionary || parent.Type == types.Array { // most of them
		f.readValue(w, v)
	} else {
		f.readIn(w, parent, slot, v)
	}
}

// readIn reads a child of anything but a plain container.
func (f *Format) readIn(w *source.Window, parent *tree.Value, slot tree.Slot, v *tree.Value) {
	off := v.Start
	switch types.Of(parent.Type).Shape {
	case types.ShapeObject:
		if slot.Key {
			v.Type = types.Name
			f.readText(w, v, off)
			return
		}
	case types.ShapePath:
		v.Type = types.Part
		if f.Dialect.Resource {
			f.ReadName(w, v)
			return
		}
		f.readText(w, v, off)
		return
	case types.ShapeStrings:
		v.Type = types.Entry
		f.readText(w, v, off)
		return
	case types.ShapeBytes:
		v.Type = types.Byte
		v.Close(off + 1)
		return
	case types.ShapeFixed:
		v.Type = types.ID(parent.Sub)
		v.Close(off + int64(parent.Stride))
		return
	case types.ShapePacked:
		f.readElement(parent, v)
		return
	}
	switch parent.Type {
	case types.Stream:
		if f.Framing == Stream {
			f.readFrame(w, v)
			return
		}
	case types.Element:
		v.Type = ElementComp(parent)
		v.Close(off + int64(parent.Stride))
		return
	}
	f.readValue(w, v)
}

// readValue reads a header, and the payload up to where the value ends or its
// children begin.
func (f *Format) readValue(w *source.Window, v *tree.Value) {
	at := v.Head
	if v.Limit-at < 4 {
		v.Type = types.Unknown
		v.Break(at, truncated(at, v.Limit, "a header needs 4 bytes"))
		return
	}
	header := w.U32(at)
	v.Type, v.Flags = f.Dialect.Header(header)
	v.Body = at + 4
	t := types.Of(v.Type)
	wide := v.Flags&types.WideFlag != 0
	switch t.Shape {
	case types.ShapeNone:
		v.Close(v.Body)
	case types.ShapeBool:
		f.readPlain(v, 4)
	case types.ShapeNumber:
		if f.Dialect.NoFlags {
			wide = v.Type == types.Int
		}
		if wide {
			f.readPlain(v, 8)
		} else {
			f.readPlain(v, 4)
		}
	case types.ShapeText:
		f.readText(w, v, v.Body)
	case types.ShapeFixed:
		comp := f.Component(t, wide)
		v.Sub, v.Stride, v.Count = uint32(comp), uint16(types.Width(comp)), int64(len(t.Parts))
		f.readPlain(v, v.Count*int64(v.Stride))
		if v.Damage == nil {
			v.Layout = tree.Fixed
		}
	case types.ShapeDict:
		f.readDictionary(w, v)
	case types.ShapeArray:
		f.readArray(w, v)
	case types.ShapeUnknown:
		v.Sub = header
		if !f.Dialect.Resource {
			v.Sub &= 0xffff
		}
		v.Break(v.Body, &span.Problem{Span: span.Between(at, at+2), Severity: span.Error, Code: span.UnknownType,
			Message: f.Dialect.Title + " has no " + f.Dialect.TypeName(header), Engine: failsData})
	default:
		f.readRare(w, v, t, wide)
	}
}

// readRare reads the payload of a value of one of the types that are rare.
func (f *Format) readRare(w *source.Window, v *tree.Value, t *types.Type, wide bool) {
	switch t.Shape {
	case types.ShapePath:
		f.readNodePath(w, v)
	case types.ShapeRID:
		f.readRID(v)
	case types.ShapeObject:
		if f.Dialect.Resource {
			f.readReference(w, v)
			break
		}
		f.readObject(w, v, wide && !f.Dialect.NoFlags)
	case types.ShapeSignal:
		f.readSignal(w, v)
	case types.ShapeTyped:
		f.readTypedArray(w, v)
	case types.ShapeBytes:
		f.readBytes(w, v)
	case types.ShapePacked:
		f.readPacked(w, v, t, wide)
	case types.ShapeStrings:
		f.readStrings(w, v)
	}
}

// readRID reads a RID: its identifier, where the engine writes one.
func (f *Format) readRID(v *tree.Value) {
	switch {
	case f.Dialect.Resource:
		f.readPlain(v, 4)
	case f.Dialect.RIDHasID:
		f.readPlain(v, 8)
	default:
		v.Close(v.Body)
	}
}

// readSignal reads a signal: its name, and the number of its object. A resource holds neither.
func (f *Format) readSignal(w *source.Window, v *tree.Value) {
	if f.Dialect.Resource {
		v.Close(v.Body)
		return
	}
	f.readText(w, v, v.Body)
	if v.Damage == nil {
		v.Body = v.Tail
		f.readPlain(v, 8)
	}
}

// readStrings reads the count of an array of strings.
func (f *Format) readStrings(w *source.Window, v *tree.Value) {
	n, ok := f.readCount(w, v)
	if !ok {
		return
	}
	if n >= 1<<31 && f.Dialect.Engine != types.EngineGodot4 {
		n = 0 // engines read a negative count as 0
	}
	v.Contain(tree.Sequence, int64(n), 4)
}

// readPlain ends v after a payload of n bytes at Body.
func (f *Format) readPlain(v *tree.Value, n int64) {
	if v.Limit-v.Body < n {
		v.Break(v.Body, truncated(v.Body, v.Limit, f.TypeName(v)+" is cut"))
		return
	}
	v.Close(v.Body + n)
}

// readElement reads an element of a packed array: a number, or a vector of numbers.
func (f *Format) readElement(parent, v *tree.Value) {
	v.Close(v.Start + int64(parent.Stride))
	t := types.Of(parent.Type)
	if len(t.Parts) == 0 {
		v.Type = types.ID(parent.Sub)
		return
	}
	v.Type, v.Sub = types.Element, uint32(parent.Type)
	v.Layout, v.Count = tree.Fixed, int64(len(t.Parts))
	v.Stride = parent.Stride / uint16(len(t.Parts))
}

func truncated(at, limit int64, message string) *span.Problem {
	return &span.Problem{Span: span.Between(at, limit), Severity: span.Error, Code: span.Truncated,
		Message: message, Engine: failsData}
}

// longestName is the length of the longest name of a property, part of a NodePath or entry of a string
// array that is accepted where reading resumes.
const longestName = 4096

// IsPlausibleStart implements tree.Resyncer. The length of every value is a multiple of
// four, and the keys of a Dictionary mostly have one type.
func (f *Format) IsPlausibleStart(w *source.Window, parent *tree.Value, slot tree.Slot, off, lost int64) bool {
	if (off-lost)&3 != 0 || off+4 > parent.Limit {
		return false
	}
	head := w.U32(off)
	switch shape := types.Of(parent.Type).Shape; {
	case shape == types.ShapeObject && slot.Key, shape == types.ShapePath, shape == types.ShapeStrings:
		return head > 0 && head <= longestName && off+4+int64(head) <= parent.Limit
	}
	t := f.Dialect.TypeOf(head)
	if parent.Type == types.Dictionary && slot.Key && slot.Index > 0 && t != f.Dialect.TypeOf(w.U32(parent.Body)) {
		return false
	}
	return t != types.Unknown && head&0xff00 == 0 && uint16(head>>16)&^f.Dialect.KnownFlags(t) == 0
}

// readFrame reads a u32 length and the value after it. The frame ends where its
// length says, whatever the value does.
func (f *Format) readFrame(w *source.Window, v *tree.Value) {
	n := f.FrameLength(w, v.Start)
	v.Head = v.Start + 4
	v.Body = v.Head
	v.Fenced = true
	end := min(v.Head+int64(n), v.Limit) // Inspect reports a length past the limit
	cut := v.Head+int64(n) > v.Limit
	v.Limit = end
	f.readValue(w, v)
	v.End = end
	if v.Damage != nil && v.Damage.Code == span.Truncated && !cut {
		v.Damage.Span = span.Between(v.Start, v.Head)
		v.Damage.Code = span.FrameTooShort
		v.Damage.Message = fmt.Sprintf("a frame of %s ends before its value does", span.Bytes(int64(n)))
	}
}

// FrameLength returns the length of the frame that begins at an offset.
func (f *Format) FrameLength(w *source.Window, at int64) uint32 {
	if n := w.U32(at); f.BigEndian {
		return bits.ReverseBytes32(n)
	} else {
		return n
	}
}

// frameEnd returns the end of the frame that begins at a place in b (-1 if b does not have all of it) and
// the type of its value.
func (f *Format) frameEnd(b []byte, at int) int {
	if len(b)-at < 8 {
		return -1
	}
	n := binary.LittleEndian.Uint32(b[at:])
	if f.BigEndian {
		n = bits.ReverseBytes32(n)
	}
	if int64(n) > int64(len(b)-at-4) {
		return -1
	}
	return at + 4 + int(n)
}

// errFrameTooLong is the error for a length that does not fit the prefix of a frame.
var errFrameTooLong = errors.New("a frame of a stream can hold at most 4 GiB")

// AppendFrameLength appends the prefix of a frame of n bytes; nothing in a sequence, which has none.
func (f *Format) AppendFrameLength(dst []byte, n int64) ([]byte, error) {
	if f.Framing == Sequence {
		return dst, nil
	}
	if n < 0 || n > math.MaxUint32 {
		return dst, errFrameTooLong
	}
	length := uint32(n)
	if f.BigEndian {
		length = bits.ReverseBytes32(length)
	}
	return numeric.AppendBinary(dst, types.Int32, uint64(length)), nil
}
