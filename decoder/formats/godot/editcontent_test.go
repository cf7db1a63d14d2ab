package godot_test

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot"
)

// Errors of several edits.
const (
	behindDamage = "nothing can be inserted after a damaged value: it takes all bytes up to the end"
	numbered     = "the values in this one have numbers, not keys"
)

// A change is an edit of a value at a path, in hex digits before and after.
type change struct{ dialect, digits, path, want string }

func (c change) check(t *testing.T, what string, do func(f *godot.Format, r *tree.Reader, n *tree.Node) ([]source.Splice, error)) {
	t.Helper()
	f, data := FormatOf(c.dialect), Bytes(t, c.digits)
	r := TreeOf(f, data).NewReader()
	n, err := r.Resolve(c.path)
	if err != nil {
		t.Fatal(c.path, err)
	}
	splices, err := do(f, r, n)
	edited := source.Whole(source.Bytes(data)).Splice(splices)
	b := make([]byte, edited.Size())
	edited.ReadAt(b, 0)
	if err != nil {
		if err.Error() != c.want {
			t.Errorf("%s %s %s: %v, not %s", what, c.digits, c.path, err, c.want)
		}
		return
	}
	if strings.Trim(c.want, "0123456789abcdef ") != "" || !bytes.Equal(b, Bytes(t, c.want)) {
		t.Errorf("%s %s %s:\n% x, not\n%s", what, c.digits, c.path, b, c.want)
	}
}

const pathAB = "16000000 01000080 01000000 00000000 01000000 61aabbcc 01000000 62ddeeff" // ^"a:b"

