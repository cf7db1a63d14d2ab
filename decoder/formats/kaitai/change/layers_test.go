package change

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"varview/decoder/engine/span"
)

// TestPlaces replaces and inserts bytes at random, and looks where each byte is that has stayed.
func TestPlaces(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		l, now := &layer{}, make([]int64, 60) // where the bytes were before, -1 for new ones
		for i := range now {
			now[i] = int64(i)
		}
		for range 12 {
			at, n, size := r.IntN(len(now)), 1+r.IntN(3), r.IntN(4)
			if at+n > len(now) || !isRun(now[at:at+n]) {
				continue
			}
			l.replace(span.Span{Offset: now[at], Length: int64(n)}, make([]byte, size))
			now = slices.Replace(now, at, at+n, slices.Repeat([]int64{-1}, size)...)
			at = r.IntN(len(now) - 1)
			if now[at] < 0 || at > 0 && now[at-1] != now[at]-1 {
				continue
			}
			l.insert(int64(at), math.MaxInt64, make([]byte, size+1), nil)
			now = slices.Insert(now, at, slices.Repeat([]int64{-1}, size+1)...)
		}
		for at, was := range now {
			if was < 0 {
				continue
			}
			if got, ok := l.back(int64(at)); got != was || !ok {
				t.Fatalf("back(%d) = %d, %v, not %d of %v", at, got, ok, was, now)
			}
			if got, ok := l.forth(was, false); got != int64(at) || !ok {
				t.Fatalf("forth(%d) = %d, %v, not %d of %v", was, got, ok, at, now)
			}
		}
	}
}

// isRun reports whether bytes were all there before, one after another.
func isRun(was []int64) bool {
	for i := range was {
		if was[0] < 0 || was[i] != was[0]+int64(i) {
			return false
		}
	}
	return true
}

// TestPlacesOfMany: a place among many that have changed is found without looking at all of them.
func TestPlacesOfMany(t *testing.T) {
	const n = 10_000
	l := &layer{}
	l.replace(span.Span{}, make([]byte, 3))
	for k := range int64(n) {
		if err := l.put(3+8*k, 4, make([]byte, 4)); err != nil {
			t.Fatal(err)
		}
		at, ok := l.back(3 + 8*k)
		now, isKept := l.forth(8*k+4, false)
		grown, _ := l.grown(span.Span{Offset: 8 * k, Length: 4}, func(*splice) bool { return true })
		if at != 8*k || !ok || now != 8*k+7 || !isKept || grown != 3*(1-min(k, 1)) {
			t.Fatal(k, at, ok, now, isKept, grown)
		}
	}
	if most := 5 * n * bits.Len(n); l.steps > most {
		t.Errorf("%d steps, at most %d", l.steps, most)
	}
}
