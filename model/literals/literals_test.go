package literals

import (
	"strings"
	"testing"
)

func TestLines(t *testing.T) {
	for _, test := range []struct{ literal, want string }{
		{`[1, 2]`, "[\n  1,\n  2\n]"},
		{`[]`, `[]`},
		{`5`, `5`},
		{`{ "a": [1, "x, ]"], "b": Vector2(1, 2) }`, "{\n  \"a\": [1, \"x, ]\"],\n  \"b\": Vector2(1, 2)\n}"},
		{`Array[int]([1, 2])`, "Array[int]([\n  1,\n  2\n])"},
		{`[{ "long": "0123456789012345678901234567890" }]`, "[\n  {\n    \"long\": \"0123456789012345678901234567890\"\n  }\n]"},
		{`[[1], [`, "[\n  [1],\n  [\n]"},
	} {
		got := Lines(test.literal, 30)
		if strings.HasSuffix(test.literal, "[") { // what has no end only must not be lost
			if !strings.Contains(got, "[1]") {
				t.Errorf("%s becomes %s", test.literal, got)
			}
			continue
		}
		if got != test.want {
			t.Errorf("%s becomes\n%s\nwant\n%s", test.literal, got, test.want)
		}
	}
}

// Laying out changes nothing but blanks between elements.
func FuzzLines(f *testing.F) {
	f.Add(`[{ "a": [1, 2], "b\"": "x , y" }, Array[int]([1])]`)
	f.Fuzz(func(t *testing.T, literal string) {
		if strings.Contains(literal, `"`) || closing(literal, 0) != len(literal) {
			return // blanks in quotes are not to be left out here
		}
		plain := strings.NewReplacer(" ", "", "\n", "", "\t", "", "\r", "", "\v", "", "\f", "", "\u0085", "", "\u00a0", "")
		_ = Lines(literal, 20)
		_ = Shape(literal)
		if balanced(literal) && plain.Replace(Lines(literal, 20)) != plain.Replace(literal) {
			t.Errorf("%q becomes %q", literal, Lines(literal, 20))
		}
	})
}

// balanced reports whether all brackets have partners of their kind, and all is plain text.
func balanced(s string) bool {
	var open []byte
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '[', '{', '(':
			open = append(open, c)
		case ']', '}', ')':
			if len(open) == 0 || open[len(open)-1] != map[byte]byte{']': '[', '}': '{', ')': '('}[c] {
				return false
			}
			open = open[:len(open)-1]
		}
		if s[i] >= 0x80 {
			return false
		}
	}
	return len(open) == 0
}

func TestShape(t *testing.T) {
	for literal, want := range map[string]string{
		`{ "id": "potion", "qty": 3, "at": Vector2(1.5, -2), "tags": ["a", "b"] }`: `{ "id": "", "qty": 0, "at": Vector2(0.0, 0), "tags": [] }`,
		`{ 5: true, &"n": &"x", "p": ^"a/b" }`:                                     `{ 5: false, &"n": &"", "p": ^"" }`,
		`[1, 2.5, { "a": 1 }]`:                                                     `[0, 0.0, { "a": 0 }]`,
		`{ "x": Array[int]([1, 2]), "y": {} }`:                                     `{ "x": Array[int]([]), "y": {} }`,
		`{ "b": PackedInt32Array(1, 2), "i": -inf }`:                               `{ "b": PackedInt32Array(), "i": 0.0 }`,
		`{ count: u16(27), id: "rope" }`:                                           `{ count: u16(0), id: "" }`,
		`{ "a:b, {": 1 }`:                                                          `{ "a:b, {": 0 }`,
	} {
		if got := Shape(literal); got != want {
			t.Errorf("%s has the shape %s, want %s", literal, got, want)
		}
	}
}

