package literal

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/numeric"
	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/formats/godot/internal/variant"
)

// Literals implements tree.LiteralWriter and tree.LineWriter for a format.
type Literals struct{ *variant.Format }

// AppendLiteral implements tree.LiteralWriter.
func (f Literals) AppendLiteral(dst []byte, r *tree.Reader, v *tree.Value, limit int) []byte {
	if v.Layout < tree.Sequence { // like most keys: the writer allocates nothing here
		t := newLiteral(f.Format, dst, r, limit)
		t.Atom(v)
		return t.Literal()
	}
	t := newLiteral(f.Format, dst, r, limit)
	tree.Visit(r, v, &t)
	return t.Literal()
}

func newLiteral(f *variant.Format, dst []byte, r *tree.Reader, limit int) textWriter {
	return textWriter{nest: nest{Writer: tree.NewLiteral(dst, limit)}, f: f, w: r.Window()}
}

// WriteText writes v in the notation of var_to_str: shortest digits that read back,
// entries in file order. A stream is a list of its values.
func (f Literals) WriteText(ctx context.Context, out io.Writer, r *tree.Reader, v *tree.Value) error {
	return write(ctx, f.Format, out, r, v, textWriter{})
}

// WriteStored implements format.StoredWriter.
func (f Literals) WriteStored(ctx context.Context, out io.Writer, r *tree.Reader, v *tree.Value) error {
	var odd error
	err := write(ctx, f.Format, out, r, v, textWriter{odd: &odd})
	return cmp.Or(odd, err)
}

// WriteLines writes the values of a buffer as WriteText does, each value of a stream on its own line.
func (f Literals) WriteLines(ctx context.Context, out io.Writer, r *tree.Reader) error {
	return write(ctx, f.Format, out, r, &r.Tree.Base.Value, textWriter{lines: true})
}

func write(ctx context.Context, f *variant.Format, out io.Writer, r *tree.Reader, v *tree.Value, as textWriter) error {
	return tree.Write(ctx, out, r, v, func(t tree.Writer) tree.TextVisitor {
		return &textWriter{nest: nest{Writer: t}, f: f, w: r.Window(), lines: as.lines, odd: as.odd}
	})
}

// Visitor returns a visitor that writes the values of a resource file to t, and the brackets of its records.
func Visitor(f *variant.Format, t tree.Writer, r *tree.Reader) variant.RecordVisitor {
	return &textWriter{nest: nest{Writer: t}, f: f, w: r.Window()}
}

// A textWriter writes values in the notation of var_to_str.
type textWriter struct {
	nest
	f     *variant.Format
	w     *source.Window
	lines bool   // each value of a stream has its own line
	odd   *error // of a value that no literal carries; nil if that does not matter
}

type nest = tree.Nest[struct{}]

func (t *textWriter) Open(v *tree.Value) bool {
	if t.IsTooDeep() {
		return false
	}
	o := tree.Brackets{Comma: ", ", Colon: ": "}
	switch {
	case v.Type == types.Raw:
		o = tree.Brackets{}
	case v.Type == types.Stream && t.lines:
		o = tree.Brackets{Comma: "\n", Last: "\n"}
	case v.Type == types.Stream:
		t.Put("[")
		o.Close = "]"
	}
	switch shape := types.Of(v.Type).Shape; shape {
	case types.ShapePath:
		t.nodePath(v)
		return false
	case types.ShapeDict, types.ShapeArray, types.ShapeStrings:
		var of []string
		if elem, value := t.f.ContainerTypes(t.w, v); elem.Kind|value.Kind != types.KindNone {
			if of = []string{elem.Text()}; shape == types.ShapeDict {
				of = append(of, value.Text())
			}
		}
		return t.OpenNamed(v.Type, "", of)
	case types.ShapeRecord:
		o.First, o.Last, o.Close = " ", " ", "}"
		if v.Type == types.List {
			o.First, o.Last, o.Close = "", "", "]"
		}
		t.Put(map[string]string{"}": "{", "]": "["}[o.Close])
	case types.ShapeTyped:
		t.name(v)
		elem, _ := t.f.ContainerTypes(t.w, v)
		t.Put(elem.Text())
		o.First, o.Close = ", ", ")"
	case types.ShapeObject:
		t.Put("Object(")
		t.className(v)
		o.First, o.Close = ", ", ")"
	}
	t.Begin(o, struct{}{})
	return true
}

// OpenNamed implements variant.RecordVisitor.
func (t *textWriter) OpenNamed(id types.ID, class string, of []string) bool {
	if t.IsTooDeep() {
		return false
	}
	open, o := types.Of(id).Name+"(", tree.Brackets{Comma: ", ", Colon: ": ", Close: ")"}
	switch types.Of(id).Shape {
	case types.ShapeObject:
		open += class
		o.First = ", "
	case types.ShapeDict:
		open, o.First, o.Last, o.Close = "{", " ", " ", "}"
	case types.ShapeArray:
		open, o.Close = "[", "]"
	}
	if of != nil {
		open = types.Of(id).Name + "[" + strings.Join(of, ", ") + "](" + open
		o.Close += ")"
	}
	t.Put(open)
	t.Begin(o, struct{}{})
	return true
}

func (t *textWriter) Close() {
	if t.Lacks() {
		t.Put("<" + span.MissingValue + ">")
	}
	t.nest.Close()
}

