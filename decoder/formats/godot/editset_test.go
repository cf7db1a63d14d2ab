package godot_test

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot"
	"varview/decoder/formats/godot/internal/types"
)

// others returns literals of other values for a value or part.
func others(f *godot.Format, n *tree.Node) []string {
	switch n.Type {
	case types.Bool:
		return []string{"true", "false"}
	case types.Int:
		return []string{"-7", "5000000000"}
	case types.Float:
		if f.Dialect.NoFlags {
			return []string{"0.5", "nan"}
		}
		return []string{"0.5", "0.1", "nan"}
	case types.String:
		return []string{`""`, `"some \"text\" 北"`}
	case types.StringName:
		return []string{`&""`, `&"other"`}
	case types.Name, types.Part, types.Entry:
		return []string{`"other"`, `"4444"`}
	case types.Byte:
		return []string{"0", "255"}
	case types.Int32, types.Int64:
		return []string{"-2147483648", "77"}
	case types.Float32, types.Float64:
		return []string{"0.5", "inf_neg"}
	case types.NodePath:
		return []string{`^""`, `^"/a/b:c:d"`, `^"x"`}
	case types.Signal:
		return []string{`Signal("other", 5)`, "Signal()"}
	case types.RID:
		if f.Dialect.RIDHasID {
			return []string{"RID(18446744073709551615)", "RID()"}
		}
	case types.Color:
		return []string{"Color(0.5, 0, 0, 0.25)"}
	case types.Element:
		if f.TypeName(&n.Value) == "Vector2" {
			return []string{"Vector2(0.5, -1)"}
		}
	}
	return nil
}

// TestSet: every leaf of every sound file gets other values. Nothing else changes, and setting its
// container to the literal with the new value is the same edit.
func TestSet(t *testing.T) {
	for i, file := range Files(t) {
		if i%4 > 0 || strings.HasPrefix(file.Name, "damaged/") { // a quarter of the files has all that there is
			continue
		}
		r := TreeOf(file.Format, file.Data).NewReader()
		EachNode(t, r, r.Tree.Base, func(n *tree.Node) {
			if n.Parent != nil && n.Parent.Layout == tree.Fixed && n.Slot.Index > 4 {
				return // it is like those before
			}
			for _, text := range others(file.Format, n) {
				setOther(t, file, r, n, text)
			}
		})
	}
}

func setOther(t *testing.T, file File, r *tree.Reader, n *tree.Node, text string) {
	what := r.Path(n) + " = " + text
	splices, err := file.Format.Set(context.Background(), r, n, edit.Content{Literal: text}, edit.Options{})
	if err != nil {
		t.Errorf("%s: %s: %v", file.Name, what, err)
		return
	}
	done, _ := r.Finish(n)
	for _, s := range splices {
		frame := s.Length == 4 && file.Format.Framing == godot.Stream && again(t, r, n).Depth > 0
		if !frame && (s.Offset < done.Head || s.End() > done.End) {
			t.Errorf("%s: %s changes %v", file.Name, what, s.Span)
		}
	}
	after := applied(t, file, what, splices)
	if got := TextOf(t, after, &again(t, after, n).Value); got != text {
		t.Errorf("%s: %s is %s", file.Name, what, got)
	}
	if n.Parent.Parent == nil || n.Slot.Key || n.Parent.Type == types.NodePath {
		return
	}
	inParent := TextOf(t, after, &again(t, after, n.Parent).Value)
	whole, err := file.Format.Set(context.Background(), r, n.Parent, edit.Content{Literal: inParent}, edit.Options{})
	if err != nil || !sameSplices(t, file, splices, whole) {
		t.Errorf("%s: %s: other splices through its parent: %v %v, %v", file.Name, what, err, splices, whole)
	}
}

