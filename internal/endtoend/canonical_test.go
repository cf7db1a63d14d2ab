package endtoend

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"varview/decoder"
)

// The canonical form of a value is a text that two values share if and only if
// they are the same to the bit. All NaNs of one width count as one.

type object = map[string]any

// componentTypes lists the types whose args are numbers, and the kind of these numbers.
var componentTypes = map[string]string{}

func init() {
	for kind, names := range map[string]string{
		"i32": "Vector2i Vector3i Vector4i Rect2i PackedByteArray PackedInt32Array PackedInt64Array PoolByteArray PoolIntArray " +
			"PoolVector2iArray PoolVector3iArray PoolVector4iArray",
		"f32": "Vector2 Vector3 Vector4 Rect2 Transform2D Plane Quat Quaternion AABB Basis Transform Transform3D Projection Color " +
			"PackedFloat32Array PackedVector2Array PackedVector3Array PackedVector4Array PackedColorArray " +
			"PoolRealArray PoolVector2Array PoolVector3Array PoolVector4Array PoolColorArray",
		"f64": "PackedFloat64Array",
	} {
		for name := range strings.FieldsSeq(names) {
			componentTypes[name] = kind
		}
	}
}

// canonicalExport brings what export prints into canonical form.
func canonicalExport(v any) string {
	switch v := v.(type) {
	case string:
		return canonicalTagged(v)
	case []any:
		return "Array" + each(v, canonicalExport)
	case object:
		return canonicalExported(v)
	}
	return plain(v)
}

// canonicalTagged handles texts with their type: i:1, f:0.5, s:text.
func canonicalTagged(s string) string {
	tag, body, _ := strings.Cut(s, ":")
	switch tag {
	case "i":
		return "int " + body
	case "f":
		return "float " + bits64(body)
	case "s":
		return "String " + strconv.Quote(body)
	case "sn":
		return "StringName " + strconv.Quote(body)
	case "np":
		return joinedPath(body)
	}
	return "not a value: " + s
}

func canonicalExported(o object) string {
	name, _ := o["type"].(string)
	args, _ := o["args"].([]any)
	switch name {
	case "int":
		return "int " + text(o["value"])
	case "float":
		return "float " + bits64(text(o["value"]))
	case "String", "StringName":
		b, _ := hex.DecodeString(text(o["hex"]))
		return name + " " + strconv.Quote(string(b))
	case "Dictionary":
		return dictionary(o["key_type"], o["value_type"], pairs(args), canonicalExport)
	case "Array":
		return "Array" + typed(o["elem_type"]) + each(args, canonicalExport)
	case "TypedArray", "PackedTypedArray":
		elem := o["elem_type"]
		if elem != nil && !slices.Contains(pandemoniumTypes(), text(elem)) {
			elem = "Object" // the class of what is stored as ids is not in the bytes
		}
		return name + typed(elem) + each(args, canonicalExport)
	case "NodePath":
		return nodePath(o["absolute"], list(o["names"]), list(o["subnames"]))
	case "RID":
		return "RID " + orZero(o["id"])
	case "Signal":
		return "Signal " + strconv.Quote(text(o["name"])) + " " + unsigned(o["object_id"])
	case "PackedStringArray", "PoolStringArray":
		return name + each(args, quoted)
	}
	if kind := componentTypes[name]; kind != "" {
		if text(o["bits"]) == "64" {
			kind = "f64"
		}
		return name + each(args, func(x any) string { return number(kind, x) })
	}
	if o["as_id"] == true {
		return "Object " + unsigned(strings.TrimPrefix(text(list(o["props"])[1]), "i:"))
	}
	if props, ok := o["props"].([]any); ok {
		return properties(name, pairs(props), canonicalExport)
	}
	return name
}

