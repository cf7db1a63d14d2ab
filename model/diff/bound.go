package diff

import (
	"slices"

	"varview/decoder/engine/format"
	"varview/decoder/engine/tree"
	"varview/model/compare"
)

// ofContent returns changes without those of values that follow from others, and with one change in place of
// all in a value that changes only as a whole.
func ofContent(changes []*compare.Change, a, b *tree.Reader) []*compare.Change {
	changes = slices.DeleteFunc(changes, func(c *compare.Change) bool {
		return c.A != nil && follows(a, c.A) || c.A == nil && follows(b, c.B) || comesWithOther(a, b, c)
	})
	changes = slices.DeleteFunc(changes, func(c *compare.Change) bool {
		at := located(a, c)
		return len(at) > 0 && !slices.ContainsFunc(changes, func(c *compare.Change) bool { return c.A != nil && slices.ContainsFunc(at, c.IsAt) })
	})
	return asWhole(changes, changesAsWhole(changes, a, b))
}

// asWhole returns changes with one in place of all in each of some values.
func asWhole(changes []*compare.Change, bound map[tree.ID]*compare.Change) []*compare.Change {
	if len(bound) == 0 {
		return changes
	}
	var all []*compare.Change
	done := map[*compare.Change]bool{}
	for _, c := range changes {
		whole := c
		n := c.A
		if n == nil {
			n = c.InA
		}
		for ; n != nil; n = n.Parent {
			if x := bound[n.ID()]; x != nil {
				whole = x
			}
		}
		if !done[whole] {
			done[whole] = true
			all = append(all, whole)
		}
	}
	return all
}

// changesAsWhole returns the values that change only as a whole and have other children, with the change of each.
func changesAsWhole(changes []*compare.Change, a, b *tree.Reader) map[tree.ID]*compare.Change {
	bound := map[tree.ID]*compare.Change{}
	for _, c := range changes {
		if c.Kind != compare.Added && c.Kind != compare.Removed && c.Kind != compare.Moved || c.Note {
			continue
		}
		in, to := boundIn(a, c.InA), boundIn(b, c.InB)
		if in == nil {
			in, to = to, in // there are no children yet
		}
		if in == nil {
			continue
		}
		x, y := ancestor(c.InA, in.Depth), ancestor(c.InB, in.Depth)
		bound[x.ID()] = wholeChange(a, x, y)
	}
	return bound
}

// otherRecords returns the elements of lists that have become others, as their ids tell, with the change of each: a patch that set
// some of their values alone would leave the others of another record beside them.
func otherRecords(changes []*compare.Change, a *tree.Reader) map[tree.ID]*compare.Change {
	bound := map[tree.ID]*compare.Change{}
	for _, c := range changes {
		if !c.Note && isIDOf(a, c, c.InA) {
			bound[c.InA.ID()] = wholeChange(a, c.InA, c.InB)
		}
	}
	return bound
}

func wholeChange(r *tree.Reader, a, b *tree.Node) *compare.Change {
	return &compare.Change{Kind: compare.Changed, A: a, B: b, InA: a.Parent, InB: b.Parent, Path: r.Path(a)}
}

func follows(r *tree.Reader, n *tree.Node) bool {
	f, ok := r.Tree.Reading.(format.Follower)
	return ok && f.Follows(r, n)
}

// comesWithOther reports whether a value has come, gone or moved because the one has that leads to it.
func comesWithOther(a, b *tree.Reader, c *compare.Change) bool {
	isLed := func(r *tree.Reader, n *tree.Node) bool {
		l, ok := r.Tree.Reading.(format.Locator)
		return ok && n != nil && l.IsLed(n)
	}
	isOfOne := c.Kind == compare.Added || c.Kind == compare.Removed || c.Kind == compare.Moved
	return isOfOne && (isLed(a, c.A) || isLed(b, c.B))
}

// located returns the paths of the values whose position a change changes.
func located(r *tree.Reader, c *compare.Change) (paths []string) {
	l, ok := r.Tree.Reading.(format.Locator)
	if !ok || c.A == nil || c.B == nil {
		return nil
	}
	for _, name := range l.Located(c.A) {
		paths = append(paths, r.Path(c.A.Parent)+"."+name)
	}
	return paths
}

// boundIn returns the value that changes as a whole if the children of n do; nil if there is none. Parts of a
// text belong together.
func boundIn(r *tree.Reader, n *tree.Node) *tree.Node {
	if n.Layout == tree.Fixed && n.Opaque && n.Stride == 0 {
		return n
	}
	if b, ok := r.Tree.Reading.(format.Binder); ok {
		return b.Bound(n)
	}
	return nil
}

// ancestor returns the value around n, or n, at a depth.
func ancestor(n *tree.Node, depth int) *tree.Node {
	for n.Depth > depth {
		n = n.Parent
	}
	return n
}