func sameSplices(t *testing.T, file File, a, b []source.Splice) bool {
	p := source.Whole(source.Bytes(file.Data))
	a, errA := p.Minimal(a)
	b, errB := p.Minimal(b)
	if errA != nil || errB != nil {
		t.Fatal(errA, errB)
	}
	return slices.EqualFunc(a, b, func(x, y source.Splice) bool { return x.Span == y.Span && bytes.Equal(all(x), all(y)) })
}

func all(s source.Splice) []byte {
	b := make([]byte, s.Added())
	if s.New != nil {
		s.New.ReadAt(b, 0)
	}
	return b
}

// TestSetTable: single edits, with the bytes that the specification demands.
func TestSetTable(t *testing.T) {
	for _, c := range []struct{ dialect, digits, path, literal, want string }{
		// the width of numbers
		{"godot4", "02000000 05000000", "$", "7", "02000000 07000000"},
		{"godot4", "02000000 05000000", "$", "2147483648", "02000100 0000008000000000"},
		{"godot4", "02000100 0500000000000000", "$", "7", "02000100 0700000000000000"},
		{"godot4", "02010400 05000000", "$", "7", "02010400 07000000"},
		{"godot4", "02010400 05000000", "$", "-2147483649", "02010500 ffffff7fffffffff"},
		{"godot4", "03000000 0000c03f", "$", "2", "03000000 00000040"},
		{"godot4", "03000000 0000c03f", "$", "0.1", "03000100 9a9999999999b93f"},
		{"godot4", "03000100 9a9999999999b93f", "$", "1.5", "03000100 000000000000f83f"},
		{"godot4", "03000000 0000c03f", "$", "nan", "03000100 000000000000f87f"},
		{"godot4", "03000000 0000c03f", "$", "-0.0", "03000000 00000080"},
		{"godot3-early-docs", "02000000 0500000000000000", "$", "0x10", "02000000 1000000000000000"},
		{"godot3-early-docs", "03000000 0000c03f", "$", "0.1", "03000000 cdcccc3d"},
		{"godot4", "05000100 000000000000f03f 000000000000f03f", "$", "Vector2(1, 0.1)", "05000100 000000000000f03f 9a9999999999b93f"},
		{"godot4", "05000000 0000803f 0000803f", "$.y", "0.1", "05000000 0000803f cdcccc3d"},
		{"godot3 double", "05000000 000000000000f03f 000000000000e0bf", "$.y", "2", "05000000 000000000000f03f 0000000000000040"},
		// bool of 7 stays while it is true
		{"godot4", "01000000 07000000", "$", "true", "01000000 07000000"},
		{"godot4", "01000000 07000000", "$", "false", "01000000 00000000"},
		// text, its length and padding
		{"godot4", "04000000 03000000 61626300", "$", `"abcd"`, "04000000 04000000 61626364"},
		{"godot4", "04000000 03000000 616263", "$", `"x"`, "04000000 01000000 78000000"},
		{"godot4", "04000000 01000000 61000000", "$", `"\udcff"`, "04000000 01000000 ff000000"},
		{"godot4", "22000000 01000000 01000000 61000000", "$[0]", `"bc"`, "22000000 01000000 02000000 62630000"},
		{"godot4", "22000000 01000000 02000000 61000000", "$[0]", `"bc"`, "22000000 01000000 03000000 62630000"},
		{"godot4", "22000000 01000000 01000000 61000000", "$[0]", `"b\u0000"`, "22000000 01000000 03000000 62000000"},
		{"godot4", "16000000 01000080 01000000 00000000 01000000 61aabbcc 01000000 62ddeeff", "$", `^"a:c"`,
			"16000000 01000080 01000000 00000000 01000000 61000000 01000000 63000000"},
		{"godot4", "16000400 01000080 00000000 08000000 01000000 61aabbcc", "$", `^"b"`, "16000400 01000080 00000000 08000000 01000000 62000000"},
		{"godot4", "16000000 01000080 01000000 00000000 01000000 61aabbcc 01000000 62ddeeff", "$", `^"/a/d:b"`,
			"16000000 02000080 01000000 01000000 01000000 61000000 01000000 64000000 01000000 62000000"},
		// containers keep the parts that do not change
		{"godot4", "1c000000 02000080 02000100 0500000000000000 02000000 06000000", "$", "[5]", "1c000000 01000080 02000100 0500000000000000"},
		{"godot4", "1c000000 02000080 02000100 0500000000000000 02000000 06000000", "$", "[5, 7, null]",
			"1c000000 03000080 02000100 0500000000000000 02000000 07000000 00000000"},
		{"godot4", "1b000000 02000000 02000000 01000000 00000000 02000000 02000000 01000000 07000000", "$", "{ 2: true }",
			"1b000000 01000000 02000000 02000000 01000000 07000000"},
		{"godot4", "1b000000 02000000 02000000 01000000 00000000 02000000 02000000 01000000 07000000", "$", "{3: 4, 2: true, 1: null}",
			"1b000000 03000000 02000000 03000000 02000000 04000000 02000000 02000000 01000000 01000000 02000000 01000000 00000000"},
		{"godot4", "18000000 01000000 41000000 01000000 01000000 70000000 00000000", "$", `Object(Bc, "p": null, "q": 1)`,
			"18000000 02000000 42630000 02000000 01000000 70000000 00000000 01000000 71000000 02000000 01000000"},
		{"godot4", "18000500 0900000000000000", "$", `Object(EncodedObjectAsID, "object_id": 10)`, "18000500 0a00000000000000"},
		{"godot4", "18000400 00000000", "$", `Object(EncodedObjectAsID, "object_id": 10)`, "18000500 0a00000000000000"},
		{"godot4", "1d000000 03000000 010203aa", "$", "PackedByteArray(1, 9, 3)", "1d000000 03000000 010903aa"},
		{"godot4", "1d000000 03000000 010203aa", "$", "PackedByteArray(1, 2)", "1d000000 02000000 0102aa00"},
		{"godot4", "1d000000 03000000 010203aa", "$", "PackedByteArray(1, 2, 3, 4)", "1d000000 04000000 01020304"},
		{"godot4", "23000000 01000000 0000803f 00000040", "$", "PackedVector2Array(1, 3, 0, 0)",
			"23000000 02000000 0000803f 00004040 00000000 00000000"},
		// typed containers
		{"godot4", "1c000100 03000000 01000000 03000000 0000c03f", "$[0]", "2", "1c000100 03000000 01000000 03000000 00000040"},
		{"godot4", "1c000100 03000000 01000000 03000000 0000c03f", "$", "Array[float]([1, 2])",
			"1c000100 03000000 02000000 03000000 0000803f 03000000 00000040"},
		{"godot4", "1c000100 02000000 01000000 04000000 00000000", "$[0]", "2", "1c000100 02000000 01000000 02000000 02000000"},
		{"godot4", "1c000200 04000000 4e6f6465 01000000 18000100 0900000000000000", "$[0]", "null", "1c000200 04000000 4e6f6465 01000000 00000000"},
		// frames
		{"godot4 stream", "08000000 02000000 05000000 04000000 00000000", "$[0]", "5000000000",
			"0c000000 02000100 00f2052a01000000 04000000 00000000"},
		{"godot4 big-endian", "00000008 02000000 05000000", "$[0]", "5000000000", "0000000c 02000100 00f2052a01000000"},
		{"godot4 stream", "0a000000 02000000 05000000 aabb", "$[0]", "5000000000", "0e000000 02000100 00f2052a01000000 aabb"},
		{"godot4 stream", "04000000 02000000 04000000 00000000", "$[0]", "1", "08000000 02000000 01000000 04000000 00000000"},
		{"godot4 stream", "99000000 02000000 05000000", "$[0]", "5000000000", "9d000000 02000100 00f2052a01000000"},
		// damage: the bytes that could be read are replaced, the gap stays
		{"godot4", "04000000 63000000 616263", "$", `"x"`, "04000000 01000000 78000000 616263"},
		{"godot4", "4d000000 01020304", "$", "true", "01000000 01000000 01020304"},
		{"godot4", "1c000000 05000000 00000000 01000000", "$", "[true, <truncated>]", "1c000000 05000000 01000000 01000000 01000000"},
		{"godot4", "1b000000 01000000 15000000 01000000 61000000 02000000 01000000", "$", `{ "a": 1 }`, "1b000000 01000000 04000000 01000000 61000000 02000000 01000000"},
		{"godot4", "", "$", "5", "02000000 05000000"},
	} {
		format := FormatOf(c.dialect)
		data := Bytes(t, c.digits)
		r := TreeOf(format, data).NewReader()
		n, err := r.Resolve(c.path)
		if len(data) == 0 {
			n, err = r.Tree.Base, nil
		}
		if err != nil {
			t.Fatal(c.path, err)
		}
		splices, err := format.Set(context.Background(), r, n, edit.Content{Literal: c.literal}, edit.Options{})
		got := source.Whole(source.Bytes(data)).Splice(splices)
		b := make([]byte, got.Size())
		got.ReadAt(b, 0)
		if want := Bytes(t, c.want); err != nil || !bytes.Equal(b, want) {
			t.Errorf("%s %s %s = %s:\n% x (%v), not\n% x", c.dialect, c.digits, c.path, c.literal, b, err, want)
		}
	}
}

