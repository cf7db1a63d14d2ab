package secure

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
	"testing"
)

// TestDecode checks which bytes are a secure save, and where its base64 ends.
func TestDecode(t *testing.T) {
	device := strings.Repeat("6496af6d01", 4)
	text := base64.StdEncoding.EncodeToString([]byte(`{"gold":12}`))
	for _, c := range []struct {
		text  string
		whole bool
		end   int
		ok    bool
	}{
		{device + text, true, len(device + text), true},
		{device + text + "\r\n\x00\x00", true, len(device + text), true},
		{device + text[:10], false, len(device) + 8, true},
		{device + "e30=", true, 44, true},
		{device + text[:10], true, 0, false},
		{device + base64.StdEncoding.EncodeToString([]byte(`[1]`)), true, 0, false},
		{strings.ToUpper(device) + text, true, 0, false},
		{device[1:] + text, true, 0, false},
		{device, true, 0, false},
		{device + base64.StdEncoding.EncodeToString([]byte("{\x1b\x01")), true, 0, false},
		{hex.EncodeToString([]byte("{\"text\": \"0123456789–dash\", \"n\": [1, 2, 3]}")), true, 0, false}, // its 20th byte begins a character
	} {
		_, _, end, ok := decode([]byte(c.text), c.whole)
		if ok != c.ok || ok && end != c.end {
			t.Errorf("%q: %d, %t", c.text, end, ok)
		}
	}
}
