package json

import (
	"strconv"
	"unicode/utf8"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/literal"
	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/formats/godot/internal/variant"
)

// textValue writes a string: "s:…", "sn:…", or a bare string in a packed array
// and for a property's name.
func (j *jsonWriter) textValue(v *tree.Value) {
	switch {
	case v.Type == types.Property, v.Type == types.Part && j.f.Dialect.Resource:
		text, _, _ := j.f.NameAt(j.w, v.Start)
		j.jsonString(text.Offset, text.Length, "")
	case v.Type == types.String:
		j.jsonString(v.Head+8, j.f.TextLength(j.w, v, v.Head+4), "s:")
	case v.Type == types.StringName:
		j.jsonString(v.Head+8, j.f.TextLength(j.w, v, v.Head+4), "sn:")
	default:
		j.jsonString(v.Start+4, j.f.TextLength(j.w, v, v.Start), "")
	}
}

// jsonString writes the n bytes at off as a JSON string that begins with a tag, or as hex if they are not
// valid UTF-8.
func (j *jsonWriter) jsonString(off, n int64, tag string) {
	if n <= source.MaxView {
		if b := j.w.View(off, n); utf8.Valid(b) {
			j.Dst = append(append(j.Dst, '"'), tag...)
			j.Dst = append(tree.AppendEscaped(j.Dst, b, '"'), '"')
			return
		}
	} else if bad, _ := tree.ScanText(j.w, off, n, tree.RuneSize); bad == tree.Unknown {
		j.Dst = append(append(j.Dst, '"'), tag...)
		j.Escaped(j.w, off, n)
		j.Put(`"`)
		return
	}
	name := "String"
	if tag == "sn:" {
		name = "StringName"
	}
	j.begin(name)
	j.Put(`,"hex":"`)
	j.Hex(j.w, span.Span{Offset: off, Length: n})
	j.Put(`"}`)
}

// nodePath writes "np:a/b:c" if that reads back as the same parts, or else the parts.
func (j *jsonWriter) nodePath(v *tree.Value) {
	if v.Layout == tree.Leaf { // the old form, one string
		j.Put(`{"type":"NodePath","old":`)
		j.jsonString(v.Head+8, int64(j.w.U32(v.Head+4)), "")
		j.Put("}")
		return
	}
	flags := j.f.PathFlags(j.w, v)
	absolute := flags&1 != 0
	if flags&^1 == 0 && literal.Joins(j.f, j.w, v) {
		j.Put(`"np:`)
		literal.WritePath(j.f, &j.Writer, j.w, v)
		j.Put(`"`)
		return
	}
	j.Put(`{"type":"NodePath","absolute":` + strconv.FormatBool(absolute))
	if flags&^1 != 0 {
		j.PutUint(`,"flags":`, uint64(flags))
	}
	j.parts(v, `,"names":[`, false)
	j.parts(v, `,"subnames":[`, true)
	j.Put("}")
}

func (j *jsonWriter) parts(v *tree.Value, opening string, sub bool) {
	j.Put(opening)
	some := false
	j.f.EachPart(j.w, v, func(p variant.PathPart) bool {
		if p.Sub == sub {
			if some {
				j.Put(",")
			}
			some = true
			j.jsonString(p.Off, p.N, "")
		}
		return !j.Full()
	})
	j.Put("]")
}
