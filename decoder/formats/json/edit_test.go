package json_test

import (
	stdjson "encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"varview/decoder/edit"
	"varview/decoder/edit/simple/simpletest"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// A style is a layout of text.
type style struct {
	line, unit, comma, colon, end string
}

var styles = []style{
	{"", "", ",", ":", ""},
	{"", "", ", ", ": ", "\n"},
	{"\n", "\t", ",", ": ", "\n"},
	{"\r\n", "  ", ",", ": ", "\r\n\x00\x00"},
	{"\n", "    ", ",", " : ", ""},
	{"\r", "   ", ",", " :", "\r"},
}

// A model is a value, as its token, or with children.
type model struct {
	token string
	open  string // "[" or "{" of a container
	keys  []string
	items []*model
}

// text writes a value in a style, the way in which encoding/json indents.
func (s style) text(m *model, line string) string {
	if m.open == "" {
		return m.token
	}
	closing := map[string]string{"[": "]", "{": "}"}[m.open]
	if len(m.items) == 0 {
		return m.open + closing
	}
	in, last := "", ""
	if s.line != "" {
		last = cmpOr(line, s.line)
		in = last + s.unit
	}
	var b strings.Builder
	b.WriteString(m.open + in)
	for i, item := range m.items {
		if i > 0 {
			b.WriteString(s.comma + in)
		}
		if m.open == "{" {
			b.WriteString(m.keys[i] + s.colon)
		}
		b.WriteString(s.text(item, in))
	}
	return b.String() + last + closing
}

func cmpOr(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

var tokens = []string{"null", "true", "1.50", "-0", "9007199254740993", "1E+2", `"x"`, `"\u00e9\n"`, `"a\/b"`, `""`, "3"}

func random(r *rand.Rand, depth int) *model {
	if depth == 0 || r.IntN(3) == 0 {
		return &model{token: tokens[r.IntN(len(tokens))]}
	}
	m := &model{open: []string{"[", "{"}[r.IntN(2)]}
	for i := range r.IntN(5) {
		m.items = append(m.items, random(r, depth-1))
		if m.open == "{" {
			m.keys = append(m.keys, fmt.Sprintf(`"k\u002d%d"`, i))
		}
	}
	return m
}

// normal returns a token as an edit writes it.
func normal(token string) string {
	switch token {
	case `"\u00e9\n"`:
		return `"é\n"`
	case `"a\/b"`:
		return `"a/b"`
	}
	return token
}

func (m *model) normalised() *model {
	n := &model{token: normal(m.token), open: m.open}
	for i, item := range m.items {
		n.items = append(n.items, item.normalised())
		if m.open == "{" {
			n.keys = append(n.keys, strings.ReplaceAll(m.keys[i], `\u002d`, "-"))
		}
	}
	return n
}

// TestRandomEdits checks that an edited text equals the edited values written in its style, so that nothing
// else changes; that what was typed is read back; and that undo restores the text.
func TestRandomEdits(t *testing.T) {
	const rounds, steps = 120, 12
	r := rand.New(rand.NewPCG(5, 7))
	for range rounds {
		s := styles[r.IntN(len(styles))]
		root := &model{open: "{"}
		for i := range 1 + r.IntN(3) {
			m := random(r, 3)
			if s.line == "" && i == 0 { // so that the text shows its spacing
				m = &model{open: "{", keys: []string{`"x"`, `"y"`}, items: []*model{{token: "1"}, {token: "2"}}}
			}
			root.keys, root.items = append(root.keys, fmt.Sprintf(`"root%d"`, i)), append(root.items, m)
		}
		text := s.text(root, "") + s.end
		for range steps {
			tr := open(text)
			rd := tr.NewReader()
			n, err := rd.Child(tr.Base, 0)
			if err != nil {
				t.Fatal(err)
			}
			m := root
			for r.IntN(3) > 0 {
				if len(m.items) == 0 {
					break
				}
				i := r.IntN(len(m.items))
				if n, err = rd.Child(n, int64(i)); err != nil {
					t.Fatal(err)
				}
				m = m.items[i]
			}
			ed := tr.Reading.(edit.Editor)
			fresh := random(r, 2).normalised()
			literal := style{comma: ", ", colon: ": "}.text(fresh, "")
			var splices []source.Splice
			count := len(m.items)
			i := 0
			if count > 0 {
				i = r.IntN(count)
			}
			child := func(i int) *tree.Node {
				c, err := rd.Child(n, int64(i))
				if err != nil {
					t.Fatal(err)
				}
				return c
			}
			isOnly := m == root && count == 1 // the text would no longer show its style
			switch op := r.IntN(5); {
			case op == 0 && m.open == "" && fresh.open == "":
				splices, err = ed.Set(background, rd, n, edit.Content{Literal: literal}, edit.Options{Retype: true})
				if fresh.token != normal(m.token) {
					m.token = fresh.token
				}
			case op == 1 && m.open != "":
				i = r.IntN(count + 1)
				c := edit.Content{Literal: literal}
				if m.open == "{" {
					c.Key = fmt.Sprintf(`"new%d"`, r.IntN(1<<30))
					m.keys = slices.Insert(m.keys, i, c.Key)
				}
				m.items = slices.Insert(m.items, i, fresh)
				splices, err = ed.Insert(background, rd, n, int64(i), c, edit.Options{})
			case op == 2 && count > 0 && !isOnly:
				splices, err = ed.Delete(background, rd, child(i), edit.Options{})
				m.items = slices.Delete(m.items, i, i+1)
				if m.open == "{" {
					m.keys = slices.Delete(m.keys, i, i+1)
				}
			case op == 3 && count > 1:
				to := r.IntN(count)
				splices, err = ed.Move(background, rd, child(i), int64(to), edit.Options{})
				item := m.items[i]
				m.items = slices.Insert(slices.Delete(m.items, i, i+1), to, item)
				if m.open == "{" {
					key := m.keys[i]
					m.keys = slices.Insert(slices.Delete(m.keys, i, i+1), to, key)
				}
			case op == 4 && count > 0 && m.open == "{":
				key := fmt.Sprintf(`"renamed %d"`, r.IntN(1<<30))
				splices, err = ed.Set(background, rd, rd.Key(child(i)), edit.Content{Literal: key}, edit.Options{})
				m.keys[i] = key
			}
			if err != nil {
				t.Fatalf("%q: %v", text, err)
			}
			was := text
			text = spliced(t, text, splices)
			if want := s.text(root, "") + s.end; text != want {
				t.Fatalf("%q (new: %s)\nbecame %q\nwant   %q", was, literal, text, want)
			}
			after, _ := tr.Edited(source.Bytes(text), splices, func(span.Problem) {})
			if a, b := fmt.Sprint(simpletest.FieldsOf(t, after)), fmt.Sprint(simpletest.FieldsOf(t, open(text))); a != b {
				t.Fatalf("%s\nafter the edit, but\n%s\nafter opening", a, b)
			}
		}
	}
}

// TestEdits checks edits of texts with various layouts.
func TestEdits(t *testing.T) {
	set := func(path, literal string) func(*tree.Reader, edit.Editor) ([]source.Splice, error) {
		return func(r *tree.Reader, e edit.Editor) ([]source.Splice, error) {
			n, err := r.Resolve(path)
			if err != nil {
				return nil, err
			}
			return e.Set(background, r, n, edit.Content{Literal: literal}, edit.Options{})
		}
	}
	insert := func(path string, at int64, key, literal string) func(*tree.Reader, edit.Editor) ([]source.Splice, error) {
		return func(r *tree.Reader, e edit.Editor) ([]source.Splice, error) {
			n, err := r.Resolve(path)
			if err != nil {
				return nil, err
			}
			return e.Insert(background, r, n, at, edit.Content{Key: key, Literal: literal}, edit.Options{})
		}
	}
	remove := func(path string) func(*tree.Reader, edit.Editor) ([]source.Splice, error) {
		return func(r *tree.Reader, e edit.Editor) ([]source.Splice, error) {
			n, err := r.Resolve(path)
			if err != nil {
				return nil, err
			}
			return e.Delete(background, r, n, edit.Options{})
		}
	}
	for _, c := range []struct {
		text string
		do   func(*tree.Reader, edit.Editor) ([]source.Splice, error)
		want string // or the error
	}{
		{"\ufeff{ \"a\" :1.50 }\x00", set("$.a", "2"), "\ufeff{ \"a\" :2 }\x00"},
		{`{"a":1.50}`, set("$.a", "1.50"), `{"a":1.50}`},
		{`{"a": [1, 2, ]}`, insert("$", 1, `"n"`, `[1, {"k": 2}]`), `{"a": [1, 2, ], "n": [1, {"k": 2}]}`},
		{"{\n\t\"a\": 1,\n}", insert("$", 1, `"n"`, "2"), "{\n\t\"a\": 1,\n\t\"n\": 2,\n}"},
		{`{"a": "(1.0, -2.5)"}`, set("$.a.x", "3"), `{"a": "(3.0, -2.5)"}`},
		{`{"a": "(1.0, -2.5)"}`, set("$.a.y", "1e20"), `{"a": "(1.0, 1e20)"}`},
		{`{"a": "(1, 2, 3)"}`, set("$.a.z", "-7"), `{"a": "(1, 2, -7)"}`},
		{`["0.2,0.1,0.9,1"]`, set("$[0].g", "0.5"), `["0.2,0.5,0.9,1"]`},
		{`["0.2,0.1,0.9,1"]`, set("$[0]", "Color(1, 0.5, 0, 1)"), `["1,0.5,0,1"]`},
		{`["0.2,0.1,0.9,1"]`, set("$[0]", "Quat(1, 0.5, 0, 1)"), "at character 1: JSON has no value for this"},
		{`["(1, 2, 3, 4)"]`, set("$[0][3]", "5"), `["(1, 2, 3, 5)"]`},
		{`["[P: (0, 0), S: (4, 5)]"]`, set("$[0].size.x", "6"), `["[P: (0, 0), S: (6, 5)]"]`},
		{`["(1, 2)"]`, set("$[0].x", `"a"`), "at character 1: JSON has no value for this"},
		{`["(1, 2)"]`, remove("$[0].x"), "string has 2 numbers: they cannot be deleted or moved"},
		{`["(1, 2)"]`, insert("$[0]", 0, "", "3"), "nothing can be inserted into string"},
		{`{"(1, 2)": 3}`, set(`$["(1, 2)"].x`, "3"), `$["(1, 2)"] has no .x`},
		{`{"a":"\u00e9"}`, set("$.a", `"é"`), `{"a":"\u00e9"}`},
		{`{"a":"ö \u00e9 \/ \u0041"}`, set("$.a", `"ö é / A!"`), `{"a":"ö \u00e9 \/ \u0041!"}`},
		{`{"a":"\u00e9"}`, set("$.a", `"ü😀"`), `{"a":"\u00fc\ud83d\ude00"}`},
		{`{"a":"x"}`, set("$.a", `"ü\n\u0001\u007f"`), "{\"a\":\"ü\\n\\u0001\\u007f\"}"},
		{`{"a":1}`, set("$.a", `"x"`), "the new value is string, the old one number"},
		{`{"a":1}`, set("$.a", `inf`), "at character 1: JSON has no value for this"},
		{`{"a":1}`, set("$.a", `1e400`), "at character 1: a float is at most 1.7976931348623157e308"},
		{`{"a":[1e400]}`, set("$.a", `[1e400, -1e999]`), `{"a":[1e400,-1e999]}`},
		{`{"a":1}`, set("$.a", `1e99999`), `{"a":1e99999}`},
		{`{"\u0061":1}`, insert("$", 1, `"a"`, "1"), `this object already has the key "a"; its value can be set`},
		{`{"a":1}`, set("$.a", `0x1f`), `{"a":31}`},
		{`{"a":1}`, set("$.a", `123456789012345678901234567890`), `{"a":123456789012345678901234567890}`},
		{`{"a":{"x":1e1,  "y":[ ]}}`, set("$.a", `{ "y": [1], "x": 1e1, "z": "" }`), `{"a":{"y":[1],  "x":1e1,  "z":""}}`},
		{`{"a":1,"b":2}`, insert("$", 2, `"a"`, "1"), `this object already has the key "a"; its value can be set`},
		{`{"a":1}`, insert("$", 1, `5`, "1"), "a key is a text in quotes"},
		{"[\n  1, 2,\n  3, 4\n]", insert("$", 4, "", "5"), "[\n  1, 2,\n  3, 4, 5\n]"},
		{"[1,2,]", insert("$", 2, "", "3"), "[1,2,3,]"},
		{"[1,2,]", remove("$[1]"), "[1,]"},
		{"[\n\t1\n]", remove("$[0]"), "[]"},
		{"{\n\t\"a\": [],\n\t\"b\": {}\n}", insert("$.a", 0, "", `{"k": [1]}`), "{\n\t\"a\": [\n\t\t{\n\t\t\t\"k\": [\n\t\t\t\t1\n\t\t\t]\n\t\t}\n\t],\n\t\"b\": {}\n}"},
		{"{\n\t\"a\": [1, 2]\n}", insert("$", 1, `"b"`, "[3, 4]"), "{\n\t\"a\": [1, 2],\n\t\"b\": [3, 4]\n}"},
		{"{\n\n}", insert("$", 0, `"a"`, "1"), "{\n\t\"a\": 1\n}"},
		{"{\"hp\":1}\n{\"hp\":2}\n", insert("$", 1, "", `{"hp": 9}`), "{\"hp\":1}\n{\"hp\":9}\n{\"hp\":2}\n"},
		{"{\"hp\":1}\n{\"hp\":2}", insert("$", 2, "", `{"hp": 9}`), "{\"hp\":1}\n{\"hp\":2}\n{\"hp\":9}"},
		{"{\"hp\":1}\n{\"hp\":2}\n", remove("$[0]"), "{\"hp\":2}\n"},
		{"{\"hp\":1}\n{\"hp\":2}\n", remove("$[1]"), "{\"hp\":1}\n"},
		{`{"a":1`, insert("$", 1, `"b"`, "1"), "this object is not closed; repair that first"},
		{`5`, remove("$"), "the only value of a buffer cannot be deleted or moved"},
	} {
		tr := open(c.text)
		splices, err := c.do(tr.NewReader(), tr.Reading.(edit.Editor))
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = spliced(t, c.text, splices)
		}
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

// TestPeer checks that random JSON of the standard library is exported as the same JSON.
func TestPeer(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		text := styles[r.IntN(len(styles))].text(random(r, 5), "")
		var want, got any
		if err := stdjson.Unmarshal([]byte(text), &want); err != nil {
			t.Fatal(err)
		}
		tr := open(text)
		if err := stdjson.Unmarshal([]byte(simpletest.JSONOf(t, tr)), &got); err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("%s: %v, %v", text, got, err)
		}
		if p := slices.DeleteFunc(problems(t, tr), func(s string) bool { return strings.HasPrefix(s, "note") }); len(p) > 0 {
			t.Fatalf("%s: %q", text, p)
		}
	}
}
