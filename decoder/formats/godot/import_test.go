package godot_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"varview/decoder/formats/godot"
)

// lost are the files whose JSON loses something, and why.
var lost = map[string]string{
	"handmade/godot4-string-array-without-nul": "whether the NUL is stored",
}

func exported(t testing.TB, f *godot.Format, data []byte) string {
	tr := TreeOf(f, data)
	var b bytes.Buffer
	if err := f.WriteJSON(context.Background(), &b, tr.NewReader(), &tr.Base.Value); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func imported(f *godot.Format, json string) ([]byte, error) {
	var b bytes.Buffer
	err := f.Import(context.Background(), strings.NewReader(json), &b)
	return b.Bytes(), err
}

// TestImportExport: exported values are imported as the same bytes.
func TestImportExport(t *testing.T) {
	for _, file := range Files(t) {
		if !strings.HasPrefix(file.Name, "damaged/") && lost[file.Name] == "" {
			importExport(t, file)
		}
	}
}

func importExport(t *testing.T, file File) {
	json := exported(t, file.Format, file.Data)
	got, err := imported(file.Format, json)
	if err != nil {
		t.Errorf("%s: %v\n%.300s", file.Name, err, json)
		return
	}
	if want := Cleaned(t, file, false); !bytes.Equal(got, want) {
		t.Errorf("%s: %.300s\n% x\nbecomes\n% x", file.Name, json, want, got)
	}
}

// TestImportSorted: members may come in any order. Godot's JSON.stringify sorts
// them.
func TestImportSorted(t *testing.T) {
	for _, file := range Files(t) {
		if strings.HasPrefix(file.Name, "damaged/") || lost[file.Name] != "" {
			continue
		}
		text := exported(t, file.Format, file.Data)
		if strings.Contains(text, `\udc`) {
			continue // encoding/json knows no such escape
		}
		var v any
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		if err := d.Decode(&v); err != nil {
			t.Fatal(file.Name, err)
		}
		sorted, err := json.MarshalIndent(v, "", "\t")
		if err != nil {
			t.Fatal(err)
		}
		got, err := imported(file.Format, string(sorted))
		if want := Cleaned(t, file, false); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %v %.300s\n% x\nbecomes\n% x", file.Name, err, sorted, want, got)
		}
	}
}

// TestImport: forms that only Godot or people write.
func TestImport(t *testing.T) {
	for _, c := range []struct{ as, json, want string }{
		{"godot4", ` [ 1 , -2.5 , true ] `, "1c000000 03000000 02000000 01000000 03000000 000020c0 01000000 01000000"},
		{"godot4", `{"args":["inf","-inf",1],"type":"PackedFloat32Array"}`, "20000000 03000000 0000807f 000080ff 0000803f"},
		{"godot4", `{"args":["inf","a"],"type":"PackedStringArray"}`, "22000000 02000000 04000000 696e6600 02000000 61000000"},
		{"godot4", `{"args":[1.0,2],"type":"Vector2i"}`, "06000000 01000000 02000000"},
		{"godot4", `{"args":[5,1.5],"type":"Array","elem_type":"Variant"}`, "1c000000 02000000 02000000 05000000 03000000 0000c03f"},
		{"godot4", `{"args":[],"elem_type":"res://a.gd","type":"Array"}`, "1c000300 0a000000 7265733a 2f2f612e 67640000 00000000"},
		{"godot4", `{"args":[],"elem_type":"Node","type":"Array"}`, "1c000200 04000000 4e6f6465 00000000"},
		{"godot4", `{"type":"Signal"}`, "1a000000 00000000 00000000 00000000"},
		{"godot4", `{"type":"RID"}`, "17000000 00000000 00000000"},
		{"godot4", `{"type":"Object"}`, "18000000 00000000"},
		{"godot4", `{"props":["a","i:1"],"type":"A"}`, "18000000 01000000 41000000 01000000 01000000 61000000 02000000 01000000"},
		{"godot4", `{"args":[{"args":[1,2],"type":"Vector2"}],"type":"Array"}`, "1c000000 01000000 05000000 0000803f 00000040"},
		{"godot4", `"np:/a:b"`, "16000000 01000080 01000000 01000000 01000000 61000000 01000000 62000000"},
		{"godot4", `"s:\ud83d\ude00\u00e4"`, "04000000 06000000 f09f9880 c3a40000"},
		{"godot3", `{"type":"Quaternion","args":[0,0,0,1]}`, "0a000000 00000000 00000000 00000000 0000803f"},
		{"godot4 stream", `[]`, ""},
		{"godot4 big-endian", `[null,["i:1"]]`, "00000004 00000000 00000010 1c000000 01000000 02000000 01000000"},
	} {
		got, err := imported(FormatOf(c.as), c.json)
		if want := Bytes(t, c.want); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s %s: % x %v, not % x", c.as, c.json, got, err, want)
		}
	}
}