// TestSetBytes: bytes are put into an array of bytes; its count, padding and frame follow.
func TestSetBytes(t *testing.T) {
	for _, c := range []struct{ dialect, digits, path, bytes, want string }{
		{"godot4", "1d000000 03000000 010203aa", "$", "010903", "1d000000 03000000 010903aa"},
		{"godot4", "1d000000 03000000 010203aa", "$", "0102", "1d000000 02000000 0102aa00"},
		{"godot4", "1d000000 03000000 010203aa", "$", "", "1d000000 00000000"},
		{"godot4", "1d000000 00000000", "$", "0102030405", "1d000000 05000000 0102030405000000"},
		{"godot3 stream", "0c000000 14000000 01000000 01000000 04000000 00000000", "$[0]", "0102030405", "10000000 14000000 05000000 0102030405000000 04000000 00000000"},
		{"godot4", "1c000000 01000000 1d000000 03000000 010203", "$[0]", "07", "1c000000 01000000 1d000000 01000000 07000000"}, // the padding was missing
		{"godot4", "22000000 01000000 01000000 61000000", "$", "07", ""},
		{"godot4", "1d000000 03000000 010203aa", "$[0]", "07", ""},
	} {
		format := FormatOf(c.dialect)
		data := Bytes(t, c.digits)
		r := TreeOf(format, data).NewReader()
		n, err := r.Resolve(c.path)
		if err != nil {
			t.Fatal(c.path, err)
		}
		splices, err := format.SetBytes(context.Background(), r, n, Bytes(t, c.bytes))
		if c.want == "" {
			if err == nil {
				t.Errorf("%s %s: no error", c.digits, c.path)
			}
			continue
		}
		got := source.Whole(source.Bytes(data)).Splice(splices)
		b := make([]byte, got.Size())
		got.ReadAt(b, 0)
		if want := Bytes(t, c.want); err != nil || !bytes.Equal(b, want) {
			t.Errorf("%s %s %s:\n% x (%v), not\n% x", c.digits, c.path, c.bytes, b, err, want)
		}
	}
}

