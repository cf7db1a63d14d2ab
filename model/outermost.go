package model

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"varview/decoder/engine/tree"
)

// Outermost returns the paths of the values at paths, each of which can stand for many, last in the file
// first, so that those before keep their paths when it is all. It leaves out values inside another one.
func (t *Transaction) Outermost(ctx context.Context, paths ...string) ([]string, error) {
	b, err := t.Batch(ctx, len(paths)) // in which all are found as quickly as later
	if err != nil {
		return nil, err
	}
	taken := map[Cursor]*tree.Node{}
	for _, path := range paths {
		err := b.Reader().EachAt(ctx, path, func(n *tree.Node) error {
			taken[CursorOf(n)] = n
			return nil
		})
		switch {
		case err == tree.ErrNoMatch:
			return nil, fmt.Errorf("%w: %s", err, path)
		case err != nil:
			return nil, err
		}
	}
	var all []*tree.Node
	for _, n := range taken {
		if !isInsideAny(n, taken) {
			all = append(all, n)
		}
	}
	slices.SortFunc(all, func(a, b *tree.Node) int {
		if a.Start != b.Start {
			return cmp.Compare(b.Start, a.Start)
		}
		return slices.Compare(b.Indexes(), a.Indexes()) // they are unpacked from the same bytes
	})
	var is []string
	for _, n := range all {
		is = append(is, b.Reader().Path(n))
	}
	return is, nil
}

// isInsideAny reports whether a value lies in one of others.
func isInsideAny(n *tree.Node, others map[Cursor]*tree.Node) bool {
	for n = n.Parent; n != nil; n = n.Parent {
		if others[CursorOf(n)] != nil {
			return true
		}
	}
	return false
}
