package msgpack_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	peer "github.com/vmihailenco/msgpack/v5"

	"varview/decoder"
	"varview/decoder/edit"
	"varview/decoder/format"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

var background = context.Background()

// edited returns the bytes after an edit. It fails if the inverse does not restore them, or if the other
// library does not read the bytes as one value.
func edited(t testing.TB, b []byte, splices []source.Splice, err error) []byte {
	t.Helper()
	if err != nil {
		t.Fatalf("%x: %v", b[:min(len(b), 100)], err)
	}
	before := source.Whole(source.Bytes(b))
	after := before.Splice(splices)
	if back := contents(t, after.Splice(before.Inverse(splices))); !bytes.Equal(back, b) {
		t.Fatalf("%x: undone gives %x", b, back)
	}
	got := contents(t, after)
	in := bytes.NewReader(got)
	dec := peer.NewDecoder(in)
	if err := dec.Skip(); err != nil {
		t.Fatalf("%x: the other library says %v", got, err)
	}
	if _, err := dec.PeekCode(); err == nil {
		t.Fatalf("%x: more than one value", got)
	}
	return got
}

func contents(t testing.TB, p *source.Pieces) []byte {
	t.Helper()
	b := make([]byte, p.Size())
	if _, err := p.ReadAt(b, 0); err != nil && len(b) > 0 {
		t.Fatal(err)
	}
	return b
}

// set sets the value at a path.
func set(t testing.TB, b []byte, path, literal string, o edit.Options) ([]source.Splice, error) {
	t.Helper()
	r := open(t, b).NewReader()
	n, err := r.Resolve(path)
	if err != nil {
		t.Fatal(err)
	}
	return r.Tree.Reading.(edit.Editor).Set(background, r, n, edit.Content{Literal: literal}, o)
}

// TestSet checks the bytes that a value takes: its old form if the value fits that, or else the shortest.
func TestSet(t *testing.T) {
	for _, c := range []struct{ before, path, literal, after string }{
		{"07", "$", "127", "7f"},
		{"07", "$", "128", "cc 80"},
		{"07", "$", "-32", "e0"},
		{"07", "$", "-33", "d0 df"},
		{"07", "$", "256", "cd 0100"},
		{"07", "$", "65536", "ce 00010000"},
		{"07", "$", "4294967296", "cf 0000000100000000"},
		{"07", "$", "18446744073709551615", "cf ffffffffffffffff"},
		{"07", "$", "-129", "d1 ff7f"},
		{"07", "$", "-32769", "d2 ffff7fff"},
		{"07", "$", "-2147483649", "d3 ffffffff7fffffff"},
		{"ce 00000007", "$", "8", "ce 00000008"}, // the width stays
		{"ce 00000007", "$", "-1", "ff"},
		{"d2 00000007", "$", "-1", "d2 ffffffff"},
		{"d0 07", "$", "0x10", "d0 10"},
		{"ca 3f800000", "$", "0.5", "ca 3f000000"},
		{"ca 3f800000", "$", "2", "ca 40000000"},
		{"ca 3f800000", "$", "0.1", "ca 3dcccccd"},
		{"ca 3f800000", "$", "0.12345678901", "cb 3fbf9add3744621f"},
		{"ca 3f800000", "$", "1e300", "cb 7e37e43c8800759c"},
		{"cb 3ff0000000000000", "$", "-inf", "cb fff0000000000000"},
		{"c2", "$", "true", "c3"},
		{"a161", "$", `"bc"`, "a26263"},
		{"d901 61", "$", `"bc"`, "d902 6263"}, // so does the width of a length
		{"a161", "$", `"` + strings.Repeat("x", 32) + `"`, "d920" + strings.Repeat("78", 32)},
		{"c401 61", "$", "bin(0001)", "c402 0001"},
		{"d405 61", "$", "ext(5, ff)", "d405 ff"},
		{"d405 61", "$", "ext(-6, ff00)", "d5fa ff00"},
		{"d405 61", "$", "ext(6, ff0000)", "c703 06 ff0000"},
		{"d6ff 00000000", "$", "timestamp(2020-01-01T00:00:00Z)", "d6ff 5e0be100"},
		{"d6ff 00000000", "$", "timestamp(2020-01-01T00:00:00.5Z)", "d7ff 77359400 5e0be100"},
		{"d6ff 00000000", "$", "timestamp(1960-01-01T00:00:00Z)", "c70cff 00000000 ffffffffed300880"},
		{"93 01 ce00000002 a178", "$", `[1, 3, "y"]`, "93 01 ce00000003 a179"},
		{"93 01 ce00000002 a178", "$", "[1, 3]", "92 01 ce00000003"},
		{"dc0001 01", "$", "[1, 2]", "dc0002 01 02"},
		{"82 a161 01 a162 cd0002", "$", `{"b": 3, "a": 1}`, "82 a162 cd0003 a161 01"},
		{"82 d90161 01 a162 02", "$", `{"a": 2}`, "81 d90161 02"},
		{"81 a161 01", "$.a@key", `"bcd"`, "81 a3626364 01"},
		{"81 01 01", "$[1]@key", "500", "81 cd01f4 01"},
	} {
		b := fromHex(t, c.before)
		splices, err := set(t, b, c.path, c.literal, edit.Options{})
		if got, want := edited(t, b, splices, err), fromHex(t, c.after); !bytes.Equal(got, want) {
			t.Errorf("%s: %s=%s gives %x, want %x", c.before, c.path, c.literal, got, want)
		}
	}
}

