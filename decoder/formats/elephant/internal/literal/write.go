package literal

import (
	"context"
	"encoding/binary"
	"io"
	"math"
	"strconv"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/elephant/internal/block"
	"varview/decoder/formats/elephant/internal/datatype"
)

// A Writing implements tree.LiteralWriter, format.Linked and format.TypedWriter for a reading.
type Writing struct{ *block.Reading }

// AppendLiteral implements tree.LiteralWriter.
func (f Writing) AppendLiteral(dst []byte, r *tree.Reader, v *tree.Value, limit int) []byte {
	t := writer{nest: nest{Writer: tree.NewLiteral(dst, limit)}, f: f.Reading, r: r, w: r.Window()}
	if v.Layout < tree.Sequence {
		t.Atom(v)
	} else {
		tree.Visit(r, v, &t)
	}
	return t.Literal()
}

// WriteText writes a value as a literal: numbers, "text", true, undefined, […], { name: value }, with a
// constructor's name before the members of its struct, and a prefix if a number or text has another
// datatype than GameMaker would choose.
func (f Writing) WriteText(ctx context.Context, out io.Writer, r *tree.Reader, v *tree.Value) error {
	return f.write(ctx, out, r, v, writer{})
}

// WriteStored implements format.StoredWriter.
func (f Writing) WriteStored(ctx context.Context, out io.Writer, r *tree.Reader, v *tree.Value) error {
	return f.write(ctx, out, r, v, writer{exact: true})
}

// WriteLinked implements format.Linked.
func (f Writing) WriteLinked(ctx context.Context, out io.Writer, r *tree.Reader, v *tree.Value, link func(serial uint32) string) error {
	return f.write(ctx, out, r, v, writer{exact: true, link: link})
}

// WriteTyped writes a value in the typed form of JSON (section 13 of the specification), in file order and without
// loss. What no version of the library writes has extra members: "byte" for a bool other than 0 and 1,
// "hex" for an unusual NaN, "any" for the number of tags "any" before the value's own, "tag" for a tag of
// other versions, and {"type":"damaged"} for what cannot be read; "tagged" marks the members for which a
// schema allows any type.
func (f Writing) WriteTyped(ctx context.Context, out io.Writer, r *tree.Reader, v *tree.Value) error {
	err := f.write(ctx, out, r, v, writer{json: true})
	if err == nil {
		_, err = io.WriteString(out, "\n")
	}
	return err
}

// write writes a value with a writer of which only how it writes is set.
func (f Writing) write(ctx context.Context, out io.Writer, r *tree.Reader, v *tree.Value, as writer) error {
	return tree.Write(ctx, out, r, v, func(t tree.Writer) tree.TextVisitor {
		as.Writer, as.f, as.r, as.w, as.paths, as.known = t, f.Reading, r, r.Window(), NewPaths(), map[uint32]string{}
		if _, indexed := r.Tree.Indexed(); indexed && v.Type == datatype.File && !as.json { // the whole block is visited, so its targets are found
			trail := r.NewTrail("$")
			as.trail = &trail
		}
		return &as
	})
}

// A writer writes values as literals, or in the typed form of JSON.
type writer struct {
	nest
	f    *block.Reading
	r    *tree.Reader
	w    *source.Window
	slot tree.Slot // slot of the value that comes next

	json  bool
	exact bool                       // numbers and texts name their datatype also where GameMaker would choose it
	link  func(serial uint32) string // returns the path of a target, "" for an undefined value; nil to find it

	trail *tree.Trail       // path to the value being written, if it is kept
	paths Paths             // paths of the targets written, if there is a trail
	known map[uint32]string // paths that have been looked up, if there is no trail
}

type nest = tree.Nest[open]

// open is a container that is being written.
type open struct {
	tree.Value
	done func() // ends the container's entry in paths, if it is the target of a reference
}

// Before implements tree.Visitor.
func (t *writer) Before(slot tree.Slot) { t.slot = slot }

// begin writes what precedes a child: what separates it from the one before it, and the name of a member.
func (t *writer) begin() {
	t.nest.Before(t.slot)
	if o := t.Top(); o != nil && o.Of.Type == datatype.Struct && o.Of.Layout == tree.Sequence {
		t.name(t.f.MemberName(&o.Of.Value, t.slot.Index))
		t.Put(t.either(": ", ","))
	}
}

// either returns a text of literals, or of JSON.
func (t *writer) either(literal, json string) string {
	if t.json {
		return json
	}
	return literal
}

