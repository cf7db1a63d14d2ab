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
	index  int64
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
	keys, err := keysOf(ctx, t.Reader(), n, s.By)
	if err != nil {
		return 0, 0, err
	}
	b, err := t.Batch(ctx, len(keys))
	if err != nil {
		return 0, 0, err
	}
	a, all := &arranging{b, t.Reader().Path(n), o}, len(keys)
	if s.Unique {
		if keys, err = a.deleteDuplicates(ctx, keys); err != nil {
			return 0, 0, err
		}
	}
	if s.Keep {
		return 0, all - len(keys), b.Finish(ctx)
	}
	want := slices.Clone(keys)
	slices.SortStableFunc(want, func(a, b key) int {
		if s.Descending && a.isValue() && b.isValue() {
			return -compareKeys(&a, &b)
		}
		return compareKeys(&a, &b)
	})
	moved, err = a.arrange(ctx, want)
	return moved, all - len(keys), cmp.Or(err, b.Finish(ctx))
}

// keysOf returns the keys of the children of n.
func keysOf(ctx context.Context, r *tree.Reader, n *tree.Node, by string) (keys []key, err error) {
	if by != "" && !strings.ContainsRune(".[", rune(by[0])) {
		by = "." + by
	}
	found := false
	r.Last = true
	defer func() { r.Last = false }()
	c, err := r.Child(n, 0)
	for i := int64(0); err == nil; i++ {
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
func keyOf(ctx context.Context, r *tree.Reader, v *tree.Node, i int64) (key, error) {
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

// An arranging deletes and moves the children of the value at a path.
type arranging struct {
	*model.Batch
	path string
	o    edit.Options
}

// deleteDuplicates deletes the children that have the same literal as an earlier one. Those without a value to compare
// stay.
func (a *arranging) deleteDuplicates(ctx context.Context, keys []key) (left []key, err error) {
	seen := map[string]bool{}
	for _, k := range keys {
		what := string(k.text)
		k.index = int64(len(left))
		if k.isValue() && seen[what] {
			n, err := a.ChildAt(ctx, a.path, k.index)
			if err == nil {
				err = a.Delete(ctx, n, a.o)
			}
			if err != nil {
				return nil, err
			}
			continue
		}
		seen[what] = seen[what] || k.isValue()
		left = append(left, k)
	}
	return left, nil
}

// arrange moves the children into an order, as few as possible.
func (a *arranging) arrange(ctx context.Context, want []key) (moved int, err error) {
	wanted := make([]int64, len(want))
	for i, k := range want {
		wanted[i] = k.index
	}
	err = order.New(int64(len(want))).Arrange(wanted, order.Movers(wanted), func(from, to int64) error {
		moved++
		return a.MoveIn(ctx, a.path, from, to, a.o)
	})
	return moved, err
}