// TestSetErrors checks which values are refused.
func TestSetErrors(t *testing.T) {
	for _, c := range []struct{ before, path, literal, message string }{
		{"07", "$", `"a"`, "this is str, but the value is int"},
		{"07", "$", "1.5", "this is float, but the value is int"},
		{"07", "$", "18446744073709551616", "at character 1: an integer is from -9223372036854775808 to 18446744073709551615"},
		{"07", "$", "hello", "at character 1: hello is not a value; a text is written in quotes"},
		{"07", "$", "ext(300, 00)", "at character 1: MessagePack has no value for this"},
		{"07", "$", "bin(0)", "at character 1: MessagePack has no value for this"},
		{"82 a161 01 a162 02", "$.a@key", `"b"`, `this map already has the key "b"`},
		{"82 a161 01 a162 02", "$", `{"a": 1, "a": 2}`, `at character 10: the key "a" is repeated`},
		{"92 01 cd00", "$[1]", "5", "a damaged value cannot be set; delete or repair it"},
	} {
		splices, err := set(t, fromHex(t, c.before), c.path, c.literal, edit.Options{})
		if err == nil || err.Error() != c.message || len(splices) > 0 {
			t.Errorf("%s: %s=%s: %v, want %s", c.before, c.path, c.literal, err, c.message)
		}
	}
}

// TestHeaders checks that headers grow where the number of children leaves the range of their form, and
// keep their form where it still fits.
func TestHeaders(t *testing.T) {
	for _, c := range []struct {
		n           int
		head, after string // before and after one is inserted
	}{
		{15, "9f", "dc0010"}, {16, "dc0010", "dc0011"}, {65535, "dcffff", "dd00010000"},
		{15, "8f", "de0010"}, {65535, "deffff", "df00010000"}, {3, "dd00000003", "dd00000004"},
	} {
		head := fromHex(t, c.head)
		isMap := c.head[0] == '8' || c.head[:2] == "de"
		b, entry := slices.Clone(head), "c0"
		for i := range c.n {
			if isMap {
				b = append(b, 0xcd, byte(i>>8), byte(i))
				entry = "a161 c0"
			}
			b = append(b, 0xc0)
		}
		r := open(t, b).NewReader()
		n, err := r.Child(r.Tree.Base, 0)
		if err != nil {
			t.Fatal(err)
		}
		content := edit.Content{Literal: "null"}
		if isMap {
			content.Key = `"a"`
		}
		splices, err := r.Tree.Reading.(edit.Editor).Insert(background, r, n, int64(c.n), content, edit.Options{})
		got := edited(t, b, splices, err)
		want := slices.Concat(fromHex(t, c.after), b[len(head):], fromHex(t, entry))
		if !bytes.Equal(got, want) {
			t.Errorf("%s and one more: %x…, want %x…", c.head, got[:8], want[:8])
		}
		r = open(t, got).NewReader()
		n, err = r.Resolve(map[bool]string{false: fmt.Sprintf("$[%d]", c.n), true: "$.a"}[isMap])
		if err != nil {
			t.Fatal(err)
		}
		splices, err = r.Tree.Reading.(edit.Editor).Delete(background, r, n, edit.Options{})
		back := edited(t, got, splices, err)
		if n := len(back) - len(b); n != len(fromHex(t, c.after))-len(head) {
			t.Errorf("%s: without it again %d bytes more", c.head, n)
		}
	}
}

