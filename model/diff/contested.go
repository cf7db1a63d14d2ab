package diff

import (
	"cmp"
	"slices"

	"varview/decoder/engine/tree"
	"varview/model/compare"
)

// A contested is a range of elements of a list of the base in which the changes of both sides cannot be
// merged, and why. What was added right before or after it belongs to it.
type contested struct {
	from, to int64 // to is not included
	why      string
}

const (
	whyUnclear = "both have changed it, and it is not certain which element has become which"
	whyMoved   = "both have changed which elements there are, or their order"
)

// contested returns the ranges in which the changes of both sides cannot be merged. Between them both
// sides have the same elements in the same order.
func (l *listChanges) contested(m *merging) []contested {
	if !l.judged {
		l.judged, l.clash = true, l.judge(m)
	}
	return l.clash
}

// contestedBy returns the contested range in which a change lies. The change is of or in a child of the
// list, or adds something if child is nil.
func (l *listChanges) contestedBy(m *merging, child *tree.Node, c *compare.Change) *contested {
	from := int64(0)
	if child != nil {
		from = child.Slot.Index
	} else {
		from = c.Before
	}
	all := l.contested(m)
	i, _ := slices.BinarySearchFunc(all, from, func(r contested, at int64) int {
		if r.to < at || r.to == at && child != nil {
			return -1
		}
		return 1
	})
	if i < len(all) && all[i].from <= from {
		return &all[i]
	}
	return nil
}

// judge finds what is contested. Where elements were moved, or both sides have changed which elements there are and it is
// not certain which ones, it is all between the first and the last of these.
func (l *listChanges) judge(m *merging) []contested {
	ours, theirs := &l.sides[oursSide], &l.sides[theirsSide]
	count := childCount(m.base, l.in)
	if len(ours.fresh) == len(ours.gone) && len(theirs.fresh) == len(theirs.gone) {
		for i := range l.sides {
			l.sides[i].unclear = slices.DeleteFunc(l.sides[i].unclear, func(u *compare.Unclear) bool { return u.IsWeak })
		}
	}
	if (ours.moves && theirs.isChanged() || theirs.moves && ours.isChanged()) && !l.areSame(m) {
		return []contested{l.changed(count, whyMoved)}
	}
	found := l.contestedUnclear(count)
	isOne := len(found) > 0 && (ours.moves || theirs.moves)
	if isOne || l.isUnclear() && len(ours.changes) > 0 && len(theirs.changes) > 0 {
		return []contested{l.changed(count, whyUnclear)}
	}
	return found
}

// changed returns the range from the first to the last element that any side has added, removed or moved,
// including the places to which they were moved.
func (l *listChanges) changed(count int64, why string) contested {
	r := contested{from: count, why: why}
	for i := range l.sides {
		s := &l.sides[i]
		for _, c := range s.changes {
			if c.A != nil {
				r.from, r.to = min(r.from, c.A.Slot.Index), max(r.to, c.A.Slot.Index+1)
			}
			if c.B != nil {
				gap := s.gapAt(c)
				r.from, r.to = min(r.from, gap), max(r.to, gap)
			}
		}
		for _, u := range s.unclear {
			r.from, r.to = min(r.from, u.FromA), max(r.to, min(u.ToA, count))
		}
	}
	return r
}

// gapAt returns the element of the base before which an element was added or moved.
func (s *listSide) gapAt(c *compare.Change) int64 {
	if c.Kind == compare.Added {
		return c.Before
	}
	back := listSide{gone: s.fresh, fresh: s.gone}
	return back.indexIn(c.B.Slot.Index)
}

