package variant

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unicode/utf8"

	"varview/decoder/godot/internal/types"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// TestOrdinary: a full inspection finds no problem in values that isOrdinary
// accepts.
func TestOrdinary(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	texts := []string{"", "a", "name", "äö", "\ufeffx", "a\x00b", "\x00", "\xff", "\xc3", "abc\x80", "12345678", "北", "\ufeff"}
	for _, d := range types.Dialects() {
		f := &Format{Dialect: d}
		passed := 0
		for range 20_000 {
			id := r.IntN(len(d.Table) + 1)
			b := []byte{byte(id), 0, byte(r.IntN(2)), 0}
			if r.IntN(20) == 0 {
				b[r.IntN(4)] ^= 1 << r.IntN(8)
			}
			s := texts[r.IntN(len(texts))]
			b = append(b, byte(len(s)), 0, 0, 0)
			b = append(b, s...)
			b = append(b, make([]byte, types.Pad(int64(len(b)))+int64(r.IntN(2))*12)...)
			if r.IntN(8) == 0 {
				b[len(b)-1-r.IntN(4)] ^= 1
			}
			b = b[:len(b)-r.IntN(2)*r.IntN(4)]
			parent := tree.Value{Type: types.Array, Limit: int64(len(b))}
			if r.IntN(4) == 0 {
				parent.Sub = uint32(r.IntN(40))
			}
			var v tree.Value
			w := source.NewWindow(source.Bytes(b))
			f.Read(w, &parent, tree.Slot{}, 0, &v)
			if !f.isOrdinary(w, &parent, &v) {
				continue
			}
			passed++
			in := inspector{f, w, &parent, &v, func(p span.Problem) { t.Fatalf("%s: %x: %v", d.Name, b, p) }}
			in.inspect(tree.Slot{})
		}
		if passed < 1000 {
			t.Errorf("%s: only %d values are ordinary", d.Name, passed)
		}
	}
}

// TestIsUTF8: every sequence of two bytes, and those of more that begin one of each length, are
// what the standard library says, but for a NUL.
func TestIsUTF8(t *testing.T) {
	same := func(text ...byte) {
		if want := utf8.Valid(text) && !slices.Contains(text, 0); IsUTF8(text) != want {
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
