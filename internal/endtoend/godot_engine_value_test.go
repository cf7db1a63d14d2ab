//go:build unix

package endtoend

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
)

// Values here have the form of the truths, and are written as people type them in.

// literalOf returns the literal of a value, or of a part of the given kind.
func literalOf(kind string, v any) string {
	switch kind {
	case "text":
		return quote(unhex(v))
	case "f32", "i32", "byte":
		return text(v)
	case "value", "key":
	default: // an element of a packed array of vectors
		return kind + "(" + join(list(v), ", ", text) + ")"
	}
	o := v.(object)
	name, x := typeName(o), o["value"]
	switch {
	case name == "Nil":
		return "null"
	case name == "bool", name == "int":
		return text(x)
	case name == "float":
		return floatLiteral(text(x))
	case name == "String":
		return quote(unhex(x))
	case name == "NodePath":
		return "^" + quote(joinedName(x.(object)))
	case name == "RID":
		return "RID()"
	case name == "Object":
		return `Object(EncodedObjectAsID, "object_id": ` + text(x.(object)["id"]) + ")"
	case name == "Array":
		return "[" + join(list(x), ", ", valueLiteral) + "]"
	case name == "Dictionary":
		return "{" + join(list(x), ", ", func(e any) string {
			return valueLiteral(list(e)[0]) + ": " + valueLiteral(list(e)[1])
		}) + "}"
	case name == "PoolStringArray":
		return name + "(" + join(list(x), ", ", func(s any) string { return quote(unhex(s)) }) + ")"
	case elements[name] != "":
		return name + "(" + join(flat(x), ", ", text) + ")"
	}
	var numbers []any
	for i := range strings.Fields(components[name]) {
		items, index := component(o, i)
		numbers = append(numbers, items[index])
	}
	return name + "(" + join(numbers, ", ", text) + ")"
}

func valueLiteral(v any) string { return literalOf("value", v) }

func join(items []any, by string, form func(any) string) string {
	var parts []string
	for _, x := range items {
		parts = append(parts, form(x))
	}
	return strings.Join(parts, by)
}

// floatLiteral writes a number so that it is not taken for an int.
func floatLiteral(s string) string {
	if strings.ContainsAny(s, ".enif") {
		return s
	}
	return s + ".0"
}

