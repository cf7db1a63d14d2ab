package diff

import (
	"errors"

	"varview/decoder/engine/tree"
	"varview/model"
	"varview/model/compare"
)

// conflict returns the clash of one of their changes with ours; nil if there is none. done says that
// nothing is left to do: we have made the same change, or it belongs to an earlier clash.
func (m *merging) conflict(c *compare.Change) (x *clash, done bool, err error) {
	if l := m.contested(c); l != nil {
		if c.Note { // it belongs to what is there
			return nil, true, nil
		}
		x, done, err := m.conflictOfList(l.in, theirsAt(c, l.in.Depth), l.why)
		if x != nil && compare.AreEqual(m.ours, x.ours, m.to, x.theirs) {
			return nil, true, nil
		}
		return x, done, err
	}
	x, done, err = m.conflictAround(c)
	switch {
	case x != nil || done || err != nil:
		return x, done, err
	case c.A == nil:
		return m.conflictOfAdded(c)
	}
	return m.conflictAt(c)
}

// conflictAround returns the clash of one of their changes with one of ours to a value around it.
func (m *merging) conflictAround(c *compare.Change) (x *clash, done bool, err error) {
	around := c.InA
	if c.A != nil {
		around = c.A.Parent
	}
	if n, why := m.otherElement(c, around); n != nil {
		ours, err := m.counterpart(n)
		if err == nil {
			return m.first(&clash{base: n, ours: ours, theirs: theirsAt(c, n.Depth), why: why})
		}
	}
	for n := around; n != nil; n = n.Parent {
		for _, our := range m.at[n.ID()] {
			if our.Kind == compare.Removed || our.Kind == compare.Changed {
				if c.Note {
					return nil, true, nil
				}
				x = &clash{base: n, ours: our.B, theirs: theirsAt(c, n.Depth), why: "we have " + our.Kind.String() + " it, they have " + c.Kind.String() + " " + c.Path}
				return m.first(x)
			}
		}
	}
	return nil, false, nil
}

// conflictAt returns the clash of their change of a value with ours to the same value, or to what is in it.
func (m *merging) conflictAt(c *compare.Change) (x *clash, done bool, err error) {
	for _, our := range m.at[c.A.ID()] {
		x, done := m.conflictOfSame(c, our)
		switch {
		case x != nil:
			return m.first(x)
		case done:
			return nil, true, nil
		}
	}
	inside := m.in[c.A.ID()]
	switch {
	case c.Note: // it means what it did
		return nil, true, nil
	case (c.Kind == compare.Removed || isOfValue(c)) && len(inside) > 0:
		return m.clashWithOurs(c, "we have changed "+inside[0].Path)
	case c.Kind == compare.Renamed && m.sameKey(c) != nil:
		return m.conflictOfList(c.InA, c.InB, "they have renamed "+c.Path+", and we have a value with the new key")
	case len(located(m.base, c)) > 0:
		return m.clashWithOurs(c, "they have changed this position, and what is there")
	case isOfValue(c) && !m.canFollow(c.B):
		return m.clashWithOurs(c, errElsewhere.Error())
	}
	return nil, false, nil
}

// otherElement returns the element of a list that one side has given another id while the other side has changed it, and
// why that is a conflict: the one with the other id may be another element that is at its place now. It returns nil if
// there is none.
func (m *merging) otherElement(c *compare.Change, around *tree.Node) (n *tree.Node, why string) {
	if c.Note {
		return nil, ""
	}
	for n := around; n != nil; n = n.Parent {
		ours := m.ids[n.ID()]
		if isIDOf(m.base, c, n) {
			ours = m.in[n.ID()]
		}
		for _, our := range ours {
			if c.A == nil || our.A == nil || c.A.ID() != our.A.ID() {
				return n, "we have changed " + our.Path + ", they have changed " + c.Path + ", and it may be another element now"
			}
		}
	}
	return nil, ""
}

// isIDOf reports whether a change is of the id of n, which is an element of a list of the tree that r reads.
func isIDOf(r *tree.Reader, c *compare.Change, n *tree.Node) bool {
	if c.Kind != compare.Changed || n == nil || c.A.Parent == nil || c.A.Parent.ID() != n.ID() || !model.IsID(r.Step(c.A)) {
		return false
	}
	return n.Parent != nil && n.Parent.Layout != tree.Pairs && isIndexStep(r.Step(n))
}

// theirsAt returns the value of theirs at a given depth that is changed, or around the change.
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

// contested returns the outermost list in which one of their changes lies and whose changes cannot be merged; nil if there is
// none.
func (m *merging) contested(c *compare.Change) (in *listChanges) {
	for n := c.InA; n != nil; n = n.Parent {
		if l := m.lists[n.ID()]; l != nil && l.whyContested(m) != "" {
			in = l
		}
	}
	return in
}

