package internal_test

import (
	"fmt"
	"testing"

	"varview/internal/config"
)

func TestParse(t *testing.T) {
	entries, mistakes := config.Parse([]byte(`# a comment
theme = "dark"
bytes-per-row = 1_6
backup = false

[keys]
search = ["/", 'f', # why
  "space"]
other.dotted = 0x10
`))
	if got := fmt.Sprint(entries, mistakes); got != "[{theme 2 dark} {bytes-per-row 3 16} {backup 4 false} {keys.search 7 [/ f space]} {keys.other.dotted 9 16}] []" {
		t.Error(got)
	}
}

// A mistake has its line and key, and the other settings are used.
func TestMistakes(t *testing.T) {
	for _, c := range []struct{ file, entries, mistake string }{
		{"a = 1\nb = 2.5\nc = 3", "[{a 1 1} {c 3 3}]", "line 2, b: the value must be a text in quotes, a whole number, true or false, or a list of texts"},
		{"a = [1]\nc = 3", "[{c 2 3}]", "line 1, a: the value must be a text in quotes, a whole number, true or false, or a list of texts"},
		{"\n[t]\na = 1\n\na = 2", "[{t.a 3 1}]", "line 5, t.a: it is already set in line 3"},
		{"a = 99999999999999999999", "[]", "line 1, a: the number is too large"},
		{"a = 1\nb = \nc = 3", "[{a 1 1}]", "line 2: unexpected character U+000A at start of value; nothing after this line is used"},
		{"a = 1\nb = \"open\nc = 3", "[{a 1 1}]", "line 2: basic strings cannot have new lines; nothing after this line is used"},
		{"a = 1\nb = \x00", "[{a 1 1}]", "line 2: unexpected character U+0000 at start of value; nothing after this line is used"},
	} {
		entries, mistakes := config.Parse([]byte(c.file))
		if fmt.Sprint(entries) != c.entries || len(mistakes) != 1 || mistakes[0].Error() != c.mistake {
			t.Errorf("%q: %v, %v", c.file, entries, mistakes)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("a = 1\n[t]\nb = [\"x\"]\n"))
	f.Add([]byte("[[a.b]]\nx = {y = 1}\nd = 1979-05-27\n\"\" = ''"))
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, mistakes := config.Parse(data)
		last := 0
		for _, e := range entries {
			if e.Line < last || e.Key == "" && e.Value == nil {
				t.Errorf("%+v after line %d", e, last)
			}
			last = e.Line
		}
		for _, m := range mistakes {
			if m.Line < 1 || m.Error() == "" {
				t.Errorf("%+v", m)
			}
		}
	})
}
