package model_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"varview/model/order"
)

// TestOrder: an order has the children that a list has on which the same is done.
func TestOrder(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		children := r.Int64N(20)
		o := order.New(children)
		var list []int // original children, and -1-edit for inserted ones
		for i := range children {
			list = append(list, int(i))
		}
		for edit := range 30 {
			i := r.IntN(len(list) + 1)
			if i < len(list) && list[i] >= 0 && r.IntN(2) == 0 {
				o.Remove(int64(list[i]))
				list = slices.Delete(list, i, i+1)
			} else {
				gap := o.Insert(int64(i), edit)
				list = slices.Insert(list, i, -1-edit)
				for _, c := range list[:i] {
					if c >= int(gap) {
						t.Fatalf("seed %d: edit %d is before %d, after %d", seed, edit, gap, c)
					}
				}
			}
			if o.Count() != int64(len(list)) {
				t.Fatalf("seed %d: %d children are counted as %d", seed, len(list), o.Count())
			}
			for i, c := range list {
				child, ok := o.Original(int64(i))
				if gap, within := o.At(int64(i)); ok != (c >= 0) || ok && int(child) != c || !ok && o.Fresh[gap][within] != -1-c {
					t.Fatalf("seed %d: child %d of %d is %d, %v", seed, i, list, child, ok)
				}
				if c >= 0 && o.Index(int64(c)) != int64(i) {
					t.Fatalf("seed %d: child %d of %d has index %d", seed, i, list, o.Index(int64(c)))
				}
			}
		}
	}
}

// TestArrange: what Arrange tells to move brings the children into the wanted order, each of them once, and the first one last.
func TestArrange(t *testing.T) {
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 2))
		n := 1 + r.IntN(12)
		var list, wanted []int64
		for i := range int64(n) {
			list = append(list, i)
		}
		o := order.New(int64(n))
		for _, i := range slices.Clone(list) {
			if len(list) > 1 && r.IntN(5) == 0 {
				o.Remove(i)
				list = slices.DeleteFunc(list, func(x int64) bool { return x == i })
			}
		}
		wanted = slices.Clone(list)
		r.Shuffle(len(wanted), func(i, k int) { wanted[i], wanted[k] = wanted[k], wanted[i] })
		first, isMoved := list[0], order.Movers(wanted)
		var moved []int64
		if err := o.Arrange(wanted, isMoved, func(from, to int64) error {
			i := list[from]
			list, moved = slices.Insert(slices.Delete(list, int(from), int(from)+1), int(to), i), append(moved, i)
			return nil
		}); err != nil || !slices.Equal(list, wanted) {
			t.Fatalf("seed %d: %v in place of %v, %v", seed, list, wanted, err)
		}
		if at := slices.Index(moved, first); len(moved) > len(isMoved) || at >= 0 && at < len(moved)-1 {
			t.Errorf("seed %d: %v are moved where %v have to, the first, %d, last", seed, moved, isMoved, first)
		}
	}
}
