package tree_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/elephant"
	"varview/internal/elephantref"
)

// sameSizes checks that passing only sizes comes to the same places as a careful scanner, and learns the
// same.
func sameSizes(t testing.TB, data []byte, f func() tree.Reading, region span.Span) {
	t.Helper()
	slow := f().(*elephant.Reading)
	s := tree.New(source.Bytes(data), slow, region).Scanner()
	refs := map[uint32][]int64{}
	serials := uint32(0)
	err := s.Run(context.Background(), func(ev tree.Event) bool {
		v := s.Value()
		if ev != tree.Leave && v.Refers {
			refs[v.Sub] = append(refs[v.Sub], v.Start)
		}
		if v.Numbered && v.Serial != tree.NoSerial {
			serials = max(serials, v.Serial+1)
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	ctors := slow.CtorsBefore(region.End())
	for _, every := range []int64{2, 40, 1 << 20} {
		quick := f().(*elephant.Reading)
		tr := tree.New(source.Bytes(data), quick, region)
		tr.SetSpacing(every, 0)
		if err := tr.BuildIndex(context.Background()); err != nil {
			t.Fatal(err)
		}
		if err := tr.CheckPoints(tree.New(source.Bytes(data), f(), region)); err != nil {
			t.Fatalf("%q, points every %d: %v", data, every, err)
		}
		for serial := range serials {
			if got, want := quick.Kind(serial), slow.Kind(serial); got != want {
				t.Fatalf("%q: number %d is of kind %d, want %d", data, serial, got, want)
			}
		}
		for to, want := range refs {
			if got, _ := tr.Referrers(to, len(data)); !slices.Equal(got, want) {
				t.Fatalf("%q: references to %d at %d, want %d", data, to, got, want)
			}
		}
		if got := quick.CtorsBefore(region.End()); !slices.Equal(got, ctors) {
			t.Fatalf("%q: constructors %d, want %d", data, got, ctors)
		}
		for _, c := range ctors {
			if got, want := quick.CtorAt(c), slow.CtorAt(c); got != want {
				t.Fatalf("%q: constructor %d is %q, want %q", data, c, got, want)
			}
		}
	}
}

// TestElephantSizes: files of all versions, with and without schemas, whole and damaged.
func TestElephantSizes(t *testing.T) {
	for i, b := range builtBlocks(t, 9) {
		round := i / len(elephantref.Versions())
		if round%5 == 0 {
			b.libraries = nil
		}
		b.damage(rand.New(rand.NewPCG(uint64(i), 8)), round%3)
		f, region := elephantFormat(b.data, b.how, b.libraries)
		sameSizes(t, b.data, f, region)
	}
}
