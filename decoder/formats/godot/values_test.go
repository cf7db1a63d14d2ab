package godot_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"varview/decoder/engine/tree"
)

// values are bytes with their meaning: the text of var_to_str, the JSON form, and the fields as kind=value.
var values = []struct{ dialect, digits, text, json, fields string }{
	{"godot4", "00000000", `null`, `null`, `type=Nil flags=0`},
	{"godot4", "01000000 01000000", `true`, `true`, `type=bool flags=0 value=true`},
	{"godot4", "02000000 feffffff", `-2`, `"i:-2"`, `type=int flags=0 value=-2`},
	{"godot4", "02000100 0000000001000000", `4294967296`, `"i:4294967296"`, `type=int flags=1 value=4294967296`},
	{"godot4", "02000100 0500000000000000", `5`, `{"type":"int","value":"5","bits":64}`, `type=int flags=1 value=5`},
	{"godot4", "03000000 0000c03f", `1.5`, `"f:1.5"`, `type=float flags=0 value=1.5`},
	{"godot4", "03000000 00000080", `-0.0`, `"f:-0.0"`, `type=float flags=0 value=-0`},
	{"godot4", "03000100 9a9999999999b93f", `0.1`, `"f:0.1"`, `type=float flags=1 value=0.1`},
	{"godot4", "03000000 0000807f", `inf`, `"f:inf"`, `type=float flags=0 value=inf`},
	{"godot4", "03000000 000080ff", `inf_neg`, `"f:-inf"`, `type=float flags=0 value=-inf`},
	{"godot4", "03000100 000000000000f87f", `nan`, `"f:nan"`, `type=float flags=1 value=nan`},
	{"godot4", "04000000 03000000 61226200", `"a\"b"`, `"s:a\"b"`, `type=String flags=0 length=3 text=a"b padding=00`},
	{"godot4", "04000000 01000000 ff000000", `"\udcff"`, `{"type":"String","hex":"ff"}`, `type=String flags=0 length=1 text=\udcff padding=000000`},
	{"godot4", "15000000 02000000 68690000", `&"hi"`, `"sn:hi"`, `type=StringName flags=0 length=2 text=hi padding=0000`},
	{"godot4", "05000000 0000803f 00000040", `Vector2(1, 2)`, `{"type":"Vector2","args":[1.0,2.0]}`, `type=Vector2 flags=0 value=1 value=2`},
	{"godot4", "05000100 000000000000f03f 9a9999999999b93f", `Vector2(1, 0.1)`, `{"type":"Vector2","bits":64,"args":[1.0,0.1]}`, `type=Vector2 flags=1 value=1 value=0.1`},
	{"godot4", "06000000 01000000 ffffffff", `Vector2i(1, -1)`, `{"type":"Vector2i","args":[1,-1]}`, `type=Vector2i flags=0 value=1 value=-1`},
	{"godot4", "11000000 0000803f 00008040 0000e040 00000040 0000a040 00000041 00004040 0000c040 00001041",
		`Basis(1, 4, 7, 2, 5, 8, 3, 6, 9)`, `{"type":"Basis","args":[1.0,2.0,3.0,4.0,5.0,6.0,7.0,8.0,9.0]}`,
		`type=Basis flags=0 value=1 value=4 value=7 value=2 value=5 value=8 value=3 value=6 value=9`},
	{"godot4", "16000000 01000080 01000000 01000000 01000000 61aabbcc 01000000 62000000", `^"/a:b"`, `"np:/a:b"`,
		`type=NodePath flags=0 length=1 length=1 flags=1 length=1 text=a padding=aabbcc length=1 text=b padding=000000`},
	{"godot4", "16000000 01000080 00000000 00000000 03000000 612f6200", `^"a/b"`, `{"type":"NodePath","absolute":false,"names":["a/b"],"subnames":[]}`,
		`type=NodePath flags=0 length=1 length=0 flags=0 length=3 text=a/b padding=00`},
	{"godot4", "17000000 0700000000000000", `RID(7)`, `{"type":"RID","id":"7"}`, `type=RID flags=0 id=7`},
	{"godot3", "10000000", `RID()`, `{"type":"RID"}`, `type=RID flags=0`},
	{"godot4", "18000100 0900000000000000", `Object(EncodedObjectAsID, "object_id": 9)`,
		`{"type":"EncodedObjectAsID","props":["object_id","i:9","script",null],"as_id":true}`, `type=Object flags=1 id=9`},
	{"godot4", "18000000 00000000", `Object()`, `{"type":"Object"}`, `type=Object flags=0 length=0`},
	{"godot4", "18000000 01000000 41000000 01000000 01000000 70000000 00000000", `Object(A, "p": null)`, `{"type":"A","props":["p",null]}`,
		`type=Object flags=0 length=1 text=A padding=000000 length=1 length=1 text=p padding=000000 type=Nil flags=0`},
	{"godot4", "18000000 03000000 415d1b00 00000000", `Object("A]\u001b")`, `{"type":"A]\u001b","props":[]}`,
		`type=Object flags=0 length=3 text=A]\u001b padding=00 length=0`},
	{"godot4", "19000000", `Callable()`, `{"type":"Callable"}`, `type=Callable flags=0`},
	{"godot4", "1a000000 01000000 73000000 0500000000000000", `Signal("s", 5)`, `{"type":"Signal","name":"s","object_id":"5"}`,
		`type=Signal flags=0 length=1 text=s padding=000000 id=5`},
	{"godot4", "1b000000 01000000 02000000 01000000 00000000", `{ 1: null }`, `{"type":"Dictionary","args":["i:1",null]}`,
		`type=Dictionary flags=0 length=1 type=int flags=0 value=1 type=Nil flags=0`},
	{"godot4", "1b000500 04000000 02000000 00000080", `Dictionary[String, int]({})`,
		`{"type":"Dictionary","key_type":"String","value_type":"int","shared":true,"args":[]}`,
		`type=Dictionary flags=5 type=String type=int length=0 shared`},
	{"godot4", "1c000000 02000000 00000000 00000000", `[null, null]`, `[null,null]`, `type=Array flags=0 length=2 type=Nil flags=0 type=Nil flags=0`},
	{"godot4", "1c000200 04000000 4e6f6465 00000000", `Array[Node]([])`, `{"type":"Array","elem_type":"Node","args":[]}`,
		`type=Array flags=2 length=4 text=Node length=0`},
	{"godot4", "1c000200 04000000 1b5b324a 00000000", `Array["\u001b[2J"]([])`, `{"type":"Array","elem_type":"\u001b[2J","args":[]}`,
		`type=Array flags=2 length=4 text=\u001b[2J length=0`},
	{"godot4", "1c000300 01000000 73000000 00000000", `Array[Resource("s")]([])`, `{"type":"Array","elem_type":"s","elem_kind":"script","args":[]}`,
		`type=Array flags=3 length=1 text=s padding=000000 length=0`},
	{"godot4", "1d000000 02000000 01ff0000", `PackedByteArray(1, 255)`, `{"type":"PackedByteArray","args":[1,255]}`,
		`type=PackedByteArray flags=0 length=2 data=01ff padding=0000`},
	{"godot4", "1f000000 01000000 0000000001000000", `PackedInt64Array(4294967296)`, `{"type":"PackedInt64Array","args":[4294967296]}`,
		`type=PackedInt64Array flags=0 length=1 value=4294967296`},
	{"godot4", "20000000 01000000 0000807f", `PackedFloat32Array(inf)`, `{"type":"PackedFloat32Array","args":["inf"]}`,
		`type=PackedFloat32Array flags=0 length=1 value=inf`},
	{"godot4", "22000000 02000000 02000000 61000000 01000000 62000000", `PackedStringArray("a", "b")`, `{"type":"PackedStringArray","args":["a","b"]}`,
		`type=PackedStringArray flags=0 length=2 length=2 text=a terminator=00 padding=0000 length=1 text=b padding=000000`},
	{"godot4", "23000000 01000000 0000803f 00000040", `PackedVector2Array(1, 2)`, `{"type":"PackedVector2Array","args":[1.0,2.0]}`,
		`type=PackedVector2Array flags=0 length=1 value=1 value=2`},
	{"godot3", "17000000 ffffffff", `PoolStringArray()`, `{"type":"PoolStringArray","args":[]}`, `type=PoolStringArray flags=0 length=4294967295`},
	{"godot3 double", "05000000 000000000000f03f 000000000000e0bf", `Vector2(1, -0.5)`, `{"type":"Vector2","args":[1.0,-0.5]}`, `type=Vector2 flags=0 value=1 value=-0.5`},
	{"godot3-early-docs", "02000000 0500000000000000", `5`, `"i:5"`, `type=int flags=0 value=5`},
	{"pandemonium", "1b000000 02000000 01000000 0200000001000000", `TypedArray(int, 1)`, `{"type":"TypedArray","elem_type":"int","args":["i:1"]}`,
		`type=TypedArray flags=0 type=int length=1 type=int flags=0 value=1`},
	{"pandemonium", "1b000000 17000000 18000000 01000000 41000000 00000000", `TypedArray(A)`, `{"type":"TypedArray","elem_type":"A","args":[]}`,
		`type=TypedArray flags=0 type=Object type=StringName flags=0 length=1 text=A padding=000000 length=0`},
	{"pandemonium", "1b000000 00000000 00000000", `TypedArray(Variant)`, `{"type":"TypedArray","args":[]}`, `type=TypedArray flags=0 type=Nil length=0`},
	{"godot4 stream", "04000000 00000000 08000000 01000000 00000000", "[null, false]", "[null,\nfalse]", `length=4 type=Nil flags=0 length=8 type=bool flags=0 value=false`},
	{"godot4", "", ``, `{"type":"Damaged","problem":"truncated","offset":0}`, ``},
	{"godot4", "4d000000", `<unknown-type>`, `{"type":"Damaged","problem":"unknown-type","offset":0}`, `type=type 77 flags=0`},
}