func TestInsert(t *testing.T) {
	for _, c := range []struct {
		change
		index    int64
		key, lit string
	}{
		{change{"godot4", "1c000000 00000080", "$", "1c000000 01000080 02000000 01000000"}, 0, "", "1"},
		{change{"godot4", "1c000000 00000080", "$", "index 1 is out of range; the last is 0"}, 1, "", "1"},
		{change{"godot4", "1c000100 03000000 00000000", "$", "1c000100 03000000 01000000 03000000 0000803f"}, 0, "", "1"},
		{change{"godot4", "1c000100 03000000 00000000", "$", "at character 1: Array[float] holds float, this is bool"}, 0, "", "true"},
		// a count that was wrong stays wrong by as much
		{change{"godot4", "1c000000 05000000 00000000", "$", "1c000000 06000000 02000000 01000000 00000000"}, 0, "", "1"},
		{change{"godot4", "1c000000 05000000 00000000", "$", "1c000000 06000000 00000000 02000000 01000000"}, 1, "", "1"},
		// the padding that the last string of a buffer lacks
		{change{"godot4", "1c000000 01000000 04000000 01000000 61", "$", "1c000000 02000000 04000000 01000000 61000000 00000000"}, 1, "", "null"},
		{change{"godot4", "1c000000 02000000 4d000000", "$", behindDamage}, 1, "", "null"},
		{change{"godot4", "1c000000 02000000 4d000000", "$", "1c000000 03000000 00000000 4d000000"}, 0, "", "null"},
		{change{"godot4", "1b000000 00000000", "$", "1b000000 01000000 04000000 01000000 61000000 02000000 01000000"}, 0, `"a"`, "1"},
		{change{"godot4", "1b000000 00000000", "$", "an entry of Dictionary needs a key"}, 0, "", "1"},
		{change{"godot4", "1b000000 01000000 15000000 01000000 61000000 00000000", "$", `this Dictionary already has the key &"a"; its value can be set`}, 0, `"a"`, "1"},
		{change{"godot4", "1b000000 01000000 02000100 0100000000000000 00000000", "$", `this Dictionary already has the key 1; its value can be set`}, 1, `1`, "1"},
		{change{"godot4", "1b000000 01000000 02000000 01000000 00000000", "$", "1b000000 02000000 02000000 01000000 00000000 03000000 0000803f 00000000"}, 1, `1.0`, "null"},
		{change{"godot4", "1b000000 01000000 02000000 01000000", "$", behindDamage}, 0, `2`, "null"},
		{change{"godot4", "1b000100 04000000 00000000", "$", "at character 1: Dictionary[String, Variant] holds String, this is int"}, 0, `1`, "null"},
		{change{"godot4", "18000000 01000000 41000000 00000000", "$", "18000000 01000000 41000000 01000000 01000000 70000000 00000000"}, 0, `"p"`, "null"},
		{change{"godot4", "18000000 01000000 41000000 00000000", "$", "at character 1: the name of a property must be a text in quotes"}, 0, `5`, "null"},
		{change{"godot4", "18000000 00000000", "$", "nothing can be inserted into Object"}, 0, `"p"`, "null"},
		{change{"godot4", "22000000 00000000", "$", "22000000 01000000 02000000 61000000"}, 0, "", `"a"`},
		{change{"godot3", "17000000 ffffffff", "$", "17000000 01000000 02000000 61000000"}, 0, "", `"a"`},
		{change{"godot4", "1d000000 00000000", "$", "1d000000 01000000 07000000"}, 0, "", `7`},
		{change{"godot4", "1d000000 03000000 010203aa", "$", "1d000000 04000000 01020307"}, 3, "", `7`},
		{change{"godot4", "1d000000 02000000 0102aabb", "$", "1d000000 03000000 070102bb"}, 0, "", `7`},
		{change{"godot4", "1d000000 02000000 0102", "$", "1d000000 03000000 07010200"}, 0, "", `7`},
		{change{"godot4", "23000000 01000000 0000803f 00000040", "$", "23000000 02000000 0000803f 00000040 00004040 00000000"}, 1, "", `Vector2(3, 0)`},
		{change{"godot4", "23000100 00000000", "$", "23000100 01000000 9a9999999999b93f 0000000000000000"}, 0, "", `Vector2(0.1, 0)`},
		{change{"godot4", "1e000000 ff000000 01000000", "$", "1e000000 00010000 01000000 02000000"}, 1, "", `2`},
		{change{"godot4", pathAB, "$", "16000000 02000080 01000000 00000000 01000000 63000000 01000000 61aabbcc 01000000 62ddeeff"}, 0, "", `"c"`},
		{change{"godot4", pathAB, "$", "16000000 02000080 01000000 00000000 01000000 61aabbcc 01000000 63000000 01000000 62ddeeff"}, 1, "", `"c"`},
		{change{"godot4", pathAB, "$", "16000000 01000080 02000000 00000000 01000000 61aabbcc 01000000 63000000 01000000 62ddeeff"}, 1, "subnames", `"c"`},
		{change{"godot4", pathAB, "$", "16000000 01000080 02000000 00000000 01000000 61aabbcc 01000000 62ddeeff 01000000 63000000"}, 2, "", `"c"`},
		{change{"godot4", pathAB, "$", `a part of a NodePath must be one of its "names" or "subnames"`}, 1, "x", `"c"`},
		{change{"godot4", "1c000000 00000000", "$", numbered}, 0, `"a"`, `1`},
		{change{"godot4", "1d000000 00000000", "$", numbered}, 0, `"a"`, `1`},
		{change{"godot4", "22000000 00000000", "$", numbered}, 0, `"a"`, `"b"`},
		{change{"godot4 stream", "04000000 00000000", "$", numbered}, 1, `"a"`, `1`},
		{change{"godot4", "05000000 0000803f 0000803f", "$", "nothing can be inserted into Vector2"}, 0, "", `1`},
		{change{"godot4", "04000000 09000000 61", "$", "nothing can be inserted into a damaged value"}, 0, "", `1`},
	} {
		c.check(t, "insert "+c.lit, func(f *godot.Format, r *tree.Reader, n *tree.Node) ([]source.Splice, error) {
			return f.Insert(context.Background(), r, n, c.index, edit.Content{Key: c.key, Literal: c.lit}, edit.Options{})
		})
	}
}

