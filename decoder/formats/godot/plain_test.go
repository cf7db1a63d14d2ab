package godot_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"varview/decoder/engine/format"
	"varview/decoder/formats/godot"
)

// texts are values in other forms than export's, with the text of var_to_str that they become, or an error.
var texts = []struct {
	form     format.Form
	as, text string
	want     string
}{
	{format.Plain, "godot4 raw", ` {"a": 1, "b": [1.5, -2, 1e3, "i:5", null, true], "a b": {}} `, `{ "a": 1, "b": [1.5, -2, 1000.0, "i:5", null, true], "a b": {} }`},
	{format.Plain, "godot3 stream", "[1, {\"type\": \"Vector2\", \"args\": [1, 2]}]", `[1, { "type": "Vector2", "args": [1, 2] }]`},
	{format.Plain, "godot3 raw", `{"a" 1}`, `line 1, byte 5, $: ':' is expected here`},
	{format.Plain, "godot3 raw", `9223372036854775808`, `line 1, byte 19, $: an int must fit 64 bits: -9223372036854775808 to 9223372036854775807`},
	{format.Literals, "godot4 raw", "{\n\"a\": Vector2(1, 2),\n&\"b\": PackedStringArray(\"x\", \"y\")\n}\n", `{ "a": Vector2(1, 2), &"b": PackedStringArray("x", "y") }`},
	{format.Literals, "godot3 raw", "[ Vector2( 1, 2 ), PoolIntArray( 1, 2 ), inf_neg ]", `[Vector2(1, 2), PoolIntArray(1, 2), inf_neg]`},
	{format.Literals, "godot4 stream", "1\n\"two\" [3]\n", `[1, "two", [3]]`},
	{format.Literals, "godot4 stream", "", `[]`},
	{format.Literals, "godot4 raw", "1\n2", "line 2, character 1: a second value begins here; a file of several is a stream (--framing stream)"},
	{format.Literals, "godot4 raw", "", "there is no value"},
	{format.Literals, "godot4 raw", "{\n\"a\" 1}", `line 2, character 5: ':' is expected here`},
	{format.Literals, "godot4 raw", "\x00", `line 1, character 1: a value is expected here`},
}

func TestOtherForms(t *testing.T) {
	for _, c := range texts {
		dialect, framing, _ := strings.Cut(c.as, " ")
		var out bytes.Buffer
		q := &format.ImportRequest{Request: format.Request{Dialect: dialect, Framing: framing}, Form: c.form}
		err := godot.Family.(format.Importer).Import(context.Background(), strings.NewReader(c.text), &out, q)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			tr := TreeOf(FormatOf(c.as), out.Bytes())
			got = TextOf(t, tr.NewReader(), &tr.Base.Value)
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.text, got, c.want)
		}
	}
}
