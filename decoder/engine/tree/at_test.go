package tree_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"varview/decoder/formats/godot"
)

// TestAtAnyOrder finds the same values whatever was found before, in frames and in deeply nested values.
func TestAtAnyOrder(t *testing.T) {
	nested := append(bytes.Repeat(words(28, 2, 2, 7), 60), words(0)...)
	nested = append(nested, bytes.Repeat(words(3, 0), 60)...)
	frame := append(words(uint32(len(nested))), nested...)
	tr := open(t, "godot4", godot.Stream, bytes.Repeat(frame, 20))
	if err := tr.BuildIndex(t.Context()); err != nil {
		t.Fatal(err)
	}
	r := tr.NewReader()
	random := rand.New(rand.NewPCG(1, 1))
	off := int64(0)
	for range 3000 {
		switch random.IntN(4) {
		case 0:
			off = random.Int64N(tr.Source.Size())
		default:
			off = max(0, min(tr.Source.Size()-1, off+random.Int64N(400)-200))
		}
		got, err := r.At(off)
		if err != nil {
			t.Fatal(err)
		}
		want, err := tr.NewReader().At(off)
		if err != nil {
			t.Fatal(err)
		}
		for a, b := got, want; ; a, b = a.Parent, b.Parent {
			if a == nil || b == nil {
				if a != b {
					t.Fatalf("%#x: of different depth", off)
				}
				break
			}
			if a.Start != b.Start || a.Slot != b.Slot || a.KeyAt != b.KeyAt || a.Type != b.Type {
				t.Fatalf("%#x: %+v, not %+v", off, a, b)
			}
		}
	}
}

// TestAtAround finds values shortly before the last one, in deeply nested values, without passing over
// everything around them.
func TestAtAround(t *testing.T) {
	tr := open(t, "godot4", godot.Raw, slices.Concat(bytes.Repeat(words(28, 1), deep), words(0)))
	r := tr.NewReader()
	if _, err := r.At(8 * deep / 2); err != nil {
		t.Fatal(err)
	}
	r.Budget = 200
	for i := range int64(1000) {
		off := 8 * (deep/2 - i%100 - i/100)
		n, err := r.At(off)
		if err != nil || n.Start != off {
			t.Fatalf("%#x: %v, %v", off, n, err)
		}
	}
}
