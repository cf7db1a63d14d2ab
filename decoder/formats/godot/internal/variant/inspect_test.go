package variant

import (
	"slices"
	"testing"
	"unicode/utf8"
)

// TestIsUTF8 compares with the standard library, except for a NUL: every sequence of two bytes, and longer
// ones that begin a character of each length.
func TestIsUTF8(t *testing.T) {
	same := func(text ...byte) {
		if want := utf8.Valid(text) && !slices.Contains(text, 0); isUTF8(text) != want {
			t.Errorf("%x: %v", text, !want)
		}
	}
	edges := []byte{0, 1, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc2, 0xff}
	for i := range 256 {
		a := byte(i)
		same(a)
		for j := range 256 {
			b := byte(j)
			same(a, b)
			for _, c := range edges {
				same(a, b, c)
				for _, d := range edges {
					same(a, b, c, d)
					same(a, b, c, d, 'x')
				}
			}
		}
	}
}
