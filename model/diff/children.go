package diff

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"varview/decoder/edit"
	"varview/decoder/engine/tree"
	"varview/model/compare"
	"varview/model/order"
)

// siblings are the changes to the children of one value: added, removed, renamed and moved ones.
type siblings struct {
	in      *tree.Node
	path    string
	changes []*compare.Change
}

// of returns the changes of one kind in the order of their values in b, or in a if they are not in b.
func (g *siblings) of(k compare.Kind) (found []*compare.Change) {
	for _, c := range g.changes {
		if c.Kind == k {
			found = append(found, c)
		}
	}
	slices.SortFunc(found, func(x, y *compare.Change) int {
		if x.B != nil {
			return int(x.B.Slot.Index - y.B.Slot.Index)
		}
		return int(x.A.Slot.Index - y.A.Slot.Index)
	})
	return found
}

// rearrange gives a value the children that it has in the other tree, in the same order.
func (b *becoming) rearrange(ctx context.Context, g *siblings) error {
	removed, moved := g.of(compare.Removed), g.of(compare.Moved)
	gone := make([]int64, 0, len(removed))
	for _, c := range slices.Backward(removed) {
		if err := b.deleteChild(ctx, g.path, c.A.Slot.Index); err != nil {
			return err
		}
		gone = append(gone, c.A.Slot.Index)
	}
	slices.Sort(gone)
	for _, c := range g.of(compare.Renamed) {
		before, _ := slices.BinarySearch(gone, c.A.Slot.Index)
		if err := b.rename(ctx, g.path, c.A.Slot.Index-int64(before), c.B); err != nil {
			return err
		}
	}
	added := g.of(compare.Added)
	if len(moved) > 0 {
		if err := b.move(ctx, g, gone, moved, added); err != nil {
			return err
		}
	}
	for _, c := range added {
		if err := b.insertAt(ctx, g.path, c.B.Slot.Index, c.B); err != nil {
			return err
		}
	}
	return nil
}

func (b *becoming) deleteChild(ctx context.Context, path string, index int64) error {
	n, err := b.ChildAt(ctx, path, index)
	if err != nil {
		return err
	}
	return b.Delete(ctx, n, edit.Options{})
}

func (b *becoming) rename(ctx context.Context, path string, index int64, to *tree.Node) error {
	n, err := b.ChildAt(ctx, path, index)
	if err != nil {
		return err
	}
	key := b.Reader().Key(n)
	if key == nil {
		return errors.New("its name is not in the file")
	}
	literal, err := b.keyLiteral(ctx, to)
	if err != nil {
		return err
	}
	return b.Set(ctx, key, edit.Content{Literal: literal}, edit.Options{Retype: true})
}

// insertAt inserts a value of the other tree before a child of the value at a path.
func (b *becoming) insertAt(ctx context.Context, path string, index int64, n *tree.Node) error {
	in, err := b.Resolve(ctx, path)
	c, failed := b.content(ctx, n)
	if err = cmp.Or(err, failed); err != nil {
		return err
	}
	if c.Copy == nil || n.KeyAt == tree.Unknown {
		if c.Key, err = b.keyLiteral(ctx, n); err != nil {
			return err
		}
	}
	count, err := b.Count(in)
	if err != nil {
		return err
	}
	return b.Insert(ctx, in, min(index, count), c, edit.Options{})
}

// move moves elements to their places in the other tree, not counting what is added later.
func (b *becoming) move(ctx context.Context, g *siblings, gone []int64, moved, added []*compare.Change) error {
	in, err := b.Resolve(ctx, g.path)
	if err != nil {
		return err
	}
	left, err := b.Count(in)
	if err != nil {
		return err
	}
	now := order.New(left + int64(len(gone))) // of the indexes in a
	for _, i := range gone {
		now.Remove(i)
	}
	isMoved, target := map[int64]bool{}, map[int64]int64{} // by index in a, and in b
	for _, c := range moved {
		isMoved[c.A.Slot.Index], target[c.B.Slot.Index] = true, c.A.Slot.Index
	}
	isAdded := map[int64]bool{}
	for _, c := range added {
		isAdded[c.B.Slot.Index] = true
	}
	stay := int64(0) // first index in a of the next element that is not moved
	var wanted []int64
	for j := int64(0); j < left+int64(len(added)); j++ {
		if isAdded[j] {
			continue
		}
		i, ok := target[j]
		if !ok {
			for stay < left+int64(len(gone)) && (now.Gone[stay] || isMoved[stay]) {
				stay++
			}
			if stay == left+int64(len(gone)) {
				break
			}
			i = stay
			stay++
		}
		wanted = append(wanted, i)
	}
	return now.Arrange(wanted, isMoved, b.movesIn(ctx, g.path))
}

// reorder brings the entries of the value at a path, which is in, into the order that they have in another
// value. Entries that the other one lacks stay before those that follow them.
func (b *becoming) reorder(ctx context.Context, path string, in, to *tree.Node) error {
	twin, err := compare.Order(ctx, b.here, in, b.to, to)
	if err != nil {
		return err
	}
	var common []int // indexes of the entries that both have, in the order of the other value
	for i, j := range twin {
		if j >= 0 {
			common = append(common, i)
		}
	}
	slices.SortFunc(common, func(x, y int) int { return twin[x] - twin[y] })
	wanted, next := make([]int64, len(twin)), 0
	for i, j := range twin {
		if wanted[i] = int64(i); j >= 0 {
			wanted[i] = int64(common[next])
			next++
		}
	}
	return order.New(int64(len(wanted))).Arrange(wanted, order.Movers(wanted), b.movesIn(ctx, path))
}

// movesIn returns a function that moves children of the value at a path.
func (b *becoming) movesIn(ctx context.Context, path string) func(from, to int64) error {
	return func(from, to int64) error { return b.MoveIn(ctx, path, from, to, edit.Options{}) }
}
