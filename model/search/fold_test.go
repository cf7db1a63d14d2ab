package search

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// TestFoldedIndex: the place is the first at which the text is the same in any case.
func TestFoldedIndex(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	letters := []rune("aAbBzZ_0 é É k K ſ s \x00")
	text := func(n int) []byte {
		var b []rune
		for range n {
			b = append(b, letters[r.IntN(len(letters))])
		}
		return []byte(string(b))
	}
	found := 0
	for range 100_000 {
		b, needle := text(r.IntN(30)), bytes.ToLower(text(1+r.IntN(3)))
		want := -1
		for i := 0; i+len(needle) <= len(b) && want < 0; i++ {
			if bytes.EqualFold(b[i:i+len(needle)], needle) {
				want = i
			}
		}
		if want >= 0 {
			found++
		}
		if got := fold(needle).index(b); got != want {
			t.Fatalf("%q in %q: %d, not %d", needle, b, got, want)
		}
	}
	if found < 10_000 {
		t.Errorf("found only %d", found)
	}
}

// TestFoldedLooks: of a letter of which one case is absent, each place is found by looking at what is near, not at all that follows.
func TestFoldedLooks(t *testing.T) {
	for _, word := range []string{"xabcdefgh ", "Xabcdefgh "} {
		text, looked, places := bytes.Repeat([]byte(word), 6000), 0, 0
		f := fold([]byte("x"))
		for rest := text; ; places++ {
			at, n := f.scan(rest)
			if looked += n; at < 0 {
				break
			}
			rest = rest[at+1:]
		}
		if places != 6000 || looked > 20*len(text) {
			t.Errorf("%q: %d places, found by looking at %d bytes of %d", word, places, looked, len(text))
		}
	}
}

// BenchmarkFoldedIndex finds all places of a letter whose capital is absent.
func BenchmarkFoldedIndex(b *testing.B) {
	text := bytes.Repeat([]byte("xabcdefgh "), 6000)
	f := fold([]byte("x"))
	for b.Loop() {
		for at := 0; ; at++ {
			i := f.index(text[at:])
			if i < 0 {
				break
			}
			at += i
		}
	}
}
