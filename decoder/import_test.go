package decoder

import (
	"bytes"
	"context"
	"strings"
	"testing"
)

// TestImport checks what import makes of values in each dialect's form, and which options exclude each
// other.
func TestImport(t *testing.T) {
	for _, c := range []struct {
		values string
		o      ImportOptions
		want   string // bytes, or the end of an error
	}{
		{`"i:7"`, ImportOptions{Dialect: "godot4"}, "\x02\x00\x00\x00\x07\x00\x00\x00"},
		{`["i:7"]`, ImportOptions{Dialect: "godot3", Framing: "stream"}, "\x08\x00\x00\x00\x02\x00\x00\x00\x07\x00\x00\x00"},
		{`["i:7"]`, ImportOptions{Dialect: "godot3", Framing: "stream", BigEndian: true}, "\x00\x00\x00\x08\x02\x00\x00\x00\x07\x00\x00\x00"},
		{`{"type":"Vector2","args":[1,0]}`, ImportOptions{Dialect: "godot3", Double: true}, "\x05\x00\x00\x00\x00\x00\x00\x00\x00\x00\xf0\x3f" + strings.Repeat("\x00", 8)},
		{`{"type":"u8","value":7}`, ImportOptions{Dialect: "elephant-1.1.0"}, "ATMC\x00\x01\x01\x00\x01\x07"},
		{`"i:7"`, ImportOptions{}, "give --as DIALECT"},
		{`"i:7"`, ImportOptions{Dialect: "godot4", BigEndian: true}, "the lengths of --framing stream"},
		{`"i:7"`, ImportOptions{Dialect: "elephant-1.5.1", Framing: "stream"}, "knows neither --framing stream nor --double"},
		{`"i:7"`, ImportOptions{Dialect: "unreal"}, "elephant-1.0.0, configfile, ini, godot4-text, godot3-text, json, jsonl, msgpack, gamemaker-ds, properties, lines, snap, snap4, messages"},
	} {
		var out bytes.Buffer
		got := ""
		if err := Import(context.Background(), strings.NewReader(c.values), &out, c.o); err != nil {
			got = err.Error()
		} else {
			got = out.String()
		}
		if got != c.want && (got == out.String() || !strings.HasSuffix(got, c.want)) {
			t.Errorf("%s as %v: %q, want %q", c.values, c.o, got, c.want)
		}
	}
}
