package diff

import (
	"errors"
	"slices"

	"varview/decoder/tree"
	"varview/model/compare"
)

// conflict returns the clash of one of their changes with ours, nil if there is none. done says
// that nothing is left to do: we have made the same change, or it belongs to an earlier clash.
func (m *merging) conflict(c *compare.Change) (x *clash, done bool, err error) {
	around := c.InA
	if c.A != nil {
		around = c.A.Parent
	}
	for n := around; n != nil; n = n.Parent {
		for _, our := range m.at[placeAt(n)] {
			if our.Kind == compare.Removed || our.Kind == compare.Changed {
				if c.Note {
					return nil, true, nil
				}
				x = &clash{base: n, ours: our.B, theirs: theirsAt(c, n.Depth), why: "we have " + our.Kind.String() + " it, they have " + c.Kind.String() + " " + c.Path}
				return m.first(x)
			}
		}
	}
	if c.A == nil {
		return m.conflictOfAdded(c)
	}
	for _, our := range m.at[placeAt(c.A)] {
		x, done := m.conflictOfSame(c, our)
		switch {
		case x != nil && x.whole:
			return m.conflictOfList(c, x.why)
		case x != nil:
			return m.first(x)
		case done:
			return nil, true, nil
		}
	}
	inside := m.in[placeAt(c.A)]
	switch {
	case (c.Kind == compare.Removed || c.Kind == compare.Changed) && len(inside) > 0:
		return m.clashWithOurs(c, "we have changed "+inside[0].Path)
	case c.Kind == compare.Moved && !c.Note && m.hasStructural(c.InA):
		return m.conflictOfList(c, "both have changed which elements it has, or their order")
	case c.Kind == compare.Renamed && m.sameKey(c) != nil:
		return m.conflictOfList(c, "they have renamed "+c.Path+", and we have a value with the new key")
	case c.Kind == compare.Changed && (m.moves || c.B.Layout >= tree.Sequence) && m.refers(m.to, c.B):
		return m.clashWithOurs(c, "it refers to other values, and these may be elsewhere")
	}
	return nil, false, nil
}

// theirsAt returns the value of theirs with a given depth that is changed, or around the
// change.
func theirsAt(c *compare.Change, depth int) *tree.Node {
	n := c.B
	if n == nil {
		n = c.InB
	}
	for n.Depth > depth {
		n = n.Parent
	}
	return n
}

// clashWithOurs returns the clash of one of their changes with our value in the same place.
func (m *merging) clashWithOurs(c *compare.Change, why string) (*clash, bool, error) {
	n, err := m.counterpart(c.A)
	if err != nil {
		return nil, false, err
	}
	return m.first(&clash{base: c.A, ours: n, theirs: c.B, why: why})
}

// conflictOfList returns the clash about the whole value around a change.
func (m *merging) conflictOfList(c *compare.Change, why string) (*clash, bool, error) {
	n, err := m.counterpart(c.InA)
	if err != nil {
		return nil, false, err
	}
	return m.first(&clash{base: c.InA, ours: n, theirs: c.InB, why: why, whole: true})
}

// conflictOfSame returns the clash of two changes of the same value, nil if they go together.
func (m *merging) conflictOfSame(c, our *compare.Change) (x *clash, done bool) {
	x = &clash{base: c.A, ours: our.B, theirs: c.B, renamed: c.Kind == compare.Renamed && our.Kind == compare.Renamed}
	x.whole = c.Kind == compare.Moved && our.Kind == compare.Moved
	switch {
	case our.Note && c.Note:
		return nil, true
	case c.Note && our.Kind == compare.Changed: // it is stored in another way, and means what it did
		return nil, true
	case our.Note, c.Note:
		return nil, false
	case c.Kind == our.Kind && (c.Kind == compare.Removed || m.areSame(c, our)):
		return nil, true
	case x.whole:
		x.why = "both have moved " + c.Path
		return x, false
	case c.Kind == our.Kind:
		x.why = "both have " + c.Kind.String() + " it"
		return x, false
	case c.Kind == compare.Removed, our.Kind == compare.Removed:
		x.why = "we have " + our.Kind.String() + " it, they have " + c.Kind.String() + " it"
		return x, false
	}
	return nil, false // a value and its key, or its place
}

// areSame reports whether two changes of one value have the same outcome.
func (m *merging) areSame(c, our *compare.Change) bool {
	switch c.Kind {
	case compare.Changed:
		if c.B.Refers || our.B.Refers {
			return string(m.to.AppendLiteral(nil, &c.B.Value, shownConflict)) == string(m.ours.AppendLiteral(nil, &our.B.Value, shownConflict))
		}
		return compare.AreEqual(m.to, c.B, m.ours, our.B)
	case compare.Renamed:
		return m.to.Step(c.B) == m.ours.Step(our.B)
	case compare.Moved:
		return c.B.Slot == our.B.Slot
	}
	return false
}

