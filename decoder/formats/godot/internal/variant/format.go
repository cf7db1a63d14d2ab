// Package variant reads Variants in a buffer: values, fields, paths and problems.
package variant

import (
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
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