// name writes a member's name.
func (t *writer) name(name []byte) {
	if !t.json && tree.IsIdentifier(name) {
		t.Dst = append(t.Dst, name...)
	} else {
		t.Dst = tree.AppendQuoted(t.Dst, name)
	}
}

// Open implements tree.Visitor.
func (t *writer) Open(v *tree.Value) bool {
	t.begin()
	if t.IsTooDeep() {
		return false
	}
	done := t.step(v)
	if t.trail != nil && t.Depth() > 0 {
		t.trail.Open()
	}
	t.container(v)
	o := tree.Brackets{}
	switch {
	case v.Type == datatype.Array:
		o = tree.Brackets{Comma: t.either(", ", ","), Close: t.either("]", "]}")}
	case v.Type == datatype.Struct && t.json: // a name and its value are a list
		o = tree.Brackets{First: "[", Comma: "],[", Colon: ",", Last: "]", Close: "]}"}
	case v.Type == datatype.Struct:
		o = tree.Brackets{First: " ", Comma: ", ", Colon: ": ", Last: " ", Close: "}"}
	}
	t.Begin(o, open{Value: *v, done: done})
	return true
}

// container writes an array or struct up to its children.
func (t *writer) container(v *tree.Value) {
	switch {
	case v.Type != datatype.Array && v.Type != datatype.Struct:
	case t.json:
		t.Put(`{"type":"` + datatype.Name(v.Type) + `"`)
		t.common(v)
		t.serial(v)
		if v.Type == datatype.Array {
			t.elementType(v)
		} else {
			t.constructor(v)
		}
		t.Put(`,"value":[`)
	case v.Type == datatype.Array:
		t.Put("[")
	default:
		t.prefix(v)
		t.Put("{")
	}
}

// elementType writes the common type of an array's elements.
func (t *writer) elementType(v *tree.Value) {
	if v.Sub == 0 {
		t.Put(`,"elem":null`)
		return
	}
	t.Put(`,"elem":"` + datatype.Name(datatype.ID(v.Sub)) + `"`)
	if tag := t.w.Byte(v.Body - 1); t.f.Rules.IsForeign(tag) {
		t.PutInt(`,"elem_tag":`, int64(tag))
	}
}

// prefix writes the constructor of a struct.
func (t *writer) prefix(v *tree.Value) {
	if v.Flags&block.Constructed == 0 {
		return
	}
	if name := t.f.CtorName(v); name == "" {
		t.Put(datatype.Name(datatype.Struct))
	} else {
		t.name([]byte(name))
	}
	t.Put(" ")
}

// serial writes the number by which references name a value.
func (t *writer) serial(v *tree.Value) {
	t.Put(`,"id":`)
	if !v.Numbered || v.Serial == tree.NoSerial {
		t.Put("null")
		return
	}
	t.Dst = strconv.AppendUint(t.Dst, uint64(v.Serial), 10)
}

// constructor writes how a struct is stored.
func (t *writer) constructor(v *tree.Value) {
	f := t.f
	if v.Flags&block.Constructed == 0 {
		t.Put(`,"constructor":null,"schema_version":null,"verbose":true`)
		return
	}
	t.Put(`,"constructor":`)
	if name := f.CtorName(v); name != "" {
		t.Dst = tree.AppendQuoted(t.Dst, []byte(name))
	} else {
		t.Put("null")
	}
	t.PutUint(`,"constructor_index":`, uint64(f.CtorIndex(v)))
	at := f.VersionAt(t.w, v)
	version, _ := f.Rules.SchemaVersion(t.w.Byte(at))
	t.PutInt(`,"schema_version":`, int64(version))
	t.Put(`,"verbose":` + strconv.FormatBool(v.Flags&block.BySchema == 0))
	if f.Rules.Skips && v.Flags&block.BySchema != 0 {
		t.Put(`,"skipped":[`)
		for at++; at < v.Body-2; at += 2 {
			t.Dst = strconv.AppendUint(t.Dst, uint64(t.w.U16(at)), 10)
			if at < v.Body-4 {
				t.Put(",")
			}
		}
		t.Put("]")
	}
}

