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

	unclear [2]bool // whether it is unclear, by side, what the elements have become there
	touched bool    // one side has changed elements that are unclear on the other
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

func (l *listChanges) judge(m *merging) []contested {
	ours, theirs := &l.sides[oursSide], &l.sides[theirsSide]
	count := childCount(m.base, l.in)
	found := l.contestedUnclear(count)
	moved := (ours.moves && theirs.isChanged() || theirs.moves && ours.isChanged()) && !l.areSame(m)
	if moved || len(found) > 0 && (ours.moves || theirs.moves) {
		found = append([]contested{l.changed(count)}, found...)
		for i := range found {
			found[0].from, found[0].to = min(found[0].from, found[i].from), max(found[0].to, found[i].to)
		}
		if !moved {
			found[0].why = whyUnclear
		}
		return found[:1]
	}
	return joined(found)
}

// joined returns ranges in order, with those that overlap or adjoin joined into one.
func joined(all []contested) (parts []contested) {
	slices.SortFunc(all, func(x, y contested) int { return cmp.Compare(x.from, y.from) })
	for _, r := range all {
		last := len(parts) - 1
		if last < 0 || r.from > parts[last].to {
			parts = append(parts, r)
			continue
		}
		before := &parts[last]
		before.to = max(before.to, r.to)
		before.unclear = [2]bool{before.unclear[0] || r.unclear[0], before.unclear[1] || r.unclear[1]}
		before.touched = before.touched || r.touched
	}
	return parts
}

// changed returns the range from the first to the last element that any side has added, removed or moved,
// including the places to which they were moved.
func (l *listChanges) changed(count int64) contested {
	r := contested{from: count, why: whyMoved}
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

// contestedUnclear returns the ranges in which one side has changed elements and it is unclear what has
// become of them on the other.
func (l *listChanges) contestedUnclear(count int64) (found []contested) {
	if !l.isUnclear() {
		return nil
	}
	sameLength := l.sides[oursSide].grown() == 0 && l.sides[theirsSide].grown() == 0
	add := func(from, to int64) {
		found = append(found, contested{from: min(from, count), to: min(to, count), why: whyUnclear})
	}
	if sameLength {
		l.touchedByBoth(func(at int64) { add(at, at+1) })
	}
	var parts []contested
	for i := range l.sides {
		slices.SortFunc(l.sides[i].touched, func(x, y touch) int { return cmp.Compare(x.from, y.from) })
		for _, u := range l.sides[i].unclear {
			is := l.sides[1-i].touches(u, sameLength)
			if sameLength && u.Shifted != nil { // the others have not moved
				if is {
					add(u.FromA, u.ToA)
				}
				continue
			}
			p := contested{from: u.FromA, to: u.ToA, touched: is}
			p.unclear[i] = true
			parts = append(parts, p)
		}
	}
	for _, p := range joined(parts) {
		if p.touched || p.unclear[oursSide] && p.unclear[theirsSide] && !sameLength {
			add(p.from, p.to)
		}
	}
	return found
}

// touches reports whether a side has changed elements in an unclear part.
func (s *listSide) touches(u *compare.Unclear, sameLength bool) bool {
	i, _ := slices.BinarySearchFunc(s.touched, u.FromA, func(t touch, at int64) int { return cmp.Compare(t.to, at) })
	for ; i < len(s.touched) && s.touched[i].from <= u.ToA; i++ {
		if s.touched[i].isIn(u, sameLength) {
			return true
		}
	}
	return false
}

// touchedByBoth calls found for each element that both sides have changed: the element itself or, where
// that is unclear, what may be it.
func (l *listChanges) touchedByBoth(found func(at int64)) {
	by := map[int64]bool{} // elements changed themselves
	for _, t := range l.sides[oursSide].touched {
		by[t.from] = by[t.from] || t.itself
	}
	for _, t := range l.sides[theirsSide].touched {
		if itself, both := by[t.from]; both && (itself || t.itself || l.isUnclearAt(t.from)) {
			found(t.from)
		}
	}
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
