package search

import (
	"context"
	"fmt"

	"varview/decoder/parallel"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// maxProblems bounds the memory for the values that have problems.
const maxProblems = 1 << 20

// A valueID identifies a value in a tree.
type valueID struct {
	start int64
	depth int
	slot  tree.Slot
}

// A problemSet holds the values that have problems.
type problemSet map[valueID]struct{}

// problemsOf checks all values.
func problemsOf(ctx context.Context, t *tree.Tree) (problemSet, error) {
	set := problemSet{}
	err := t.CheckUntil(ctx, tree.CheckOptions{Workers: parallel.Workers()}, func(_ span.Problem, n *tree.Node) bool {
		set[valueID{n.Start, n.Depth, n.Slot}] = struct{}{}
		return len(set) <= maxProblems
	})
	if err == nil && len(set) > maxProblems {
		err = fmt.Errorf("has:problem: more than %s have one", span.Counted(maxProblems, "value"))
	}
	return set, err
}

// has reports whether a value or its key has problems.
func (p problemSet) has(scan *tree.Scanner, ev tree.Event) bool {
	id := valueID{scan.Value().Start, scan.Depth(), scan.Slot()}
	if ev == tree.Enter { // it is one of the values around the next one
		id.depth--
	}
	if _, ok := p[id]; ok || scan.KeyAt() == tree.Unknown {
		return ok
	}
	id.start, id.slot.Key = scan.KeyAt(), true
	_, ok := p[id]
	return ok
}
