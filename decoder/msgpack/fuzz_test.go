package msgpack_test

import (
	"encoding/json"
	"testing"
)

// FuzzTile: the fields of any bytes are in order, not empty, and cover them; what is
// exported is JSON.
func FuzzTile(f *testing.F) {
	for _, c := range types {
		f.Add(fromHex(f, c.hex))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		tr := open(t, data)
		fields(t, tr)
		problems(t, tr)
		literal(t, tr)
		if out := export(t, tr); !json.Valid([]byte(out)) {
			t.Fatalf("%q", out)
		}
	})
}
