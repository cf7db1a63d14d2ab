package json

import (
	"bytes"
	"strings"

	"varview/decoder/edit/textual"
	"varview/decoder/engine/lazy"
	"varview/decoder/engine/tree"
	"varview/decoder/value/notation"
)

// Godot's JSON.stringify (to_json in Godot 3) writes a Vector2 as the text "(1, 2)", Godot 4 with ".0" where
// the components are floats. Parsing gives a String. How a Color, Rect2, Plane or Quaternion is written
// differs only by the engine's version: four numbers may be each of them. Godot 3 writes a Color without brackets.
var (
	element  = `-?(?:[0-9]+(?:\.[0-9]+)?(?:e[-+]?[0-9]+)?|inf|nan)`
	tuple    = lazy.Regexp(`^\(` + element + `(?:, ` + element + `){1,3}\)$`)
	unit     = lazy.Regexp(`^"\((0|1|0\.[0-9]+|1\.0)(, (0|1|0\.[0-9]+|1\.0)){3}\)"$`)
	color3   = lazy.Regexp(`^(?:0|1|0\.[0-9]{1,6})(?:,(?:0|1|0\.[0-9]{1,6})){3}$`)
	rect     = lazy.Regexp(`^\[P: (\(.+\)), S: (\(.+\))\]$`)
	literals = lazy.Regexp(`^(Vector2|Vector3|Vector4|Vector2i|Vector3i|Vector4i|Color|Rect2|Quat|Quaternion|Plane)\(([^()]*)\)$`)
)

// inside is the grammar's Inside: the numbers of a text that stands for a value of Godot.
func inside(token []byte) int {
	if !beginsTyped(token) || typed(string(token[1:len(token)-1])) == "" {
		return 0
	}
	return bytes.Count(token, []byte(",")) + 1
}

// partNames are the names of numbers, by the types that their text shows.
var partNames = map[string][]string{"Vector2": {"x", "y"}, "Vector3": {"x", "y", "z"}, "Rect2": {"position.x", "position.y", "size.x", "size.y"},
	"Color": {"r", "g", "b", "a"}, "AABB": {"position.x", "position.y", "position.z", "size.x", "size.y", "size.z"}}

// part is the grammar's Part.
func part(token []byte, _ *tree.Value, i int64) (name string, typ uint16) {
	if names := partNames[typeOf(token)]; names != nil {
		name = names[i]
	}
	return name, number
}

// typeOf is the grammar's Typed.
func typeOf(token []byte) string {
	if is := typed(string(token[1 : len(token)-1])); partNames[is] != nil {
		return is
	}
	return ""
}

// form is the grammar's Form. Four numbers from 0 to 1 are drawn as a colour, which they may be.
func form(token []byte, v *tree.Value) tree.Form {
	switch {
	case v.Layout != tree.Fixed:
		return tree.FormList
	case unit().Match(token), typeOf(token) == "Color":
		return tree.FormColor
	}
	return tree.FormVector
}

// component returns a number as a part of a text, spelled like the others; nil if it is not a number.
func component(d textual.Datum, old []byte) []byte {
	switch {
	case d.Kind < tree.Int || d.Kind > tree.Float64:
		return nil
	case bytes.IndexByte(old, '.') >= 0 && !bytes.ContainsAny(d.Own, ".en"):
		return append(bytes.Clone(d.Own), ".0"...)
	}
	return d.Own
}

// maxTyped is the length in bytes of the longest text that stands for a value of Godot.
const maxTyped = 160

// typed returns the types of Godot that are written as such a text; "" if there are none.
func typed(s string) string {
	if len(s) > maxTyped || len(s) < len("(0, 0)") {
		return ""
	}
	if s[0] != '(' && color3().MatchString(s) && strings.Contains(s, ".") {
		return "Color"
	}
	if m := rect().FindStringSubmatch(s); m != nil {
		switch in := typed(m[1]); {
		case in == "" || in != typed(m[2]):
		case strings.HasPrefix(in, "Vector2"):
			return "Rect2"
		case strings.HasPrefix(in, "Vector3"):
			return "AABB"
		}
		return ""
	}
	if !tuple().MatchString(s) {
		return ""
	}
	switch strings.Count(s, ",") {
	case 1:
		return "Vector2"
	case 2:
		return "Vector3"
	}
	return "Color, Rect2, Quaternion or Vector4"
}

// beginsTyped reports whether a text in quotes may be one of these.
func beginsTyped(b []byte) bool {
	return len(b) > 2 && (b[1] == '(' || b[1]|1 == '1' || bytes.HasPrefix(b[1:], []byte("[P: (")))
}

// spell is the grammar's Spell: a literal such as Vector2(3, 4) that replaces "(1.0, 2.0)" becomes "(3.0,
// 4.0)", with the numbers spelled like the old ones.
func spell(literal, old string) (text string, ok bool) {
	before, mark, after := `"(`, ", ", `)"`
	is := typed(strings.Trim(old, `"`))
	if is == "Color" {
		before, mark, after = `"`, ",", `"`
	}
	if is == "" || strings.HasPrefix(old, `"[`) {
		return "", false
	}
	m := literals().FindStringSubmatch(strings.TrimSpace(literal))
	if m == nil || is == "Color" && m[1] != is || strings.Count(m[2], ",") != strings.Count(old, ",") {
		return "", false
	}
	parts := strings.Split(m[2], ",")
	for i, p := range parts {
		p = strings.TrimSpace(p)
		if v, err := notation.Parse(p); err != nil || v.Kind != notation.Number {
			return "", false
		}
		if is != "Color" && strings.Contains(old, ".") && !strings.ContainsAny(p, ".e") {
			p += ".0"
		}
		parts[i] = p
	}
	return before + strings.Join(parts, mark) + after, true
}