// TestImportErrors: the message and place of errors in JSON.
func TestImportErrors(t *testing.T) {
	for _, c := range []struct{ as, json, want string }{
		{"godot4", "", "line 1, byte 0, $: a value is expected here"},
		{"godot4", "nul", "line 1, byte 3, $: a value is expected here"},
		{"godot4", "null null", "line 1, byte 5, $: the value ends before this"},
		{"godot4", "[\n1,\n\"hello\"]", `line 3, byte 12, $[1]: a string begins with what it is: "s:" text, "sn:" a name, "np:" a path, "i:" an int, "f:" a float`},
		{"godot4", `["i:1.5"]`, "line 1, byte 8, $[0]: a whole number must follow i:"},
		{"godot4", `["i:99999999999999999999"]`, "line 1, byte 25, $[0]: an int must fit 64 bits: -9223372036854775808 to 9223372036854775807"},
		{"godot4", `[1,]`, "line 1, byte 4, $[0]: a value is expected after the comma"},
		{"godot4", `[1`, "line 1, byte 2, $[0]: ']' is expected here"},
		{"godot4", `"s:ab`, "line 1, byte 5, $: the JSON ends here, too early"},
		{"godot4", `"s:\x"`, `line 1, byte 3, $: there is no such escape; a backslash itself is \\`},
		{"godot4", `{"type":"Vector2","args":[1]}`, "line 1, byte 28, $.args: Vector2 needs 2 numbers, here is 1"},
		{"godot4", `{"type":"Vector2","args":["s:a",1]}`, "line 1, byte 31, $.args[0]: Vector2 has args that are numbers"},
		{"godot4", `{"type":"PackedByteArray","args":[1,256]}`, "line 1, byte 39, $.args[1]: this byte must be 0 to 255"},
		{"godot4", `{"type":"PackedStringArray","args":["a",5]}`, `line 1, byte 40, $.args[1]: '"' is expected here`},
		{"godot4", `{"type":"Vector9","args":[1]}`, "line 1, byte 25, $.args: there is no type Vector9, and an object of a class has props"},
		{"godot4", `{"type":"Quat","foo":1}`, `line 1, byte 21, $.foo: "foo" does not belong here`},
		{"godot4", `{"args":[]}`, `line 1, byte 11, $: this has no "type": plain JSON, as "export --json" prints it, lacks the types and cannot be imported; with --from plain it gets those of JSON`},
		{"godot4", `{"version":3,"name":"Aria"}`, `line 1, byte 11, $.version: "version" does not belong here: plain JSON, as "export --json" prints it, lacks the types and cannot be imported; with --from plain it gets those of JSON`},
		{"godot4", `{"type":"Dictionary","args":["i:1"]}`, "line 1, byte 35, $.args: the value of the last key is missing"},
		{"godot4", `{"type":"A","props":["p"]}`, "line 1, byte 25, $.props: the value of the last property is missing"},
		{"godot4", `[null,{"type":"Damaged","problem":"truncated","offset":3}]`, "line 1, byte 57, $[1]: damaged bytes (truncated) cannot be imported: the JSON does not hold them"},
		{"godot3", `["sn:a"]`, "line 1, byte 7, $[0]: Godot 3 has no StringName"},
		{"godot3", `{"type":"Array","elem_type":"int","args":[]}`, "line 1, byte 41, $.args: Godot 3 has no typed Array"},
		{"godot3", `{"type":"Vector2","bits":64,"args":[1,2]}`, "line 1, byte 35, $.args: Vector2 of Godot 3 cannot have 64-bit components"},
		{"godot4", "{\n\"args\":[1,\n[]],\"type\":\"Vector2\"}", "line 3, byte 13, $.args[1]: Vector2 has args that are numbers"},
		{"godot4", `{"type":"Array","args":[],"elem_type":"int"}`, `line 1, byte 38, $.elem_type: "elem_type" must come before "args"`},
		{"godot4", `{"type":"String","hex":"61","args":[]}`, "line 1, byte 35, $.args: String has no args"},
		{"godot4", `{"type":"Array","type":"Vector2"}`, "line 1, byte 23, $.type: type is repeated"},
	} {
		_, err := imported(FormatOf(c.as), c.json)
		if err == nil || !strings.HasSuffix(err.Error(), c.want) {
			t.Errorf("%s %.80s: %.200v, not %s", c.as, c.json, err, c.want)
		}
	}
}

// FuzzImport: imported values are read without a problem, exported, and imported as
// the same bytes.
func FuzzImport(f *testing.F) {
	for _, file := range Files(f) {
		if len(file.Data) < 4000 {
			f.Add(exported(f, file.Format, file.Data))
		}
	}
	f.Add(`{"args":["i:1",{"args":[1,"nan"],"type":"Vector2"},5],"elem_type":"A","elem_kind":"script","shared":true,"type":"Array"}`)
	f.Fuzz(func(t *testing.T, text string) {
		for _, d := range godot.Dialects() {
			for _, framing := range []godot.Framing{godot.Raw, godot.Stream} {
				format := godot.New(godot.Settings{Dialect: d, Framing: framing})
				b, err := imported(format, text)
				if err != nil {
					continue
				}
				json := exported(t, format, b)
				if strings.Contains(json, `"Damaged"`) {
					t.Fatalf("%s %s: % x is %s", d.Name, text, b, json)
				}
				if again, err := imported(format, json); err != nil || !bytes.Equal(again, b) {
					t.Fatalf("%s %s: % x is %s: % x %v", d.Name, text, b, json, again, err)
				}
			}
		}
	})
}
