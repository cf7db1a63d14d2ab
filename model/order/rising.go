package order

import (
	"cmp"
	"slices"
	"sort"
)

// Rising returns the positions of a longest increasing subsequence.
func Rising[T cmp.Ordered](numbers []T) (part []int) {
	var ends []int // by length: the position of the smallest number with which such a subsequence ends
	before := make([]int, len(numbers))
	for i, x := range numbers {
		n := sort.Search(len(ends), func(k int) bool { return numbers[ends[k]] >= x })
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
	if len(ends) > 0 {
		for i := ends[len(ends)-1]; i >= 0; i = before[i] {
			part = append(part, i)
		}
	}
	slices.Reverse(part)
	return part
}

// Movers returns the children that have to move into an order of their indexes: as few as possible.
func Movers(wanted []int64) map[int64]bool {
	isMoved := map[int64]bool{}
	for _, i := range wanted {
		isMoved[i] = true
	}
	for _, k := range Rising(wanted) {
		delete(isMoved, wanted[k])
	}
	return isMoved
}