// common writes what the root adds, and what is unusual about a value's tags.
func (t *writer) common(v *tree.Value) {
	f := t.f
	if v.Flags&block.Tagged != 0 {
		tags := f.TagsEnd(t.w, v) - v.Head
		if tags > 1 {
			t.PutInt(`,"any":`, tags-1)
		}
		if tag := t.w.Byte(v.Head + tags - 1); f.Rules.IsForeign(tag) {
			t.PutInt(`,"tag":`, int64(tag))
		}
		if o := t.Top(); o != nil && o.Of.Flags&block.BySchema != 0 {
			t.Put(`,"tagged":true`)
		}
	}
	if t.Depth() == 1 && t.Top().Of.Type == datatype.File {
		t.PutQuoted(`,"elephant":{"version":"`+block.VersionText(f.Header.Version)+`","header":`, []byte(f.Header.Magic))
		t.Put(`,"footer":` + strconv.FormatBool(f.Header.Footed))
		t.PutInt(`,"tags":`, int64(f.FirstTag(t.w, v)))
		t.Put("}")
	}
}

// Close implements tree.Visitor.
func (t *writer) Close() {
	o := t.Top()
	switch {
	case t.json && o.Of.Type == datatype.File && !o.Some: // no value at all
		t.damaged(span.Truncated, o.Of.Body)
	case t.Lacks():
		t.damaged(span.MissingValue, o.Of.Tail)
	}
	if o.Of.done != nil {
		o.Of.done()
	}
	t.nest.Close()
	if t.trail != nil && t.Depth() > 0 {
		t.trail.Close()
	}
}

// damaged writes what takes the place of a value that cannot be read.
func (t *writer) damaged(code string, off int64) {
	if !t.json {
		t.Put("<" + code + ">")
		return
	}
	t.Put(`{"type":"damaged","problem":"` + code + `"`)
	if off != tree.Unknown {
		t.PutInt(`,"offset":`, off)
	}
	t.Put("}")
}

// step moves the trail to a value, and records its path if it is the target of a reference; done must then
// be called after the value.
func (t *writer) step(v *tree.Value) (done func()) {
	if t.trail == nil || t.Depth() == 0 {
		return nil
	}
	parent := &t.Top().Of.Value
	if v.Type == datatype.MemberName {
		t.trail.Step(parent, t.slot, v)
		return nil
	}
	t.trail.Step(parent, t.slot, nil)
	if v.Numbered && t.r.Tree.IsReferred(v.Serial) {
		return t.paths.Enter(v.Serial, t.trail.Path())
	}
	return nil
}

// Atom implements tree.Visitor.
func (t *writer) Atom(v *tree.Value) {
	if done := t.step(v); done != nil { // it has no children
		done()
	}
	if v.Type == datatype.Skipped {
		if t.Depth() == 0 && !t.json {
			t.Put("default")
		}
		return
	}
	t.begin()
	switch {
	case v.Type == datatype.MemberName:
		t.memberName(v)
	case v.Damage != nil && v.Layout == tree.Leaf:
		t.unread(v)
	case v.Refers:
		t.reference(v)
	case v.Type == datatype.Array:
		t.container(v)
		t.elements(v)
		t.Put(t.either("]", "]}"))
	case v.Type == datatype.Struct:
		t.container(v)
		t.Put(t.either("}", "]}"))
	case t.json:
		t.Put(`{"type":"` + datatype.Name(v.Type) + `"`)
		t.common(v)
		t.payload(v.Type, v.Body, v.Tail)
		t.Put("}")
	case v.Type == datatype.Undefined:
		t.Put("undefined")
	default:
		t.scalar(v.Type, v.Body, v.Tail, v.Flags&(block.Tagged|block.Element) != 0)
	}
}

// unread writes a value that cannot be read; a struct without its schema has its constructor.
func (t *writer) unread(v *tree.Value) {
	isStruct := v.Damage.Code == span.MissingSchema
	if isStruct && !t.json {
		t.prefix(v)
	}
	t.damaged(v.Damage.Code, v.Start)
	if isStruct && t.json {
		t.Dst = t.Dst[:len(t.Dst)-1]
		t.constructor(v)
		t.Put("}")
	}
}

// memberName writes a name as it is in the file.
func (t *writer) memberName(v *tree.Value) {
	if n := v.Tail - 1 - v.Start; n <= tree.MaxKey {
		t.name(t.w.View(v.Start, n))
	} else {
		t.Quoted(t.w, v.Start, n)
	}
}

