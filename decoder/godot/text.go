package godot

import (
	"context"
	"io"
	"strconv"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// maxNest is how many levels of nesting are written in a literal of limited
// length.
const maxNest = 32

// AppendLiteral implements tree.Reading.
func (f *Format) AppendLiteral(dst []byte, r *tree.Reader, v *tree.Value, limit int) []byte {
	if v.Layout < tree.Sequence { // most keys: the writer takes no memory here
		t := f.newLiteral(dst, r, limit)
		t.Atom(v)
		return t.Literal()
	}
	t := f.newLiteral(dst, r, limit)
	tree.Visit(r, v, &t)
	return t.Literal()
}

func (f *Format) newLiteral(dst []byte, r *tree.Reader, limit int) textWriter {
	return textWriter{Writer: tree.NewLiteral(dst, limit), f: f, w: r.Window()}
}

// WriteText implements tree.Reading: the notation of var_to_str, shortest digits
// that read back, entries in file order. The values of a stream stand one a
// line.
func (f *Format) WriteText(ctx context.Context, out io.Writer, r *tree.Reader, v *tree.Value) error {
	t := textWriter{Writer: tree.NewWriter(ctx, out), f: f, w: r.Window()}
	tree.Visit(r, v, &t)
	return t.Flush()
}

// A textWriter writes values in the notation of var_to_str.
type textWriter struct {
	tree.Writer
	f    *Format
	w    *source.Window
	nest []openText
}

// openText is a container that is being written.
type openText struct {
	kind   typeID
	some   bool // a child has been written
	key    bool // and it was a key, whose value is due
	closer string
}

func (t *textWriter) Before(slot tree.Slot) {
	o := &t.nest[len(t.nest)-1]
	o.key = slot.Key
	switch {
	case o.kind == tRaw:
	case o.kind == tStream:
		if o.some {
			t.Put("\n")
		}
	case !slot.Key && (o.kind == tDictionary || o.kind == tObject):
		t.Put(": ")
	case o.kind == tDictionary && !o.some:
		t.Put(" ")
	case o.some || o.kind == tObject || o.kind == tTypedArray || o.kind == tPackedTypedArray:
		t.Put(", ")
	}
	o.some = true
}

func (t *textWriter) Open(v *tree.Value) bool {
	if t.Limited() && len(t.nest) == maxNest {
		t.Cut = true
		return false
	}
	o := openText{kind: v.Type}
	switch typeOf(v.Type).shape {
	case shapePath:
		t.nodePath(v)
		return false
	case shapeDict:
		o.closer = "}"
		if t.f.Dialect.typed && v.Flags&15 != 0 {
			key, value := t.f.containerTypes(t.w, v)
			t.Put("Dictionary[" + key.text() + ", " + value.text() + "](")
			o.closer = "})"
		}
		t.Put("{")
	case shapeArray:
		o.closer = "]"
		if t.f.Dialect.typed && v.Flags&3 != 0 {
			elem, _ := t.f.containerTypes(t.w, v)
			t.Put("Array[" + elem.text() + "](")
			o.closer = "])"
		}
		t.Put("[")
	case shapeTyped:
		t.name(v)
		elem, _ := t.f.containerTypes(t.w, v)
		t.Put(elem.text())
		o.closer = ")"
	case shapeStrings:
		t.name(v)
		o.closer = ")"
	case shapeObject:
		t.Put("Object(")
		t.className(v)
		o.closer = ")"
	}
	t.nest = append(t.nest, o)
	return true
}

func (t *textWriter) Close() {
	o := t.nest[len(t.nest)-1]
	t.nest = t.nest[:len(t.nest)-1]
	if o.key {
		t.Put(": <" + span.MissingValue + ">")
	}
	if o.kind == tDictionary && o.some {
		t.Put(" ")
	}
	t.Put(o.closer)
	if o.kind == tStream && o.some {
		t.Put("\n")
	}
}

// className writes the class of an object. EncodedObjectAsID stands in quotes
// where it could be taken for an object stored as its id.
func (t *textWriter) className(v *tree.Value) {
	n := int64(t.w.U32(v.Head + 4))
	b := t.w.View(v.Head+8, n)
	if int64(len(b)) == n && tree.IsIdentifier(b) && (v.Count != 1 || string(b) != idClass) {
		t.Dst = append(t.Dst, b...)
		return
	}
	t.Quoted(t.w, v.Head+8, n)
}

func (t *textWriter) Atom(v *tree.Value) {
	if v.Damage != nil && v.Layout == tree.Leaf {
		t.Put("<" + v.Damage.Code + ">")
		return
	}
	switch shape := typeOf(v.Type).shape; shape {
	case shapeNone:
		if v.Type == tElement {
			t.components(v, elementComp(v), v.Body, v.Count)
		} else if v.Type == tCallable {
			t.Put("Callable()")
		} else {
			t.Put("null")
		}
	case shapeBool:
		t.Dst = t.f.appendPayload(t.Dst, t.w, v, v.Head+4, styleText)
	case shapeNumber:
		t.Dst = t.f.appendPayload(t.Dst, t.w, v, v.Start, styleFloat)
	case shapeText:
		t.text(v)
	case shapePath:
		t.nodePath(v)
	case shapeRID:
		t.Put("RID(")
		if id := t.f.rid(t.w, v); id != 0 {
			t.Dst = strconv.AppendUint(t.Dst, id, 10)
		}
		t.Put(")")
	case shapeObject:
		t.Put("Object(")
		if v.Flags&flagWide != 0 && !t.f.Dialect.noFlags {
			t.Put(`EncodedObjectAsID, "object_id": `)
			t.Dst = strconv.AppendInt(t.Dst, int64(t.w.U64(v.Head+4)), 10)
		}
		t.Put(")")
	case shapeSignal:
		t.Put("Signal(")
		if n, id := int64(t.w.U32(v.Head+4)), t.w.U64(v.Tail-8); n > 0 || id != 0 {
			t.Quoted(t.w, v.Head+8, n)
			t.Put(", ")
			t.Dst = strconv.AppendUint(t.Dst, id, 10)
		}
		t.Put(")")
	case shapeFixed:
		t.components(v, typeID(v.Sub), v.Body, v.Count)
	case shapeBytes, shapePacked, shapeStrings:
		t.elements(v, typeID(v.Sub))
	}
}

// elements writes a packed array of numbers or of vectors, flat.
func (t *textWriter) elements(v *tree.Value, comp typeID) {
	n := int64(0)
	if v.Stride > 0 {
		n = v.Count * int64(v.Stride) / width(comp)
	}
	t.components(v, comp, v.Body, n)
}

// name writes the name of a type and opens its parenthesis.
func (t *textWriter) name(v *tree.Value) {
	t.Put(t.f.TypeName(v))
	t.Put("(")
}

// components writes Name(1, 2, 3) from the n numbers at off.
func (t *textWriter) components(v *tree.Value, comp typeID, off, n int64) {
	t.name(v)
	numbers(&t.Writer, t.w, comp, off, n, styleText, ", ")
	t.Put(")")
}

// text writes a string of any kind.
func (t *textWriter) text(v *tree.Value) {
	at := v.Start
	switch v.Type {
	case tString:
		at = v.Head + 4
	case tStringName:
		at = v.Head + 4
		t.Put("&")
	}
	t.Quoted(t.w, at+4, textLength(t.w, v, at))
}

// textLength is the length of the string at off without a terminating NUL that
// packed strings count.
func textLength(w *source.Window, v *tree.Value, off int64) int64 {
	n := int64(w.U32(off))
	if v.Type == tEntry && n > 0 && w.Byte(off+4+n-1) == 0 {
		n--
	}
	return n
}