// className writes the class of an object. EncodedObjectAsID is quoted if it could be
// mistaken for an object stored as its id.
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
	switch shape := types.Of(v.Type).Shape; shape {
	case types.ShapeNone:
		t.bare(v)
	case types.ShapeBool:
		t.Dst = variant.AppendPayload(t.Dst, t.w, v, v.Head+4, numeric.StyleText)
	case types.ShapeNumber:
		t.Dst = variant.AppendPayload(t.Dst, t.w, v, v.Start, numeric.StyleFloat)
	case types.ShapeText:
		t.text(v)
	case types.ShapePath:
		t.nodePath(v)
	case types.ShapeRID, types.ShapeReference, types.ShapeObject, types.ShapeSignal:
		t.Put(types.Of(v.Type).Name + "(")
		t.arguments(v, shape)
		t.Put(")")
	case types.ShapeFixed:
		t.components(v, types.ID(v.Sub), v.Body, v.Count)
	case types.ShapeBytes, types.ShapePacked, types.ShapeStrings:
		t.elements(v, types.ID(v.Sub))
	}
}

// bare writes a value without content, or an element of a packed array.
func (t *textWriter) bare(v *tree.Value) {
	switch v.Type {
	case types.Element:
		t.components(v, variant.ElementComp(v), v.Body, v.Count)
	case types.Callable:
		t.Put("Callable()")
	default:
		t.Put("null")
	}
}

// arguments writes what stands in the parentheses of a value that refers to something.
func (t *textWriter) arguments(v *tree.Value, shape types.Shape) {
	switch shape {
	case types.ShapeRID:
		if id := t.f.RID(t.w, v); id != 0 {
			t.Dst = strconv.AppendUint(t.Dst, id, 10)
		}
	case types.ShapeReference:
		t.Dst = tree.AppendQuoted(t.Dst, []byte(t.f.ReferenceID(t.w, v)))
	case types.ShapeObject:
		if v.Flags&types.WideFlag != 0 && !t.f.Dialect.NoFlags {
			t.PutInt(`EncodedObjectAsID, "object_id": `, int64(t.w.U64(v.Head+4)))
		}
	case types.ShapeSignal:
		if t.f.Dialect.Resource {
			return
		}
		if n, id := int64(t.w.U32(v.Head+4)), t.w.U64(v.Tail-8); n > 0 || id != 0 {
			t.Quoted(t.w, v.Head+8, n)
			t.PutUint(", ", id)
		}
	}
}

// elements writes a packed array of numbers, or of vectors as a flat list.
func (t *textWriter) elements(v *tree.Value, comp types.ID) {
	n := int64(0)
	if v.Stride > 0 {
		n = v.Count * int64(v.Stride) / types.Width(comp)
	}
	t.components(v, comp, v.Body, n)
}

// name writes the name of a type and the opening parenthesis.
func (t *textWriter) name(v *tree.Value) {
	t.Put(t.f.TypeName(v))
	t.Put("(")
}

// components writes Name(1, 2, 3) from the n numbers at off.
func (t *textWriter) components(v *tree.Value, comp types.ID, off, n int64) {
	t.name(v)
	numeric.Write(&t.Writer, t.w, comp, off, n, numeric.StyleText, ", ")
	t.Put(")")
}

// text writes a string of any kind.
func (t *textWriter) text(v *tree.Value) {
	at := v.Start
	switch {
	case v.Type == types.Property, v.Type == types.Part && t.f.Dialect.Resource:
		text, _, _ := t.f.NameAt(t.w, at)
		t.Quoted(t.w, text.Offset, text.Length)
		return
	case v.Type == types.String:
		at = v.Head + 4
	case v.Type == types.StringName:
		at = v.Head + 4
		t.Put("&")
	}
	t.Quoted(t.w, at+4, t.f.TextLength(t.w, v, at))
}

var errNames = fmt.Errorf("%w the names of this NodePath: one is empty, or has a slash or a colon", format.ErrNoLiteral)

// nodePath writes ^"a/b:c".
func (t *textWriter) nodePath(v *tree.Value) {
	t.Put(`^"`)
	if t.odd != nil && v.Layout != tree.Leaf && !Joins(t.f, t.w, v) {
		*t.odd = errNames
	}
	if v.Layout == tree.Leaf { // the old form
		t.Escaped(t.w, v.Head+8, int64(t.w.U32(v.Head+4)))
	} else {
		WritePath(t.f, &t.Writer, t.w, v)
	}
	t.Put(`"`)
}

// WritePath writes names and subnames as Godot joins them: /a/b:c:d.
func WritePath(f *variant.Format, t *tree.Writer, w *source.Window, v *tree.Value) {
	if f.PathFlags(w, v)&1 != 0 {
		t.Put("/")
	}
	first := true
	f.EachPart(w, v, func(p variant.PathPart) bool {
		switch {
		case p.Sub:
			t.Put(":")
		case !first:
			t.Put("/")
		}
		first = false
		t.Escaped(w, p.Off, p.N)
		return !t.Full()
	})
}

// Joins reports whether the parts of a path, joined, would be split in the same way again.
func Joins(f *variant.Format, w *source.Window, v *tree.Value) bool {
	names, ok := 0, true
	f.EachPart(w, v, func(p variant.PathPart) bool {
		if !p.Sub {
			names++
		}
		ok = p.N > 0 && p.N <= tree.MaxKey
		if ok {
			for _, c := range w.View(p.Off, p.N) {
				ok = ok && c != ':' && (c != '/' || p.Sub)
			}
		}
		if ok {
			bad, _ := tree.ScanText(w, p.Off, p.N, tree.RuneSize)
			ok = bad == tree.Unknown
		}
		return ok
	})
	return ok && (names > 0 || f.PathFlags(w, v)&1 == 0)
}