// canonicalExact brings the form of the Godot 4 truths into canonical form.
func canonicalExact(v any) string {
	o, ok := v.(object)
	if !ok {
		return plain(v)
	}
	if path, ok := o["script"]; ok { // the script that the engine loaded; the bytes hold its path
		return "String " + quoted(path)
	}
	name, _ := o["type"].(string)
	switch name {
	case "int":
		return "int " + text(o["value"])
	case "float":
		return "float " + foldNaN(text(o["f64"]))
	case "String", "StringName":
		return name + " " + quoted(o["value"])
	case "NodePath":
		return nodePath(o["absolute"], list(o["names"]), list(o["subnames"]))
	case "Array":
		return "Array" + typed(container(o["elem_type"])) + each(list(o["items"]), canonicalExact)
	case "Dictionary":
		return dictionary(container(o["key_type"]), container(o["value_type"]), list(o["pairs"]), canonicalExact)
	case "Object":
		return exactObject(o)
	case "RID":
		return "RID " + orZero(o["id"])
	case "Signal":
		return "Signal " + quoted(o["name"]) + " " + unsigned(o["object_id"])
	case "PackedStringArray":
		return name + each(list(o["items"]), quoted)
	case "PackedByteArray":
		b, _ := hex.DecodeString(text(o["hex"]))
		return name + each(b, func(c byte) string { return strconv.Itoa(int(c)) })
	}
	var parts []any
	for _, key := range strings.Fields("i32 i64 f32 f64 x y z w basis_x basis_y basis_z origin") {
		if part, ok := o[key]; ok {
			parts = append(parts, flat(part)...)
		}
	}
	if componentTypes[name] == "" {
		return name
	}
	return name + each(parts, func(x any) string { return foldNaN(text(x)) })
}

func exactObject(o object) string {
	props := list(o["props"])
	switch o["class"] {
	case nil:
		return "null"
	case "EncodedObjectAsID":
		for _, p := range props {
			if p := list(p); p[0] == "object_id" {
				return "Object " + unsigned(p[1].(object)["value"])
			}
		}
	}
	return properties(text(o["class"]), props, canonicalExact)
}

// canonicalTyped brings the form of the Godot 3 and Pandemonium truths into
// canonical form.
func canonicalTyped(v any) string {
	o := v.(object)
	name, x := text(o["type"]), o["value"]
	switch name {
	case "Nil":
		return "null"
	case "bool":
		return plain(x)
	case "int":
		return "int " + text(x)
	case "float":
		return "float " + bits64(text(x))
	case "String", "StringName":
		return name + " " + quoted(x)
	case "RID":
		return "RID 0"
	case "Array":
		return "Array" + each(list(x), canonicalTyped)
	case "Dictionary":
		return dictionary(nil, nil, list(x), canonicalTyped)
	case "PoolStringArray":
		return name + each(list(x), quoted)
	}
	inner, ok := x.(object)
	if !ok && name == "Object" {
		return "null"
	}
	switch name {
	case "NodePath":
		return nodePath(inner["absolute"], list(inner["names"]), list(inner["subnames"]))
	case "TypedArray", "PackedTypedArray":
		elem := inner["element"]
		if elem == "Nil" {
			elem = nil
		}
		return name + typed(elem) + each(list(inner["items"]), canonicalTyped)
	case "Object":
		if id, ok := inner["id"]; ok {
			return "Object " + unsigned(id)
		}
		return properties(text(inner["class"]), list(inner["props"]), canonicalTyped)
	}
	var parts []any
	if basis, ok := inner["basis"].(object); ok {
		parts = append(parts, basis["x"], basis["y"], basis["z"], inner["origin"])
	} else if inner != nil {
		for _, key := range strings.Fields("x y z w origin") {
			if part, ok := inner[key]; ok {
				parts = append(parts, part)
			}
		}
	} else {
		parts = list(x)
	}
	return name + each(flat(parts), func(x any) string { return number(componentTypes[name], x) })
}

// The parts that all forms share.

func plain(v any) string {
	if v == nil {
		return "null"
	}
	return fmt.Sprint(v)
}

