package godot

import (
	"encoding/hex"
	"strconv"
	"unicode/utf8"

	"varview/decoder/source"
	"varview/decoder/tree"
)

// textValue writes a string: "s:…", "sn:…", or a bare string in a packed array
// and for a property's name.
func (j *jsonWriter) textValue(v *tree.Value) {
	switch v.Type {
	case tString:
		j.jsonString(v.Head+8, textLength(j.w, v, v.Head+4), "s:")
	case tStringName:
		j.jsonString(v.Head+8, textLength(j.w, v, v.Head+4), "sn:")
	default:
		j.jsonString(v.Start+4, textLength(j.w, v, v.Start), "")
	}
}

// jsonString writes the n bytes at off as a JSON string with a tag before it,
// or as hex where they are no valid UTF-8.
func (j *jsonWriter) jsonString(off, n int64, tag string) {
	if n <= source.MaxView {
		b := j.w.View(off, n)
		if tree.IsPlain(b) {
			j.dst = append(append(append(append(j.dst, '"'), tag...), b...), '"')
			return
		}
		if utf8.Valid(b) {
			j.dst = append(append(j.dst, '"'), tag...)
			j.dst = append(tree.AppendEscaped(j.dst, b, '"'), '"')
			return
		}
	} else if bad, _ := scanText(j.w, off, n, true); bad == tree.Unknown {
		j.dst = append(append(j.dst, '"'), tag...)
		j.escaped(j.w, off, n)
		j.put(`"`)
		return
	}
	name := "String"
	if tag == "sn:" {
		name = "StringName"
	}
	j.begin(name)
	j.put(`,"hex":"`)
	for n > 0 && !j.full() {
		b := j.w.View(off, min(n, 4096))
		if len(b) == 0 {
			break
		}
		j.dst = hex.AppendEncode(j.dst, b)
		off += int64(len(b))
		n -= int64(len(b))
	}
	j.put(`"}`)
}

// nodePath writes "np:a/b:c" where that reads back to the same parts, else the
// parts themselves.
func (j *jsonWriter) nodePath(v *tree.Value) {
	if v.Layout == tree.Leaf { // the old form, one string
		j.put(`{"type":"NodePath","old":`)
		j.jsonString(v.Head+8, int64(j.w.U32(v.Head+4)), "")
		j.put("}")
		return
	}
	absolute, flags := j.f.pathFlags(j.w, v)
	if flags&^1 == 0 && j.joins(v, absolute) {
		j.put(`"np:`)
		j.f.writePath(&j.writer, j.w, v)
		j.put(`"`)
		return
	}
	j.put(`{"type":"NodePath","absolute":`)
	j.dst = strconv.AppendBool(j.dst, absolute)
	if flags&^1 != 0 {
		j.put(`,"flags":`)
		j.dst = strconv.AppendUint(j.dst, uint64(flags), 10)
	}
	j.parts(v, `,"names":[`, false)
	j.parts(v, `,"subnames":[`, true)
	j.put("}")
}

func (j *jsonWriter) parts(v *tree.Value, opening string, sub bool) {
	j.put(opening)
	some := false
	j.f.eachPart(j.w, v, func(p pathPart) bool {
		if p.sub == sub {
			if some {
				j.put(",")
			}
			some = true
			j.jsonString(p.off, p.n, "")
		}
		return !j.full()
	})
	j.put("]")
}

// joins reports whether the parts of a path, joined to one text, would be taken
// apart in the same way again.
func (j *jsonWriter) joins(v *tree.Value, absolute bool) bool {
	names, ok := 0, true
	j.f.eachPart(j.w, v, func(p pathPart) bool {
		if !p.sub {
			names++
		}
		ok = p.n > 0 && p.n <= tree.MaxKey
		if ok {
			for _, c := range j.w.View(p.off, p.n) {
				ok = ok && c != ':' && (c != '/' || p.sub)
			}
		}
		if ok {
			bad, _ := scanText(j.w, p.off, p.n, true)
			ok = bad == tree.Unknown
		}
		return ok
	})
	return ok && (names > 0 || !absolute)
}
