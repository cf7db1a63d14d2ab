package godot_test

import (
	"errors"
	"strings"
	"testing"

	"varview/decoder/edit"
	"varview/decoder/formats/godot"
)

// TestLiterals: notations that Write does not use, and the bytes that an engine
// writes for them.
func TestLiterals(t *testing.T) {
	for _, c := range []struct{ dialect, text, want string }{
		{"godot4", " 0x1F ", "02000000 1f000000"},
		{"godot4", "-0b101", "02000000 fbffffff"},
		{"godot4", "007", "02000000 07000000"},
		{"godot4", "-9223372036854775808", "02000100 0000000000000080"},
		{"godot4", "1e5", "03000000 0050c347"},
		{"godot4", ".5", "03000000 0000003f"},
		{"godot4", "-inf", "03000000 000080ff"},
		{"godot4", "inf_neg", "03000000 000080ff"},
		{"godot4", "nan", "03000100 000000000000f87f"},
		{"godot4", "\"a\nb\"", "04000000 03000000 610a6200"},
		{"godot4", `"\u00e4\ud83d\ude00\udcff\U01f600\/\'"`, "04000000 0d000000 c3a4f09f9880fff09f98802f27000000"},
		{"godot4", `NodePath("a")`, "16000000 01000080 00000000 00000000 01000000 61000000"},
		{"godot4", `^"/"`, "16000000 00000080 00000000 01000000"},
		{"godot4", `^"a//b/:c:"`, "16000000 02000080 01000000 00000000 01000000 61000000 01000000 62000000 01000000 63000000"},
		{"godot4", `StringName("a")`, "15000000 01000000 61000000"},
		{"godot4", "#ff0000", "14000000 0000803f 00000000 00000000 0000803f"},
		{"godot4", "#f000", "14000000 0000803f 00000000 00000000 00000000"},
		{"godot3", "IntArray(1)", "15000000 01000000 01000000"},
		{"godot4", `Color("#00ff0000")`, "14000000 00000000 0000803f 00000000 00000000"},
		{"godot4", "[ 1 , ]", "1c000000 01000000 02000000 01000000"},
		{"godot4", "{\n\"a\"\n:null}", "1b000000 01000000 04000000 01000000 61000000 00000000"},
		{"godot4", "Vector2 ( 1,\t2)", "05000000 0000803f 00000040"},
		{"godot4", "Vector2(16777217, 100000000000000000000)", "05000000 0000804b ec78ad60"},
		{"godot4", "Array[ Resource ( \"s\" ) ] ( [ ] )", "1c000300 01000000 73000000 00000000"},
		{"godot4", "Dictionary[Variant, Node]({})", "1b000800 04000000 4e6f6465 00000000"},
		{"godot4", "Array[type 77]([])", "1c000100 4d000000 00000000"},
		{"godot4", `Array["int"]([])`, "1c000200 03000000 696e7400 00000000"},
		{"godot4", `Object("EncodedObjectAsID", "object_id": 1)`,
			"18000000 11000000 456e636f6465644f626a656374417349 44000000 01000000 09000000 6f626a6563745f6964000000 02000000 01000000"},
		{"godot4", "Quat(0, 0, 0, 1)", "0f000000 00000000 00000000 00000000 0000803f"},
		{"godot3", "Quaternion(0, 0, 0, 1)", "0a000000 00000000 00000000 00000000 0000803f"},
		{"godot3", "RID()", "10000000"},
		{"godot3", "PoolRealArray(1)", "16000000 01000000 0000803f"},
		{"godot3 double", "PoolRealArray(1)", "16000000 01000000 000000000000f03f"},
		{"godot3 double", "1.5", "03000000 0000c03f"},
		{"godot3-early-docs", "5", "02000000 0500000000000000"},
		{"godot3-early-docs", "0.1", "03000000 cdcccc3d"},
		{"pandemonium", "TypedArray(int)", "1b000000 02000000 00000000"},
		{"pandemonium", "TypedArray(A, null)", "1b000000 17000000 18000000 01000000 41000000 01000000 00000000"},
		{"pandemonium", "TypedArray(Object)", "1b000100 17000000 00000000"},
		{"pandemonium", "TypedArray(Variant, 1)", "1b000000 00000000 01000000 02000000 01000000"},
		{"pandemonium", "TypedArray(float, 1)", "1b000000 03000000 01000000 03000000 0000803f"},
	} {
		b, err := Encoded(FormatOf(c.dialect), c.text)
		if want := Bytes(t, c.want); err != nil || string(b) != string(want) {
			t.Errorf("%s %s: % x %v, not % x", c.dialect, c.text, b, err, want)
		}
	}
}

