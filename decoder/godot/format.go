package godot

import (
	"fmt"
	"math/bits"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// Framing says how values follow one another in a buffer.
type Framing uint8

const (
	Raw    Framing = iota // one bare value
	Stream                // u32 length and value, repeated
)

// String gives the name as in --framing.
func (f Framing) String() string {
	if f == Stream {
		return "stream"
	}
	return "raw"
}

// A Format reads buffers in one dialect and framing. It implements
// tree.Reading.
type Format struct {
	Dialect   *Dialect
	Framing   Framing
	Double    bool  // components are 64-bit without a flag
	BigEndian bool  // frame lengths are big-endian, as FileAccess.big_endian makes them
	MaxText   int64 // of a string only so many bytes are inspected, if not 0
}

var _ tree.Reading = (*Format)(nil)

// flagWide is header flag bit 16: a 64-bit number, 64-bit components, or an
// object stored as its id.
const flagWide = 1

// Root describes the buffer: one bare value, or frames up to the end.
func (f *Format) Root(size int64, region span.Span) tree.Value {
	v := tree.Value{Body: region.Offset, Limit: region.End(), Type: tRaw, Fenced: true}
	v.Contain(tree.Sequence, 1, 1)
	if f.Framing == Stream {
		v.Type = tStream
		v.Contain(tree.Sequence, tree.Unknown, 4)
	}
	v.End = size
	return v
}

// TypeName names the type of a value: "Dictionary", "type 77", "stream".
func (f *Format) TypeName(v *tree.Value) string {
	switch v.Type {
	case tUnknown:
		return f.Dialect.typeName(v.Sub)
	case tElement:
		return typeOf(typeID(v.Sub)).element()
	}
	return typeOf(v.Type).name
}

// element names the type of a packed array's elements: Vector2 for a
// PackedVector2Array.
func (t *typeInfo) element() string {
	name := t.name
	for _, prefix := range []string{"Packed", "Pool"} {
		if len(name) > len(prefix) && name[:len(prefix)] == prefix {
			name = name[len(prefix):]
		}
	}
	return name[:len(name)-len("Array")]
}

// Read implements tree.Reading. What a child is depends on what contains it.
func (f *Format) Read(w *source.Window, parent *tree.Value, slot tree.Slot, off int64, v *tree.Value) {
	*v = tree.Value{Start: off, Head: off, Body: off, Limit: parent.Limit}
	if parent.Type == tDictionary || parent.Type == tArray { // most of them
		f.readValue(w, v)
	} else {
		f.readIn(w, parent, slot, v)
	}
}

// readIn reads a child of what is no plain container.
func (f *Format) readIn(w *source.Window, parent *tree.Value, slot tree.Slot, v *tree.Value) {
	off := v.Start
	switch typeOf(parent.Type).shape {
	case shapeObject:
		if slot.Key {
			v.Type = tName
			f.readText(w, v, off)
			return
		}
	case shapePath:
		v.Type = tPart
		f.readText(w, v, off)
		return
	case shapeStrings:
		v.Type = tEntry
		f.readText(w, v, off)
		return
	case shapeBytes:
		v.Type = tByte
		v.Close(off + 1)
		return
	case shapeFixed:
		v.Type = typeID(parent.Sub)
		v.Close(off + int64(parent.Stride))
		return
	case shapePacked:
		f.readElement(parent, v)
		return
	}
	switch parent.Type {
	case tStream:
		f.readFrame(w, v)
		return
	case tElement:
		v.Type = elementComp(parent)
		v.Close(off + int64(parent.Stride))
		return
	}
	f.readValue(w, v)
}

// readFrame reads a u32 length and the value behind it. The frame ends where
// its length says, whatever the value does.
func (f *Format) readFrame(w *source.Window, v *tree.Value) {
	n := f.frameLength(w, v.Start)
	v.Head = v.Start + 4
	v.Body = v.Head
	v.Fenced = true
	end := min(v.Head+int64(n), v.Limit) // Inspect tells of one past the limit
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

func (f *Format) frameLength(w *source.Window, at int64) uint32 {
	if n := w.U32(at); f.BigEndian {
		return bits.ReverseBytes32(n)
	} else {
		return n
	}
}

// readValue reads a header and as much of the payload as tells where the value
// ends, or where its children begin.
func (f *Format) readValue(w *source.Window, v *tree.Value) {
	at := v.Head
	if v.Limit-at < 4 {
		v.Type = tUnknown
		v.Break(at, truncated(at, v.Limit, "a header needs 4 bytes"))
		return
	}
	header := w.U32(at)
	v.Type = f.Dialect.typeOf(header)
	v.Flags = uint16(header >> 16)
	v.Body = at + 4
	t := typeOf(v.Type)
	wide := v.Flags&flagWide != 0
	switch t.shape {
	case shapeNone:
		v.Close(v.Body)
	case shapeBool:
		f.readPlain(v, 4)
	case shapeNumber:
		if f.Dialect.noFlags {
			wide = v.Type == tInt
		}
		if wide {
			f.readPlain(v, 8)
		} else {
			f.readPlain(v, 4)
		}
	case shapeText:
		f.readText(w, v, v.Body)
	case shapeFixed:
		comp := f.component(t, wide)
		v.Sub, v.Stride, v.Count = uint32(comp), uint16(width(comp)), int64(len(t.parts))
		f.readPlain(v, v.Count*int64(v.Stride))
		if v.Damage == nil {
			v.Layout = tree.Fixed
		}
	case shapePath:
		f.readNodePath(w, v)
	case shapeRID:
		if f.Dialect.ridHasID {
			f.readPlain(v, 8)
		} else {
			v.Close(v.Body)
		}
	case shapeObject:
		f.readObject(w, v, wide && !f.Dialect.noFlags)
	case shapeSignal:
		f.readText(w, v, v.Body)
		if v.Damage == nil {
			v.Body = v.Tail
			f.readPlain(v, 8)
		}
	case shapeDict:
		f.readDictionary(w, v)
	case shapeArray:
		f.readArray(w, v)
	case shapeTyped:
		f.readTypedArray(w, v)
	case shapeBytes:
		f.readBytes(w, v)
	case shapePacked:
		f.readPacked(w, v, t, wide)
	case shapeStrings:
		if n, ok := f.readCount(w, v); ok {
			if n >= 1<<31 && f.Dialect.engine != engineGodot4 {
				n = 0 // a negative count reads as empty
			}
			v.Contain(tree.Sequence, int64(n), 4)
		}
	case shapeUnknown:
		v.Sub = header & 0xffff
		v.Break(v.Body, &span.Problem{Span: span.Between(at, at+2), Severity: span.Error, Code: span.UnknownType,
			Message: f.Dialect.Title + " has no " + f.Dialect.typeName(header), Engine: failsData})
	}
}

// readPlain ends v behind a payload of n bytes at Body.
func (f *Format) readPlain(v *tree.Value, n int64) {
	if v.Limit-v.Body < n {
		v.Break(v.Body, truncated(v.Body, v.Limit, f.TypeName(v)+" is cut"))
		return
	}
	v.Close(v.Body + n)
}

// component is the type of a component, given flag bit 16 of the header.
func (f *Format) component(t *typeInfo, wide bool) typeID {
	if t.comp == tFloat32 && (f.Double && (t.wide || f.Dialect.doubleAll) || wide && t.wide && f.Dialect.wideParts) {
		return tFloat64
	}
	return t.comp
}

// readElement reads an element of a packed array, which is a number or a vector
// of them.
func (f *Format) readElement(parent, v *tree.Value) {
	v.Close(v.Start + int64(parent.Stride))
	t := typeOf(parent.Type)
	if len(t.parts) == 0 {
		v.Type = typeID(parent.Sub)
		return
	}
	v.Type, v.Sub = tElement, uint32(parent.Type)
	v.Layout, v.Count = tree.Fixed, int64(len(t.parts))
	v.Stride = parent.Stride / uint16(len(t.parts))
}

// elementComp is the type of the components of a packed vector.
func elementComp(element *tree.Value) typeID {
	comp := typeOf(typeID(element.Sub)).comp
	if comp == tFloat32 && element.Stride == 8 {
		return tFloat64
	}
	return comp
}

func truncated(at, limit int64, message string) *span.Problem {
	return &span.Problem{Span: span.Between(at, limit), Severity: span.Error, Code: span.Truncated,
		Message: message, Engine: failsData}
}
