// Package write writes values as text in the two forms that Godot has for them: the notation of var_to_str, in which literals are
// typed, and the JSON of JSON.from_native with full objects, extended where that form would lose something. What is in a value
// follows from the description of its type (package types), so one visitor writes both: in the one Vector2(1, 2), in the other
// {"type":"Vector2","args":[1.0,2.0]}.
package write

import (
	"cmp"
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"slices"
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

// Forms implements tree.LiteralWriter, tree.LineWriter, tree.JSONWriter and format.StoredWriter for a format.
type Forms struct{ *variant.Format }

// AppendLiteral implements tree.LiteralWriter.
func (f Forms) AppendLiteral(dst []byte, r *tree.Reader, v *tree.Value, limit int) []byte {
	if v.Layout < tree.Sequence { // like most keys: the writer allocates nothing here
		t := Writer{nest: nest{Writer: tree.NewLiteral(dst, limit)}, f: f.Format, w: r.Window()}
		t.Atom(v)
		return t.Literal()
	}
	t := Literal(f.Format, tree.NewLiteral(dst, limit), r)
	tree.Visit(r, v, t)
	return t.Literal()
}

// WriteText writes v in the notation of var_to_str: shortest digits that read back,
// entries in file order. A stream is a list of its values.
func (f Forms) WriteText(ctx context.Context, out io.Writer, r *tree.Reader, v *tree.Value) error {
	return f.write(ctx, out, r, v, Writer{})
}

// WriteStored implements format.StoredWriter.
func (f Forms) WriteStored(ctx context.Context, out io.Writer, r *tree.Reader, v *tree.Value) error {
	var odd error
	err := f.write(ctx, out, r, v, Writer{odd: &odd})
	return cmp.Or(odd, err)
}

// WriteLines writes the values of a buffer as WriteText does, each value of a stream on its own line.
func (f Forms) WriteLines(ctx context.Context, out io.Writer, r *tree.Reader) error {
	return f.write(ctx, out, r, &r.Tree.Base.Value, Writer{lines: true})
}

// WriteJSON writes v in the form of JSON.from_native. A stream is a list.
func (f Forms) WriteJSON(ctx context.Context, out io.Writer, r *tree.Reader, v *tree.Value) error {
	err := f.write(ctx, out, r, v, Writer{json: true})
	if err == nil {
		_, err = io.WriteString(out, "\n")
	}
	return err
}

// write writes a value with a writer of which only how it writes is set.
func (f Forms) write(ctx context.Context, out io.Writer, r *tree.Reader, v *tree.Value, as Writer) error {
	return tree.Write(ctx, out, r, v, func(t tree.Writer) tree.TextVisitor {
		as.Writer, as.f, as.w = t, f.Format, r.Window()
		return &as
	})
}

// Literal returns a visitor that writes literals to t.
func Literal(f *variant.Format, t tree.Writer, r *tree.Reader) *Writer {
	return &Writer{nest: nest{Writer: t}, f: f, w: r.Window()}
}

// Lines returns a visitor that writes literals to t, each value of a stream on a line of its own.
func Lines(f *variant.Format, t tree.Writer, r *tree.Reader) *Writer {
	return &Writer{nest: nest{Writer: t}, f: f, w: r.Window(), lines: true}
}

// JSON returns a visitor that writes JSON to t.
func JSON(f *variant.Format, t tree.Writer, r *tree.Reader) *Writer {
	return &Writer{nest: nest{Writer: t}, f: f, w: r.Window(), json: true}
}

// A Writer is a visitor that writes the values of a buffer, and the brackets of the records of a file of resources.
type Writer struct {
	nest
	f     *variant.Format
	w     *source.Window
	json  bool
	lines bool   // each value of a stream has its own line
	odd   *error // of a value that no literal carries; nil if that does not matter
}

type nest = tree.Nest[struct{}]

// either returns a text of the notation of var_to_str, or of JSON.
func (t *Writer) either(literal, json string) string {
	if t.json {
		return json
	}
	return literal
}

// begin begins the children of a value with brackets of the notation of var_to_str, or of JSON.
func (t *Writer) begin(literal, json tree.Brackets) {
	if literal.Comma, literal.Colon, json.Comma = ", ", ": ", ","; t.json {
		literal = json
	}
	t.Begin(literal, struct{}{})
}

// Open implements tree.Visitor.
func (t *Writer) Open(v *tree.Value) bool {
	if t.IsTooDeep() {
		return false
	}
	switch shape := types.Of(v.Type).Shape; {
	case shape == types.ShapePath:
		t.nodePath(v)
		return false
	case v.Type == types.Raw || v.Type == types.Stream:
		t.buffer(v)
	case shape == types.ShapeRecord || v.Type == types.Properties:
		t.record(v)
	case shape == types.ShapeObject:
		t.Put(t.either("Object(", `{"type":`))
		t.className(v)
		t.Put(t.either("", `,"props":[`))
		t.begin(tree.Brackets{First: ", ", Close: ")"}, tree.Brackets{Colon: ",", Close: "]}"})
	case t.json && t.hasMembers(v, shape):
		t.container(v)
	case shape == types.ShapeTyped:
		elem, _ := t.f.ContainerTypes(t.w, v)
		t.Put(t.f.TypeName(v) + "(" + elem.Text())
		t.begin(tree.Brackets{First: ", ", Close: ")"}, tree.Brackets{})
	default:
		return t.OpenNamed(v.Type, "", t.typesOf(v))
	}
	return true
}

// typesOf returns the types that a literal of a container says of what is in it; nil if it says none.
func (t *Writer) typesOf(v *tree.Value) (of []string) {
	elem, value := t.f.ContainerTypes(t.w, v)
	switch {
	case elem.Kind|value.Kind == types.KindNone:
		return nil
	case v.Type == types.Dictionary:
		return []string{elem.Text(), value.Text()}
	}
	return []string{elem.Text()}
}

// buffer begins the values of a buffer: a stream is a list.
func (t *Writer) buffer(v *tree.Value) {
	o := tree.Brackets{Comma: t.either(", ", ",\n"), Close: "]"}
	switch {
	case v.Type == types.Raw:
		if o = (tree.Brackets{}); t.json && v.Body >= v.Limit { // the buffer has no bytes
			t.damaged(span.Truncated, v.Body)
		}
	case t.lines:
		o = tree.Brackets{Comma: "\n", Last: "\n"}
	default:
		t.Put("[")
	}
	t.Begin(o, struct{}{})
}

// record begins a record of a file of resources, or a list of records.
func (t *Writer) record(v *tree.Value) {
	if v.Type == types.List {
		t.Put("[")
		t.begin(tree.Brackets{Close: "]"}, tree.Brackets{Close: "]"})
		return
	}
	t.Put("{")
	t.begin(tree.Brackets{First: " ", Last: " ", Close: "}"}, tree.Brackets{Colon: ":", Close: "}"})
}

// OpenNamed is Open for a container by what a text says of it: its type, the class of an Object, and of a typed container the
// types of its elements, or of its keys and values.
func (t *Writer) OpenNamed(id types.ID, class string, of []string) bool {
	if t.IsTooDeep() {
		return false
	}
	name, shape := types.Of(id).Name, types.Of(id).Shape
	asLiteral, asJSON := tree.Brackets{Close: ")"}, tree.Brackets{Colon: ",", Close: "]}"}
	switch {
	case t.json && shape == types.ShapeArray && of == nil:
		t.Put("[")
		asJSON.Close = "]"
	case t.json && shape == types.ShapeObject:
		t.PutQuoted(`{"type":`, []byte(strings.Trim(class, `"`)))
		t.Put(`,"props":[`)
	case t.json:
		t.typed(name)
		for i, name := range of {
			if name != "Variant" {
				t.attribute(members(id)[i]+"_type", name)
			}
		}
		t.Put(`,"args":[`)
	default:
		open := name + "("
		switch shape {
		case types.ShapeObject:
			open += class
			asLiteral.First = ", "
		case types.ShapeDict:
			open, asLiteral = "{", tree.Brackets{First: " ", Last: " ", Close: "}"}
		case types.ShapeArray:
			open, asLiteral.Close = "[", "]"
		}
		if of != nil {
			open = name + "[" + strings.Join(of, ", ") + "](" + open
			asLiteral.Close += ")"
		}
		t.Put(open)
	}
	t.begin(asLiteral, asJSON)
	return true
}

// members are what a container has that may have a type.
func members(t types.ID) []string {
	if t == types.Dictionary {
		return []string{"key", "value"}
	}
	return []string{"elem"}
}

// Close implements tree.Visitor.
func (t *Writer) Close() {
	if t.Lacks() {
		t.damaged(span.MissingValue, tree.Unknown)
	}
	t.nest.Close()
}

// damaged writes what takes the place of a value that cannot be read. JSON has its offset, if that is known.
func (t *Writer) damaged(code string, off int64) {
	if !t.json {
		t.Put("<" + code + ">")
		return
	}
	t.typed("Damaged")
	t.attribute("problem", code)
	if off != tree.Unknown {
		t.PutInt(`,"offset":`, off)
	}
	t.Put("}")
}

// typed begins an object of JSON with the name of a type.
func (t *Writer) typed(name string) {
	t.Put(`{"type":"`)
	t.Put(name)
	t.Put(`"`)
}

// attribute writes a member of JSON with a text, unless the text is empty.
func (t *Writer) attribute(name, text string) {
	if text != "" {
		t.Put(`,"`)
		t.Put(name)
		t.PutQuoted(`":`, []byte(text))
	}
}

// hasMembers reports whether the JSON of a container is an object that may say more than its type.
func (t *Writer) hasMembers(v *tree.Value, shape types.Shape) bool {
	if shape == types.ShapeArray {
		return t.f.Dialect.Typed && v.Flags&3 != 0 || t.isShared(v)
	}
	return shape == types.ShapeDict || shape == types.ShapeTyped
}

func (t *Writer) isShared(v *tree.Value) bool { return t.w.U32(v.Body-4)&types.SharedBit != 0 }

// container begins the JSON of a container with its types, and the obsolete bit of its count, for which to_native has no form.
func (t *Writer) container(v *tree.Value) {
	t.typed(types.Of(v.Type).Name)
	elem, value := t.f.ContainerTypes(t.w, v)
	for i, of := range members(v.Type) {
		t.containerType(of, v, [...]types.ContainerType{elem, value}[i])
	}
	if t.isShared(v) {
		t.Put(`,"shared":true`)
	}
	t.Put(`,"args":[`)
	t.begin(tree.Brackets{}, tree.Brackets{Colon: ",", Close: "]}"})
}

// containerType writes the type of elements, keys or values. Its kind is written if the
// name alone would mean something else.
func (t *Writer) containerType(of string, v *tree.Value, c types.ContainerType) {
	if c == (types.ContainerType{}) { // as for most containers
		return
	}
	t.attribute(of+"_type", c.Name)
	if c != t.f.Dialect.ContainerNamed(v.Type, c.Name) {
		t.attribute(of+"_kind", types.ContainerKinds[c.Kind])
	}
}

// className writes the class of an object. In a literal EncodedObjectAsID is quoted if it could be mistaken for an object stored
// as its id.
func (t *Writer) className(v *tree.Value) {
	n := int64(t.w.U32(v.Head + 4))
	b := t.w.View(v.Head+8, n)
	if !t.json && int64(len(b)) == n && tree.IsIdentifier(b) && (v.Count != 1 || string(b) != types.EncodedObject) {
		t.Dst = append(t.Dst, b...)
		return
	}
	t.quoted(v.Head+8, n, "")
}

// Atom implements tree.Visitor.
func (t *Writer) Atom(v *tree.Value) {
	if v.Damage != nil && v.Layout == tree.Leaf {
		t.damaged(v.Damage.Code, v.Start)
		return
	}
	switch shape := types.Of(v.Type).Shape; shape {
	case types.ShapeNone:
		t.bare(v)
	case types.ShapeBool:
		t.Dst = variant.AppendPayload(t.Dst, t.w, v, v.Head+4, numeric.StyleText)
	case types.ShapeNumber:
		t.number(v)
	case types.ShapeText:
		t.text(v)
	case types.ShapePath:
		t.nodePath(v)
	case types.ShapeRID, types.ShapeReference, types.ShapeObject, types.ShapeSignal:
		t.referring(v, shape)
	case types.ShapeFixed:
		t.components(v, types.ID(v.Sub), v.Count)
	case types.ShapeBytes, types.ShapePacked, types.ShapeStrings:
		comp, n := types.ID(v.Sub), int64(0)
		if v.Stride > 0 {
			n = v.Count * int64(v.Stride) / types.Width(comp)
		}
		t.components(v, comp, n)
	}
}

// bare writes a value without content, or an element of a packed array.
func (t *Writer) bare(v *tree.Value) {
	switch v.Type {
	case types.Element:
		t.components(v, variant.ElementComp(v), v.Count)
	case types.Callable:
		t.Put(t.either("Callable()", `{"type":"Callable"}`))
	default:
		t.Put("null")
	}
}

// referring writes a value that refers to something.
func (t *Writer) referring(v *tree.Value, shape types.Shape) {
	byID := shape == types.ShapeObject && v.Flags&types.WideFlag != 0 && !t.f.Dialect.NoFlags
	switch name := types.Of(v.Type).Name; {
	case byID && t.json:
		t.PutInt(`{"type":"EncodedObjectAsID","props":["object_id","i:`, int64(t.w.U64(v.Head+4)))
		t.Put(`","script",null],"as_id":true`)
	case t.json:
		t.typed(name)
	default:
		t.Put(name + "(")
	}
	switch shape {
	case types.ShapeRID:
		t.rid(v)
	case types.ShapeReference:
		t.PutQuoted(t.either("", `,"id":`), []byte(t.f.ReferenceID(t.w, v)))
	case types.ShapeObject:
		if byID && !t.json {
			t.PutInt(types.EncodedObject+`, "object_id": `, int64(t.w.U64(v.Head+4)))
		}
	case types.ShapeSignal:
		t.signal(v)
	}
	t.Put(t.either(")", "}"))
}

// rid writes the id of a RID. A literal leaves out 0.
func (t *Writer) rid(v *tree.Value) {
	switch id := t.f.RID(t.w, v); {
	case t.json && t.f.Dialect.RIDHasID:
		t.PutUint(`,"id":"`, id)
		t.Put(`"`)
	case !t.json && id != 0:
		t.PutUint("", id)
	}
}

// signal writes a signal's name and the number of its object; a resource holds neither.
func (t *Writer) signal(v *tree.Value) {
	n, id := int64(0), uint64(0)
	if !t.f.Dialect.Resource {
		n, id = int64(t.w.U32(v.Head+4)), t.w.U64(v.Tail-8)
	}
	if n == 0 && id == 0 && !t.json {
		return
	}
	t.Put(t.either("", `,"name":`))
	t.quoted(v.Head+8, n, "")
	t.PutUint(t.either(", ", `,"object_id":"`), id)
	t.Put(t.either("", `"`))
}

// components writes the n numbers of a vector, a packed array or an element of one: of vectors a flat list. JSON says so where
// their width is not that of the engine's build.
func (t *Writer) components(v *tree.Value, comp types.ID, n int64) {
	if !t.json {
		t.Put(t.f.TypeName(v))
		t.Put("(")
		numeric.Write(&t.Writer, t.w, comp, v.Body, n, numeric.StyleText, ", ")
		t.Put(")")
		return
	}
	t.typed(t.f.TypeName(v))
	if types.Of(v.Type).Comp == types.Float32 && comp == types.Float64 && !t.f.Double {
		t.Put(`,"bits":64`)
	}
	t.Put(`,"args":[`)
	switch v.Type {
	case types.Basis, types.Transform, types.Transform3D:
		t.columns(v)
	default:
		numeric.Write(&t.Writer, t.w, comp, v.Body, n, numeric.StyleJSON, ",")
	}
	t.Put("]}")
}

// columns writes the numbers of a Basis in columns; a file has them in rows.
func (t *Writer) columns(v *tree.Value) {
	for i := int64(0); i < v.Count; i++ {
		if i > 0 {
			t.Put(",")
		}
		k := i
		if k < 9 {
			k = k%3*3 + k/3
		}
		t.Dst = numeric.AppendAt(t.Dst, t.w, types.ID(v.Sub), v.Body+k*int64(v.Stride), numeric.StyleJSON)
	}
}

// text writes a string of any kind; JSON has one in a packed array, and a property's name, without a tag.
func (t *Writer) text(v *tree.Value) {
	at, tag := v.Start, ""
	switch {
	case v.Type == types.Property, v.Type == types.Part && t.f.Dialect.Resource:
		text, _, _ := t.f.NameAt(t.w, at)
		t.quoted(text.Offset, text.Length, "")
		return
	case v.Type == types.String:
		at, tag = v.Head+4, "s:"
	case v.Type == types.StringName:
		at, tag = v.Head+4, nameTag
	}
	t.quoted(at+4, t.f.TextLength(t.w, v, at), tag)
}

// nameTag is the tag of a StringName.
const nameTag = "sn:"

// quoted writes the n bytes at off in quotes: in JSON behind a tag, or as hex if they are not valid UTF-8.
func (t *Writer) quoted(off, n int64, tag string) {
	switch {
	case !t.json && tag == nameTag:
		t.Put(`&"`)
	case !t.json:
		t.Put(`"`)
	case !tree.IsUTF8(t.w, span.Span{Offset: off, Length: n}):
		t.typed(map[bool]string{true: "StringName", false: "String"}[tag == nameTag])
		t.Put(`,"hex":"`)
		t.Hex(t.w, span.Span{Offset: off, Length: n})
		t.Put(`"}`)
		return
	default:
		t.Put(`"`)
		t.Put(tag)
	}
	t.Escaped(t.w, off, n)
	t.Put(`"`)
}

// number writes an int or float; JSON has its width if an engine would have chosen another.
func (t *Writer) number(v *tree.Value) {
	isInt, isPart := v.Type == types.Int, v.Type != types.Int && v.Type != types.Float // an element or component on its own
	switch {
	case !t.json:
		t.Dst = variant.AppendPayload(t.Dst, t.w, v, v.Start, numeric.StyleFloat)
		return
	case isPart:
		isInt = v.Type != types.Float32 && v.Type != types.Float64
	case !t.isUsual(v):
		t.typed(types.Of(v.Type).Name)
		t.Put(`,"value":"`)
		t.Dst = variant.AppendScalar(t.Dst, t.w, v, numeric.StyleTagged)
		t.PutInt(`","bits":`, (v.Tail-v.Head-4)*8)
		if !isInt && math.IsNaN(variant.Float(t.w, v)) {
			b := slices.Clone(t.w.View(v.Head+4, v.Tail-v.Head-4))
			if t.w.IsBigEndian() {
				slices.Reverse(b)
			}
			t.Put(`,"hex":"` + hex.EncodeToString(b) + `"`)
		}
		t.Put("}")
		return
	}
	tag := `"f:`
	if isInt {
		tag = `"i:`
	}
	t.Put(tag)
	t.Dst = append(variant.AppendPayload(t.Dst, t.w, v, v.Start, numeric.StyleTagged), '"')
}

// isUsual reports whether an engine would have stored an int or float in the same bytes.
func (t *Writer) isUsual(v *tree.Value) bool {
	wide := v.Tail-v.Head > 8
	if v.Type == types.Int {
		n := int64(t.w.U64(v.Head + 4))
		return !wide || n != int64(int32(n)) || t.f.Dialect.NoFlags
	}
	x := variant.Float(t.w, v)
	if math.IsNaN(x) {
		return wide && t.w.U64(v.Head+4) == 0x7ff8000000000000
	}
	return wide == (float64(float32(x)) != x) || t.f.Dialect.NoFlags
}

var errNames = fmt.Errorf("%w the names of this NodePath: one is empty, or has a slash or a colon", format.ErrNoLiteral)

// nodePath writes ^"a/b:c". JSON has "np:a/b:c" if that reads back as the same parts, or else the parts.
func (t *Writer) nodePath(v *tree.Value) {
	isOld := v.Layout == tree.Leaf // the old form, one string
	flags := uint32(0)
	if !isOld {
		flags = t.f.PathFlags(t.w, v)
	}
	switch {
	case isOld && t.json:
		t.Put(`{"type":"NodePath","old":`)
		t.quoted(v.Head+8, int64(t.w.U32(v.Head+4)), "")
		t.Put("}")
	case isOld:
		t.Put(`^"`)
		t.Escaped(t.w, v.Head+8, int64(t.w.U32(v.Head+4)))
		t.Put(`"`)
	case t.json && (flags&^1 != 0 || !t.joins(v)):
		t.Put(`{"type":"NodePath","absolute":` + strconv.FormatBool(flags&1 != 0))
		if flags&^1 != 0 {
			t.PutUint(`,"flags":`, uint64(flags))
		}
		t.parts(v, `,"names":[`, false)
		t.parts(v, `,"subnames":[`, true)
		t.Put("}")
	default:
		if t.odd != nil && !t.joins(v) {
			*t.odd = errNames
		}
		t.joined(v, flags&1 != 0)
	}
}

// parts writes the names or the subnames of a path.
func (t *Writer) parts(v *tree.Value, opening string, sub bool) {
	t.Put(opening)
	some := false
	t.f.EachPart(t.w, v, func(p variant.PathPart) bool {
		if p.Sub == sub {
			if some {
				t.Put(",")
			}
			some = true
			t.quoted(p.Off, p.N, "")
		}
		return !t.Full()
	})
	t.Put("]")
}

// joined writes names and subnames as Godot joins them: /a/b:c:d.
func (t *Writer) joined(v *tree.Value, isAbsolute bool) {
	t.Put(t.either(`^"`, `"np:`))
	if isAbsolute {
		t.Put("/")
	}
	first := true
	t.f.EachPart(t.w, v, func(p variant.PathPart) bool {
		switch {
		case p.Sub:
			t.Put(":")
		case !first:
			t.Put("/")
		}
		first = false
		t.Escaped(t.w, p.Off, p.N)
		return !t.Full()
	})
	t.Put(`"`)
}

// joins reports whether the parts of a path, joined, would be split in the same way again.
func (t *Writer) joins(v *tree.Value) bool {
	names, ok := 0, true
	t.f.EachPart(t.w, v, func(p variant.PathPart) bool {
		if !p.Sub {
			names++
		}
		ok = p.N > 0 && p.N <= tree.MaxKey
		if ok {
			for _, c := range t.w.View(p.Off, p.N) {
				ok = ok && c != ':' && (c != '/' || p.Sub)
			}
		}
		ok = ok && tree.IsUTF8(t.w, span.Span{Offset: p.Off, Length: p.N})
		return ok
	})
	return ok && (names > 0 || t.f.PathFlags(t.w, v)&1 == 0)
}