// contestedUnclear returns the ranges, in order, in which one side has changed elements and it is unclear what has
// become of them on the other.
func (l *listChanges) contestedUnclear(count int64) (found []contested) {
	var parts []contested
	for i := range l.sides {
		other := l.sides[1-i].touched
		slices.SortFunc(other, func(x, y touch) int { return cmp.Compare(x.from, y.from) })
		for _, u := range l.sides[i].unclear {
			if touches(other, u) {
				parts = append(parts, contested{min(u.FromA, count), min(u.ToA, count), whyUnclear})
			}
		}
	}
	slices.SortFunc(parts, func(x, y contested) int { return cmp.Compare(x.from, y.from) })
	for _, p := range parts {
		if last := len(found) - 1; last >= 0 && p.from <= found[last].to {
			found[last].to = max(found[last].to, p.to)
		} else {
			found = append(found, p)
		}
	}
	return found
}

// touches reports whether there are changes of elements, in order, in an unclear part.
func touches(all []touch, u *compare.Unclear) bool {
	i, _ := slices.BinarySearchFunc(all, u.FromA, func(t touch, at int64) int { return cmp.Compare(t.to, at) })
	for ; i < len(all) && all[i].from <= u.ToA; i++ {
		if all[i].isIn(u) {
			return true
		}
	}
	return false
}

// A block is what each of the three files has in a contested range of a list.
type block struct {
	contested
	lists      [3]*tree.Node // the list in the base, ours and theirs
	begin, end [3]int64      // ranges of its elements
}

const baseSide = 2

// blockOf returns what the files have in a contested range.
func (m *merging) blockOf(l *listChanges, r contested, theirs *tree.Node) (*block, error) {
	ours, err := m.counterpart(l.in)
	if err != nil {
		return nil, err
	}
	b := &block{contested: r, lists: [3]*tree.Node{ours, theirs, l.in}}
	b.begin[baseSide], b.end[baseSide] = r.from, r.to
	for i := range l.sides {
		s := &l.sides[i]
		b.begin[i] = r.from - countBelow(s.removed, r.from) + countBelow(s.gaps, r.from)
		b.end[i] = r.to - countBelow(s.removed, r.to) + countBelow(s.gaps, r.to+1)
	}
	return b, nil
}

func countBelow(sorted []int64, limit int64) int64 {
	n, _ := slices.BinarySearch(sorted, limit)
	return int64(n)
}

// values returns what one of the files has in the range.
func (b *block) values(r *tree.Reader, side int) (all []*tree.Node, err error) {
	for i := b.begin[side]; i < b.end[side]; i++ {
		n, err := r.Child(b.lists[side], i)
		if err != nil {
			return nil, err
		}
		all = append(all, n)
	}
	return all, nil
}

// A taken is the end of a block: values still to be inserted after those that are in ours.
type taken struct {
	before int64 // index of the next element in ours
	values []*tree.Node
	from   *becoming
}

// take replaces our elements by those of another file.
func (m *merging) take(b *block, from *becoming, side int) error {
	values, err := b.values(from.to, side)
	if err != nil {
		return err
	}
	ours, err := b.values(m.ours, oursSide)
	if err != nil {
		return err
	}
	for i := range min(len(values), len(ours)) {
		if compare.AreEqual(m.ours, ours[i], from.to, values[i]) {
			continue
		}
		if err := from.set(m.ctx, m.ours.Path(ours[i]), values[i]); err != nil {
			return err
		}
	}
	g, err := m.group(b.lists[baseSide])
	if err != nil {
		return err
	}
	for i := len(values); i < len(ours); i++ {
		m.extra[g.in.ID()] = append(m.extra[g.in.ID()], ours[i].Slot.Index)
	}
	if len(values) > len(ours) {
		g.taken = append(g.taken, taken{b.end[oursSide], values[len(ours):], from})
	}
	return nil
}

// childCount returns the number of children of a value that can be read.
func childCount(r *tree.Reader, n *tree.Node) int64 {
	if n.Count != tree.Unknown && n.Damage == nil {
		return n.Count
	}
	last, err := r.LastChild(n)
	if err != nil {
		return 0
	}
	return last.Slot.Index + 1
}