// TestRetyped converts values to other types.
func TestRetyped(t *testing.T) {
	for _, c := range []struct{ before, name, want string }{
		{"07", "float", "7.0"}, {"07", "str", `"7"`}, {"07", "nil", "null"}, {"07", "map", "{}"}, {"07", "bin", "bin()"},
		{"07", "timestamp", "timestamp()"}, {"07", "ext", "ext()"}, {"07", "bool", "false"}, {"a23132", "int", "12"},
		{"a3312e35", "float", "1.5"}, {"a178", "int", "0"}, {"ca3fc00000", "int", "1"}, {"9101", "array", "[1]"}, {"c3", "str", `"true"`},
	} {
		r := open(t, fromHex(t, c.before)).NewReader()
		n, err := r.Child(r.Tree.Base, 0)
		if err != nil {
			t.Fatal(err)
		}
		e := r.Tree.Reading.(edit.Editor)
		if got, err := e.Retyped(background, r, n, c.name); got != c.want || err != nil {
			t.Errorf("%s as %s: %s (%v), want %s", c.before, c.name, got, err, c.want)
		}
		if got := e.Types(r, n); len(got) != 10 {
			t.Errorf("types %q", got)
		}
	}
}

// literalOf returns the literal of a value made by randomValue.
func literalOf(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case []byte:
		return "bin(" + hex.EncodeToString(v) + ")"
	case blob:
		return "ext(5, " + hex.EncodeToString(v.data) + ")"
	case time.Time:
		return "timestamp(" + v.UTC().Format(time.RFC3339Nano) + ")"
	case string:
		b, err := json.Marshal(v)
		if err != nil {
			panic(err)
		}
		return string(b)
	case float32, float64:
		return strings.Trim(wantJSON(v), `"`)
	case []any:
		items := make([]string, len(v))
		for i := range v {
			items[i] = literalOf(v[i])
		}
		return "[" + strings.Join(items, ", ") + "]"
	case []entry:
		items := make([]string, len(v))
		for i := range v {
			items[i] = literalOf(v[i].key) + ": " + literalOf(v[i].value)
		}
		return "{" + strings.Join(items, ", ") + "}"
	}
	return fmt.Sprint(v)
}

// withoutRepeats removes entries with repeated keys, and keys that cannot stand in a path of a test.
func withoutRepeats(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = withoutRepeats(v[i])
		}
	case []entry:
		seen := map[string]bool{}
		all := []entry{}
		for _, e := range v {
			e.key, e.value = withoutRepeats(e.key), withoutRepeats(e.value)
			if text := literalOf(e.key); !seen[text] {
				seen[text] = true
				all = append(all, e)
			}
		}
		return all
	}
	return v
}

// clone returns a deep copy.
func clone(v any) any {
	switch v := v.(type) {
	case []any:
		all := make([]any, len(v))
		for i := range v {
			all[i] = clone(v[i])
		}
		return all
	case []entry:
		all := make([]entry, len(v))
		for i, e := range v {
			all[i] = entry{e.key, clone(e.value)}
		}
		return all
	}
	return v
}

