package godot

import (
	"varview/decoder/source"
	"varview/decoder/tree"
)

// A containerType is what a typed container says of its keys, values or
// elements.
type containerType struct {
	kind uint16
	name string // type, class or script path
}

// text is how Godot writes it: int, Resource, Resource("res://item.gd"), Variant.
func (c containerType) text() string {
	switch c.kind {
	case kindClass:
		return className(c.name)
	case kindScript:
		return "Resource(" + string(tree.AppendQuoted(nil, []byte(c.name))) + ")"
	case kindNone:
		return "Variant"
	}
	return c.name
}

// className is how the class of elements is written: in quotes unless it is an
// identifier, as it may hold anything, and where it could be taken for a type.
func className(name string) string {
	if _, isType := typeByName(name); !isType && name != "Variant" && tree.IsIdentifier([]byte(name)) {
		return name
	}
	return string(tree.AppendQuoted(nil, []byte(name)))
}

// maxName bounds the name of a class or script that is taken into memory.
const maxName = 4096

// containerType reads the container type at off and returns the offset behind.
func (f *Format) containerType(w *source.Window, off int64, kind uint16) (containerType, int64) {
	switch kind {
	case kindBuiltin:
		return containerType{kind, f.Dialect.elementName(w.U32(off))}, off + 4
	case kindClass, kindScript:
		n := int64(w.U32(off))
		return containerType{kind, string(w.View(off+4, min(n, maxName)))}, off + 4 + n + pad(n)
	}
	return containerType{}, off
}

// containerTypes says what a typed container holds; of a Dictionary also the type
// of its values.
func (f *Format) containerTypes(w *source.Window, v *tree.Value) (elem, value containerType) {
	switch typeOf(v.Type).shape {
	case shapeArray, shapeDict:
		if !f.Dialect.typed {
			break
		}
		elem, at := f.containerType(w, v.Head+4, v.Flags&3)
		if v.Type == tDictionary {
			value, _ = f.containerType(w, at, v.Flags>>2&3)
		}
		return elem, value
	case shapeTyped:
		if f.hasClass(v) {
			n := int64(w.U32(v.Head + 12))
			return containerType{kindClass, string(w.View(v.Head+16, min(n, maxName)))}, value
		} else if v.Sub != 0 {
			return containerType{kindBuiltin, f.Dialect.elementName(v.Sub)}, value
		}
	}
	return elem, value
}

// rid is the id of a RID, 0 in dialects that do not store it.
func (f *Format) rid(w *source.Window, v *tree.Value) uint64 {
	if !f.Dialect.ridHasID {
		return 0
	}
	return w.U64(v.Head + 4)
}

// A pathPart is a name or subname of a NodePath.
type pathPart struct {
	off, n int64 // its text
	sub    bool
}

// eachPart calls each for the names and subnames of a NodePath in order, until
// that returns false or the bytes end.
func (f *Format) eachPart(w *source.Window, v *tree.Value, each func(pathPart) bool) {
	at := v.Body
	for i := int64(0); i < v.Count && v.Limit-at >= 4; i++ {
		n := int64(w.U32(at))
		if n > v.Limit-at-4 || !each(pathPart{at + 4, n, i >= int64(v.Sub)}) {
			return
		}
		at += 4 + n + pad(n)
	}
}

// absolute reports whether a NodePath begins at the root, and all of its flags.
func (f *Format) pathFlags(w *source.Window, v *tree.Value) (absolute bool, flags uint32) {
	flags = w.U32(v.Head + 12)
	return flags&1 != 0, flags
}

// nodePath writes ^"a/b:c".
func (t *textWriter) nodePath(v *tree.Value) {
	t.Put(`^"`)
	if v.Layout == tree.Leaf { // the old form
		t.Escaped(t.w, v.Head+8, int64(t.w.U32(v.Head+4)))
	} else {
		t.f.writePath(&t.Writer, t.w, v)
	}
	t.Put(`"`)
}

// writePath writes names and subnames as Godot joins them: /a/b:c:d.
func (f *Format) writePath(t *tree.Writer, w *source.Window, v *tree.Value) {
	absolute, _ := f.pathFlags(w, v)
	if absolute {
		t.Put("/")
	}
	first := true
	f.eachPart(w, v, func(p pathPart) bool {
		switch {
		case p.sub:
			t.Put(":")
		case !first:
			t.Put("/")
		}
		first = false
		t.Escaped(w, p.off, p.n)
		return !t.Full()
	})
}