func TestInsertFrame(t *testing.T) {
	for _, c := range []struct {
		as, digits string
		index      int64
		want       string
	}{
		{"godot4 stream", "", 0, "08000000 02000000 01000000"},
		{"godot4 big-endian", "00000004 00000000", 1, "00000004 00000000 00000008 02000000 01000000"},
		{"godot4 stream", "06000000 00000000 aabb", 0, "08000000 02000000 01000000 06000000 00000000 aabb"},
		{"godot4 stream", "04000000 00000000 aabb", 1, "04000000 00000000 08000000 02000000 01000000 aabb"},
		{"godot4 stream", "08000000 4d000000 01020304", 1, "08000000 4d000000 01020304 08000000 02000000 01000000"},
		{"godot4 stream", "08000000 00000000", 1, behindDamage},
		{"godot4 raw", "00000000", 0, "this buffer holds a single value; no other can be inserted"},
	} {
		f, data := FormatOf(c.as), Bytes(t, c.digits)
		r := TreeOf(f, data).NewReader()
		splices, err := f.Insert(context.Background(), r, r.Tree.Base, c.index, edit.Content{Literal: "1"}, edit.Options{})
		edited := source.Whole(source.Bytes(data)).Splice(splices)
		b := make([]byte, edited.Size())
		edited.ReadAt(b, 0)
		if err != nil && err.Error() != c.want || err == nil && !bytes.Equal(b, Bytes(t, c.want)) {
			t.Errorf("%s %s: % x %v, not %s", c.as, c.digits, b, err, c.want)
		}
	}
}

func TestDelete(t *testing.T) {
	for _, c := range []change{
		{"godot4", "1b000000 01000000 02000000 01000000 00000000", "$[1]", "1b000000 00000000"},
		{"godot4", "1b000000 01000000 02000000 01000000 00000000", "$[1]@key", "1b000000 00000000"},
		{"godot4", "1b000000 05000000 02000000 01000000", "$[1]@key", "1b000000 04000000"},
		{"godot4", "1d000000 04000000 01020304", "$[1]", "1d000000 03000000 01030400"},
		{"godot4", "1d000000 01000000 01aabbcc", "$[0]", "1d000000 00000000"},
		{"godot4", pathAB, "$.names[0]", "16000000 00000080 01000000 00000000 01000000 62ddeeff"},
		{"godot4", pathAB, "$.subnames[0]", "16000000 01000080 00000000 00000000 01000000 61aabbcc"},
		{"godot3", "0f000000 00000080 00000000 02000000 01000000 61000000", "$.subnames[0]", "0f000000 00000080 00000000 00000000"},
		{"godot4 stream", "04000000 00000000 06000000 00000000 aabb", "$[1]", "04000000 00000000"},
		{"godot4 stream", "0c000000 1c000000 01000000 00000000", "$[0][0]", "08000000 1c000000 00000000"},
		// in a damaged value only the bytes that could be read are removed
		{"godot4", "1c000000 02000000 00000000 4d000000 01000000", "$[1]", "1c000000 01000000 00000000 01000000"},
		{"godot4", "00000000", "$", "the only value of a buffer cannot be deleted or moved"},
		{"godot4", "05000000 0000803f 0000803f", "$.x", "a part of a value of fixed size cannot be deleted or moved"},
	} {
		c.check(t, "delete", func(f *godot.Format, r *tree.Reader, n *tree.Node) ([]source.Splice, error) {
			return f.Delete(context.Background(), r, n, edit.Options{})
		})
	}
}

func TestMove(t *testing.T) {
	for _, c := range []struct {
		change
		to int64
	}{
		{change{"godot4", "1c000000 02000000 02000000 01000000 04000000 01000000 61", "$[0]", "1c000000 02000000 04000000 01000000 61000000 02000000 01000000"}, 1},
		{change{"godot4", "1c000000 02000000 02000000 01000000 04000000 01000000 61", "$[1]", "1c000000 02000000 04000000 01000000 61000000 02000000 01000000"}, 0},
		{change{"godot4", "1b000000 02000000 00000000 00000000 02000000 01000000 00000000", "$[1]", "1b000000 02000000 02000000 01000000 00000000 00000000 00000000"}, 0},
		{change{"godot4 stream", "04000000 00000000 06000000 00000000 aabb", "$[1]", "06000000 00000000 aabb 04000000 00000000"}, 0},
		{change{"godot4 stream", "04000000 00000000 09000000 00000000", "$[0]", behindDamage}, 1},
		{change{"godot4", "1c000000 02000000 00000000 4d000000", "$[0]", behindDamage}, 1},
		{change{"godot4", "1c000000 01000000 00000000", "$[0]", "index 1 is out of range"}, 1},
		{change{"godot4", pathAB, "$.names[0]", "names and subnames of a NodePath cannot change places"}, 1},
	} {
		c.check(t, "move", func(f *godot.Format, r *tree.Reader, n *tree.Node) ([]source.Splice, error) {
			return f.Move(context.Background(), r, n, c.to, edit.Options{})
		})
	}
}

