// Package sorting sorts the children of a value with as few edits as possible.
package sorting

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"varview/decoder/edit"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/model"
	"varview/model/literals"
	"varview/model/order"
)

// An Order says how the children of a value are sorted.
type Order struct {
	By         string // path from a child to the value by which it is sorted; "" for the child itself
	Descending bool
	Unique     bool // whether only the first of children with the same value stays
	Keep       bool // only duplicates are deleted; the order stays
}

// maxSorted is the largest number of children that are sorted: each that moves is an edit.
const maxSorted = 20_000

// A key is what a child is sorted by: numbers come before texts, texts before all other values, and
// children without the value come last.
type key struct {
	rank   int
	number tree.Scalar
	text   []byte // its literal
	index  int
}

// Ranks of keys.
const (
	rankBefore = iota // the program that reads the file ignores it, and all before it
	rankNumber
	rankText
	rankOther
	rankNone
	rankBehind // ignored, behind one that is not
)

func (k *key) isValue() bool { return rankNumber <= k.rank && k.rank <= rankOther }

// Sort sorts the children of n, and returns how many were moved and deleted. Equal children keep their
// order.
func Sort(ctx context.Context, t *model.Transaction, n *tree.Node, s Order, o edit.Options) (moved, deleted int, err error) {
	if n.Layout != tree.Sequence && n.Layout != tree.Pairs && n.Layout != tree.Fixed || n.Opaque {
		return 0, 0, errors.New("only a container has children that can be sorted")
	}
	if err := t.Reader().Tree.BuildIndex(ctx); err != nil {
		return 0, 0, err
	}
	keys, err := keysOf(ctx, t.Reader(), n, s.By)
	if err != nil {
		return 0, 0, err
	}
	place := n.Indexes()
	if s.Unique {
		if keys, deleted, err = deleteDuplicates(ctx, t, place, keys, o); err != nil {
			return 0, 0, err
		}
	}
	if s.Keep {
		return 0, deleted, nil
	}
	want := slices.Clone(keys)
	slices.SortStableFunc(want, func(a, b key) int {
		if s.Descending && a.isValue() && b.isValue() {
			return -compareKeys(&a, &b)
		}
		return compareKeys(&a, &b)
	})
	moved, err = arrange(ctx, t, place, want, o)
	return moved, deleted, err
}

// keysOf returns the keys of the children of n.
func keysOf(ctx context.Context, r *tree.Reader, n *tree.Node, by string) (keys []key, err error) {
	if by != "" && !strings.ContainsRune(".[", rune(by[0])) {
		by = "." + by
	}
	found := false
	c, err := r.Child(n, 0)
	for i := 0; err == nil; i++ {
		if i == maxSorted {
			return nil, fmt.Errorf("no more than %s children can be sorted", span.Grouped(maxSorted))
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		k := key{rank: rankNone, index: i}
		v, missing := r.Follow(c, by)
		switch {
		case r.IsIgnored(c) && (i == 0 || keys[i-1].rank == rankBefore):
			k.rank = rankBefore
		case r.IsIgnored(c):
			k.rank = rankBehind
		case missing == nil:
			found = true
			if k, err = keyOf(ctx, r, v, i); err != nil {
				return nil, err
			}
		}
		keys = append(keys, k)
		c, err = r.Next(c)
	}
	if !errors.Is(err, tree.ErrNoChild) {
		return nil, err
	}
	if !found && len(keys) > 0 {
		return nil, fmt.Errorf("none of the children has %s; \"varview table\" shows what they have", by)
	}
	return keys, r.Window().Err()
}

// keyOf returns the key of child i, where v is the value by which it is sorted.
func keyOf(ctx context.Context, r *tree.Reader, v *tree.Node, i int) (key, error) {
	k := key{rank: rankOther, index: i, number: r.Counted(&v.Value)}
	k.number.Own = bytes.Clone(k.number.Own)
	if k.number.IsNumber() {
		k.rank = rankNumber
	} else if k.number.Kind == tree.Text {
		k.rank = rankText
	}
	text, err := literals.Full(ctx, r, v)
	k.text = []byte(text)
	if err == literals.ErrLong {
		err = fmt.Errorf("%s is too long to sort by", r.Path(v))
	}
	return k, err
}

func compareKeys(a, b *key) int {
	if order := cmp.Compare(a.rank, b.rank); order != 0 || a.rank == rankNumber {
		return cmp.Or(order, tree.CompareNumbers(&a.number, &b.number))
	}
	return bytes.Compare(a.text, b.text)
}

// deleteDuplicates deletes the children at a place that have the same literal as an earlier one. Those without a value to
// compare stay.
func deleteDuplicates(ctx context.Context, t *model.Transaction, place []int64, keys []key, o edit.Options) (left []key, deleted int, err error) {
	seen := map[string]bool{}
	var gone []int
	for _, k := range keys {
		what := string(k.text)
		if k.isValue() && seen[what] {
			gone = append(gone, k.index)
			continue
		}
		seen[what] = seen[what] || k.isValue()
		k.index = len(left)
		left = append(left, k)
	}
	for _, i := range slices.Backward(gone) {
		if ctx.Err() != nil {
			return nil, 0, ctx.Err()
		}
		n, err := t.Reader().AtIndexes(append(slices.Clip(place), int64(i)))
		if err == nil {
			err = t.Delete(ctx, n, o)
		}
		if err != nil {
			return nil, 0, err
		}
	}
	return left, len(gone), nil
}

// arrange moves the children at a place into an order. A longest run already in order stays, so that as
// few as possible are moved.
func arrange(ctx context.Context, t *model.Transaction, place []int64, want []key, o edit.Options) (moved int, err error) {
	now := make([]int, len(want)) // the children as they are, by their original indexes
	for i := range now {
		now[i] = i
	}
	numbers := make([]int, len(want))
	for i, k := range want {
		numbers[i] = k.index
	}
	stays := map[int]bool{}
	for _, i := range order.Rising(numbers) {
		stays[i] = true
	}
	last := -1 // current index of the child before
	for i := range want {
		from := slices.Index(now, want[i].index)
		if stays[i] {
			last = from
			continue
		}
		to := last + 1
		if from < to {
			to--
		}
		if ctx.Err() != nil {
			return moved, ctx.Err()
		}
		n, err := t.Reader().AtIndexes(append(slices.Clip(place), int64(from)))
		if err == nil {
			err = t.Move(ctx, n, int64(to), o)
		}
		if err != nil {
			return moved, err
		}
		now = slices.Insert(slices.Delete(now, from, from+1), to, want[i].index)
		moved++
		last = to
	}
	return moved, nil
}