// elements writes the elements of an array of fixed stride.
func (t *writer) elements(v *tree.Value) {
	element := datatype.ID(v.Sub)
	for i := int64(0); i < v.Count && !t.Full(); i++ {
		if i > 0 {
			t.Put(t.either(", ", ","))
		}
		at := v.Body + i*int64(v.Stride)
		switch {
		case t.json:
			t.Put(`{"type":"` + datatype.Name(element) + `"`)
			t.payload(element, at, at+int64(v.Stride))
			t.Put("}")
		case element == datatype.Undefined:
			t.Put("undefined")
		default:
			t.scalar(element, at, at+int64(v.Stride), true)
		}
	}
}

// scalar writes the number or text in [at, end). A dynamic one gets a prefix if GameMaker would choose
// another datatype for the plain literal: it has a tag of its own or of its array, and is of no schema.
func (t *writer) scalar(of datatype.ID, at, end int64, dynamic bool) {
	prefixed := dynamic && of != datatype.Bool && (t.exact || of != datatype.F64 && of != datatype.String)
	if prefixed {
		t.Put(datatype.Name(of) + "(")
	}
	if datatype.IsText(of) {
		t.Quoted(t.w, at, end-1-at)
	} else {
		t.Dst = datatype.NumberAt(t.w, of, at).Append(t.Dst)
	}
	if prefixed {
		t.Put(")")
	}
}

// reference writes the target of a reference: ref($.player), or ref(#3) if its path is not known. JSON has its number.
func (t *writer) reference(v *tree.Value) {
	switch path := ""; {
	case t.json:
		t.Put(`{"type":"ref"`)
		t.common(v)
		t.PutUint(`,"kind":"`+datatype.Name(v.Type)+`","ref":`, uint64(v.Sub))
		t.Put("}")
		return
	case t.link != nil:
		if path = t.link(v.Sub); path == "" {
			t.Put("undefined")
			return
		}
		t.Put("ref(" + path)
	default:
		if path = t.pathOf(v); path != "" {
			t.Put("ref(" + path)
		} else {
			t.PutUint("ref(#", uint64(v.Sub))
		}
	}
	t.Put(")")
}

// maxLookUps is the number of targets without a trail that are looked up for one literal or text: each
// look-up reads again from an earlier position.
const maxLookUps = 1000

// pathOf returns the path of a reference's target; "" if it is not known.
func (t *writer) pathOf(v *tree.Value) string {
	switch {
	case block.LeadsNowhere(v):
		return ""
	case t.trail != nil && t.paths.Has(v.Sub):
		return string(t.paths.Append(nil, v.Sub))
	}
	path, ok := t.known[v.Sub]
	if ok || len(t.known) >= maxLookUps {
		return path
	}
	if target, err := t.r.Numbered(v.Sub); err == nil {
		path = t.r.Path(target)
	}
	if t.known != nil {
		t.known[v.Sub] = path
	}
	return path
}

// payload writes the value of a scalar.
func (t *writer) payload(of datatype.ID, at, end int64) {
	t.Put(`,"value":`)
	switch {
	case of == datatype.Undefined:
		t.Put("null")
	case datatype.IsText(of):
		t.Quoted(t.w, at, end-1-at)
	default:
		t.number(datatype.NumberAt(t.w, of, at))
	}
}

// number writes a number or bool in JSON.
func (t *writer) number(n datatype.Number) {
	switch {
	case n.Of == datatype.U64:
		t.Put(`"`)
		t.Dst = n.Append(t.Dst)
		t.Put(`"`)
	case n.Of == datatype.Bool && n.Bits > 1:
		t.PutUint(`true,"byte":`, n.Bits)
	case n.IsFloat():
		t.float(n)
	default:
		t.Dst = n.Append(t.Dst)
	}
}

// float writes a float in JSON, with its bits if it is an unusual NaN.
func (t *writer) float(n datatype.Number) {
	x := n.Float()
	switch {
	case math.IsNaN(x):
		t.Put(`"NaN"`)
		if n.Bits != datatype.UsualNaN[n.Of] {
			t.Put(`,"hex":"`)
			var b [8]byte
			binary.LittleEndian.PutUint64(b[:], n.Bits)
			t.Dst = tree.AppendHex(t.Dst, b[:datatype.Width(n.Of)], datatype.Width(n.Of))
			t.Put(`"`)
		}
	case math.IsInf(x, 1):
		t.Put(`"Infinity"`)
	case math.IsInf(x, -1):
		t.Put(`"-Infinity"`)
	case x == 0 && math.Signbit(x):
		t.Put(`"-0"`)
	default:
		t.Dst = n.Append(t.Dst)
	}
}