// TestRefusals: the errors of edits that are impossible.
func TestRefusals(t *testing.T) {
	for _, c := range []struct{ dialect, digits, path, literal, want string }{
		{"godot4", "02000000 05000000", "$", `"a"`, "the new value is String, the old one int"},
		{"godot4", "02000000 05000000", "$", "5.5", "the new value is float, the old one int"},
		{"godot4", "1c000000 00000000", "$", "Array[int]([])", "the new value is Array[int], the old one Array"},
		{"godot4", "1c000100 02000000 01000000 02000000 05000000", "$[0]", "5.5", "Array[int] holds int, this is float"},
		{"godot4", "1c000100 02000000 01000000 02000000 05000000", "$", `Array[int]([1, "a"])`, "at character 16: Array[int] holds int, this is String"},
		{"pandemonium", "1b000000 02000000 01000000 0200000001000000", "$[0]", "null", "TypedArray[int] holds int, this is Nil"},
		{"godot4", "1d000000 01000000 01000000", "$[0]", "256", "at character 1: this byte must be 0 to 255"},
		{"godot4", "05000000 0000803f 0000803f", "$.x", "1e39", "at character 1: float32 holds up to 3.4e38"},
		{"godot4", "06000000 01000000 01000000", "$.x", "2147483648", "at character 1: this number must fit 32 bits: -2147483648 to 2147483647"},
		{"godot4", "06000000 01000000 01000000", "$.x", "1.5", "at character 1: a whole number is expected here"},
		{"godot4", "06000000 01000000 01000000", "$.x", `"1"`, "at character 1: a number is expected here"},
		{"godot4", "23000000 01000000 0000803f 00000040", "$[0]", "Vector3(1, 2, 3)", "at character 1: Vector2 is expected here"},
		{"godot4", "22000000 01000000 02000000 61000000", "$[0]", "5", "at character 1: a text in quotes is expected"},
		{"godot4", "1b000000 02000000 04000000 01000000 61000000 00000000 04000000 01000000 62000000 00000000", "$.a@key", `"b"`, `this Dictionary already has the key "b"; its value can be set`},
		{"godot4", "1b000000 02000000 04000000 01000000 61000000 00000000 02000000 01000000 00000000", "$[1]@key", `&"a"`, "the new value is StringName, the old one int"},
		{"godot4", "18000000 01000000 41000000 02000000 01000000 70000000 00000000 01000000 71000000 00000000", "$.p@key", `"q"`, `this Object already has the key "q"; its value can be set`},
		{"godot4", "1c000000 02000000 4d000000 01000000", "$", "[5, <unknown-type>]", "at character 5: <unknown-type> marks damaged bytes; they can be kept but not written"},
		{"godot4", "1c000000 02000000 4d000000 01000000", "$", "[<unknown-type>, 5]", "nothing can be inserted after a damaged value: it takes all bytes up to the end"},
		{"godot4", "1b000000 01000000 02000000 01000000", "$", "{ 1: 5 }", "the end of this Dictionary is damaged: set its entries one by one, or repair it first"},
		{"godot4", "1b000000 02000000 02000000 01000000 1c000000 01000000 02000000 05000000 1c000000 01000000 02000000 02000000", "$", "{ 1: [5], [2]: 7 }", "the end of this Dictionary is damaged: set its entries one by one, or repair it first"},
	} {
		format := FormatOf(c.dialect)
		r := TreeOf(format, Bytes(t, c.digits)).NewReader()
		n, err := r.Resolve(c.path)
		if err != nil {
			t.Fatal(c.path, err)
		}
		splices, err := format.Set(context.Background(), r, n, edit.Content{Literal: c.literal}, edit.Options{})
		if err == nil || err.Error() != c.want || splices != nil {
			t.Errorf("%s %s = %s: %v %v, not %s", c.digits, c.path, c.literal, splices, err, c.want)
		}
		var asked *edit.TypeError
		if errors.As(err, &asked) {
			if _, err := format.Set(context.Background(), r, n, edit.Content{Literal: c.literal}, edit.Options{Retype: true}); err != nil && !strings.Contains(c.literal, "&") {
				t.Errorf("%s %s = %s: %v, though it may be retyped", c.digits, c.path, c.literal, err)
			}
		}
	}
}