// quote writes text with JSON's escapes.
func quote(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic(err) // a string can always be encoded
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// unhex returns the text of a value that may be given in hex.
func unhex(v any) string {
	if o, ok := v.(object); ok {
		b, _ := hex.DecodeString(text(o["hex"]))
		return string(b)
	}
	return text(v)
}

func joinedName(o object) string {
	s := join(list(o["names"]), "/", unhex)
	if o["absolute"] == true {
		s = "/" + s
	}
	for _, sub := range list(o["subnames"]) {
		s += ":" + unhex(sub)
	}
	return s
}

// randomInstead returns a new value for a place, of the same type half of the time.
func randomInstead(r *rand.Rand, p place) any {
	switch {
	case p.kind == "key":
		if key := randomKey(r, p.taken); key != nil {
			return key
		}
		return p.now
	case p.kind == "value" && r.IntN(2) == 0:
		if name := typeName(p.now); name != "Object" || p.now.(object)["value"] != nil {
			return randomTyped(r, name, 2)
		}
	}
	return randomOf(r, p.kind)
}

// randomKey is a key that is not taken; nil if it finds none.
func randomKey(r *rand.Rand, taken func(string) bool) any {
	names := []string{"String", "String", "int", "bool", "NodePath", "Vector2", "Color"}
	for range 5 {
		key := randomTyped(r, names[r.IntN(len(names))], 0)
		if numbers, ok := key.(object)["value"].([]any); ok {
			for i := range numbers {
				numbers[i] = json.Number(strconv.Itoa(r.IntN(100) - 50)) // in a path they are written as they are shown
			}
		}
		tooLong := len(valueLiteral(key)) > 1000 // paths to such a key number the entry
		if !tooLong && !taken(canonicalTyped(key)) {
			return key
		}
	}
	return nil
}

var typeNames = strings.Fields("Nil bool int float String Vector2 Rect2 Vector3 Transform2D Plane Quat AABB Basis Transform Color NodePath " +
	"RID Object Dictionary Array PoolByteArray PoolIntArray PoolRealArray PoolStringArray PoolVector2Array PoolVector3Array PoolColorArray")

func randomValue(r *rand.Rand, depth int) any {
	return randomTyped(r, typeNames[r.IntN(len(typeNames))], depth)
}

// randomOf is a part of the given kind.
func randomOf(r *rand.Rand, kind string) any {
	switch kind {
	case "value":
		return randomValue(r, 2)
	case "f32":
		return randomF32(r)
	case "i32":
		return json.Number(strconv.Itoa(int(int32(randomInt(r)))))
	case "byte":
		return json.Number(strconv.Itoa(r.IntN(256)))
	case "text":
		return randomText(r)
	}
	return several(len(strings.Fields(components[kind])), func() any { return randomF32(r) })
}

func several(n int, one func() any) []any {
	items := make([]any, n)
	for i := range items {
		items[i] = one()
	}
	return items
}

// randomTyped returns a value of a type, nested to a depth.
func randomTyped(r *rand.Rand, name string, depth int) any {
	o := object{"type": name}
	f32 := func() any { return randomF32(r) }
	switch {
	case name == "bool":
		o["value"] = r.IntN(2) == 0
	case name == "int":
		o["value"] = strconv.FormatInt(randomInt(r), 10)
	case name == "float":
		o["value"] = randomFloat(r)
	case name == "String":
		o["value"] = randomText(r)
	case name == "NodePath":
		// A path that is absolute has a name: "/" alone is none.
		names := several(r.IntN(4), func() any { return randomName(r) })
		o["value"] = object{"absolute": len(names) > 0 && r.IntN(2) == 0, "names": names,
			"subnames": several(r.IntN(3), func() any { return randomName(r) })}
	case name == "Object":
		o["value"] = object{"id": strconv.Itoa(1 + r.IntN(1<<40))}
	case name == "Array":
		o["value"] = several(r.IntN(2+depth), func() any { return randomValue(r, max(0, depth-1)) })
	case name == "Dictionary":
		o["value"] = randomEntries(r, depth)
	case elements[name] != "":
		o["value"] = several(r.IntN(7), func() any { return randomOf(r, elements[name]) })
	case name == "Transform2D":
		o["value"] = object{"x": several(2, f32), "y": several(2, f32), "origin": several(2, f32)}
	case name == "Basis":
		o["value"] = object{"x": several(3, f32), "y": several(3, f32), "z": several(3, f32)}
	case name == "Transform":
		o["value"] = object{"basis": object{"x": several(3, f32), "y": several(3, f32), "z": several(3, f32)}, "origin": several(3, f32)}
	case components[name] != "":
		o["value"] = several(len(strings.Fields(components[name])), f32)
	}
	return o
}

func randomEntries(r *rand.Rand, depth int) []any {
	entries := []any{}
	taken := map[string]bool{}
	for range r.IntN(2 + depth) {
		key := randomKey(r, func(form string) bool { return taken[form] })
		if key == nil {
			continue
		}
		taken[canonicalTyped(key)] = true
		entries = append(entries, []any{key, randomValue(r, max(0, depth-1))})
	}
	return entries
}

// randomInt is of any size, near the limits of a width as often as not.
func randomInt(r *rand.Rand) int64 {
	edges := []int64{0, 1, -1, math.MaxInt32, math.MinInt32, math.MaxInt32 + 1, math.MinInt32 - 1, math.MaxInt64, math.MinInt64, 1<<53 + 1}
	if r.IntN(2) == 0 {
		return edges[r.IntN(len(edges))]
	}
	return int64(r.Uint64()) >> r.IntN(64)
}

// randomFloat needs 64 bits as often as not.
func randomFloat(r *rand.Rand) any {
	if r.IntN(2) == 0 {
		return randomF32(r)
	}
	if r.IntN(2) == 0 {
		return json.Number(strconv.FormatFloat(r.NormFloat64()*1000, 'g', -1, 64))
	}
	return []any{json.Number("1e+300"), json.Number("5e-324"), json.Number("0.1"), json.Number("16777217"), "nan"}[r.IntN(5)]
}

func randomF32(r *rand.Rand) any {
	if r.IntN(4) == 0 {
		return []any{json.Number("0"), json.Number("-0.0"), "inf", "-inf", "nan", json.Number("1e-45"), json.Number("3.4028235e+38")}[r.IntN(7)]
	}
	if r.IntN(2) == 0 {
		return json.Number(strconv.Itoa(r.IntN(2000) - 1000))
	}
	return json.Number(strconv.FormatFloat(float64(float32(r.NormFloat64())), 'g', -1, 32))
}

// letters are of one to four bytes, control characters and what needs escapes.
var letters = []rune("aZ09 _-=@#[]{}(),.:;/\\\"'$&^!\t\n\r\a\x01\x7fäßЖ日本🎮\u200e\u0301")

func randomText(r *rand.Rand) any {
	n := r.IntN(12)
	if r.IntN(30) == 0 {
		n = 5000 // more than a block of a compressed file
	}
	var b strings.Builder
	for range n {
		b.WriteRune(letters[r.IntN(len(letters))])
	}
	return b.String()
}

// randomName is a part of a NodePath.
func randomName(r *rand.Rand) any {
	return []string{"Player", "..", "Körper", "a b", "日本", "x", "Camera2D", "\"q\"", "=", "@"}[r.IntN(10)]
}