// A random editor changes a value and its bytes in the same way.
type randomEditor struct {
	t *testing.T
	r *rand.Rand
	b []byte
	v any
}

// place returns a random value of the tree, its node, and a function that replaces it.
func (x *randomEditor) place(r *tree.Reader) (v any, n *tree.Node, replace func(any)) {
	n, err := r.Child(r.Tree.Base, 0)
	if err != nil {
		x.t.Fatal(err)
	}
	v, replace = x.v, func(is any) { x.v = is }
	for x.r.IntN(4) > 0 {
		var i int
		switch all := v.(type) {
		case []any:
			if len(all) == 0 {
				return v, n, replace
			}
			i = x.r.IntN(len(all))
			v, replace = all[i], func(is any) { all[i] = is }
		case []entry:
			if len(all) == 0 {
				return v, n, replace
			}
			i = x.r.IntN(len(all))
			v, replace = all[i].value, func(is any) { all[i].value = is }
		default:
			return v, n, replace
		}
		if n, err = r.Child(n, int64(i)); err != nil {
			x.t.Fatal(err)
		}
	}
	return v, n, replace
}

// step makes a random edit.
func (x *randomEditor) step() {
	r := open(x.t, x.b).NewReader()
	e := r.Tree.Reading.(edit.Editor)
	v, n, replace := x.place(r)
	is := withoutRepeats(randomValue(x.r, x.r.IntN(3)))
	content := edit.Content{Literal: literalOf(is)}
	retype := edit.Options{Retype: true}
	var splices []source.Splice
	var err error
	list, isList := v.([]any)
	pairs, isMap := v.([]entry)
	size := max(len(list), len(pairs))
	at := x.r.IntN(size + 1)
	switch op := x.r.IntN(6); {
	case op == 0 || !isList && !isMap || op > 1 && op < 5 && size == 0:
		splices, err = e.Set(background, r, n, content, retype)
		replace(is)
	case op == 1 && isList:
		splices, err = e.Insert(background, r, n, int64(at), content, retype)
		replace(slices.Insert(slices.Clone(list), at, is))
	case op == 1 || op == 5 && isMap:
		key := randomText(x.r) + strconv.Itoa(x.r.IntN(1000))
		if slices.ContainsFunc(pairs, func(e entry) bool { return e.key == key }) {
			return
		}
		content.Key = literalOf(key)
		splices, err = e.Insert(background, r, n, int64(at), content, retype)
		replace(slices.Insert(slices.Clone(pairs), at, entry{key, is}))
	case op == 5: // a copy of itself
		splices, err = e.Insert(background, r, n, int64(at), edit.Content{Copy: n, From: r}, retype)
		replace(slices.Insert(slices.Clone(list), at, clone(v)))
	default:
		splices, err = x.stepInside(r, n, op, list, pairs, replace)
	}
	if err != nil {
		x.t.Fatalf("%x: %s: %v", x.b[:min(len(x.b), 200)], content.Literal[:min(len(content.Literal), 200)], err)
	}
	x.b = edited(x.t, x.b, splices, nil)
}

// stepInside deletes, moves or renames a child.
func (x *randomEditor) stepInside(r *tree.Reader, n *tree.Node, op int, list []any, pairs []entry, replace func(any)) ([]source.Splice, error) {
	e := r.Tree.Reading.(edit.Editor)
	size := max(len(list), len(pairs))
	i, to := x.r.IntN(size), x.r.IntN(size)
	c, err := r.Child(n, int64(i))
	if err != nil {
		return nil, err
	}
	switch {
	case op == 2:
		if list != nil {
			replace(slices.Delete(slices.Clone(list), i, i+1))
		} else {
			replace(slices.Delete(slices.Clone(pairs), i, i+1))
		}
		return e.Delete(background, r, c, edit.Options{})
	case op == 3 || list != nil:
		if list != nil {
			replace(slices.Insert(slices.Delete(slices.Clone(list), i, i+1), to, list[i]))
		} else {
			replace(slices.Insert(slices.Delete(slices.Clone(pairs), i, i+1), to, pairs[i]))
		}
		return e.Move(background, r, c, int64(to), edit.Options{})
	}
	key := "renamed " + strconv.Itoa(x.r.IntN(1e9))
	pairs[i].key = key
	return e.Set(background, r, r.Key(c), edit.Content{Literal: literalOf(key)}, edit.Options{Retype: true})
}

