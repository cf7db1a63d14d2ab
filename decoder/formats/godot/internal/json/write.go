package json

import (
	"context"
	"io"
	"strings"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/numeric"
	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/formats/godot/internal/variant"
)

// Forms implements tree.JSONWriter for a format.
type Forms struct{ *variant.Format }

// WriteJSON writes v in the form of Godot's JSON.from_native with full objects, extended where that form
// would lose something. A stream is a list.
func (f Forms) WriteJSON(ctx context.Context, out io.Writer, r *tree.Reader, v *tree.Value) error {
	err := tree.Write(ctx, out, r, v, func(t tree.Writer) tree.TextVisitor {
		return &jsonWriter{nest: nest{Writer: t}, f: f.Format, w: r.Window()}
	})
	if err == nil {
		_, err = io.WriteString(out, "\n")
	}
	return err
}

// Visitor returns a visitor that writes the values of a resource file to t, and the brackets of its records.
func Visitor(f *variant.Format, t tree.Writer, r *tree.Reader) variant.RecordVisitor {
	return &jsonWriter{nest: nest{Writer: t}, f: f, w: r.Window()}
}

// A jsonWriter writes values in the form of JSON.from_native.
type jsonWriter struct {
	nest
	f *variant.Format
	w *source.Window
}

type nest = tree.Nest[struct{}]

func (j *jsonWriter) Open(v *tree.Value) bool {
	o := tree.Brackets{Comma: ",", Colon: ",", Close: "]}"}
	switch shape := types.Of(v.Type).Shape; {
	case v.Type == types.List:
		j.Put("[")
		o.Close = "]"
	case shape == types.ShapeRecord || v.Type == types.Properties:
		j.Put("{")
		o.Colon, o.Close = ":", "}"
	case shape == types.ShapePath:
		j.nodePath(v)
		return false
	case shape == types.ShapeStrings, shape == types.ShapeArray && !(j.f.Dialect.Typed && v.Flags&3 != 0 || j.isShared(v)):
		return j.OpenNamed(v.Type, "", nil)
	case shape == types.ShapeDict, shape == types.ShapeArray, shape == types.ShapeTyped:
		j.container(v)
	case shape == types.ShapeObject:
		j.Put(`{"type":`)
		j.jsonString(v.Head+8, int64(j.w.U32(v.Head+4)), "")
		j.Put(`,"props":[`)
	default:
		o.Close = ""
		if v.Type == types.Stream {
			j.Put("[")
			o.Comma, o.Close = ",\n", "]"
		} else if v.Body >= v.Limit { // the buffer has no bytes
			j.damaged(span.Truncated, v.Body)
		}
	}
	j.Begin(o, struct{}{})
	return true
}

// OpenNamed implements variant.RecordVisitor.
func (j *jsonWriter) OpenNamed(t types.ID, class string, of []string) bool {
	o := tree.Brackets{Comma: ",", Colon: ",", Close: "]}"}
	switch {
	case t == types.Array && of == nil:
		j.Put("[")
		o.Close = "]"
	case t == types.Object:
		j.PutQuoted(`{"type":`, []byte(strings.Trim(class, `"`)))
		j.Put(`,"props":[`)
	default:
		j.begin(types.Of(t).Name)
		for i, name := range of {
			if name != "Variant" {
				j.attribute(members(t)[i]+"_type", name)
			}
		}
		j.Put(`,"args":[`)
	}
	j.Begin(o, struct{}{})
	return true
}

// members are what a container has that may have a type.
func members(t types.ID) []string {
	if t == types.Dictionary {
		return []string{"key", "value"}
	}
	return []string{"elem"}
}

func (j *jsonWriter) Close() {
	if j.Lacks() {
		j.Put(`{"type":"Damaged","problem":"` + span.MissingValue + `"}`)
	}
	j.nest.Close()
}

func (j *jsonWriter) begin(name string) {
	j.Put(`{"type":"`)
	j.Put(name)
	j.Put(`"`)
}

// attribute writes a member with a text, unless the text is empty.
func (j *jsonWriter) attribute(name, text string) {
	if text != "" {
		j.Put(`,"`)
		j.Put(name)
		j.PutQuoted(`":`, []byte(text))
	}
}

func (j *jsonWriter) isShared(v *tree.Value) bool { return j.w.U32(v.Body-4)&types.SharedBit != 0 }

// sharedBit keeps the obsolete bit of a count, for which to_native has no form.
func (j *jsonWriter) sharedBit(v *tree.Value) {
	if j.isShared(v) {
		j.Put(`,"shared":true`)
	}
}

// container writes the type of a container and what it says of its children.
func (j *jsonWriter) container(v *tree.Value) {
	j.begin(types.Of(v.Type).Name)
	elem, value := j.f.ContainerTypes(j.w, v)
	if v.Type == types.Dictionary {
		j.containerType("key", v, elem)
		j.containerType("value", v, value)
	} else {
		j.containerType("elem", v, elem)
	}
	j.sharedBit(v)
	j.Put(`,"args":[`)
}

