// Package order keeps track of a container's children while they are deleted, moved and inserted.
package order

import (
	"maps"
	"slices"
)

// An Order tells which children a container has after some of the original ones were deleted or moved and
// others inserted. Its time and memory depend on the number of these edits, not of the children.
//
// Before each original child, and after the last one, is a gap. A gap contains the children that were
// inserted into it, and the original child after it if that is still there.
type Order struct {
	Fresh map[int64][]int // inserted children by gap, with the names given to Insert
	Gone  map[int64]bool  // original children that were removed

	// more is a Fenwick tree, counted from 1: for the gaps (i-lowest bit of i, i], how many children they
	// have beyond one each. Missing entries are 0.
	more     map[int64]int64
	size     int64 // a power of two larger than the number of gaps
	children int64 // original ones
}

// New returns the order of a number of children.
func New(children int64) *Order {
	o := &Order{Fresh: map[int64][]int{}, Gone: map[int64]bool{}, more: map[int64]int64{}, size: 1, children: children}
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

// At returns the gap of the child at a current index, and its position among the fresh children of the
// gap; for the original child after the gap, their number.
func (o *Order) At(index int64) (gap int64, within int) {
	for step := o.size; step > 0; step /= 2 {
		if n := step + o.more[gap+step]; gap+step <= o.size && n <= index {
			gap += step
			index -= n
		}
	}
	return gap, int(index)
}

// Original returns the original child at a current index; ok is false if another one is there.
func (o *Order) Original(index int64) (child int64, ok bool) {
	gap, within := o.At(index)
	return gap, within == len(o.Fresh[gap])
}

// Index returns the current index of an original child.
func (o *Order) Index(child int64) int64 {
	n := child + int64(len(o.Fresh[child]))
	for i := child; i > 0; i -= i & -i {
		n += o.more[i]
	}
	return n
}

// Count returns the current number of children.
func (o *Order) Count() int64 { return o.Index(o.children) }

// Remove removes an original child.
func (o *Order) Remove(child int64) {
	o.Gone[child] = true
	o.add(child, -1)
}

// Insert inserts a child with a name before the one at a current index, and returns its gap.
func (o *Order) Insert(index int64, name int) (gap int64) {
	gap, within := o.At(index)
	list := append(o.Fresh[gap], 0)
	copy(list[within+1:], list[within:])
	list[within] = name
	o.Fresh[gap] = list
	o.add(gap, 1)
	return gap
}

// Restore undoes Remove.
func (o *Order) Restore(child int64) {
	delete(o.Gone, child)
	o.add(child, 1)
}

// Arrange moves children into an order of their original indexes, of which some are moved; the others are in that order
// already. It tells move from where each is moved, and to where. The first child is moved last: in a text it has no separator before
// it, so that it cannot be moved together with others, and once it is moved another one is the first.
func (o *Order) Arrange(wanted []int64, isMoved map[int64]bool, move func(from, to int64) error) error {
	first, _ := o.Original(0)
	before := int64(-1) // current index of the child before
	for _, i := range wanted {
		from := o.Index(i)
		switch {
		case !isMoved[i]:
			before = from
		case i != first:
			o.Remove(i)
			if from > before {
				before++
			}
			o.Insert(before, int(i))
			if from != before {
				if err := move(from, before); err != nil {
					return err
				}
			}
		}
	}
	if from, to := o.Index(first), int64(slices.Index(wanted, first)); isMoved[first] && from != to {
		return move(from, to)
	}
	return nil
}

// Gaps returns the gaps into which children were put, in order.
func (o *Order) Gaps() []int64 { return slices.Sorted(maps.Keys(o.Fresh)) }
