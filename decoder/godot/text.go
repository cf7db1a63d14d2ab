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

// AppendLiteral implements tree.Format.
func (f *Format) AppendLiteral(dst []byte, r *tree.Reader, v *tree.Value, limit int) []byte {
	if v.Layout < tree.Sequence { // most keys: the writer takes no memory here
		t := f.newLiteral(dst, r, limit)
		t.atom(v)
		return t.literal()
	}
	t := f.newLiteral(dst, r, limit)
	visit(r, v, &t)
	return t.literal()
}

func (f *Format) newLiteral(dst []byte, r *tree.Reader, limit int) textWriter {
	return textWriter{writer: writer{dst: dst, start: len(dst), limit: limit}, f: f, w: r.Window()}
}

// literal is what has been written, cut to the limit.
func (t *textWriter) literal() []byte {
	if len(t.dst)-t.start > t.limit {
		t.dst, t.cut = cutRune(t.dst, t.start+t.limit), true
	}
	if t.cut {
		t.dst = append(t.dst, "…"...)
	}
	return t.dst
}

// cutRune cuts b to at most n bytes without splitting a character.
func cutRune(b []byte, n int) []byte {
	for n > 0 && b[n]&0xc0 == 0x80 {
		n--
	}
	return b[:n]
}

// WriteText implements tree.Format: the notation of var_to_str, shortest digits
// that read back, entries in file order. The values of a stream stand one a
// line.
func (f *Format) WriteText(ctx context.Context, out io.Writer, r *tree.Reader, v *tree.Value) error {
	t := textWriter{writer: writer{ctx: ctx, out: out}, f: f, w: r.Window()}
	visit(r, v, &t)
	t.flush()
	return t.err
}

// A textWriter writes values in the notation of var_to_str.
type textWriter struct {
	writer
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

func (t *textWriter) before(slot tree.Slot) {
	o := &t.nest[len(t.nest)-1]
	o.key = slot.Key
	switch {
	case o.kind == tRaw:
	case o.kind == tStream:
		if o.some {
			t.put("\n")
		}
	case !slot.Key && (o.kind == tDictionary || o.kind == tObject):
		t.put(": ")
	case o.kind == tDictionary && !o.some:
		t.put(" ")
	case o.some || o.kind == tObject || o.kind == tTypedArray || o.kind == tPackedTypedArray:
		t.put(", ")
	}
	o.some = true
}

func (t *textWriter) open(v *tree.Value) bool {
	if t.out == nil && len(t.nest) == maxNest {
		t.cut = true
		return false
	}
	o := openText{kind: v.Type}
	switch types[v.Type].shape {
	case shapePath:
		t.nodePath(v)
		return false
	case shapeDict:
		o.closer = "}"
		if t.f.Dialect.typed && v.Flags&15 != 0 {
			key, at := t.f.containerType(t.w, v.Head+4, v.Flags&3)
			value, _ := t.f.containerType(t.w, at, v.Flags>>2&3)
			t.put("Dictionary[" + orVariant(key.text()) + ", " + orVariant(value.text()) + "](")
			o.closer = "})"
		}
		t.put("{")
	case shapeArray:
		o.closer = "]"
		if t.f.Dialect.typed && v.Flags&3 != 0 {
			elem, _ := t.f.containerType(t.w, v.Head+4, v.Flags&3)
			t.put("Array[" + elem.text() + "](")
			o.closer = "])"
		}
		t.put("[")
	case shapeTyped:
		t.name(v)
		if name := t.f.elementType(t.w, v); t.f.hasClass(v) {
			t.put(className(name))
		} else {
			t.put(orVariant(name))
		}
		o.closer = ")"
	case shapeStrings:
		t.name(v)
		o.closer = ")"
	case shapeObject:
		t.put("Object(")
		t.className(v.Head + 4)
		o.closer = ")"
	}
	t.nest = append(t.nest, o)
	return true
}

func (t *textWriter) close() {
	o := t.nest[len(t.nest)-1]
	t.nest = t.nest[:len(t.nest)-1]
	if o.key {
		t.put(": <" + span.MissingValue + ">")
	}
	if o.kind == tDictionary && o.some {
		t.put(" ")
	}
	t.put(o.closer)
	if o.kind == tStream && o.some {
		t.put("\n")
	}
}

// className writes the class whose length stands at off.
func (t *textWriter) className(off int64) {
	n := int64(t.w.U32(off))
	if b := t.w.View(off+4, n); int64(len(b)) == n && tree.IsIdentifier(b) {
		t.dst = append(t.dst, b...)
		return
	}
	t.quoted(t.w, off+4, n)
}

func orVariant(name string) string {
	if name == "" {
		return "Variant"
	}
	return name
}

func (t *textWriter) atom(v *tree.Value) {
	if v.Damage != nil && v.Layout == tree.Leaf {
		t.put("<" + v.Damage.Code + ">")
		return
	}
	switch shape := types[v.Type].shape; shape {
	case shapeNone:
		if v.Type == tElement {
			t.components(v, elementComp(v), v.Body, v.Count)
		} else if v.Type == tCallable {
			t.put("Callable()")
		} else {
			t.put("null")
		}
	case shapeBool:
		t.dst = t.f.appendPayload(t.dst, t.w, v, v.Head+4, styleText)
	case shapeNumber:
		t.dst = t.f.appendPayload(t.dst, t.w, v, v.Start, styleFloat)
	case shapeText:
		t.text(v)
	case shapePath:
		t.nodePath(v)
	case shapeRID:
		t.put("RID(")
		if id := t.f.rid(t.w, v); id != 0 {
			t.dst = strconv.AppendUint(t.dst, id, 10)
		}
		t.put(")")
	case shapeObject:
		t.put("Object(")
		if v.Flags&flagWide != 0 && !t.f.Dialect.noFlags {
			t.put(`EncodedObjectAsID, "object_id": `)
			t.dst = strconv.AppendInt(t.dst, int64(t.w.U64(v.Head+4)), 10)
		}
		t.put(")")
	case shapeSignal:
		t.put("Signal(")
		if n, id := int64(t.w.U32(v.Head+4)), t.w.U64(v.Tail-8); n > 0 || id != 0 {
			t.quoted(t.w, v.Head+8, n)
			t.put(", ")
			t.dst = strconv.AppendUint(t.dst, id, 10)
		}
		t.put(")")
	case shapeBytes:
		t.elements(v, tByte)
	case shapeFixed:
		t.components(v, typeID(v.Sub), v.Body, v.Count)
	case shapePacked, shapeStrings:
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
	t.put(t.f.TypeName(v))
	t.put("(")
}

// components writes Name(1, 2, 3) from the n numbers at off.
func (t *textWriter) components(v *tree.Value, comp typeID, off, n int64) {
	t.name(v)
	t.numbers(t.w, comp, off, n, styleText, ", ")
	t.put(")")
}

// text writes a string of any kind.
func (t *textWriter) text(v *tree.Value) {
	at := v.Start
	switch v.Type {
	case tString:
		at = v.Head + 4
	case tStringName:
		at = v.Head + 4
		t.put("&")
	}
	t.quoted(t.w, at+4, textLength(t.w, v, at))
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
