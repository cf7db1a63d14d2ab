package compare

import (
	"slices"
	"sort"
)

// A pairing is a child of one list that is the same as one of the other.
type pairing struct{ a, b int }

// align pairs equal hashes of two lists, in the order of both: what the lists begin and end
// with alike, then hashes that are in both once, and again between these. Where there are
// none, the n-th of several equal ones is paired with the n-th.
func align(a, b []uint64) []pairing {
	x := aligner{a: a, b: b}
	x.between(0, len(a), 0, len(b), 0)
	return x.found
}

// maxRounds is the number of times that unique hashes are looked for between others.
const maxRounds = 32

type aligner struct {
	a, b  []uint64
	found []pairing
}

func (x *aligner) between(a0, a1, b0, b1, round int) {
	for a0 < a1 && b0 < b1 && x.a[a0] == x.b[b0] {
		x.found = append(x.found, pairing{a0, b0})
		a0, b0 = a0+1, b0+1
	}
	tail := 0
	for a0 < a1 && b0 < b1 && x.a[a1-1] == x.b[b1-1] {
		a1, b1, tail = a1-1, b1-1, tail+1
	}
	if a0 < a1 && b0 < b1 {
		anchors := x.anchors(a0, a1, b0, b1, true)
		if len(anchors) == 0 || round == maxRounds {
			x.found = append(x.found, x.anchors(a0, a1, b0, b1, false)...)
		} else {
			for _, p := range anchors {
				x.between(a0, p.a, b0, p.b, round+1)
				x.found = append(x.found, p)
				a0, b0 = p.a+1, p.b+1
			}
			x.between(a0, a1, b0, b1, round+1)
		}
	}
	for i := range tail {
		x.found = append(x.found, pairing{a1 + i, b1 + i})
	}
}

// anchors returns the most pairs of equal hashes that are in one order: of hashes that are in
// both parts once, or of the n-th with the n-th.
func (x *aligner) anchors(a0, a1, b0, b1 int, unique bool) []pairing {
	type nth struct {
		hash uint64
		n    int
	}
	at := map[nth]int{} // places in a
	count := map[uint64]int{}
	for i := a0; i < a1; i++ {
		at[nth{x.a[i], count[x.a[i]]}] = i
		count[x.a[i]]++
	}
	inB := map[uint64]int{}
	for j := b0; j < b1; j++ {
		inB[x.b[j]]++
	}
	var pairs []pairing // in the order of b
	seen := map[uint64]int{}
	for j := b0; j < b1; j++ {
		h := x.b[j]
		if i, ok := at[nth{h, seen[h]}]; ok && (!unique || count[h] == 1 && inB[h] == 1) {
			pairs = append(pairs, pairing{i, j})
		}
		seen[h]++
	}
	return rising(pairs)
}

// rising returns the longest part of pairs, which are in the order of b, in which a rises too.
func rising(pairs []pairing) []pairing {
	var ends []int // by length: the pair at the end of the best part
	before := make([]int, len(pairs))
	for i, p := range pairs {
		n := sort.Search(len(ends), func(k int) bool { return pairs[ends[k]].a >= p.a })
		before[i] = -1
		if n > 0 {
			before[i] = ends[n-1]
		}
		if n == len(ends) {
			ends = append(ends, i)
		} else {
			ends[n] = i
		}
	}
	var part []pairing
	if len(ends) > 0 {
		for i := ends[len(ends)-1]; i >= 0; i = before[i] {
			part = append(part, pairs[i])
		}
	}
	slices.Reverse(part)
	return part
}
