package model

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
	"varview/model/patch"
)

// A placedSplice is a splice with its place among those at the same offset.
type placedSplice struct {
	source.Splice
	side  int8 // its place among what is inserted at an offset: -1 before moved or inserted values, 0 one of them, 1 after them; 2 replaces bytes
	depth int  // depth of the value that it is inserted into
}

// errOverlap is a bug in the program: edits of different values have changed the same bytes.
var errOverlap = errors.New("two edits change the same bytes")

// splices returns the splices of all edits, in order, as one if some of them are packed, and the function that maps offsets
// before the edits to offsets after them.
func (b *Batch) splices() (all []source.Splice, moved func(int64) int64, err error) {
	if all, err = b.unpacked(); err != nil || b.packed == nil {
		return all, source.NewMapping(all).Map, err
	}
	merged := b.packed
	if len(all) > 0 {
		merged = &source.Packed{}
		for s := range b.packed.All() {
			for len(all) > 0 && all[0].Offset < s.Offset {
				err, all = cmp.Or(err, merged.Add(all[0])), all[1:]
			}
			err = cmp.Or(err, merged.Add(s))
		}
		for _, s := range all {
			err = cmp.Or(err, merged.Add(s))
		}
	}
	return merged.Splices(b.from.content), merged.Map, err
}

// unpacked returns the splices of all edits in the list, and of the numbers that follow them, in order.
func (b *Batch) unpacked() ([]source.Splice, error) {
	placed := make([]placedSplice, 0, 2*len(b.edits))
	put := func(e *batchedEdit) {
		for _, s := range e.splices {
			p := placedSplice{s, 2, 0}
			if s.Length == 0 {
				p.side, p.depth = sideOf(e, s.Offset)
			}
			placed = append(placed, p)
		}
	}
	for _, o := range b.orders { // the order decides what comes first in a gap
		for _, list := range o.Fresh {
			for _, i := range list {
				put(&b.edits[i])
			}
		}
	}
	for i := range b.edits {
		if e := &b.edits[i]; e.kind != patch.Insert && e.kind != patch.Move {
			put(e)
		}
	}
	slices.SortStableFunc(placed, func(x, y placedSplice) int {
		return cmp.Or(cmp.Compare(x.Offset, y.Offset), cmp.Compare(x.side, y.side), cmp.Compare(y.depth, x.depth))
	})
	numbers, err := b.together.Splices()
	if err != nil {
		return nil, err
	}
	all := make([]source.Splice, 0, len(placed)+len(numbers))
	for _, p := range placed {
		for len(numbers) > 0 && numbers[0].Offset < p.Offset {
			all, numbers = append(all, numbers[0]), numbers[1:]
		}
		all = append(all, p.Splice)
	}
	all = append(all, numbers...)
	for i := 1; i < len(all); i++ {
		if all[i].Offset < all[i-1].End() {
			return nil, errOverlap
		}
	}
	return all, nil
}

// sideOf returns the side and depth of the bytes that an edit inserts at an offset.
func sideOf(e *batchedEdit, off int64) (side int8, depth int) {
	switch {
	case e.kind == patch.Insert:
		return 0, e.at.Depth
	case e.kind == patch.Move:
		return 0, e.at.Depth - 1
	case off > e.at.Offset:
		return -1, 0
	}
	return 1, 0
}

// make makes the edits and begins a new batch. moved maps offsets before the edits to offsets after them.
func (b *Batch) make(ctx context.Context) (moved func(int64) int64, err error) {
	if b.t.now != b.from {
		return nil, ErrOutdated
	}
	splices, moved, err := b.splices()
	if err == nil {
		err = b.t.apply(splices)
	}
	if err == nil && b.isLong && b.t.now != b.from { // an edit in many places keeps only the beginning of the index
		b.t.Progress.Index(0.5, 0.75, b.t.now.tree)
		err = b.t.now.tree.BuildIndex(ctx)
	}
	if err != nil {
		return nil, err
	}
	if err := b.noteAll(ctx, moved); err != nil {
		return nil, err
	}
	return moved, b.begin(ctx)
}

// noteSet describes the value that was set.
func (b *Batch) noteSet(ctx context.Context, e *batchedEdit, op *patch.Op, moved func(int64) int64) error {
	at, r := e.at, b.t.read
	if e.n != nil {
		at = b.cursor(e.n)
	}
	n, err := found(r, at.Follow(moved))
	if err != nil {
		return err
	}
	if op.New, err = b.t.describe(ctx, op, n); err != nil {
		return err
	}
	if e.op != nil && n.Slot.Key {
		around, _ := tree.SplitPath(strings.TrimSuffix(op.Path, "@key"))
		if path := around + r.Step(n) + "@key"; path != op.Path {
			op.NewPath = path
		}
	}
	b.t.noteRounded(e.typed, op.New, func() string { return cmp.Or(op.Path, b.path(n)) })
	return nil
}

// noteAll adds the ops of the edits that were made, with the current values.
func (b *Batch) noteAll(ctx context.Context, moved func(int64) int64) error {
	fresh, err := b.freshValues(moved)
	if err != nil {
		return err
	}
	r := b.t.read
	for i := range b.edits {
		if i%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		b.t.Progress.Set(int64(3*len(b.edits)+i), 4*int64(len(b.edits)))
		e, op := &b.edits[i], b.edits[i].op
		if op == nil {
			if !mayBeRounded(e.typed) {
				continue
			}
			op = &patch.Op{Kind: e.kind}
		}
		switch e.kind {
		case patch.Set:
			if err := b.noteSet(ctx, e, op, moved); err != nil {
				return err
			}
		case patch.Insert:
			n := fresh[i]
			if op.New, err = b.t.describe(ctx, op, n); err != nil {
				return err
			}
			if n.Parent.Layout == tree.Pairs {
				op.Path += r.Step(n)
			} else {
				op.Path = string(tree.AppendIndexStep([]byte(op.Path), op.Index))
			}
			b.t.noteRounded(e.typed, op.New, func() string { return op.Path })
		}
		if e.op != nil {
			b.t.ops = append(b.t.ops, *op)
		}
	}
	return nil
}

// freshValues returns the values that edits have inserted, by edit.
func (b *Batch) freshValues(moved func(int64) int64) (map[int]*tree.Node, error) {
	var containers []*tree.Node
	inserted := map[tree.ID][]int{}
	for i := range b.edits {
		if e := &b.edits[i]; e.kind == patch.Insert {
			if inserted[e.n.ID()] == nil {
				containers = append(containers, e.n)
			}
			inserted[e.n.ID()] = append(inserted[e.n.ID()], i)
		}
	}
	slices.SortFunc(containers, func(x, y *tree.Node) int { return cmp.Compare(x.Start, y.Start) })
	values, r := map[int]*tree.Node{}, b.t.read
	for _, c := range containers {
		in, err := found(r, b.cursor(c).Follow(moved))
		if err != nil {
			return nil, err
		}
		o := b.orders[c.ID()]
		isInsert := map[int]bool{}
		for _, i := range inserted[c.ID()] {
			isInsert[i] = true
		}
		for _, gap := range o.Gaps() {
			first := o.Index(gap) - int64(len(o.Fresh[gap]))
			for k, i := range o.Fresh[gap] {
				if !isInsert[i] {
					continue
				}
				if values[i], err = r.Child(in, first+int64(k)); err != nil {
					return nil, err
				}
			}
		}
	}
	return values, nil
}
