//go:build unix

package endtoend

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// A place is a part of a value that has a path.
type place struct {
	path   string
	kind   string // value, key, or what a part is: f32, i32, byte, text, Vector2, Vector3, Color
	now    any
	set    func(any)
	remove func()            // nil if it cannot be deleted
	taken  func(string) bool // key: whether another one has this canonical form
}

// A slot is where something can be inserted.
type slot struct {
	path   string
	kind   string
	insert func(any)
}

// components are those of a type in the order of its literal.
var components = map[string]string{
	"Vector2":     "x y",
	"Rect2":       "position.x position.y size.x size.y",
	"Vector3":     "x y z",
	"Transform2D": "x.x x.y y.x y.y origin.x origin.y",
	"Plane":       "normal.x normal.y normal.z d",
	"Quat":        "x y z w",
	"AABB":        "position.x position.y position.z size.x size.y size.z",
	"Basis":       "x.x y.x z.x x.y y.y z.y x.z y.z z.z",
	"Transform": "basis.x.x basis.y.x basis.z.x basis.x.y basis.y.y basis.z.y basis.x.z basis.y.z basis.z.z " +
		"origin.x origin.y origin.z",
	"Color": "r g b a",
}

// component finds component i of a value: an item of a list.
func component(o object, i int) (items []any, index int) {
	if items, ok := o["value"].([]any); ok {
		return items, i
	}
	steps := strings.Split(strings.Fields(components[typeName(o)])[i], ".")
	at := o["value"]
	for _, step := range steps[:len(steps)-1] {
		at = at.(object)[step]
	}
	return at.([]any), strings.Index("xyz", steps[len(steps)-1])
}

// elements are the element types of packed arrays.
var elements = map[string]string{
	"PoolByteArray": "byte", "PoolIntArray": "i32", "PoolRealArray": "f32", "PoolStringArray": "text",
	"PoolVector2Array": "Vector2", "PoolVector3Array": "Vector3", "PoolColorArray": "Color",
}

func typeName(v any) string { return text(v.(object)["type"]) }

// A walk collects the places and slots of values.
type walk struct {
	r      *rand.Rand // for where slots are; nil for none
	places []place
	slots  []slot
}

// places are all places of the file.
func (s *savedFile) places() []place {
	w := walk{}
	w.file(s)
	return w.places
}

// slots are some slots of the file.
func (s *savedFile) slots(r *rand.Rand) []slot {
	w := walk{r: r}
	w.file(s)
	return w.slots
}

func (w *walk) file(s *savedFile) {
	values := s.values()
	if s.truth.framing() == "raw" {
		w.value(place{path: "$", now: values[0], set: func(v any) { s.setValues([]any{v}) }})
		return
	}
	w.list("$", "value", values, s.setValues)
}

// list walks over the items of a list; keep stores another list in its place.
func (w *walk) list(path, kind string, items []any, keep func([]any)) {
	for i, x := range items {
		p := place{
			path:   fmt.Sprintf("%s[%d]", path, i),
			kind:   kind,
			now:    x,
			set:    func(v any) { items[i] = v },
			remove: func() { keep(slices.Delete(slices.Clone(items), i, i+1)) },
		}
		switch {
		case kind == "value":
			w.value(p)
		default:
			w.places = append(w.places, p)
			w.vector(p)
		}
	}
	if w.r == nil {
		return
	}
	at := w.r.IntN(len(items) + 1)
	w.slots = append(w.slots, slot{fmt.Sprintf("%s[%d]", path, at), kind, func(v any) {
		keep(slices.Insert(slices.Clone(items), at, v))
	}})
}

// vector walks over the numbers of an element of a packed array of vectors.
func (w *walk) vector(p place) {
	numbers, ok := p.now.([]any)
	if !ok {
		return
	}
	for i, name := range strings.Fields(components[p.kind]) {
		w.places = append(w.places, place{path: p.path + "." + name, kind: "f32", now: numbers[i], set: func(v any) { numbers[i] = v }})
	}
}

func (w *walk) value(p place) {
	p.kind = "value"
	w.places = append(w.places, p)
	o := p.now.(object)
	name := typeName(o)
	keep := func(items []any) { o["value"] = items }
	switch {
	case name == "Array":
		w.list(p.path, "value", list(o["value"]), keep)
	case name == "Dictionary":
		w.dictionary(p.path, list(o["value"]), keep)
	case elements[name] != "":
		w.list(p.path, elements[name], list(o["value"]), keep)
	case name == "NodePath":
		w.nodePath(p.path, o["value"].(object))
	case components[name] != "":
		for i, step := range strings.Fields(components[name]) {
			items, index := component(o, i)
			w.places = append(w.places, place{path: p.path + "." + step, kind: "f32", now: items[index], set: func(v any) { items[index] = v }})
		}
	}
}

func (w *walk) nodePath(path string, o object) {
	for _, part := range []string{"names", "subnames"} {
		w.list(path+"."+part, "text", list(o[part]), func(items []any) { o[part] = items })
	}
}

func (w *walk) dictionary(path string, entries []any, keep func([]any)) {
	taken := func(form string) bool {
		return slices.ContainsFunc(entries, func(e any) bool { return canonicalTyped(list(e)[0]) == form })
	}
	for i, e := range entries {
		entry := list(e)
		step := keyStep(entry[0])
		w.places = append(w.places, place{path: path + step + "@key", kind: "key", now: entry[0], taken: taken, set: func(v any) { entry[0] = v }})
		w.value(place{path: path + step, now: entry[1], set: func(v any) { entry[1] = v }, remove: func() {
			keep(slices.Delete(slices.Clone(entries), i, i+1))
		}})
	}
	if w.r == nil {
		return
	}
	if key := randomKey(w.r, taken); key != nil {
		w.slots = append(w.slots, slot{path + keyStep(key), "value", func(v any) {
			keep(append(slices.Clone(entries), []any{key, v}))
		}})
	}
}

// keyStep is the step of a path to the entry of a key.
func keyStep(key any) string {
	literal := literalOf("value", key)
	if components[typeName(key)] != "" {
		literal = strings.ReplaceAll(literal, ".0", "") // of the truths' whole numbers
	}
	if typeName(key) != "String" {
		return "[" + literal + "]"
	}
	name := unhex(key.(object)["value"])
	isName := name != ""
	for i, c := range name {
		isName = isName && (c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || i > 0 && '0' <= c && c <= '9')
	}
	if isName {
		return "." + name
	}
	return "[" + literal + "]"
}
