package literal

import (
	"context"
	"io"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/elephant/internal/block"
	"varview/decoder/formats/elephant/internal/datatype"
)

// A Writing implements tree.LiteralWriter and format.Linked for a reading.
type Writing struct{ *block.Reading }

// AppendLiteral implements tree.LiteralWriter.
func (f Writing) AppendLiteral(dst []byte, r *tree.Reader, v *tree.Value, limit int) []byte {
	t := textWriter{nest: nest{Writer: tree.NewLiteral(dst, limit)}, f: f.Reading, r: r, w: r.Window()}
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
	return f.write(ctx, out, r, v, textWriter{})
}

// WriteStored implements format.StoredWriter.
func (f Writing) WriteStored(ctx context.Context, out io.Writer, r *tree.Reader, v *tree.Value) error {
	return f.write(ctx, out, r, v, textWriter{exact: true})
}

// WriteLinked implements format.Linked.
func (f Writing) WriteLinked(ctx context.Context, out io.Writer, r *tree.Reader, v *tree.Value, link func(serial uint32) string) error {
	return f.write(ctx, out, r, v, textWriter{exact: true, link: link})
}

// write writes a value with a writer of which only how it writes is set.
func (f Writing) write(ctx context.Context, out io.Writer, r *tree.Reader, v *tree.Value, as textWriter) error {
	t := textWriter{link: as.link, exact: as.exact, nest: nest{Writer: tree.NewWriter(ctx, out)}, f: f.Reading, r: r, w: r.Window(), paths: NewPaths(), known: map[uint32]string{}}
	if _, indexed := r.Tree.Indexed(); indexed && v.Type == datatype.File { // the whole block is visited, so its targets are found
		trail := r.NewTrail("$")
		t.trail = &trail
	}
	tree.Visit(r, v, &t)
	return t.Flush()
}

// A textWriter writes values as literals.
type textWriter struct {
	nest
	f    *block.Reading
	r    *tree.Reader
	w    *source.Window
	slot tree.Slot // slot of the value that comes next

	exact bool                       // numbers and texts name their datatype also where GameMaker would choose it
	link  func(serial uint32) string // returns the path of a target, "" for an undefined value; nil to find it

	trail *tree.Trail       // path to the value being written, if it is kept
	paths Paths             // paths of the targets written, if there is a trail
	known map[uint32]string // paths that have been looked up, if there is no trail
}

type nest = tree.Nest[openText]

// openText is a container that is being written.
type openText struct {
	tree.Value
	done func() // ends the container's entry in paths, if it is the target of a reference
}

// Before implements tree.Visitor.
func (t *textWriter) Before(slot tree.Slot) { t.slot = slot }

// begin writes what separates a child from the one before it.
func (t *textWriter) begin() {
	t.nest.Before(t.slot)
	if o := t.Top(); o != nil && o.Of.Type == datatype.Struct && o.Of.Layout == tree.Sequence {
		t.name(t.f.MemberName(&o.Of.Value, t.slot.Index))
		t.Put(": ")
	}
}

// name writes a member's name.
func (t *textWriter) name(name []byte) {
	if tree.IsIdentifier(name) {
		t.Dst = append(t.Dst, name...)
	} else {
		t.Dst = tree.AppendQuoted(t.Dst, name)
	}
}

// Open implements tree.Visitor.
func (t *textWriter) Open(v *tree.Value) bool {
	t.begin()
	if t.IsTooDeep() {
		return false
	}
	done := t.step(v)
	if t.trail != nil && t.Depth() > 0 {
		t.trail.Open()
	}
	o := tree.Brackets{}
	switch {
	case v.Type == datatype.Array:
		t.Put("[")
		o = tree.Brackets{Comma: ", ", Close: "]"}
	case v.Type == datatype.Struct:
		t.prefix(v)
		t.Put("{")
		o = tree.Brackets{First: " ", Comma: ", ", Colon: ": ", Last: " ", Close: "}"}
	}
	t.Begin(o, openText{Value: *v, done: done})
	return true
}

// prefix writes the constructor of a struct.
func (t *textWriter) prefix(v *tree.Value) {
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

// Close implements tree.Visitor.
func (t *textWriter) Close() {
	if t.Lacks() {
		t.Put("<" + span.MissingValue + ">")
	}
	if done := t.Top().Of.done; done != nil {
		done()
	}
	t.nest.Close()
	if t.trail != nil && t.Depth() > 0 {
		t.trail.Close()
	}
}

// step moves the trail to a value, and records its path if it is the target of a reference; done must then
// be called after the value.
func (t *textWriter) step(v *tree.Value) (done func()) {
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
func (t *textWriter) Atom(v *tree.Value) {
	if done := t.step(v); done != nil { // it has no children
		done()
	}
	if v.Type == datatype.MemberName {
		t.begin()
		t.memberName(v)
		return
	}
	if v.Type == datatype.Skipped {
		if t.Depth() == 0 {
			t.Put("default")
		}
		return
	}
	t.begin()
	if v.Damage != nil && v.Layout == tree.Leaf {
		if v.Damage.Code == span.MissingSchema {
			t.prefix(v)
		}
		t.Put("<" + v.Damage.Code + ">")
		return
	}
	switch {
	case v.Refers && t.link != nil:
		t.linked(t.link(v.Sub))
	case v.Refers:
		t.reference(v)
	case v.Type == datatype.Array:
		t.Put("[")
		t.elements(v)
		t.Put("]")
	case v.Type == datatype.Struct:
		t.prefix(v)
		t.Put("{}")
	case v.Type == datatype.Undefined:
		t.Put("undefined")
	default:
		t.scalar(v.Type, v.Body, v.Tail, v.Flags&(block.Tagged|block.Element) != 0)
	}
}

// memberName writes a name as it is in the file.
func (t *textWriter) memberName(v *tree.Value) {
	if n := v.Tail - 1 - v.Start; n <= tree.MaxKey {
		t.name(t.w.View(v.Start, n))
		return
	}
	t.Quoted(t.w, v.Start, v.Tail-1-v.Start)
}

// elements writes the elements of an array of fixed stride.
func (t *textWriter) elements(v *tree.Value) {
	element := datatype.ID(v.Sub)
	for i := int64(0); i < v.Count && !t.Full(); i++ {
		if i > 0 {
			t.Put(", ")
		}
		if element == datatype.Undefined {
			t.Put("undefined")
			continue
		}
		at := v.Body + i*int64(v.Stride)
		t.scalar(element, at, at+int64(v.Stride), true)
	}
}

// scalar writes the number or text in [at, end). A dynamic one gets a prefix if GameMaker would choose
// another datatype for the plain literal: it has a tag of its own or of its array, and is of no schema.
func (t *textWriter) scalar(of datatype.ID, at, end int64, dynamic bool) {
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

// reference writes the target of a reference: ref($.player), or ref(#3) if its path is not known.
func (t *textWriter) reference(v *tree.Value) {
	t.Put("ref(")
	if path := t.pathOf(v); path != "" {
		t.Put(path)
	} else {
		t.PutUint("#", uint64(v.Sub))
	}
	t.Put(")")
}

// linked writes a reference to a path.
func (t *textWriter) linked(path string) {
	if path == "" {
		t.Put("undefined")
		return
	}
	t.Put("ref(")
	t.Put(path)
	t.Put(")")
}

// maxLookUps is the number of targets without a trail that are looked up for one literal or text: each
// look-up reads again from an earlier position.
const maxLookUps = 1000

// pathOf returns the path of a reference's target; "" if it is not known.
func (t *textWriter) pathOf(v *tree.Value) string {
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
