package decoder

import (
	"encoding/hex"
	"strings"
	"testing"
)

// TestImplausible: bytes that read cleanly in several dialects are read in the one in which the values are
// not absurd.
func TestImplausible(t *testing.T) {
	for _, c := range []struct {
		name, dialect, bytes string
	}{
		{"an Array of Godot 3 as large as a Projection", "godot3", "13000000 06000000 04000000 04000000 4d697261 02000000 d9050000 00000000 01000000 01000000" +
			"03000100 7b14ae47e1e15540 04000000 08000000 6f665f6c69676874"},
		{"a Dictionary of Godot 3 as large as a Transform3D", "godot3", "12000000 02000000 04000000 02000000 68700000 02000000 57000000 04000000 04000000 676f6c64 02000000 d9050000"},
		{"a Vector4i of Pandemonium as large as a Vector4", "pandemonium", "0c000000 01000000 feffffff 03000000 fcffffff"},
		{"an Array of Pandemonium as large as a Signal", "pandemonium", "1a000000 01000000 04000000 02000000 68700000"},
	} {
		data, err := hex.DecodeString(strings.ReplaceAll(c.bytes, " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		if d := open(t, data, Options{}); d.Dialect != c.dialect {
			t.Errorf("%s: %s, %s", c.name, d.Dialect, d.Confidence)
		}
	}
}
