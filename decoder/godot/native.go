package godot

import (
	"context"
	"encoding/hex"
	"io"
	"math"
	"strconv"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// WriteJSON implements tree.Format: the form of Godot's JSON.from_native with
// full objects, extended where that loses something. A stream is a list.
func (f *Format) WriteJSON(ctx context.Context, out io.Writer, r *tree.Reader, v *tree.Value) error {
	j := jsonWriter{writer: writer{ctx: ctx, out: out}, f: f, w: r.Window()}
	visit(r, v, &j)
	j.put("\n")
	j.flush()
	return j.err
}

// A jsonWriter writes values in the form of JSON.from_native.
type jsonWriter struct {
	writer
	f    *Format
	w    *source.Window
	nest []openText
}

func (j *jsonWriter) before(slot tree.Slot) {
	o := &j.nest[len(j.nest)-1]
	o.key = slot.Key
	if o.some {
		j.put(",")
	}
	if o.kind == tStream && o.some {
		j.put("\n")
	}
	o.some = true
}

func (j *jsonWriter) open(v *tree.Value) bool {
	o := openText{kind: v.Type, closer: "]}"}
	switch types[v.Type].shape {
	case shapePath:
		j.nodePath(v)
		return false
	case shapeDict:
		j.dictionary(v)
	case shapeArray:
		if elem := v.Flags & 3; j.f.Dialect.typed && elem != 0 || j.isShared(v) {
			c, _ := j.f.containerType(j.w, v.Head+4, elem)
			j.begin("Array")
			j.attribute("elem_type", c.name)
			j.sharedBit(v)
			j.put(`,"args":[`)
		} else {
			j.put("[")
			o.closer = "]"
		}
	case shapeTyped:
		j.begin(j.f.TypeName(v))
		j.attribute("elem_type", j.f.elementType(j.w, v))
		j.sharedBit(v)
		j.put(`,"args":[`)
	case shapeStrings:
		j.begin(j.f.TypeName(v))
		j.put(`,"args":[`)
	case shapeObject:
		j.put(`{"type":`)
		j.jsonString(v.Head+8, int64(j.w.U32(v.Head+4)), "")
		j.put(`,"props":[`)
		o.kind = tDictionary // its first name needs no comma
	default:
		o.closer = ""
		if v.Type == tStream {
			j.put("[")
			o.closer = "]"
		} else if v.Body >= v.Limit { // no bytes where a value should stand
			j.damaged(span.Truncated, v.Body)
		}
	}
	j.nest = append(j.nest, o)
	return true
}

func (j *jsonWriter) close() {
	last := len(j.nest) - 1
	if j.nest[last].key {
		j.put(`,{"type":"Damaged","problem":"` + span.MissingValue + `"}`)
	}
	j.put(j.nest[last].closer)
	j.nest = j.nest[:last]
}

func (j *jsonWriter) begin(name string) {
	j.put(`{"type":"`)
	j.put(name)
	j.put(`"`)
}

// attribute adds a text that is left out when empty.
func (j *jsonWriter) attribute(name, text string) {
	if text != "" {
		j.put(`,"`)
		j.put(name)
		j.put(`":`)
		j.dst = tree.AppendQuoted(j.dst, []byte(text))
	}
}

func (j *jsonWriter) isShared(v *tree.Value) bool { return j.w.U32(v.Body-4)&shared != 0 }

// sharedBit keeps the obsolete bit of a count, which to_native has no form for.
func (j *jsonWriter) sharedBit(v *tree.Value) {
	if j.isShared(v) {
		j.put(`,"shared":true`)
	}
}

func (j *jsonWriter) dictionary(v *tree.Value) {
	j.begin("Dictionary")
	if j.f.Dialect.typed && v.Flags&15 != 0 {
		key, at := j.f.containerType(j.w, v.Head+4, v.Flags&3)
		value, _ := j.f.containerType(j.w, at, v.Flags>>2&3)
		j.attribute("key_type", key.name)
		j.attribute("value_type", value.name)
	}
	j.sharedBit(v)
	j.put(`,"args":[`)
}

// damaged stands for a value that could not be read.
func (j *jsonWriter) damaged(code string, off int64) {
	j.begin("Damaged")
	j.attribute("problem", code)
	j.put(`,"offset":`)
	j.dst = strconv.AppendInt(j.dst, off, 10)
	j.put("}")
}

func (j *jsonWriter) atom(v *tree.Value) {
	if v.Damage != nil && v.Layout == tree.Leaf {
		j.damaged(v.Damage.Code, v.Start)
		return
	}
	switch types[v.Type].shape {
	case shapeNone:
		if v.Type == tCallable {
			j.put(`{"type":"Callable"}`)
		} else if v.Type == tElement {
			j.begin(j.f.TypeName(v))
			j.args(elementComp(v), v.Body, v.Count)
		} else {
			j.put("null")
		}
	case shapeBool:
		j.dst = j.f.appendPayload(j.dst, j.w, v, v.Head+4, styleJSON)
	case shapeNumber:
		j.number(v)
	case shapeText:
		j.textValue(v)
	case shapePath:
		j.nodePath(v)
	case shapeRID:
		j.put(`{"type":"RID"`)
		if j.f.Dialect.ridHasID {
			j.put(`,"id":"`)
			j.dst = strconv.AppendUint(j.dst, j.f.rid(j.w, v), 10)
			j.put(`"`)
		}
		j.put("}")
	case shapeObject:
		if v.Flags&flagWide == 0 || j.f.Dialect.noFlags {
			j.put(`{"type":"Object"}`)
			return
		}
		j.put(`{"type":"EncodedObjectAsID","props":["object_id","i:`)
		j.dst = strconv.AppendInt(j.dst, int64(j.w.U64(v.Head+4)), 10)
		j.put(`","script",null],"as_id":true}`)
	case shapeSignal:
		j.put(`{"type":"Signal","name":`)
		j.jsonString(v.Head+8, int64(j.w.U32(v.Head+4)), "")
		j.put(`,"object_id":"`)
		j.dst = strconv.AppendUint(j.dst, j.w.U64(v.Tail-8), 10)
		j.put(`"}`)
	case shapeFixed:
		j.begin(types[v.Type].name)
		if types[v.Type].comp == tFloat32 && v.Stride == 8 && !j.f.Double {
			j.put(`,"bits":64`)
		}
		j.fixed(v)
	case shapeBytes:
		j.begin(types[v.Type].name)
		j.args(tByte, v.Body, v.Count)
	case shapePacked:
		j.begin(types[v.Type].name)
		comp := typeID(v.Sub)
		if types[v.Type].comp == tFloat32 && comp == tFloat64 && !j.f.Double {
			j.put(`,"bits":64`)
		}
		j.args(comp, v.Body, v.Count*max(1, int64(len(types[v.Type].parts))))
	case shapeStrings:
		j.begin(types[v.Type].name)
		j.put(`,"args":[]}`)
	}
}

// args writes n numbers from off on as args, and ends the object.
func (j *jsonWriter) args(comp typeID, off, n int64) {
	j.put(`,"args":[`)
	j.numbers(j.w, comp, off, n, styleJSON, ",")
	j.put("]}")
}

// fixed writes the components as args; those of a Basis, which lie in rows, as
// columns.
func (j *jsonWriter) fixed(v *tree.Value) {
	switch v.Type {
	case tBasis, tTransform, tTransform3D:
	default:
		j.args(typeID(v.Sub), v.Body, v.Count)
		return
	}
	j.put(`,"args":[`)
	for i := int64(0); i < v.Count; i++ {
		if i > 0 {
			j.put(",")
		}
		k := i
		if k < 9 {
			k = k%3*3 + k/3
		}
		j.dst = appendNumber(j.dst, j.w, typeID(v.Sub), v.Body+k*int64(v.Stride), styleJSON)
	}
	j.put("]}")
}

// number writes an int or float; one in a width that an engine would not have
// chosen says so.
func (j *jsonWriter) number(v *tree.Value) {
	if v.Type != tInt && v.Type != tFloat { // an element or component on its own
		tag := `"i:`
		if v.Type == tFloat32 || v.Type == tFloat64 {
			tag = `"f:`
		}
		j.put(tag)
		j.dst = appendNumber(j.dst, j.w, v.Type, v.Start, styleTagged)
		j.put(`"`)
		return
	}
	name, tag := "int", `"i:`
	wide := v.Tail-v.Head > 8
	usual := true
	if v.Type == tInt {
		n := int64(j.w.U64(v.Head + 4))
		usual = !wide || n != int64(int32(n)) || j.f.Dialect.noFlags
	} else {
		name, tag = "float", `"f:`
		x := j.f.float(j.w, v)
		usual = wide == (math.IsNaN(x) || float64(float32(x)) != x) || j.f.Dialect.noFlags
		if math.IsNaN(x) && (!wide || j.w.U64(v.Head+4) != 0x7ff8000000000000) {
			j.put(`{"type":"float","value":"nan","bits":`)
			j.dst = strconv.AppendInt(j.dst, (v.Tail-v.Head-4)*8, 10)
			j.put(`,"hex":"`)
			j.dst = hex.AppendEncode(j.dst, j.w.View(v.Head+4, v.Tail-v.Head-4))
			j.put(`"}`)
			return
		}
	}
	if usual {
		j.put(tag)
		j.dst = j.f.appendScalar(j.dst, j.w, v, styleTagged)
		j.put(`"`)
		return
	}
	j.begin(name)
	j.put(`,"value":"`)
	j.dst = j.f.appendScalar(j.dst, j.w, v, styleTagged)
	j.put(`","bits":`)
	j.dst = strconv.AppendInt(j.dst, (v.Tail-v.Head-4)*8, 10)
	j.put("}")
}
