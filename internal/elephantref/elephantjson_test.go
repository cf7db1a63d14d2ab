package elephantref

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// ElephantJSON returns the form of ElephantToJSON of Elephant 1.5.1 (section 12),
// whatever the file's version. It walks over the objects as the library has them
// after reading: the last member of a repeated name, undefined for a dangling
// reference, and a body where the walk by sorted names first reaches an object.
// Names are sorted by their bytes.
func (f *File) ElephantJSON() []byte {
	w := &jsonWriter{met: map[*Value]*jsonStep{}}
	w.value(f.Root, &jsonStep{})
	return w.out.Bytes()
}

type jsonWriter struct {
	out bytes.Buffer
	met map[*Value]*jsonStep // objects whose bodies were begun, and where
}

// A jsonStep is the last step of the path of the walk.
type jsonStep struct {
	up   *jsonStep // nil for the root
	text string
}

func (s *jsonStep) path() string {
	var steps []string
	for ; s.up != nil; s = s.up {
		steps = append(steps, s.text)
	}
	slices.Reverse(steps)
	return strings.Join(steps, "")
}

func (w *jsonWriter) value(v *Value, at *jsonStep) {
	if v.Type == Ref {
		if v.Ref.Dangling {
			w.out.WriteString("null")
			return
		}
		v = v.Ref.Target
	}
	if v.Type != Array && v.Type != Struct {
		w.scalar(v)
		return
	}
	if first, met := w.met[v]; met {
		w.out.WriteString(`{"__Elephant_Circular_Ref__":`)
		w.encode(first.path())
		w.out.WriteByte('}')
		return
	}
	w.met[v] = at
	if v.Type == Array {
		w.array(v.Array, at)
	} else {
		w.structure(v.Struct, at)
	}
}

func (w *jsonWriter) array(a *ArrayValue, at *jsonStep) {
	w.out.WriteByte('[')
	for i, e := range a.Elems {
		if i > 0 {
			w.out.WriteByte(',')
		}
		w.value(e, &jsonStep{at, fmt.Sprintf("[%d]", i)})
	}
	w.out.WriteByte(']')
}

func (w *jsonWriter) structure(s *StructValue, at *jsonStep) {
	w.out.WriteByte('{')
	comma := ""
	if s.Constructed && !s.Unresolved {
		w.out.WriteString(`"__Elephant_Constructor__":`)
		w.encode(s.Constructor)
		fmt.Fprintf(&w.out, `,"__Elephant_Schema_Version__":%d`, s.Version)
		comma = ","
	}
	members := map[string]*Value{}
	for _, m := range s.Members {
		members[m.Name] = m.Value
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		w.out.WriteString(comma)
		comma = ","
		w.encode(name)
		w.out.WriteByte(':')
		w.value(members[name], &jsonStep{at, "." + name})
	}
	w.out.WriteByte('}')
}

func (w *jsonWriter) scalar(v *Value) {
	switch v.Type {
	case Undefined:
		w.out.WriteString("null")
	case Bool:
		w.out.WriteString(strconv.FormatBool(v.Num != 0))
	case String, Text:
		w.encode(v.Text)
	case U64:
		fmt.Fprintf(&w.out, `"@i64@%x$i64$"`, v.Int)
	default:
		w.number(v.Num)
	}
}

func (w *jsonWriter) number(x float64) {
	switch {
	case math.IsNaN(x):
		w.out.WriteString(`"@@nan$$"`)
	case math.IsInf(x, 1):
		w.out.WriteString(`"@@infinity$$"`)
	case math.IsInf(x, -1): // GameMaker's manual on json_stringify
		w.out.WriteString(`"@@-infinity$$"`)
	case x == 0:
		w.out.WriteByte('0')
	default:
		w.encode(x)
	}
}

// encode writes a string or finite number, neither of which can fail.
func (w *jsonWriter) encode(x any) {
	e := json.NewEncoder(&w.out)
	e.SetEscapeHTML(false)
	if err := e.Encode(x); err != nil {
		panic(err)
	}
	w.out.Truncate(w.out.Len() - 1) // the line break
}
