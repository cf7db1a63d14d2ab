package measure

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"varview/internal/elephantref"
	"varview/internal/variantref"
)

// A reading is what the engine makes of a file.
type reading struct {
	Err     string // why it refuses it, or a value in it; "" if it does not
	Oddness string // a form that no engine writes
	form    string // all values, and the errors between them
}

// clean reports whether the bytes are a file that an engine could have written.
func (r *reading) clean() bool { return r.Err == "" && r.Oddness == "" }

// same reports whether the engine reads the same from other bytes.
func (r *reading) same(other *reading) bool { return r.form == other.form }

// read returns what the engine reads from bytes in place of the file's own.
func (f *File) read(data []byte) *reading {
	u := unwrapping{key: f.key, generation: f.generation}
	plain, err := u.all(f.Wrappers, data)
	if err != nil {
		return &reading{Err: err.Error(), form: err.Error()}
	}
	r := f.readPlain(plain, f.Dialect, f.Framing, f.BigEndian)
	if r.Oddness == "" {
		r.Oddness = u.odd
	}
	return r
}

// Variants returns what the second reader reads from the undamaged file, whose
// values are Godot's.
func (f *File) Variants() (*variantref.Reading, error) {
	u := unwrapping{key: f.key, generation: f.generation}
	plain, err := u.all(f.Wrappers, f.Data)
	if err != nil {
		return nil, err
	}
	return variantref.Read(plain, variantref.Options{Dialect: f.Dialect, Stream: f.Framing == "stream", BigEndian: f.BigEndian, Objects: true})
}

// readPlain reads bytes that are in no wrapper.
func (f *File) readPlain(data []byte, dialect, framing string, bigEndian bool) *reading {
	if strings.HasPrefix(dialect, "elephant") {
		return f.readElephant(data)
	}
	o := variantref.Options{Dialect: dialect, Stream: framing == "stream", BigEndian: bigEndian, Objects: f.whole == nil || len(f.whole.Classes) > 0}
	if f.whole != nil {
		o.Classes = f.whole.Classes
	}
	v, err := variantref.Read(data, o)
	if err != nil {
		return &reading{Err: err.Error(), form: err.Error()}
	}
	if f.whole == nil {
		f.whole = v
	}
	r := &reading{Oddness: v.Oddness}
	var form strings.Builder
	for _, frame := range v.Frames {
		if r.Err == "" {
			r.Err = frame.Err
		}
		form.WriteString(frame.Value + frame.Err + "\n")
	}
	r.form = form.String()
	return r
}

func (f *File) readElephant(data []byte) *reading {
	file, err := elephantref.Decode(data, f.schemas)
	if err != nil {
		e := err.(*elephantref.Error)
		return &reading{Err: e.Message, form: "error"}
	}
	values, ok := file.Typed().(map[string]any)
	if !ok {
		return &reading{Err: "no value", form: "error"}
	}
	delete(values, "elephant")
	form, err := json.Marshal(values)
	if err != nil {
		return &reading{Err: err.Error(), form: "error"}
	}
	w := oddities{file: file, seen: map[*elephantref.Value]bool{}}
	w.value(file.Root)
	if file.Size < len(data) {
		w.odd("bytes after the end")
	}
	return &reading{Oddness: w.what, form: string(form)}
}

// oddities returns a form in a block that the library reads but never writes.
type oddities struct {
	file  *elephantref.File
	seen  map[*elephantref.Value]bool
	ctors []int
	what  string
}

func (w *oddities) odd(what string) {
	if w.what == "" {
		w.what = what
	}
}

func (w *oddities) value(v *elephantref.Value) {
	if w.seen[v] {
		return
	}
	w.seen[v] = true
	switch {
	case v.Ref != nil && v.Ref.Dangling:
		w.odd("a reference to nothing")
	case v.Ref != nil && v.Ref.Target.Type != v.Ref.Kind:
		w.odd("a reference of another kind")
	case !utf8.ValidString(v.Text):
		w.odd("invalid UTF-8")
	case v.Array != nil:
		for _, e := range v.Array.Elems {
			w.value(e)
		}
	case v.Struct != nil:
		w.structure(v.Struct)
	}
}

func (w *oddities) structure(s *elephantref.StructValue) {
	if s.Constructed {
		w.ctor(s)
	}
	names := map[string]bool{}
	for _, m := range s.Members {
		if names[m.Name] {
			w.odd("a repeated name")
		}
		if !utf8.ValidString(m.Name) {
			w.odd("invalid UTF-8")
		}
		names[m.Name] = true
		w.value(m.Value)
	}
	for i, n := range s.Skipped {
		if i > 0 && n <= s.Skipped[i-1] || n > len(s.Skipped)+len(s.Members) {
			w.odd("a list of skipped members out of order")
		}
	}
}

// ctor checks that constructors are numbered in the order of their first use, from
// 1.1.0 on without gaps.
func (w *oddities) ctor(s *elephantref.StructValue) {
	for _, n := range w.ctors {
		if n == s.Index {
			return
		}
	}
	last := -1
	if len(w.ctors) > 0 {
		last = w.ctors[len(w.ctors)-1]
	}
	if w.file.Version > elephantref.V100 && s.Index != last+1 || s.Index < last {
		w.odd("a constructor's number out of order")
	}
	w.ctors = append(w.ctors, s.Index)
}