func TestPartner(t *testing.T) {
	text := `[{"a]": (1)}]`
	for at, want := range map[int]int{0: 12, 12: 0, 1: 11, 11: 1, 8: 10, 13: 0, 4: -1, 6: -1} {
		if got := Partner(text, at); got != want {
			t.Errorf("the bracket at %d belongs to %d, want %d", at, got, want)
		}
	}
}

func TestGDScript(t *testing.T) {
	for literal, want := range map[string]string{
		`{ "a": PackedVector2Array(1, 2, 3, 4), "b": PackedByteArray(1, 2) }`: `{ "a": PackedVector2Array([Vector2(1, 2), Vector2(3, 4)]), "b": PackedByteArray([1, 2]) }`,
		`[inf, nan, "inf", &"x", Color(1, 0, 0, 1)]`:                          `[INF, NAN, "inf", &"x", Color(1, 0, 0, 1)]`,
		`PoolStringArray("a", "b)")`:                                          `PoolStringArray(["a", "b)"])`,
		`PackedFloat32Array()`:                                                `PackedFloat32Array([])`,
	} {
		if got := GDScript(literal, false); got != want {
			t.Errorf("%s becomes %s, want %s", literal, got, want)
		}
	}
	if got, want := GDScript(`{ n: u8(7), none: undefined }`, true), `{ "n": 7, "none": null }`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestClasses(t *testing.T) {
	const literal = `{ "k": [1.5, true, "x`
	want := []byte{Sign, 0, Key, Key, Key, Sign, 0, Sign, Number, Number, Number, Sign, 0, Word, Word, Word, Word, Sign, 0, String, String}
	if got := Classes(literal); string(got) != string(want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestTranslate(t *testing.T) {
	for _, test := range []struct {
		literal    string
		toPrefixed bool
		want       string
		lost       bool
	}{
		{`{ count: u16(27), id: "rope: u8(1)", none: undefined }`, false, `{ "count": 27, "id": "rope: u8(1)", "none": null }`, true},
		{`[1, f64(1.5), f32(2), true]`, false, `[1, 1.5, 2.0, true]`, true},
		{`["a", "b"]`, false, `["a", "b"]`, false},
		{`{ "count": 27, "two words": null }`, true, `{ count: 27, "two words": undefined }`, false},
		{`Vector2(1, 2)`, false, `Vector2(1, 2)`, false},
		{`Vector2(1, 2)`, true, `Vector2(1, 2)`, false},
	} {
		got, lost := Translate(test.literal, test.toPrefixed)
		if got != test.want || lost != test.lost {
			t.Errorf("%s becomes %s (lost %v), want %s", test.literal, got, lost, test.want)
		}
	}
}

func TestPlain(t *testing.T) {
	for literal, want := range map[string]string{
		`Vector3(128.25, 4, -63.5)`:                    `[128.25, 4, -63.5]`,
		`{ "a": &"x(1)", "b": ^"/root", "c": [true] }`: `{ "a": "x(1)", "b": "/root", "c": [true] }`,
		`Array[int]([1, 2])`:                           `[1, 2]`,
		`Dictionary[StringName, int]({ &"g": 1 })`:     `{ "g": 1 }`,
		`PackedVector2Array(Vector2(1, 2))`:            `[[1, 2]]`,
		`"Vector3(1, 2, 3) & more"`:                    `"Vector3(1, 2, 3) & more"`,
		`Color(`:                                       `[]`,
		`nan`:                                          `nan`,
	} {
		if is := Plain(literal); is != want {
			t.Errorf("%s is %s, want %s", literal, is, want)
		}
	}
}

func TestPreview(t *testing.T) {
	for literal, want := range map[string]string{
		"Array[int]([1, 2])": "[1, 2]", "Dictionary[String, int]({ \"a\": 1": "{ \"a\": 1", "[[1], 2]": "[[1], 2]", "{}": "", "Array[int]([])": "",
	} {
		if got := Preview(literal); got != want {
			t.Errorf("%s: %q, want %q", literal, got, want)
		}
	}
}
