package compare

import (
	"slices"
	"sort"
)

// A pairing is a child of one list that is the same as one of the other.
type pairing struct{ a, b int }

// align pairs equal hashes of two lists, in the order of both. Where few differ they are as many
// as there can be. Else hashes that are in both once are paired, and then what is between them;
// where there are none, the n-th of several equal ones is paired with the n-th.
func align(a, b []uint64) []pairing {
	x := aligner{a: a, b: b}
	x.between(0, len(a), 0, len(b), 0)
	return x.found
}

// maxRounds is the number of times that hashes are looked for between others.
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
	if a0 < a1 && b0 < b1 && !x.shortest(a0, a1, b0, b1) && round < maxRounds {
		anchors := x.anchors(a0, a1, b0, b1)
		for _, p := range anchors {
			x.between(a0, p.a, b0, p.b, round+1)
			x.found = append(x.found, p)
			a0, b0 = p.a+1, p.b+1
		}
		if len(anchors) > 0 {
			x.between(a0, a1, b0, b1, round+1)
		}
	}
	for i := range tail {
		x.found = append(x.found, pairing{a1 + i, b1 + i})
	}
}

// maxEdits is the number of elements that are in one list only, up to which the best pairs are
// found.
const maxEdits = 128

// shortest pairs as many elements as there can be, if at most maxEdits are left. It follows all
// ways through both lists that leave the same number (Myers, An O(ND) Difference Algorithm).
func (x *aligner) shortest(a0, a1, b0, b1 int) bool {
	n, m := a1-a0, b1-b0
	var reached [][]int // by the number of elements left: how far each way has come in a
	at := make([]int, 2*maxEdits+3)
	const middle = maxEdits + 1
	for d := 0; d <= min(maxEdits, n+m); d++ {
		for k := -d; k <= d; k += 2 {
			i := at[middle+k-1] + 1
			if k == -d || k != d && at[middle+k-1] < at[middle+k+1] {
				i = at[middle+k+1]
			}
			if d == 0 {
				i = 0
			}
			for i < n && i-k < m && i-k >= 0 && x.a[a0+i] == x.b[b0+i-k] {
				i++
			}
			at[middle+k] = i
			if i >= n && i-k >= m {
				x.trace(reached, a0, b0, n, m)
				return true
			}
		}
		reached = append(reached, slices.Clone(at))
	}
	return false
}

// trace goes a way back from its end, and pairs what is equal on it.
func (x *aligner) trace(reached [][]int, a0, b0, i, j int) {
	const middle = maxEdits + 1
	start := len(x.found)
	for d := len(reached); d > 0; d-- {
		at, k := reached[d-1], i-j
		before := k - 1
		if k == -d || k != d && at[middle+k-1] < at[middle+k+1] {
			before = k + 1
		}
		toI := at[middle+before]
		toJ := toI - before
		for i > toI && j > toJ && i > 0 && j > 0 && x.a[a0+i-1] == x.b[b0+j-1] {
			i, j = i-1, j-1
			x.found = append(x.found, pairing{a0 + i, b0 + j})
		}
		i, j = toI, toJ
	}
	for i > 0 && j > 0 {
		i, j = i-1, j-1
		x.found = append(x.found, pairing{a0 + i, b0 + j})
	}
	slices.Reverse(x.found[start:])
}

// anchors returns the most pairs of equal hashes that are in one order: of hashes that are in
// both parts once or, where there are none, of the n-th with the n-th.
func (x *aligner) anchors(a0, a1, b0, b1 int) []pairing {
	type nth struct {
		hash uint64
		n    int
	}
	at := map[nth]int{} // places in a
	inA, inB, seen := map[uint64]int{}, map[uint64]int{}, map[uint64]int{}
	for i := a0; i < a1; i++ {
		at[nth{x.a[i], inA[x.a[i]]}] = i
		inA[x.a[i]]++
	}
	for j := b0; j < b1; j++ {
		inB[x.b[j]]++
	}
	var unique, all []pairing // in the order of b
	for j := b0; j < b1; j++ {
		h := x.b[j]
		if i, ok := at[nth{h, seen[h]}]; ok {
			all = append(all, pairing{i, j})
			if inA[h] == 1 && inB[h] == 1 {
				unique = append(unique, pairing{i, j})
			}
		}
		seen[h]++
	}
	if len(unique) > 0 {
		return rising(unique)
	}
	return rising(all)
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
