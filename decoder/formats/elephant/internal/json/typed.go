package json

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

// WriteTyped writes a value in the typed form (section 13 of the specification), in file order and without
// loss. What no version of the library writes has extra members: "byte" for a bool other than 0 and 1,
// "hex" for an unusual NaN, "any" for the number of tags "any" before the value's own, "tag" for a tag of
// other versions, and {"type":"damaged"} for what cannot be read; "tagged" marks the members for which a
// schema allows any type.
func (f Writing) WriteTyped(ctx context.Context, out io.Writer, r *tree.Reader, v *tree.Value) error {
	err := tree.Write(ctx, out, r, v, func(t tree.Writer) tree.TextVisitor {
		return &typedWriter{nest: nest{Writer: t}, f: f.Reading, w: r.Window()}
	})
	if err == nil {
		_, err = io.WriteString(out, "\n")
	}
	return err
}

// A typedWriter writes values in the typed form.
type typedWriter struct {
	nest
	f    *block.Reading
	w    *source.Window
	slot tree.Slot
}

type nest = tree.Nest[tree.Value]

// Before implements tree.Visitor.
func (t *typedWriter) Before(slot tree.Slot) { t.slot = slot }

// begin writes what precedes a child: a comma, the name of a member.
func (t *typedWriter) begin() {
	t.nest.Before(t.slot)
	if o := t.Top(); o != nil && o.Of.Type == datatype.Struct && o.Of.Layout == tree.Sequence {
		t.Dst = tree.AppendQuoted(t.Dst, t.f.MemberName(&o.Of, t.slot.Index))
		t.Put(",")
	}
}

// Open implements tree.Visitor.
func (t *typedWriter) Open(v *tree.Value) bool {
	t.begin()
	t.container(v)
	o := tree.Brackets{}
	switch v.Type {
	case datatype.Array:
		o = tree.Brackets{Comma: ",", Close: "]}"}
	case datatype.Struct: // a name and its value are a list
		o = tree.Brackets{First: "[", Comma: "],[", Colon: ",", Last: "]", Close: "]}"}
	}
	t.Begin(o, *v)
	return true
}

// container writes an array or struct up to its children.
func (t *typedWriter) container(v *tree.Value) {
	switch {
	case v.Type == datatype.Array:
		t.Put(`{"type":"array"`)
		t.common(v)
		t.number(`,"id":`, v)
		if v.Sub == 0 {
			t.Put(`,"elem":null`)
		} else {
			t.Put(`,"elem":"` + datatype.Name(datatype.ID(v.Sub)) + `"`)
			if tag := t.w.Byte(v.Body - 1); t.f.Rules.IsForeign(tag) {
				t.PutInt(`,"elem_tag":`, int64(tag))
			}
		}
		t.Put(`,"value":[`)
	case v.Type == datatype.Struct:
		t.Put(`{"type":"struct"`)
		t.common(v)
		t.number(`,"id":`, v)
		t.constructor(v)
		t.Put(`,"value":[`)
	}
}

// number writes the number by which references name a value.
func (t *typedWriter) number(label string, v *tree.Value) {
	t.Put(label)
	if !v.Numbered || v.Serial == tree.NoSerial {
		t.Put("null")
		return
	}
	t.Dst = strconv.AppendUint(t.Dst, uint64(v.Serial), 10)
}

func (t *typedWriter) constructor(v *tree.Value) {
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
func (t *typedWriter) common(v *tree.Value) {
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
func (t *typedWriter) Close() {
	o := t.Top()
	switch {
	case o.Of.Type == datatype.File && !o.Some: // no value at all
		t.damaged(span.Truncated, o.Of.Body)
	case t.Lacks():
		t.damaged(span.MissingValue, o.Of.Tail)
	}
	t.nest.Close()
}

// Atom implements tree.Visitor.
func (t *typedWriter) Atom(v *tree.Value) {
	switch {
	case v.Type == datatype.MemberName:
		t.begin()
		t.Quoted(t.w, v.Start, max(0, v.Tail-1-v.Start))
		return
	case v.Type == datatype.Skipped:
		return
	}
	t.begin()
	t.atom(v)
}

// damaged writes the object that replaces a value that cannot be read.
func (t *typedWriter) damaged(code string, off int64) {
	t.Put(`{"type":"damaged","problem":"` + code + `"`)
	if off != tree.Unknown {
		t.PutInt(`,"offset":`, off)
	}
	t.Put("}")
}

func (t *typedWriter) atom(v *tree.Value) {
	switch {
	case v.Damage != nil && v.Layout == tree.Leaf:
		t.damaged(v.Damage.Code, v.Start)
		if v.Damage.Code == span.MissingSchema {
			t.Dst = t.Dst[:len(t.Dst)-1]
			t.constructor(v)
			t.Put("}")
		}
	case v.Refers:
		t.Put(`{"type":"ref"`)
		t.common(v)
		t.PutUint(`,"kind":"`+datatype.Name(v.Type)+`","ref":`, uint64(v.Sub))
		t.Put("}")
	case v.Type == datatype.Array:
		t.container(v)
		t.elements(v)
		t.Put("]}")
	case v.Type == datatype.Struct:
		t.container(v)
		t.Put("]}")
	default:
		t.Put(`{"type":"` + datatype.Name(v.Type) + `"`)
		t.common(v)
		t.payload(v.Type, v.Body, v.Tail)
		t.Put("}")
	}
}

func (t *typedWriter) elements(v *tree.Value) {
	element := datatype.ID(v.Sub)
	opening := `{"type":"` + datatype.Name(element) + `"`
	for i := int64(0); i < v.Count && !t.Full(); i++ {
		if i > 0 {
			t.Put(",")
		}
		t.Put(opening)
		at := v.Body + i*int64(v.Stride)
		t.payload(element, at, at+int64(v.Stride))
		t.Put("}")
	}
}

// payload writes the value of a scalar.
func (t *typedWriter) payload(of datatype.ID, at, end int64) {
	t.Put(`,"value":`)
	switch {
	case of == datatype.Undefined:
		t.Put("null")
	case datatype.IsText(of):
		t.Quoted(t.w, at, end-1-at)
	default:
		t.scalar(datatype.NumberAt(t.w, of, at))
	}
}

func (t *typedWriter) scalar(n datatype.Number) {
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

func (t *typedWriter) float(n datatype.Number) {
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