// TestLiteralErrors: the message and place of errors in literals.
func TestLiteralErrors(t *testing.T) {
	for _, c := range []struct {
		dialect, text string
		at            int
		message       string
	}{
		{"godot4", "", 0, "a value is expected here"},
		{"godot4", "\x1b5", 0, "a value is expected here"},
		{"godot4", "5 ; six", 2, "the value ends before this"},
		{"godot4", "  ", 2, "a value is expected here"},
		{"godot4", "hello", 0, `hello is neither a type, true, false nor null; quote text: "hello"`},
		{"godot4", "5 6", 2, "the value ends before this"},
		{"godot4", "5\x00", 1, `a NUL is written \u0000, within quotes`},
		{"godot4", "12ab", 2, "this does not belong to a number"},
		{"godot4", "0x", 0, "a number is expected, as 42, -0.5, 1e6, 0x1f, inf or nan"},
		{"godot4", "1.2.3", 3, "this does not belong to a number"},
		{"godot4", "--1", 0, "a number is expected, as 42, -0.5, 1e6, 0x1f, inf or nan"},
		{"godot4", "9223372036854775808", 0, "an int must fit 64 bits: -9223372036854775808 to 9223372036854775807"},
		{"godot4", "1e309", 0, "float holds up to 1.8e308"},
		{"godot3-early-docs", "1e39", 0, "float32 holds up to 3.4e38"},
		{"godot4", `"abc`, 0, "the closing quote of this text is missing"},
		{"godot4", `"a\q"`, 2, `there is no such escape; a backslash itself is \\`},
		{"godot4", `"\u12"`, 1, `\u needs four hex digits`},
		{"godot4", `"\ud83d"`, 1, `this is half of a surrogate pair; the other half must be next to it, as in \ud83d\ude00`},
		{"godot4", `"\udc00"`, 1, `this is half of a surrogate pair; the other half must be next to it, as in \ud83d\ude00`},
		{"godot4", `"\U110000"`, 1, `\U needs the six hex digits of a character`},
		{"godot4", "Vector3(1, 2)", 12, "Vector3 needs 3 numbers, here are 2"},
		{"godot4", "Vector3(1, 2, 3, 4)", 18, "Vector3 needs 3 numbers, here are 4"},
		{"godot4", "Vector3(1, x, 3)", 11, "a number is expected"},
		{"godot4", "Vector3 1", 8, "'(' is expected here"},
		{"godot4", "Vector2i(1, 0.5)", 12, "a whole number is expected here"},
		{"godot4", "Vector2i(1, 2147483648)", 12, "this number must fit 32 bits: -2147483648 to 2147483647"},
		{"godot4", "Vector2(1, 1e39)", 11, "float32 holds up to 3.4e38"},
		{"godot4", "PackedByteArray(1, 256)", 19, "this byte must be 0 to 255"},
		{"godot4", "PackedVector2Array(1, 2, 3)", 26, "PackedVector2Array needs 2 numbers for each element, here are 3"},
		{"godot4", "PackedStringArray(5)", 18, "a text in quotes is expected"},
		{"godot3", "Vector2i(1, 2)", 0, "Godot 3 has no Vector2i"},
		{"godot3", `[&"a"]`, 1, "Godot 3 has no StringName"},
		{"godot3", "Array[int]([])", 0, "Godot 3 has no typed Array"},
		{"godot3", "RID(5)", 4, "Godot 3 does not store the id of a RID; it must be written RID()"},
		{"godot4", "RID(-5)", 4, "an id must be a number from 0 to 18446744073709551615"},
		{"godot4", "#ff000", 0, "a colour must be #rrggbb or #rrggbbaa, not 5 digits"},
		{"godot4", "#gg0000", 0, "a colour is #rrggbb or #rrggbbaa in hex digits"},
		{"godot4", "int(5)", 0, "int must be written without its name"},
		{"godot4", "Nil", 0, "the value of type Nil must be written null"},
		{"godot4", "[1 2]", 3, "a comma or ']' is expected here"},
		{"godot4", "[1", 2, "a comma or ']' is expected here"},
		{"godot4", "[,]", 1, "a value is expected here"},
		{"godot4", `{ "a" 1 }`, 6, "':' is expected here"},
		{"godot4", "Array[int](5)", 11, "'[' is expected here"},
		{"godot4", "Array[int]([1.5])", 12, "Array[int] holds int, this is float"},
		{"godot4", `Dictionary[String, int]({ 1: 1 })`, 26, "Dictionary[String, int] holds String, this is int"},
		{"godot4", "Object(5)", 7, "the name of a class is expected"},
		{"godot4", `Object(A, p: 1)`, 10, "the name of a property in quotes is expected"},
		{"godot4", `Object("")`, 7, "an object without a class must be written Object()"},
		{"godot4", `^"a::b"`, 0, "a subname of this path is empty"},
		{"godot4", "<truncated>", 0, "<truncated> marks damaged bytes; they can be kept but not written"},
		{"godot4", strings.Repeat("[", 1025), 1025, "a literal nests at most 1024 levels deep"},
		{"pandemonium", `TypedArray(Resource("s"))`, 23, "a TypedArray must hold a type or a class"},
	} {
		_, err := Encoded(FormatOf(c.dialect), c.text)
		var syntax *edit.SyntaxError
		if !errors.As(err, &syntax) || syntax.At != c.at || syntax.Message != c.message {
			t.Errorf("%s %.60s: %v, not at character %d: %s", c.dialect, c.text, err, c.at+1, c.message)
		}
	}
	if _, err := Encoded(FormatOf("godot4"), strings.Repeat("[", 1024)+strings.Repeat("]", 1024)); err != nil {
		t.Error(err)
	}
}