// TestCopy: a copy within a dialect keeps its bytes; in another dialect it is
// encoded anew.
func TestCopy(t *testing.T) {
	for _, c := range []struct{ from, digits, path, to, want string }{
		{"godot4", "02010500 0100000000000000", "$", "godot4", "1c000000 01000000 02010500 0100000000000000"},
		{"godot4", "02000100 0100000000000000", "$", "godot3", "13000000 01000000 02000000 01000000"},
		{"godot4", "0f000000 00000000 00000000 00000000 0000803f", "$", "godot3", "13000000 01000000 0a000000 00000000 00000000 00000000 0000803f"},
		{"godot4", "15000000 01000000 61000000", "$", "godot3", "at character 1: Godot 3 has no StringName"},
		{"godot4", "05000000 0000803f 00000040", "$.y", "godot4", "1c000000 01000000 03000000 00000040"},
		{"godot4", "23000000 01000000 0000803f 00000040", "$[0]", "godot4", "1c000000 01000000 05000000 0000803f 00000040"},
		{"godot4 stream", "0a000000 02000000 05000000 aabb", "$[0]", "godot4", "1c000000 01000000 02000000 05000000"},
		{"godot4", "04000000 01000000 61", "$", "godot4", "1c000000 01000000 04000000 01000000 61000000"},
		{"godot4", "1c000000 02000000 00000000", "$", "godot4", "a damaged value cannot be copied"},
		{"godot4", "1b000000 01000000 02000100 0100000000000000 00000000", "$[1]", "godot4 dictionary", "1b000000 01000000 02000100 0100000000000000 00000000"},
		{"godot4", "18000000 01000000 41000000 01000000 01000000 70000000 00000000", "$.p", "godot4 dictionary", "1b000000 01000000 04000000 01000000 70000000 00000000"},
	} {
		from := TreeOf(FormatOf(c.from), Bytes(t, c.digits)).NewReader()
		n, err := from.Resolve(c.path)
		if err != nil {
			t.Fatal(err)
		}
		digits := map[string]string{"godot3": "13000000 00000000", "godot4": "1c000000 00000000", "godot4 dictionary": "1b000000 00000000"}[c.to]
		change{c.to, digits, "$", c.want}.check(t, "copy "+c.digits, func(f *godot.Format, r *tree.Reader, parent *tree.Node) ([]source.Splice, error) {
			return f.Insert(context.Background(), r, parent, 0, edit.Content{Copy: n, From: from}, edit.Options{})
		})
	}
}

// A zeros is a source of zeros after some other bytes.
type zeros struct {
	start []byte
	size  int64
}

func (z zeros) Size() int64 { return z.size }

func (z zeros) ReadAt(p []byte, off int64) (int, error) {
	clear(p)
	if off < int64(len(z.start)) {
		copy(p, z.start[off:])
	}
	if left := z.size - off; int64(len(p)) > left {
		return int(left), io.EOF
	}
	return len(p), nil
}

// TestLargeMove: large values are moved and copied as pieces of their source.
func TestLargeMove(t *testing.T) {
	const size = 1 << 30
	src := &zeros{Bytes(t, "1c000000 02000000 1d000000 00000040"), 16 + size + 4}
	f := FormatOf("godot4")
	r := tree.New(src, f, span.Between(0, src.size)).NewReader()
	n, err := r.Resolve("$[0]")
	if err != nil {
		t.Fatal(err)
	}
	parent, _ := r.Resolve("$")
	for what, do := range map[string]func() ([]source.Splice, error){
		"move": func() ([]source.Splice, error) { return f.Move(context.Background(), r, n, 1, edit.Options{}) },
		"copy": func() ([]source.Splice, error) {
			return f.Insert(context.Background(), r, parent, 1, edit.Content{Copy: n, From: r}, edit.Options{})
		},
	} {
		splices, err := do()
		if err != nil {
			t.Fatal(what, err)
		}
		for _, s := range splices {
			if s.New == nil {
				continue
			}
			s.New.List(func(_ int64, p source.Piece) bool {
				if p.Length > 100 && p.Src != source.Source(src) {
					t.Errorf("%s: a piece of %d bytes in memory", what, p.Length)
				}
				return true
			})
		}
	}
}