// containerType writes the type of elements, keys or values. Its kind is written if the
// name alone would mean something else.
func (j *jsonWriter) containerType(of string, v *tree.Value, c types.ContainerType) {
	if c == (types.ContainerType{}) { // as for most containers
		return
	}
	j.attribute(of+"_type", c.Name)
	if c != j.f.Dialect.ContainerNamed(v.Type, c.Name) {
		j.attribute(of+"_kind", types.ContainerKinds[c.Kind])
	}
}

// damaged writes the form of a value that cannot be read.
func (j *jsonWriter) damaged(code string, off int64) {
	j.begin("Damaged")
	j.attribute("problem", code)
	j.PutInt(`,"offset":`, off)
	j.Put("}")
}

func (j *jsonWriter) Atom(v *tree.Value) {
	if v.Damage != nil && v.Layout == tree.Leaf {
		j.damaged(v.Damage.Code, v.Start)
		return
	}
	switch types.Of(v.Type).Shape {
	case types.ShapeNone:
		j.bare(v)
	case types.ShapeBool:
		j.Dst = variant.AppendPayload(j.Dst, j.w, v, v.Head+4, numeric.StyleJSON)
	case types.ShapeNumber:
		j.number(v)
	case types.ShapeText:
		j.textValue(v)
	case types.ShapePath:
		j.nodePath(v)
	case types.ShapeRID:
		j.rid(v)
	case types.ShapeReference:
		j.begin(types.Of(v.Type).Name)
		j.PutQuoted(`,"id":`, []byte(j.f.ReferenceID(j.w, v)))
		j.Put("}")
	case types.ShapeObject:
		j.object(v)
	case types.ShapeSignal:
		j.signal(v)
	case types.ShapeFixed:
		j.vector(v, types.ID(v.Sub))
		j.fixed(v)
	case types.ShapeBytes, types.ShapePacked:
		comp := types.ID(v.Sub)
		j.vector(v, comp)
		j.args(comp, v.Body, v.Count*max(1, int64(len(types.Of(v.Type).Parts))))
	case types.ShapeStrings:
		j.begin(types.Of(v.Type).Name)
		j.Put(`,"args":[]}`)
	}
}

// rid writes a RID, with its id where the dialect stores one.
func (j *jsonWriter) rid(v *tree.Value) {
	j.Put(`{"type":"RID"`)
	if j.f.Dialect.RIDHasID {
		j.PutUint(`,"id":"`, j.f.RID(j.w, v))
		j.Put(`"`)
	}
	j.Put("}")
}

// bare writes a value without content, or an element of a packed array.
func (j *jsonWriter) bare(v *tree.Value) {
	switch v.Type {
	case types.Callable:
		j.Put(`{"type":"Callable"}`)
	case types.Element:
		j.begin(j.f.TypeName(v))
		j.args(variant.ElementComp(v), v.Body, v.Count)
	default:
		j.Put("null")
	}
}

// vector begins the form of a value of numbers of a type, and says so where their width is not that of the engine's build.
func (j *jsonWriter) vector(v *tree.Value, comp types.ID) {
	j.begin(types.Of(v.Type).Name)
	if types.Of(v.Type).Comp == types.Float32 && comp == types.Float64 && !j.f.Double {
		j.Put(`,"bits":64`)
	}
}

// object writes an object of which only the number is known, or none.
func (j *jsonWriter) object(v *tree.Value) {
	if v.Flags&types.WideFlag == 0 || j.f.Dialect.NoFlags {
		j.Put(`{"type":"Object"}`)
		return
	}
	j.PutInt(`{"type":"EncodedObjectAsID","props":["object_id","i:`, int64(j.w.U64(v.Head+4)))
	j.Put(`","script",null],"as_id":true}`)
}

// signal writes a signal's name and the number of its object; a resource holds neither.
func (j *jsonWriter) signal(v *tree.Value) {
	if j.f.Dialect.Resource {
		j.Put(`{"type":"Signal","name":"","object_id":"0"}`)
		return
	}
	j.Put(`{"type":"Signal","name":`)
	j.jsonString(v.Head+8, int64(j.w.U32(v.Head+4)), "")
	j.PutUint(`,"object_id":"`, j.w.U64(v.Tail-8))
	j.Put(`"}`)
}

// args writes the n numbers from off on as args, and ends the object.
func (j *jsonWriter) args(comp types.ID, off, n int64) {
	j.Put(`,"args":[`)
	numeric.Write(&j.Writer, j.w, comp, off, n, numeric.StyleJSON, ",")
	j.Put("]}")
}

// fixed writes the components as args. A Basis, which a file has in rows, is written
// in columns.
func (j *jsonWriter) fixed(v *tree.Value) {
	switch v.Type {
	case types.Basis, types.Transform, types.Transform3D:
	default:
		j.args(types.ID(v.Sub), v.Body, v.Count)
		return
	}
	j.Put(`,"args":[`)
	for i := int64(0); i < v.Count; i++ {
		if i > 0 {
			j.Put(",")
		}
		k := i
		if k < 9 {
			k = k%3*3 + k/3
		}
		j.Dst = numeric.AppendAt(j.Dst, j.w, types.ID(v.Sub), v.Body+k*int64(v.Stride), numeric.StyleJSON)
	}
	j.Put("]}")
}