func each[T any](items []T, form func(T) string) string {
	var b strings.Builder
	for i, x := range items {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(form(x))
	}
	return "[" + b.String() + "]"
}

func dictionary(key, value any, pairs []any, form func(any) string) string {
	return "Dictionary" + typed(key) + typed(value) + each(pairs, func(p any) string {
		return form(list(p)[0]) + ": " + form(list(p)[1])
	})
}

func properties(class string, pairs []any, form func(any) string) string {
	return "Object " + class + each(pairs, func(p any) string {
		return quoted(list(p)[0]) + ": " + form(list(p)[1])
	})
}

func nodePath(absolute any, names, subnames []any) string {
	return fmt.Sprint("NodePath ", absolute, each(names, quoted), each(subnames, quoted))
}

// joinedPath handles a path as one text: /a/b:c.
func joinedPath(s string) string {
	head, tail, _ := strings.Cut(s, ":")
	split := func(s, by string) (parts []any) {
		for part := range strings.SplitSeq(s, by) {
			if part != "" {
				parts = append(parts, part)
			}
		}
		return parts
	}
	return nodePath(strings.HasPrefix(s, "/"), split(head, "/"), split(tail, ":"))
}

// typed is the element type of a container.
func typed(elem any) string {
	if elem == nil {
		return ""
	}
	return "<" + text(elem) + ">"
}

// container is the type, class or script path of a Godot 4 truth's container.
func container(v any) any {
	o, _ := v.(object)
	for _, key := range []string{"builtin", "class", "script"} {
		if name, ok := o[key]; ok {
			return name
		}
	}
	return nil
}

func pandemoniumTypes() []string {
	for _, d := range decoder.Dialects() {
		if d.Name == "pandemonium" {
			return d.Types
		}
	}
	return nil
}

// number is one component: the digits of an integer, the bits of a float.
func number(kind string, x any) string {
	switch kind {
	case "i32":
		return text(x)
	case "f64":
		return bits64(text(x))
	}
	f, err := strconv.ParseFloat(text(x), 32)
	if err != nil {
		return err.Error()
	}
	return foldNaN(fmt.Sprintf("%08x", math.Float32bits(float32(f))))
}

// bits64 are the bits of a 64-bit float in decimal.
func bits64(s string) string {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return err.Error()
	}
	return foldNaN(fmt.Sprintf("%016x", math.Float64bits(x)))
}

// foldNaN makes all NaNs of one width equal.
func foldNaN(bits string) string {
	n, err := strconv.ParseUint(bits, 16, 64)
	isNaN := len(bits) == 8 && math.IsNaN(float64(math.Float32frombits(uint32(n)))) || len(bits) == 16 && math.IsNaN(math.Float64frombits(n))
	if err == nil && isNaN {
		return "nan"
	}
	return bits
}

// unsigned is an id, which the truths write as a signed number.
func unsigned(v any) string {
	if n, err := strconv.ParseInt(text(v), 10, 64); err == nil {
		return strconv.FormatUint(uint64(n), 10)
	}
	return text(v)
}

func orZero(v any) string {
	if v == nil {
		return "0"
	}
	return text(v)
}

func text(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	}
	return plain(v)
}

func quoted(v any) string {
	if o, ok := v.(object); ok { // bytes that are not valid UTF-8
		b, _ := hex.DecodeString(text(o["hex"]))
		return strconv.Quote(string(b))
	}
	return strconv.Quote(text(v))
}

func list(v any) []any {
	l, _ := v.([]any)
	return l
}

// pairs joins every two items.
func pairs(items []any) []any {
	var all []any
	for i := 0; i+1 < len(items); i += 2 {
		all = append(all, items[i:i+2])
	}
	return all
}

func flat(v any) []any {
	items, ok := v.([]any)
	if !ok {
		return []any{v}
	}
	var all []any
	for _, x := range items {
		all = append(all, flat(x)...)
	}
	return all
}
