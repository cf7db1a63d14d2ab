package text

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// TestHarmless: however a text is divided among writes, what acts on a terminal is written as an escape, and all
// else as it is.
func TestHarmless(t *testing.T) {
	for text, want := range map[string]string{
		"Object(\x1b[31mX)": `Object(\u001b[31mX)`, "plain\n\ttext": "plain\n\ttext", "größe 🗡": "größe 🗡",
		"\u009b31m\x7f": `\u009b31m\u007f`, "\x9b2J\xc3\n": "\\x9b2J\\xc3\n", "a\x00b": `a\u0000b`,
	} {
		for range 20 {
			var out bytes.Buffer
			h := Harmless{W: &out}
			for rest := []byte(text); len(rest) > 0; {
				n := 1 + rand.IntN(len(rest))
				if _, err := h.Write(rest[:n]); err != nil {
					t.Fatal(err)
				}
				rest = rest[n:]
			}
			if out.String() != want {
				t.Fatalf("%q: %q, want %q", text, out.String(), want)
			}
		}
	}
}
