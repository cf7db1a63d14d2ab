package order

import (
	"slices"
	"sort"
)

// Rising returns the places of numbers that make one of the longest parts in which they rise.
func Rising(numbers []int) (part []int) {
	var ends []int // by length: the place of the least number that such a part ends with
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
