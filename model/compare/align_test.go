package compare

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestAlign holds that pairs are in the order of both lists, and that all elements of lists of the
// same length have one.
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
		for _, p := range alignPlain(a, b) {
			if p.a <= lastA || p.b <= lastB {
				t.Fatalf("round %d: %v and %v", round, a, b)
			}
			lastA, lastB = p.a, p.b
		}
	}
}

// alignPlain pairs the elements of two lists of plain values.
func alignPlain(a, b []uint64) []pairing {
	x := newAligner(a, b)
	x.holds = func(i, j int) bool { return false }
	return x.align()
}

// TestAlignWays: by position, or by content.
func TestAlignWays(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want string // of each element of a: the place of its pair in b, - for none
	}{
		{"abcd", "axcy", "0123"},
		{"abcd", "xyzw", "0123"},
		{"10001011", "00101011", "01234567"},
		{"abcdefgh", "bcdefghi", "-0123456"},
		{"abcde", "eabcd", "1234-"},
		{"abcd", "abxcd", "0134"},
		{"abcd", "acd", "0-12"},
		{"ab", "ba", "01"},
	} {
		got := []byte(strings.Repeat("-", len(c.a)))
		for _, p := range alignPlain(hashes(c.a), hashes(c.b)) {
			got[p.a] = byte('0' + p.b)
		}
		if string(got) != c.want {
			t.Errorf("%s and %s: %s, want %s", c.a, c.b, got, c.want)
		}
	}
}

func hashes(s string) []uint64 {
	all := make([]uint64, len(s))
	for i := range s {
		all[i] = uint64(s[i])
	}
	return all
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
	if found := alignPlain(a, b); len(found) != n-2 {
		t.Errorf("%d pairs", len(found))
	}
}

// TestAlignInPlace: long lists are paired by position at once where no other pairs could leave less over.
func TestAlignInPlace(t *testing.T) {
	const n = 10_000
	a, b := make([]uint64, n), make([]uint64, n)
	for i := range a {
		a[i] = uint64(i)
		if b[i] = a[i]; i%50 == 25 {
			b[i] += n
		}
	}
	x, is := newAligner(a, b), false
	x.holds = func(i, j int) bool { return true }
	if made := testing.AllocsPerRun(1, func() { is = x.isByPosition(0, n, 0, n) }); !is || made > 0 {
		t.Errorf("by position: %v, after %v allocations", is, made)
	}
}