// conflictOfAdded returns the clash about a value that they have added, nil if there is none.
func (m *merging) conflictOfAdded(c *compare.Change) (x *clash, done bool, err error) {
	x = &clash{theirs: c.B, in: c.InA, before: c.Before}
	if x.ours = m.sameKey(c); x.ours != nil {
		if compare.AreEqual(m.to, c.B, m.ours, x.ours) {
			return nil, true, nil
		}
		x.why = "both have added it"
		return x, false, nil
	}
	if m.refers(m.to, c.B) {
		x.why = "it refers to other values"
		return x, false, nil
	}
	if c.InA.Layout == tree.Pairs {
		return nil, false, nil
	}
	for _, our := range m.in[placeAt(c.InA)] {
		if our.Kind == compare.Added && placeAt(our.InA) == placeAt(c.InA) && our.Before == c.Before {
			if our.B.Slot == c.B.Slot && compare.AreEqual(m.to, c.B, m.ours, our.B) {
				return nil, true, nil
			}
			x.why = "both have added a value here: ours is " + our.Path
			return x, false, nil
		}
	}
	return nil, false, nil
}

// sameKey returns our value with the key of one that they have added or renamed, nil if there
// is none.
func (m *merging) sameKey(c *compare.Change) *tree.Node {
	step := m.to.Step(c.B)
	if c.InA.Layout != tree.Pairs && (step == "" || isIndexStep(step)) {
		return nil
	}
	in, err := m.counterpart(c.InA)
	if err != nil {
		return nil
	}
	n, err := m.ours.Resolve(m.ours.Path(in) + step)
	if err != nil {
		return nil
	}
	return n
}

// hasStructural reports whether we have changed which children a value has, or their order.
func (m *merging) hasStructural(in *tree.Node) bool {
	return slices.ContainsFunc(m.in[placeAt(in)], func(our *compare.Change) bool {
		return our.Kind != compare.Changed && placeAt(our.InA) == placeAt(in)
	})
}

// refers reports whether a value is, or contains, a reference.
func (m *merging) refers(r *tree.Reader, n *tree.Node) bool {
	if n.Refers {
		return true
	}
	if !r.Tree.HasReferences() || n.Layout < tree.Sequence {
		return false
	}
	found := false
	s := r.Scan(n)
	s.Run(m.ctx, func(ev tree.Event) bool {
		if ev == tree.Leave && s.Depth() <= n.Depth {
			return false
		}
		found = found || s.Value().Refers
		return !found
	})
	return found
}

// errGone says that this file no longer has a value of the base.
var errGone = errors.New("it is gone")

// counterpart returns the value of this file, as it was, that corresponds to one of the base.
func (m *merging) counterpart(n *tree.Node) (*tree.Node, error) {
	if n.Parent == nil {
		return m.ours.Tree.Base, nil
	}
	for _, our := range m.at[placeAt(n)] {
		switch our.Kind {
		case compare.Removed:
			return nil, errGone
		case compare.Moved, compare.Renamed:
			if !our.Note {
				return our.B, nil
			}
		}
	}
	in, err := m.counterpart(n.Parent)
	if err != nil {
		return nil, err
	}
	step := m.base.Step(n)
	if n.Parent.Layout == tree.Pairs || step != "" && !isIndexStep(step) {
		return m.ours.Resolve(m.ours.Path(in) + m.lastStep(n))
	}
	return m.ours.Child(in, m.indexNow(n))
}

// lastStep returns the last step of the path of a value of the base, with the number of a
// repeated key.
func (m *merging) lastStep(n *tree.Node) string {
	return m.base.Path(n)[len(m.base.Path(n.Parent)):]
}

// indexNow returns the index of an element of a list in this file. Those that were not moved
// are in the same order as in the base.
func (m *merging) indexNow(n *tree.Node) int64 {
	at := placeAt(n.Parent)
	s := m.shifts[at]
	if s == nil {
		s = newShift(m.in[at], at)
		m.shifts[at] = s
	}
	return s.of(n.Slot.Index)
}

// A shift says where the elements of a list are that were not moved, after others were.
type shift struct {
	gone  []int64 // indexes of elements that were removed or moved
	fresh []int64 // those of elements that were added or moved there, less the number of them before
}

// newShift returns the shift of changes to the list at a place, and to others.
func newShift(changes []*compare.Change, at placeIn) *shift {
	s := &shift{}
	for _, our := range changes {
		if our.Kind == compare.Changed || placeAt(our.InA) != at {
			continue
		}
		if our.A != nil {
			s.gone = append(s.gone, our.A.Slot.Index)
		}
		if our.B != nil {
			s.fresh = append(s.fresh, our.B.Slot.Index)
		}
	}
	slices.Sort(s.gone)
	slices.Sort(s.fresh)
	for k := range s.fresh {
		s.fresh[k] -= int64(k)
	}
	return s
}

func (s *shift) of(i int64) int64 {
	gone, _ := slices.BinarySearch(s.gone, i)
	i -= int64(gone)
	fresh, _ := slices.BinarySearch(s.fresh, i+1)
	return i + int64(fresh)
}