// TestRandomEdits makes random edits. Both this program and the other library must read the edited bytes as
// the values with the same edits in memory. Undo must restore all bytes, and setting what get prints must
// change nothing.
func TestRandomEdits(t *testing.T) {
	files, edits := 40, 25
	if testing.Short() {
		files = 20
	}
	random := rand.New(rand.NewPCG(5, 6))
	for range files {
		v := withoutRepeats(randomValue(random, 1+random.IntN(3)))
		var out bytes.Buffer
		encode(t, peer.NewEncoder(&out), v)
		x := randomEditor{t, random, out.Bytes(), v}
		for range edits {
			x.step()
			if len(x.b) > 100_000 {
				break
			}
			tr := open(t, x.b)
			if got, want := export(t, tr), wantJSON(x.v); got != want {
				t.Fatalf("%s\nwant\n%s", got, want)
			}
			if splices, err := set(t, x.b, "$", literal(t, tr), edit.Options{}); err != nil || len(splices) > 0 {
				t.Fatalf("%s set to itself: %d splices, %v", literal(t, tr), len(splices), err)
			}
		}
	}
}

// TestImport imports what is exported.
func TestImport(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for range 100 {
		v := withoutRepeats(randomValue(random, random.IntN(4)))
		text := wantJSON(v)
		var out bytes.Buffer
		err := decoder.Import(background, strings.NewReader(text), &out, decoder.ImportOptions{Dialect: "msgpack"})
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if got := export(t, open(t, edited(t, out.Bytes(), nil, nil))); got != text {
			t.Fatalf("%s\nwant\n%s", got, text)
		}
	}
	var out bytes.Buffer
	err := decoder.Import(background, strings.NewReader(`{"type": "nan", "args": [1, 2]}`), &out, decoder.ImportOptions{Dialect: "msgpack", Form: format.Plain})
	if want := fromHex(t, "82 a474797065 a36e616e a461726773 92 01 02"); err != nil || !bytes.Equal(out.Bytes(), want) {
		t.Errorf("plain: %x (%v), want %x", out.Bytes(), err, want)
	}
}

// TestRepair cuts files at every byte: the repairs of what is reported leave a file without a problem,
// which begins like the whole one except for counts and lengths.
func TestRepair(t *testing.T) {
	whole := fromHex(t, "83 a161 01 da0003616263 93 cd0102 c403000102 dc000201c0 a162 d6ff00000000")
	for size := 1; size < len(whole); size++ {
		b := whole[:size]
		for tries := 0; ; tries++ {
			tr := open(t, b)
			var found []span.Problem
			if err := tr.Check(background, tree.CheckOptions{}, func(p span.Problem, _ *tree.Node) { found = append(found, p) }); err != nil {
				t.Fatal(err)
			}
			if len(found) == 0 {
				break
			}
			p := &found[0]
			if tries > 10 || p.Repair == "" {
				if size == 1 || len(b) > 0 {
					t.Errorf("cut at %d: %x: %s: %s", size, b, p.Message, p.Repair)
				}
				break
			}
			r := tr.NewReader()
			n, err := r.At(p.Offset)
			if err != nil {
				t.Fatal(err)
			}
			repair, err := tr.Reading.(edit.Repairer).Repair(background, r, n, p)
			if err != nil {
				t.Errorf("cut at %d: %x: %s: %v", size, b, p.Message, err)
				break
			}
			b = contents(t, source.Whole(source.Bytes(b)).Splice(repair.Splices))
		}
	}
}
