package compare

import (
	"math/rand/v2"
	"testing"
)

// TestAlign holds that pairs are of equal hashes and in the order of both lists, and that of short
// lists they are as many as there can be.
func TestAlign(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for round := range 300 {
		kinds := 1 + r.IntN(40)
		list := func() []uint64 {
			l := make([]uint64, r.IntN(30))
			for i := range l {
				l[i] = uint64(r.IntN(kinds))
			}
			return l
		}
		a, b := list(), list()
		lastA, lastB := -1, -1
		found := align(a, b)
		for _, p := range found {
			if p.a <= lastA || p.b <= lastB || a[p.a] != b[p.b] {
				t.Fatalf("round %d: %v and %v: %v", round, a, b, found)
			}
			lastA, lastB = p.a, p.b
		}
		if most := longest(a, b); len(found) != most {
			t.Errorf("round %d: %d pairs of %d in %v and %v", round, len(found), most, a, b)
		}
	}
}

// longest is the length of the longest common subsequence.
func longest(a, b []uint64) int {
	best := make([][]int, len(a)+1)
	for i := range best {
		best[i] = make([]int, len(b)+1)
	}
	for i := range a {
		for j := range b {
			best[i+1][j+1] = max(best[i][j+1], best[i+1][j])
			if a[i] == b[j] {
				best[i+1][j+1] = max(best[i+1][j+1], best[i][j]+1)
			}
		}
	}
	return best[len(a)][len(b)]
}

// TestAlignLarge holds that an element that was inserted into a million, one that was removed and
// one that was changed leave all others paired.
func TestAlignLarge(t *testing.T) {
	const n = 1_000_000
	a, b := make([]uint64, n), make([]uint64, 0, n+1)
	for i := range a {
		a[i] = uint64(i % 1000)
		switch i {
		case 10:
			b = append(b, 5000, a[i])
		case 500_000:
		case 900_000:
			b = append(b, 5001)
		default:
			b = append(b, a[i])
		}
	}
	if found := align(a, b); len(found) != n-2 {
		t.Errorf("%d pairs", len(found))
	}
}