// On request, what is written without a type gets the type of the value, if it can have it.
func TestInfer(t *testing.T) {
	const ints, vector = "1c000100 02000000 01000000 02000000 05000000", "09000000 0000803f 00000000 00000000"
	for _, c := range []struct{ digits, literal, want string }{
		{ints, "[1, 2]", "1c000100 02000000 02000000 02000000 01000000 02000000 02000000"},
		{ints, "[]", "1c000100 02000000 00000000"},
		{ints, `  ["a"] `, "at character 4: Array[int] holds int, this is String"},
		{ints, `["a"]`, "at character 2: Array[int] holds int, this is String"},
		{"1c000100 15000000 00000000", `["a"]`, "1c000100 15000000 01000000 15000000 01000000 61000000"},
		{"1b000500 15000000 02000000 00000000", `{ "a": 1 }`, "1b000500 15000000 02000000 01000000 15000000 01000000 61000000 02000000 01000000"},
		{"1e000000 01000000 05000000", "[1, 2147483648]", "at character 5: this number must fit 32 bits: -2147483648 to 2147483647"},
		{vector, "(1, 2, -.5)", vector[:8] + "0000803f 00000040 000000bf"},
		{vector, "1, inf, 3", vector[:8] + "0000803f 0000807f 00004040"},
		{vector, " 1  2 3", vector[:8] + "0000803f 00000040 00004040"},
		{vector, "(1, 2)", "at character 6: Vector3 needs 3 numbers, here are 2"},
		{vector, "1, x, 3", "at character 4: a number is expected"},
		{vector, "(1, 2, 3", "at character 1: a number is expected"},
		{vector, "5", ""},
		{"1e000000 01000000 05000000", "1 2", "1e000000 02000000 01000000 02000000"},
		{ints, "Array([1])", ""}, // says a type
		{ints, "Array[float]([1.0])", ""},
		{ints, "{}", ""},
		{"1b000500 04000000 02000000 00000000", `{ "a": 1 }`, "1b000500 04000000 02000000 01000000 04000000 01000000 61000000 02000000 01000000"},
		{"1b000500 04000000 02000000 00000000", `{ 1: 1 }`, ""},
		{"1e000000 01000000 05000000", "[1, 2]", "1e000000 02000000 01000000 02000000"},
		{"1e000000 01000000 05000000", "[1.5]", ""},
		{"23000000 00000000", "[Vector2(1, 2), Vector2(0, -1)]", "23000000 02000000 0000803f 00000040 00000000 000080bf"},
		{"23000000 00000000", "[1, 2]", "23000000 01000000 0000803f 00000040"},
		{"23000000 00000000", "[Vector2(1, 2), Vector3(0, 0, -1)]", ""},
		{"23000000 00000000", "[Vector2(1, 2), 3]", ""},
		{"25000000 00000000", "[Color(1, 0, 0, 0), Color(0, 1, 0, 1)]", "25000000 02000000 0000803f 00000000 00000000 00000000 00000000 0000803f 00000000 0000803f"},
		{"1d000000 00000000", "[1, 255]", "1d000000 02000000 01ff0000"},
		{"22000000 00000000", `["a"]`, "22000000 01000000 02000000 61000000"},
		{"1c000000 00000000", "[1]", "1c000000 01000000 02000000 01000000"},
	} {
		format := FormatOf("godot4")
		data := Bytes(t, c.digits)
		r := TreeOf(format, data).NewReader()
		n, err := r.Resolve("$")
		if err != nil {
			t.Fatal(err)
		}
		splices, err := format.Set(context.Background(), r, n, edit.Content{Literal: c.literal}, edit.Options{Infer: true})
		if c.want == "" || strings.HasPrefix(c.want, "at ") {
			if err == nil || c.want != "" && err.Error() != c.want {
				t.Errorf("%s = %s: %v, want %s", c.digits, c.literal, err, c.want)
			}
			continue
		}
		got := source.Whole(source.Bytes(data)).Splice(splices)
		b := make([]byte, got.Size())
		got.ReadAt(b, 0)
		if want := Bytes(t, c.want); err != nil || !bytes.Equal(b, want) {
			t.Errorf("%s = %s:\n% x (%v), not\n% x", c.digits, c.literal, b, err, want)
		}
	}
}
