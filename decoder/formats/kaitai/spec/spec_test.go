package spec

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"meta: [", "line 1"},
		{"", "empty"},
		{"seq:\n  - id: a\n    type: u4\n", "description:2: u4: the byte order is not known"},
		{"seq:\n  - id: a\n    type: nothing\n", `description:2: unknown type "nothing"`},
		{"seq:\n  - id: a\n    size: 1 +\n", "description:3: the expression ends"},
		{"seq:\n  - id: a\n    siez: 1\n", `description:3: an attribute has no "siez"`},
		{"seq:\n  - id: a\n    type: u1\n    repeat: expr\n", "description:2: a: repeat-expr is missing"},
		{"seq:\n  - id: a\n    type: u1\n    enum: colour\n", "unknown enum colour"},
		{"enums:\n  colour:\n    red: 1\n", `description:3: "red" is not a number`},
		{"seq:\n  - id: a\n    type: b65\n", "1 to 64 bits"},
		{"meta:\n  endian: middle\n", `description:2: "middle" is neither le nor be`},
		{"meta:\n  imports:\n    - other\n", "nothing can be imported"},
	} {
		if _, err := Parse([]byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, not %s", c.text, err, c.want)
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
		_, err := Load(filepath.Join(dir, "in/main.ksy"), []string{filepath.Join(dir, "common")})
		if (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestNumbers: keys of enums are numbers as YAML 1.1 writes them.
func TestNumbers(t *testing.T) {
	top, err := Parse([]byte("enums:\n  e:\n    0x0253_f2f4: a\n    -1: b\n    0b11: c\n    017: d\n    18446744073709551615: e\n"))
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
	top, err := Parse([]byte(`
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