// FuzzLiteral: the bytes of a literal are read as the same value.
func FuzzLiteral(f *testing.F) {
	for _, file := range Files(f) {
		if r := TreeOf(file.Format, file.Data).NewReader(); len(file.Data) < 4000 {
			f.Add(TextOf(f, r, &r.Tree.Base.Value))
		}
	}
	f.Add(`[#ff0000, Object(A, "b": Signal("c", 5)), TypedArray(int, 1), Array[Resource("x")]([null]), 0b1, -inf, "\udcff\U01f600"]`)
	f.Add(`[Array[type 3]([7]), Array[type 007]([7]), Array[type 900]([7])]`) // numbers of types that have a name or not
	f.Fuzz(func(t *testing.T, text string) {
		for _, d := range godot.Dialects() {
			format := godot.New(godot.Settings{Dialect: d})
			b, err := Encoded(format, text)
			if err != nil {
				continue
			}
			r := TreeOf(format, b).NewReader()
			if found := Problems(t, r.Tree); found["truncated"]+found["trailing-bytes"]+found["length-overrun"]+found["missing-padding"]+found["unknown-flags"] > 0 {
				t.Fatalf("%s %s: % x: %v", d.Name, text, b, found)
			}
			shown := TextOf(t, r, &r.Tree.Base.Value)
			again, err := Encoded(format, shown)
			if err != nil || string(again) != string(b) {
				t.Fatalf("%s %s: % x is %s: % x %v", d.Name, text, b, shown, again, err)
			}
		}
	})
}
