package kaitai

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"varview/decoder/formats/kaitai/spec"
)

func TestErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"meta: [", "description:1:1: "},
		{"", "empty"},
		{"seq:\n  - id: a\n    type: u4\n", "description:3:11: u4: the byte order is not known"},
		{"seq:\n  - id: a\n    type: nothing\n", `description:3:11: unknown type "nothing"`},
		{"seq:\n  - id: a\n    size: 1 +\n", "description:3:14: the expression ends"},
		{"seq:\n  - id: a\n    siez: 1\n", `description:3:5: an attribute has no "siez"`},
		{"seq:\n  - id: a\n    type: u1\n    repeat: expr\n", "description:4:5: a: repeat-expr is missing"},
		{"seq:\n  - id: a\n    type: u1\n    enum: colour\n", "unknown enum colour"},
		{"enums:\n  colour:\n    red: 1\n", `description:3:5: "red" is not a number`},
		{"seq:\n  - id: a\n    type: b65\n", "1 to 64 bits"},
		{"meta:\n  endian: middle\n", `description:2:11: "middle" is neither le nor be`},
		{"meta:\n  imports:\n    - other\n", "nothing can be imported"},
	} {
		if _, err := spec.Parse([]byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, not %s", c.text, err, c.want)
		}
	}
}