// TestRetyped: the nearest value of another type.
func TestRetyped(t *testing.T) {
	for _, c := range []struct{ digits, name, want string }{
		{"02000000 05000000", "float", "5.0"},
		{"02000000 05000000", "bool", "true"},
		{"02000000 05000000", "String", `"5"`},
		{"02000000 05000000", "Array", "[]"},
		{"03000000 0000f0bf", "int", "-1"},
		{"03000100 000000000000f87f", "int", "0"},
		{"03000100 000000000000f07f", "String", `"inf"`},
		{"01000000 01000000", "int", "1"},
		{"04000000 03000000 302e3500", "float", "0.5"},
		{"04000000 03000000 302e3500", "int", "0"},
		{"04000000 03000000 612f6200", "NodePath", `^"a/b"`},
		{"04000000 03000000 612f6200", "StringName", `&"a/b"`},
		{"04000000 03000000 612f6200", "int", `0`},
		{pathAB, "String", `"a:b"`},
		{"05000000 0000c03f 00000040", "Vector2i", "Vector2i(1, 2)"},
		{"06000000 01000000 ffffffff", "Vector2", "Vector2(1, -1)"},
		{"06000000 01000000 ffffffff", "Vector3", "Vector3(0, 0, 0)"},
		{"07000000 0000c03f 00000040 00000040 00000040", "Color", "Color(1.5, 2, 2, 2)"},
		{"1c000000 02000000 02000000 01000000 02000000 02000000", "PackedInt32Array", "PackedInt32Array(1, 2)"},
		{"1c000000 02000000 02000000 01000000 02000000 02000000", "PackedFloat64Array", "PackedFloat64Array(1, 2)"},
		{"1c000000 02000000 02000000 01000000 02000000 ffffffff", "PackedByteArray", "PackedByteArray()"},
		{"1c000000 01000000 04000000 01000000 61000000", "PackedStringArray", `PackedStringArray("a")`},
		{"1c000000 01000000 05000000 0000803f 00000040", "PackedVector2Array", "PackedVector2Array(1, 2)"},
		{"1c000100 02000000 01000000 02000000 01000000", "Array", "[1]"},
		{"23000000 01000000 0000803f 00000040", "Array", "[Vector2(1, 2)]"},
		{"20000000 01000000 0000803f", "Array", "[1.0]"},
		{"1b000100 04000000 00000000", "Dictionary", "{}"},
		{"00000000", "Transform3D", "Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0)"},
		{"00000000", "Object", "Object()"},
		{"4d000000", "Signal", "Signal()"},
		{"00000000", "Vector9", "Godot 4 has no type Vector9"},
	} {
		f := FormatOf("godot4")
		r := TreeOf(f, Bytes(t, c.digits)).NewReader()
		n, err := r.Resolve("$")
		if err != nil {
			t.Fatal(err)
		}
		got, err := f.Retyped(context.Background(), r, n, c.name)
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s as %s: %s, not %s", c.digits, c.name, got, c.want)
		}
	}
	for _, d := range godot.Dialects() { // an empty value of every type is one
		f := godot.New(godot.Settings{Dialect: d})
		r := TreeOf(f, make([]byte, 4)).NewReader()
		n, _ := r.Resolve("$")
		for _, name := range f.Types(r, n) {
			text, err := f.Retyped(context.Background(), r, n, name)
			b, encodeErr := Encoded(f, text)
			if err != nil || encodeErr != nil || d.TypeName(uint32(b[0])) != name {
				t.Errorf("%s %s: %s %v %v", d.Name, name, text, err, encodeErr)
			}
		}
	}
}
