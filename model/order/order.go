// Package order keeps which children a container has while they are deleted, moved and inserted.
package order

import (
	"maps"
	"slices"
)

// An Order says which children a container has after some of the original ones were deleted or moved
// and others inserted. Its time and memory depend on the number of these edits, not of the children.
//
// Before each of the original children, and after the last one, is a gap. A gap has the children
// that were inserted into it, and the original child after it if that is still there.
type Order struct {
	Fresh map[int64][]int // by gap: the children that were inserted there, by the names that Insert was given
	Gone  map[int64]bool  // original children that were removed

	// more is a Fenwick tree: of the gaps (i-lowest bit of i, i], counted from 1, how many children
	// they have more than one each. What is not there is 0.
	more map[int64]int64
	size int64 // a power of two, more than there are gaps
}

// New returns the order of a number of children.
func New(children int64) *Order {
	o := &Order{Fresh: map[int64][]int{}, Gone: map[int64]bool{}, more: map[int64]int64{}, size: 1}
	for o.size <= children+1 {
		o.size *= 2
	}
	return o
}

func (o *Order) add(gap, by int64) {
	for i := gap + 1; i <= o.size; i += i & -i {
		o.more[i] += by
	}
}

// At returns the gap of the child that has an index now, and which of the fresh ones of the gap it
// is: their number for the original child after the gap.
func (o *Order) At(index int64) (gap int64, within int) {
	for step := o.size; step > 0; step /= 2 {
		if n := step + o.more[gap+step]; gap+step <= o.size && n <= index {
			gap += step
			index -= n
		}
	}
	return gap, int(index)
}

// Original returns the original child that has an index now; ok is false if it is another one.
func (o *Order) Original(index int64) (child int64, ok bool) {
	gap, within := o.At(index)
	return gap, within == len(o.Fresh[gap])
}

// Index returns the index that an original child has now.
func (o *Order) Index(child int64) int64 {
	n := child + int64(len(o.Fresh[child]))
	for i := child; i > 0; i -= i & -i {
		n += o.more[i]
	}
	return n
}

// Remove takes an original child away.
func (o *Order) Remove(child int64) {
	o.Gone[child] = true
	o.add(child, -1)
}

// Insert puts a child with a name before the one that has an index now, and returns its gap.
func (o *Order) Insert(index int64, name int) (gap int64) {
	gap, within := o.At(index)
	list := append(o.Fresh[gap], 0)
	copy(list[within+1:], list[within:])
	list[within] = name
	o.Fresh[gap] = list
	o.add(gap, 1)
	return gap
}

// Restore takes a Remove back.
func (o *Order) Restore(child int64) {
	delete(o.Gone, child)
	o.add(child, 1)
}

// Gaps returns the gaps into which children were put, in order.
func (o *Order) Gaps() []int64 { return slices.Sorted(maps.Keys(o.Fresh)) }
