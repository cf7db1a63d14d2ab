package diff

import (
	"math"
	"slices"

	"varview/decoder/engine/tree"
	"varview/model/compare"
)

// The sides of a merge.
const (
	oursSide = iota
	theirsSide
)

// A listChanges is what both sides have changed in a list of the base.
type listChanges struct {
	in     *tree.Node
	sides  [2]listSide
	why    string // why they cannot be merged; "" if they can
	judged bool
}

// A listSide is what one side has changed in a list.
type listSide struct {
	changes []*compare.Change           // changes of which elements there are, and of their order
	added   map[int64][]*compare.Change // changes that come before an element of the base
	moves   bool                        // some of the changes move an element
	gone    []int64                     // elements of the base that are gone from their place, in order
	fresh   []int64                     // elements that were added or moved to their place, in order
	unclear []*compare.Unclear
	touched []touch
}

// A touch is a range of elements of a list that one side has changed, themselves or inside them; it is empty
// where elements were added.
type touch struct {
	from, to int64
}

// lists are what both sides have changed in lists.
type lists map[tree.ID]*listChanges

func (all lists) of(in *tree.Node) *listChanges {
	at := in.ID()
	if all[at] == nil {
		all[at] = &listChanges{in: in}
	}
	return all[at]
}

// know records what one side has changed.
func (all lists) know(side int, isMap func(*tree.Node) bool, changes []*compare.Change) {
	for _, c := range changes {
		if c.Note || c.Kind != compare.Added && c.Kind != compare.Removed && c.Kind != compare.Moved || isMap(c.InA) {
			continue
		}
		s := &all.of(c.InA).sides[side]
		s.changes = append(s.changes, c)
		s.moves = s.moves || c.Kind == compare.Moved
		if c.A != nil {
			s.gone = append(s.gone, c.A.Slot.Index)
		}
		if c.B != nil {
			s.fresh = append(s.fresh, c.B.Slot.Index)
		}
		if c.Kind == compare.Added {
			if s.added == nil {
				s.added = map[int64][]*compare.Change{}
			}
			at := c.Before
			s.added[at] = append(s.added[at], c)
		}
	}
	for _, l := range all {
		s := &l.sides[side]
		slices.Sort(s.gone)
		slices.Sort(s.fresh)
	}
}

// knowShifted makes lists unclear in which one side has given an element the id that another one had, which has another id too:
// elements were removed, added or moved, and paired by their positions.
func (all lists) knowShifted(side int, base, to *tree.Reader, changes []*compare.Change) {
	type idIn struct {
		list    tree.ID
		literal string
	}
	had := map[idIn]bool{}
	of := func(r *tree.Reader, c *compare.Change, n *tree.Node) idIn {
		return idIn{c.A.Parent.Parent.ID(), string(r.AppendLiteral(nil, &n.Value, shownConflict))}
	}
	ids := slices.DeleteFunc(slices.Clone(changes), func(c *compare.Change) bool { return c.Note || !isIDOf(base, c, c.InA) })
	for _, c := range ids {
		had[of(base, c, c.A)] = true
	}
	for _, c := range ids {
		if had[of(to, c, c.B)] {
			s := &all.of(c.A.Parent.Parent).sides[side]
			s.unclear = append(s.unclear, &compare.Unclear{InA: c.A.Parent.Parent, ToA: math.MaxInt64})
		}
	}
}

func (l *listChanges) isUnclear() bool {
	return len(l.sides[oursSide].unclear)+len(l.sides[theirsSide].unclear) > 0
}

// touch records which elements of lists with unclear parts one side has changed.
func (all lists) touch(side int, changes []*compare.Change) {
	add := func(in *tree.Node, t touch) {
		if l := all[in.ID()]; l != nil && l.isUnclear() {
			l.sides[side].touched = append(l.sides[side].touched, t)
		}
	}
	for _, c := range changes {
		if c.Note {
			continue
		}
		n := c.A
		if n == nil {
			add(c.InA, touch{c.Before, c.Before})
			n = c.InA
		}
		for ; n.Parent != nil; n = n.Parent {
			add(n.Parent, touch{n.Slot.Index, n.Slot.Index + 1})
		}
	}
}

func (s *listSide) isChanged() bool { return len(s.changes) > 0 || len(s.unclear) > 0 }

// isIn reports whether a touch lies in an unclear part, or is something added at its beginning or end.
func (t *touch) isIn(u *compare.Unclear) bool {
	if t.from == t.to || u.FromA == u.ToA {
		return t.from <= u.ToA && t.to >= u.FromA
	}
	return t.from < u.ToA && t.to > u.FromA
}

// addedBoth returns what we have added where they have added a value. isSame says that both have added
// the same values.
func (l *listChanges) addedBoth(m *merging, c *compare.Change) (ours []*compare.Change, isSame bool) {
	ours, theirs := l.sides[oursSide].added[c.Before], l.sides[theirsSide].added[c.Before]
	same := func(our, c *compare.Change) bool { return compare.AreEqual(m.ours, our.B, m.to, c.B) }
	return ours, slices.EqualFunc(ours, theirs, same)
}

// areSame reports whether both sides have made the same changes of which elements there are.
func (l *listChanges) areSame(m *merging) bool {
	same := func(c, our *compare.Change) bool {
		return c.Kind == our.Kind && (c.A == nil || c.A.Slot == our.A.Slot) && (c.B == nil || c.B.Slot == our.B.Slot) &&
			(c.Kind != compare.Added || compare.AreEqual(m.to, c.B, m.ours, our.B))
	}
	return len(l.sides[oursSide].unclear)+len(l.sides[theirsSide].unclear) == 0 &&
		slices.EqualFunc(l.sides[theirsSide].changes, l.sides[oursSide].changes, same)
}

// indexIn returns the index that an element of the base has on a side that has not removed it, unless it
// was moved there. Elements that were not moved are in the order of the base.
func (s *listSide) indexIn(index int64) int64 {
	before, _ := slices.BinarySearch(s.gone, index)
	i := index - int64(before)
	low, high := 0, len(s.fresh)
	for low < high {
		if half := (low + high) / 2; s.fresh[half]-int64(half) <= i {
			low = half + 1
		} else {
			high = half
		}
	}
	return i + int64(low)
}