// TestCheck: what Kaitai's compiler refuses is named at its line and column, each once, without any data.
func TestCheck(t *testing.T) {
	const meta = "meta: {id: a, endian: le, encoding: UTF-8}\n"
	dir := t.TempDir()
	for _, c := range []struct{ text, want string }{
		{"seq:\n  - {id: n, type: u1}\n  - {id: n, type: u1}\n", "4:6: n is there already, in line 3"},
		{"seq:\n  - {id: numItems, type: u1}\n", `3:6: "numItems" is not a name: a name has lower-case letters, digits and _, and begins with a letter; did you mean num_items?`},
		{"seq:\n  - id: n\n    type: u1\n    repeat-expr: 3\n", "5:5: n: repeat-expr needs repeat: expr"},
		{"seq:\n  - id: n\n    type: u1\n    repeat: expr\n    repeat-until: _ == 0\n", "5:5: n: repeat-expr is missing"},
		{"seq:\n  - id: n\n    type: u1\n    repeat: until\n    repeat-until: _\n", "6:19: this is an integer, and a boolean is expected"},
		{"seq:\n  - id: n\n    type: u1\n    repeat: twice\n", "5:13: \"twice\" is not a repetition: it must be eos, expr or until"},
		{"meta: {id: a}\nseq:\n  - id: s\n    type: strz\n", "4:5: s: a text needs an encoding, here or in meta"},
		{"seq:\n  - id: s\n    type: str\n", "4:5: s: size, size-eos or terminator is missing"},
		{"seq:\n  - id: s\n    type: strz\n    encoding: UFT-8\n", `5:5: unknown encoding "UFT-8"; did you mean UTF-8?`},
		{"seq:\n  - id: n\n    type: u1\n    if: 1 + 2\n", "5:9: this is an integer, and a boolean is expected"},
		{"seq:\n  - {id: s, type: strz}\n  - id: b\n    size: s\n", "5:11: this is a string, and an integer is expected"},
		{"seq:\n  - {id: s, type: strz}\n  - id: b\n    size: 2 * (s + 1)\n", "5:11: + cannot be applied to a string and an integer"},
		{"seq:\n  - {id: num_items, type: u1}\n  - id: b\n    size: 2 * num_itmes\n", "5:15: a has no num_itmes; did you mean num_items?"},
		{"seq:\n  - {id: n, type: u1}\n  - {id: t, type: t}\ntypes:\n  t:\n    seq:\n      - id: b\n        size: n\n", "9:15: t has no n; did you mean _parent.n?"},
		{"seq:\n  - {id: t, type: t}\n  - id: b\n    size: t.lenn\ntypes:\n  t:\n    seq:\n      - {id: len, type: u1}\n", "5:13: t has no lenn; did you mean len?"},
		{"seq:\n  - id: t\n    type: itme\ntypes:\n  item: {}\n", `4:11: unknown type "itme"; did you mean item?`},
		{"seq:\n  - id: t\n    type: u3\n", `4:11: unknown type "u3"; did you mean u1?`},
		{"seq:\n  - id: k\n    type: u1\n    enum: knd\nenums:\n  kind: {1: a}\n", "5:5: k: unknown enum knd; did you mean kind?"},
		{"seq:\n  - {id: k, type: u1, enum: kind}\n  - id: b\n    type: u1\n    if: k == kind::swrd\nenums:\n  kind: {1: sword}\n", "6:20: the enum a::kind has no swrd; did you mean sword?"},
		{"seq:\n  - {id: k, type: u1, enum: kind}\n  - id: b\n    type: u1\n    if: k == 1\nenums:\n  kind: {1: sword}\n", "6:9: a value of the enum a::kind cannot be compared with an integer"},
		{"seq:\n  - id: b\n    size: 3\n    enum: kind\nenums:\n  kind: {1: sword}\n", "5:5: b: only integers have an enum, and this is bytes"},
		{"seq:\n  - {id: k, type: u1}\n  - id: b\n    type:\n      switch-on: k\n      cases:\n        '\"a\"': u1\n", "8:10: a string cannot be compared with an integer"},
		{"seq:\n  - id: b\n    type:\n      cases:\n        1: u1\n", "5:7: switch-on is missing"},
		{"seq:\n  - id: b\n    type:\n      switch-on: 1\n", "5:7: cases is missing"},
		{"instances:\n  n:\n    value: '1 > 2 ? \"a\" : 3'\n", "4:13: this is a string or an integer, and both must be of one type"},
		{"meta:\n  id: a\n  encoding: UFT-8\n", `3:13: unknown encoding "UFT-8"; did you mean UTF-8?`},
		{"seq:\n  - id: n\n    type: u1\n    size: 4\n", "5:5: n: a number has no size"},
		{"seq:\n  - id: n\n    type: u1\n    valid: '\"x\"'\n", "5:13: a string cannot be compared with an integer"},
		{"seq:\n  - id: n\n    type: u1\n    pos: 4\n", "5:5: n: only instances have a pos"},
		{"instances:\n  n:\n    value: 1\n    size: 3\n", "5:5: n: a computed value has no size"},
		{"seq:\n  - id: t\n    type: t(1)\ntypes:\n  t: {}\n", "4:11: t has 0 parameters, and is given 1"},
		{"seq:\n  - id: b\n    size: 3\n    process: zlob\n", "5:5: b: the process zlob is not a part of the language and cannot be run; did you mean zlib?"},
		{"seq:\n  - id: b\n    size: 3\n    process: xor\n", "5:5: b: xor has 1 arguments, and is given 0"},
		{"instances:\n  a:\n    value: b\n  b:\n    value: a + 1\n", "4:5: a: its value depends on a itself\n6:5: b: its value depends on b itself"},
		{"seq:\n  - id: n\n    type: t\ntypes:\n  t:\n    seq:\n      - id: x\n        type: w\n  w:\n    seq:\n      - id: y\n        type: t\n", "9:9: x: each t holds another one, without end\n13:9: y: each w holds another one, without end"},
		{"seq:\n  - id: b\n    size: n\n  - id: n\n    type: u1\n", "4:11: n is not read yet where b begins"},
		{"meta: {id: My-Game}\n", `1:12: "My-Game" is not a name: a name has lower-case letters, digits and _, and begins with a letter; did you mean my_game?`},
		{"types:\n  Item:\n    seq: []\n", `3:3: "Item" is not a name: a name has lower-case letters, digits and _, and begins with a letter; did you mean item?`},
		{"enums:\n  Kind:\n    1: a\n", `3:3: "Kind" is not a name: a name has lower-case letters, digits and _, and begins with a letter; did you mean kind?`},
		{"enums:\n  e:\n    1: one\n    2: one\n", `5:8: one is there already, as 1`},
		{"seq:\n  - {id: n, type: u1}\ninstances:\n  n:\n    value: 1\n", `5:3: n is there already, in line 3`},
		{"seq:\n  - id: s\n    type: strz\n    terminator: x\n", `5:17: a terminator is a byte, such as 0x0a, or a list of bytes`},
		{"enums:\n  e:\n    1: Bad Name\n", `4:8: "Bad Name" is not a name: a name has lower-case letters, digits and _, and begins with a letter`},
		{"seq:\n  - id: n\n    tpye: u1\n", `4:5: an attribute has no "tpye"; did you mean type?`},
		{"instnces:\n  n: {value: 1}\n", `2:1: a type has no "instnces"; did you mean instances?`},
		{"seq:\n  - id: n\n    type: u1\n    type: u2\n", "5:5: type is given twice, first in line 4"},
		{"enums:\n  e:\n    a: 1\n", `4:5: "a" is not a number`},
		{"seq:\n  - id: b\n    size: (1 + 2\n", `4:17: missing ")" at character 7 of "(1 + 2"`},
		{"seq:\n  - id: n\n\ttype: u1\n", "4:1: a line cannot be indented with tabs"},
		{"seq:\n  - id: n\n    doc: a: b\n", "4:11: a colon is not expected here: a text with one needs quotes"},
		{"seq:\n  - id: n\n   type: u1\n", "4:4: did not find expected '-' indicator"},
		{"seq:\n  - id: n\n    contents: [1, 2\n  - id: m\n", "4:5: did not find expected ',' or ']'"},
		{"seq:\n  - id: n\n    doc: \"a\n    type: u1\n", "4:5: found unexpected end of stream"},
	} {
		text, file := meta+c.text, filepath.Join(dir, "a.ksy")
		if strings.HasPrefix(c.text, "meta:") {
			text = c.text
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		all, err := spec.Check(file, nil)
		var got []string
		for _, p := range all {
			got = append(got, strings.TrimPrefix(p.Error(), "a.ksy:"))
		}
		if text = strings.Join(got, "\n"); err != nil || text != c.want {
			t.Errorf("%s%v\n got %s\nwant %s", c.text, err, text, c.want)
		}
	}
}

func TestImportsStayInside(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	const other = "meta:\n  id: other\nseq:\n  - id: a\n    type: u1\n"
	write("outside.ksy", other)
	write("in/other.ksy", other)
	write("common/deep/other.ksy", other)
	if err := os.Symlink(filepath.Join(dir, "outside.ksy"), filepath.Join(dir, "in/link.ksy")); err != nil {
		t.Skip(err)
	}
	for _, c := range []struct {
		name string
		ok   bool
	}{{"other", true}, {"../outside", false}, {"link", false}, {"/deep/other", true}, {"/../outside", false}, {"missing", false}} {
		write("in/main.ksy", "meta:\n  imports:\n    - "+c.name+"\n")
		_, err := spec.Load(filepath.Join(dir, "in/main.ksy"), []string{filepath.Join(dir, "common")})
		if (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestNumbers: keys of enums are numbers as YAML 1.1 writes them.
func TestNumbers(t *testing.T) {
	top, err := spec.Parse([]byte("enums:\n  e:\n    0x0253_f2f4: a\n    -1: b\n    0b11: c\n    017: d\n    18446744073709551615: e\n"))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"a": "39056116", "b": "-1", "c": "3", "d": "15", "e": "18446744073709551615"} {
		if got := top.Enums["e"].Values[name].Digits(); got != want {
			t.Errorf("%s is %s, not %s", name, got, want)
		}
	}
}

func TestSizes(t *testing.T) {
	top, err := spec.Parse([]byte(`
meta: {endian: le}
types:
  fixed: {seq: [{id: a, type: b4}, {id: b, type: u2}, {id: c, size: 3}, {id: d, type: f4, repeat: expr, repeat-expr: 2}]}
  loop: {seq: [{id: a, type: loop}]}
  open: {seq: [{id: a, type: strz, encoding: ASCII}]}
`))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int64{"fixed": 8 * (1 + 2 + 3 + 8), "loop": -1, "open": -1} {
		if got := top.Types[name].FixedBits(); got != want {
			t.Errorf("%s has %d bits, not %d", name, got, want)
		}
	}
}

// TestWithKey: a key is added to an attribute that is written with a key on each line, or in braces on one line.
func TestWithKey(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.ksy")
	text := "meta: {endian: le}\nseq:\n  - id: a\n    type: u4\n  - {id: b, type: u4}\n  - {id: c,\n     type: u1}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	top, err := spec.Load(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	const key = "-varview-value: _io.size"
	for i, want := range []string{strings.Replace(text, "a\n", "a\n    "+key+"\n", 1), strings.Replace(text, "b, type: u4", "b, type: u4, "+key, 1), ""} {
		_, got, err := top.Seq[i].WithKey(key)
		if string(got) != want || (err == nil) != (want != "") {
			t.Errorf("%q (%v), not %q", got, err, want)
		}
	}
}