func TestValues(t *testing.T) {
	for _, c := range values {
		tr := Read(t, c.dialect, c.digits)
		var text, json bytes.Buffer
		r, base := tr.NewReader(), &tr.Base.Value
		if err := r.WriteText(context.Background(), &text, base); err != nil || text.String() != c.text {
			t.Errorf("%s: text %s %v, not %s", c.digits, text.String(), err, c.text)
		}
		if err := r.WriteJSON(context.Background(), &json, base); err != nil || json.String() != c.json+"\n" {
			t.Errorf("%s: JSON %s %v, not %s", c.digits, json.String(), err, c.json)
		}
		var fields []string
		if err := tr.EachField(context.Background(), func(f tree.OwnedField) error {
			fields = append(fields, f.Kind.String()+"="+string(f.Value))
			return nil
		}); err != nil {
			t.Error(err)
		}
		if got := strings.Join(fields, " "); got != c.fields {
			t.Errorf("%s: fields %s, not %s", c.digits, got, c.fields)
		}
	}
}

// TestLines: the values of a stream have a line each.
func TestLines(t *testing.T) {
	for digits, want := range map[string]string{"": "", "04000000 00000000 08000000 01000000 00000000": "null\nfalse\n"} {
		var b bytes.Buffer
		if err := Read(t, "godot4 stream", digits).NewReader().WriteLines(context.Background(), &b); err != nil || b.String() != want {
			t.Errorf("%q: %q (%v), not %q", digits, &b, err, want)
		}
	}
}

// TestLiteralLimit: a literal is cut where it grows too long or too deep.
func TestLiteralLimit(t *testing.T) {
	tr := Read(t, "godot4", "04000000 06000000 c3a4c3b6c3bc0000") // "äöü"
	r := tr.NewReader()
	v, err := r.Child(tr.Base, 0)
	if err != nil {
		t.Fatal(err)
	}
	for limit, want := range map[int]string{8: `"äöü"`, 7: `"äöü…`, 4: `"ä…`, 1: `"…`, 0: `…`} {
		if got := r.AppendLiteral(nil, &v.Value, limit); string(got) != want {
			t.Errorf("limit %d: %s, not %s", limit, got, want)
		}
	}
	tr = Read(t, "godot4", strings.Repeat("1c000000 01000000", 100)+"00000000")
	if got := string(tr.NewReader().AppendLiteral(nil, &tr.Base.Value, 1000)); got != strings.Repeat("[", 31)+"…" {
		t.Error(got)
	}
}
