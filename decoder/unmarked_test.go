package decoder_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"testing"

	"varview/decoder"
	"varview/decoder/engine/source"
)

// TestUnmarked checks that a Brotli stream is found, alone and in base64, and bytes combined with another byte; that other
// bytes are not.
func TestUnmarked(t *testing.T) {
	packed, err := hex.DecodeString("1b3b00f88dd315f723bca42990b9a5fed0a074423211dc2408ccd99cc9a2d395924c245431a0487eac2651a4ef49581c07ef34e8ba5109fe")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"brotli":                 {packed, "brotli"},
		"brotli in base64":       {[]byte(base64.StdEncoding.EncodeToString(packed)), "base64 → brotli"},
		"cut":                    {packed[:len(packed)-3], ""},
		"followed by more":       {append(packed[:len(packed):len(packed)], "more"...), ""},
		"text":                   {[]byte(`{"hp":1}`), ""},
		"text in base64":         {[]byte(base64.StdEncoding.EncodeToString([]byte(`{"hp":1}`))), ""},
		"nothing":                {nil, ""},
		"one byte":               {bytes.Map(func(r rune) rune { return r ^ 'U' }, []byte(`{"hp": 83, "gold": 1200, "name": "Mira", "items": ["rope"]}`)), "xor"},
		"one byte behind a word": {append([]byte("SAVE\x02\x00\x00\x00"), bytes.Map(func(r rune) rune { return r ^ 'U' }, []byte(`{"hp": 83, "gold": 1200, "name": "Mira", "items": ["rope"]}`))...), "skip → xor"},
		"one byte behind a size": {append([]byte("\x3b\x00\x00\x00"), bytes.Map(func(r rune) rune { return r ^ 'U' }, []byte(`{"hp": 83, "gold": 1200, "name": "Mira", "items": ["rope"]}`))...), "header → xor"},
		"a stored Godot 4 ":      {[]byte{2, 0, 0, 0, 7, 0, 0, 0}, ""},
	} {
		r, err := decoder.FindRecipe(context.Background(), source.Bytes(c.data), "save.dat", nil, true)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if r != nil {
			got = r.Chain()
		}
		if got != c.want {
			t.Errorf("%s: found %q, want %q", name, got, c.want)
		}
	}
}
