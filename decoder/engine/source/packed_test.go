package source

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"varview/decoder/engine/span"
)

// TestPacked: packed splices leave the bytes that the same splices leave, read in parts of any length, and map offsets alike.
func TestPacked(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 3))
		base := make([]byte, 4000)
		for i := range base {
			base[i] = byte(i)
		}
		p := Whole(&struct{ Bytes }{base})
		var splices []Splice
		var packed Packed
		for at := int64(r.IntN(9)); at < 3990; at += r.Int64N(30) {
			s := Put(at, r.Int64N(9), bytes.Repeat([]byte{0xff}, r.IntN(300)*r.IntN(2)*r.IntN(2)))
			splices, at = append(splices, s), s.End()
			if err := packed.Add(s); err != nil {
				t.Fatal(err)
			}
		}
		want := content(t, p.Splice(splices))
		edited := p.Splice([]Splice{{span.Between(packed.first, packed.was), Whole(&rewritten{&packed, p})}})
		if got := content(t, edited); !bytes.Equal(got, want) {
			t.Fatalf("%d: other bytes than %d splices leave", seed, len(splices))
		}
		for range 200 {
			off := r.Int64N(int64(len(want)))
			part := make([]byte, r.Int64N(min(500, int64(len(want))-off)+1))
			if _, err := edited.ReadAt(part, off); err != nil || !bytes.Equal(part, want[off:][:len(part)]) {
				t.Fatalf("%d: %d bytes at %d: other ones (%v)", seed, len(part), off, err)
			}
		}
		for off := range int64(len(base)) {
			if got, want := packed.Map(off), Map(splices, off); got != want {
				t.Fatalf("%d: %d maps to %d, not %d", seed, off, got, want)
			}
		}
		i := 0
		for s := range packed.All() {
			if s.Span != splices[i].Span || s.Added() != splices[i].Added() {
				t.Fatalf("%d: splice %d is %v", seed, i, s.Span)
			}
			i++
		}
		if err := packed.Add(Put(splices[0].Offset, 0, nil)); err == nil || i != packed.Len() {
			t.Errorf("%d: %d splices, and one that comes before them (%v)", seed, i, err)
		}
	}
}

// TestPackedHole: a hole in the bytes that packed splices keep is one in what they leave, where these bytes are then.
func TestPackedHole(t *testing.T) {
	src := &holed{Bytes: make(Bytes, 100), hole: span.Between(40, 60)}
	var packed Packed
	for _, at := range []int64{10, 50, 80} {
		if err := packed.Add(Put(at, 2, []byte{1, 2, 3})); err != nil {
			t.Fatal(err)
		}
	}
	b := make([]byte, 101)
	_, holes := ReadAround(Whole(src).Splice([]Splice{{span.Between(packed.first, packed.was), Whole(&rewritten{&packed, src})}}), b, 0)
	if want := []span.Span{span.Between(41, 51), span.Between(54, 62)}; !slices.Equal(holes, want) {
		t.Errorf("holes %v, not %v", holes, want)
	}
}