// conflictOfList returns the clash about a whole value of the base.
func (m *merging) conflictOfList(in, theirs *tree.Node, why string) (*clash, bool, error) {
	n, err := m.counterpart(in)
	if err != nil {
		return nil, false, err
	}
	return m.first(&clash{base: in, ours: n, theirs: theirs, why: why})
}

// conflictOfSame returns the clash of two changes of the same value; nil if they are compatible.
func (m *merging) conflictOfSame(c, our *compare.Change) (x *clash, done bool) {
	x = &clash{base: c.A, ours: our.B, theirs: c.B, renamed: c.Kind == compare.Renamed && our.Kind == compare.Renamed}
	switch {
	case our.Note && c.Note:
		return nil, true
	case c.Note && (our.Kind == compare.Changed || our.Kind == compare.Removed): // it is stored differently, but means what it did
		return nil, true
	case our.Note, c.Note:
		return nil, false
	case c.Kind == our.Kind && (c.Kind == compare.Removed || m.areSame(c, our)):
		return nil, true
	case c.Kind == our.Kind:
		x.why = "both have " + c.Kind.String() + " it"
		return x, false
	case c.Kind == compare.Removed, our.Kind == compare.Removed, isOfValue(c) && isOfValue(our):
		x.why = "we have " + our.Kind.String() + " it, they have " + c.Kind.String() + " it"
		return x, false
	}
	return nil, false // a value and its key, or its place
}

// isOfValue reports whether a change is of a value itself, not of its key or place.
func isOfValue(c *compare.Change) bool { return c.Kind == compare.Changed || c.Kind == compare.Retyped }

// areSame reports whether two changes of one value have the same outcome.
func (m *merging) areSame(c, our *compare.Change) bool {
	switch c.Kind {
	case compare.Changed:
		if c.B.Refers || our.B.Refers {
			return string(m.to.AppendLiteral(nil, &c.B.Value, shownConflict)) == string(m.ours.AppendLiteral(nil, &our.B.Value, shownConflict))
		}
		return compare.AreEqual(m.to, c.B, m.ours, our.B)
	case compare.Retyped:
		return m.to.Tree.Reading.TypeName(&c.B.Value) == m.ours.Tree.Reading.TypeName(&our.B.Value)
	case compare.Renamed:
		return m.to.Step(c.B) == m.ours.Step(our.B)
	case compare.Moved:
		return c.B.Slot == our.B.Slot
	}
	return false
}

// conflictOfAdded returns the clash about a value that they have added; nil if there is none.
func (m *merging) conflictOfAdded(c *compare.Change) (x *clash, done bool, err error) {
	x = &clash{theirs: c.B, in: c.InA, before: c.Before}
	if x.ours = m.sameKey(c); x.ours != nil {
		if _, err := m.base.Resolve(m.base.Path(c.InA) + m.to.Step(c.B)); err == nil {
			x.why = "it repeats a key"
			return x, false, nil
		}
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
	l := m.lists[c.InA.ID()]
	if l == nil {
		return nil, false, nil
	}
	ours, isSame := l.addedBoth(m, c)
	if len(ours) == 0 || isSame {
		return nil, isSame, nil
	}
	x.why = "both have added a value here: ours is " + ours[0].Path
	return x, false, nil
}

// sameKey returns our value with the key of one that they have added or renamed; nil if there is none.
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

// errGone says that this file no longer has a value of the base.
var errGone = errors.New("it is gone")

// counterpart returns the value that corresponds to one of the base, in this file before the merge.
func (m *merging) counterpart(n *tree.Node) (*tree.Node, error) {
	if n.Parent == nil {
		return m.ours.Tree.Base, nil
	}
	for _, our := range m.at[n.ID()] {
		switch our.Kind {
		case compare.Removed:
			return nil, errGone
		case compare.Moved, compare.Renamed:
			if !our.Note {
				return our.B, nil
			}
		}
	}
	if n.Slot.Key {
		return m.counterpartOfKey(n)
	}
	in, err := m.counterpart(n.Parent)
	if err != nil {
		return nil, err
	}
	if step := m.base.NumberedStep(n); n.Parent.Layout == tree.Pairs || step != "" && !isIndexStep(step) {
		return m.ours.Follow(in, step)
	}
	index := n.Slot.Index
	if l := m.lists[n.Parent.ID()]; l != nil {
		index = l.sides[oursSide].indexIn(index)
	}
	return m.ours.Child(in, index)
}

// counterpartOfKey returns the key that corresponds to one of the base.
func (m *merging) counterpartOfKey(key *tree.Node) (*tree.Node, error) {
	n, err := m.base.Child(key.Parent, key.Slot.Index)
	if err == nil {
		n, err = m.counterpart(n)
	}
	if err != nil {
		return nil, err
	}
	return m.ours.Key(n), nil
}
