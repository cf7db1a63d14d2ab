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
	"varview/decoder/engine/tree"
)

// outline writes a value and the parts in it: "[number 1, [string x, null null]]".
func outline(t testing.TB, r *tree.Reader, n *tree.Node) string {
	t.Helper()
	if n.Layout == tree.Leaf {
		return r.Tree.Reading.TypeName(&n.Value) + " " + string(r.AppendLiteral(nil, &n.Value, 1000))
	}
	var all []string
	for i := range n.Count {
		c, err := r.Child(n, i)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, outline(t, r, c))
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// TestElements checks which texts are lists as json_encode of GameMaker writes them, and that they remain
// texts. The first was written by its HTML5 runtime.
func TestElements(t *testing.T) {
	for text, want := range map[string]string{
		`[1, [x, null], true]`:   `[number 1, [string "x", null null], bool true]`,
		`[-2.5, 1e+21, NaN, -0]`: `[number -2.5, number 1e+21, number NaN, number -0]`,
		`[potion, iron sword]`:   `[string "potion", string "iron sword"]`,
		`[, ]`:                   `[string "", string ""]`,
		`[5]`:                    `[number 5]`,
		`[]`:                     `[]`,
		`[[], [a]]`:              `[[], [string "a"]]`,
		`[a\\b, \u00e9]`:         `[string "a\\b", string "é"]`,
		`[a \"b\", c]`:           `[string "a \"b\"", string "c"]`,
		`[01, 0x1, .5]`:          `[string "01", string "0x1", string ".5"]`,
	} {
		tr := open(`{"k":"` + text + `"}`)
		r := tr.NewReader()
		n, err := r.Resolve("$.k")
		if err != nil {
			t.Fatal(err)
		}
		if got := outline(t, r, n); got != want || n.Layout != tree.Fixed || tr.Reading.TypeName(&n.Value) != "string" {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
		if got, want := simpletest.JSONOf(t, tr), stdjson.RawMessage(`{"k":"`+text+`"}`); !sameJSON(t, got, string(want)) {
			t.Errorf("exported %s, want %s", got, want)
		}
		simpletest.FieldsOf(t, tr)
	}
	for _, text := range []string{
		"", "[", "x", "[audio]", "[b]bold[/b]", "[1, 2", "[1,2]", "[1, 2] ", "[a, b], c", "[ 1, 2 ]", "[a , b]", "[a,b, c]", "[a]b, c]", "[[1], 2]x, [3]",
		`[\"a\", \"b\"]`, `[{\"a\": 1}, 2]`, "[P: (0.0, 0.0), S: (4.0, 5.0)]", strings.Repeat("[", 40) + "1" + strings.Repeat("]", 40),
	} {
		tr := open(`{"k":"` + text + `","` + text + `":0}`)
		r := tr.NewReader()
		if n, err := r.Resolve("$.k"); err != nil || n.Object != nil {
			t.Errorf("%s is taken for a list: %v", text, err)
		}
	}
	r := open(`{"[1, 2]":0}`).NewReader()
	if n, err := r.Child(r.Tree.Base, 0); err != nil {
		t.Error(err)
	} else if n, err = r.Child(n, 0); err != nil || r.Key(n).Layout != tree.Leaf {
		t.Error("a key is a list")
	}
}

func sameJSON(t testing.TB, a, b string) bool {
	var x, y any
	if stdjson.Unmarshal([]byte(a), &x) != nil || stdjson.Unmarshal([]byte(b), &y) != nil {
		t.Fatalf("%s, %s", a, b)
	}
	return fmt.Sprint(x) == fmt.Sprint(y)
}

// An array is one of GameMaker: numbers, bools, nil, texts and arrays.
type array struct{ items []any }

// encode writes an array as GameMaker's HTML5 does in a map.
func (a *array) encode() string {
	var all []string
	for _, x := range a.items {
		switch x := x.(type) {
		case *array:
			all = append(all, x.encode())
		case nil:
			all = append(all, "null")
		default:
			all = append(all, fmt.Sprint(x))
		}
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// MarshalJSON implements encoding/json.Marshaler.
func (a *array) MarshalJSON() ([]byte, error) { return stdjson.Marshal(a.items) }

// save returns the text of a map with an array.
func (a *array) save() string {
	var b strings.Builder
	e := stdjson.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.Encode(a.encode())
	return `{"a": 1, "inv":` + strings.TrimSuffix(b.String(), "\n") + "}"
}

func randomArray(r *rand.Rand, depth int) *array {
	a := &array{[]any{r.IntN(100)}}
	for range r.IntN(4) {
		switch k := r.IntN(5); {
		case k == 0 && depth > 0:
			a.items = append(a.items, randomArray(r, depth-1))
		case k == 1:
			a.items = append(a.items, nil)
		case k == 2:
			a.items = append(a.items, r.IntN(2) == 0)
		case k == 3:
			a.items = append(a.items, []string{"", "x", "iron sword", "é😀", `a\b`, `say "hi"`, "tab\t."}[r.IntN(7)])
		default:
			a.items = append(a.items, float64(r.IntN(1000))/8)
		}
	}
	return a
}

// TestEditElements checks that a text whose parts are edited is what json_encode writes for the edited
// array.
func TestEditElements(t *testing.T) {
	random := rand.New(rand.NewPCG(31, 4))
	for range 400 {
		root := randomArray(random, 2)
		text := root.save()
		tr := open(text)
		r := tr.NewReader()
		path, in := "$.inv", root
		for {
			i := random.IntN(len(in.items))
			inner, ok := in.items[i].(*array)
			if !ok || random.IntN(3) == 0 {
				break
			}
			path, in = fmt.Sprintf("%s[%d]", path, i), inner
		}
		n, err := r.Resolve(path)
		if err != nil {
			t.Fatalf("%s: %s: %v", text, path, err)
		}
		i := random.IntN(len(in.items))
		c, err := r.Child(n, int64(i))
		if err != nil {
			t.Fatal(err)
		}
		ed, fresh := tr.Reading.(edit.Editor), randomArray(random, 1)
		literal, _ := stdjson.Marshal(fresh)
		content := edit.Content{Literal: string(literal)}
		var splices []source.Splice
		item := in.items[i]
		switch random.IntN(4) {
		case 0:
			splices, err = ed.Set(background, r, c, content, edit.Options{Retype: true})
			in.items[i] = fresh
		case 1:
			splices, err = ed.Insert(background, r, n, int64(i), content, edit.Options{})
			in.items = slices.Insert(in.items, i, any(fresh))
		case 2:
			splices, err = ed.Delete(background, r, c, edit.Options{})
			in.items = slices.Delete(in.items, i, i+1)
		case 3:
			to := random.IntN(len(in.items))
			splices, err = ed.Move(background, r, c, int64(to), edit.Options{})
			in.items = slices.Insert(slices.Delete(in.items, i, i+1), to, item)
		}
		if err != nil {
			t.Fatalf("%s at %s[%d]: %v", text, path, i, err)
		}
		if got, want := spliced(t, text, splices), root.save(); got != want {
			t.Fatalf("%s at %s[%d] became\n%s, want\n%s", text, path, i, got, want)
		}
	}
}

// TestRefusedElements refuses what would be read as something else in a list without quotes.
func TestRefusedElements(t *testing.T) {
	tr := open(`{"inv":"[x, 1]"}`)
	r := tr.NewReader()
	for _, literal := range []string{`"a, b"`, `"5"`, `"null"`, `"a]"`, `" a"`, `"\"a\""`, `"{}"`, `{}`, `0x1f`, `nan`, `[1, "2"]`} {
		n, err := r.Resolve("$.inv[0]")
		if err != nil {
			t.Fatal(err)
		}
		if _, err = tr.Reading.(edit.Editor).Set(background, r, n, edit.Content{Literal: literal}, edit.Options{Retype: true}); err == nil || !strings.Contains(err.Error(), "in a list without quotes") {
			t.Errorf("%s: %v", literal, err)
		}
	}
	n, _ := r.Resolve("$.inv[0]")
	if got := fmt.Sprint(tr.Reading.(edit.Editor).Types(r, n)); got != "[null bool number string]" {
		t.Error(got)
	}
	if _, err := tr.Reading.(edit.Editor).Set(background, r, n, edit.Content{Literal: "5"}, edit.Options{}); err == nil {
		t.Error("the type of an element changes unasked")
	}
}
