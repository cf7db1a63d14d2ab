package model

import (
	"maps"
	"slices"
)

// An order says which children a container has after some of them were deleted or moved and others
// inserted. Its time and memory depend on the number of these edits, not on that of the children.
//
// Before each of the original children, and after the last one, is a gap. A gap has the children
// that were inserted into it, and the original child after it if that is still there.
type order struct {
	fresh map[int64][]int // by gap: which edits have inserted or moved a child there, in order
	gone  map[int64]bool  // original children that were deleted or moved

	// more is a Fenwick tree: of the gaps (i-lowest bit of i, i], counted from 1, how many children
	// they have more than one each. What is not there is 0.
	more map[int64]int64
	size int64 // a power of two, more than there are gaps
}

func newOrder(children int64) *order {
	o := &order{fresh: map[int64][]int{}, gone: map[int64]bool{}, more: map[int64]int64{}, size: 1}
	for o.size <= children+1 {
		o.size *= 2
	}
	return o
}

func (o *order) add(gap, by int64) {
	for i := gap + 1; i <= o.size; i += i & -i {
		o.more[i] += by
	}
}

// at returns the gap of the child that has an index now, and which of the fresh ones of the gap it
// is: their number for the original child after the gap.
func (o *order) at(index int64) (gap int64, within int) {
	for step := o.size; step > 0; step /= 2 {
		if n := step + o.more[gap+step]; gap+step <= o.size && n <= index {
			gap += step
			index -= n
		}
	}
	return gap, int(index)
}

// original returns the original child that has an index now; ok is false if it is another one.
func (o *order) original(index int64) (child int64, ok bool) {
	gap, within := o.at(index)
	return gap, within == len(o.fresh[gap])
}

// index returns the index that an original child has now.
func (o *order) index(child int64) int64 {
	n := child + int64(len(o.fresh[child]))
	for i := child; i > 0; i -= i & -i {
		n += o.more[i]
	}
	return n
}

// remove takes an original child away.
func (o *order) remove(child int64) {
	o.gone[child] = true
	o.add(child, -1)
}

// insert puts a child, that of an edit, before the one that has an index now.
func (o *order) insert(index int64, edit int) (gap int64) {
	gap, within := o.at(index)
	list := append(o.fresh[gap], 0)
	copy(list[within+1:], list[within:])
	list[within] = edit
	o.fresh[gap] = list
	o.add(gap, 1)
	return gap
}

// restore takes a remove back.
func (o *order) restore(child int64) {
	delete(o.gone, child)
	o.add(child, 1)
}

// gaps returns the gaps into which children were put, in order.
func (o *order) gaps() []int64 { return slices.Sorted(maps.Keys(o.fresh)) }
