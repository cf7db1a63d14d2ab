package model

import (
	"errors"
	"slices"

	"varview/decoder/tree"
	"varview/model/compare"
)

// conflict returns why one of their changes cannot be made, "" if it can. done says that we
// have made the same one.
func (m *merging) conflict(c *compare.Change) (why string, done bool) {
	around := c.InA
	if c.A != nil {
		around = c.A.Parent
	}
	for n := around; n != nil; n = n.Parent {
		for _, our := range m.at[placeAt(n)] {
			switch our.Kind {
			case compare.Removed:
				return "we have removed " + our.Path, false
			case compare.Changed:
				return "we have changed " + our.Path, false
			}
		}
	}
	if c.A == nil {
		return m.conflictOfAdded(c)
	}
	for _, our := range m.at[placeAt(c.A)] {
		if why, done := m.conflictOfSame(c, our); why != "" || done {
			return why, done
		}
	}
	inside := m.in[placeAt(c.A)]
	switch {
	case (c.Kind == compare.Removed || c.Kind == compare.Changed) && len(inside) > 0:
		return "we have changed " + inside[0].Path, false
	case c.Kind == compare.Moved && !c.Note && m.hasStructural(c.InA):
		return "we have changed this list too", false
	case c.Kind == compare.Renamed:
		return m.conflictOfRenamed(c)
	case c.B != nil && c.Kind != compare.Moved && m.refers(c.B) && m.moves:
		return "it refers to other values, and we have changed where these are", false
	}
	return "", false
}

// conflictOfSame is about changes of the same value.
func (m *merging) conflictOfSame(c, our *compare.Change) (why string, done bool) {
	switch {
	case our.Note && c.Note:
		return "", true
	case c.Note && our.Kind == compare.Changed: // it is stored in another way, and means what it did
		return "", true
	case our.Note, c.Note:
		return "", false
	case c.Kind == our.Kind && (c.Kind == compare.Removed || m.areSame(c, our)):
		return "", true
	case c.Kind == our.Kind:
		return "both have " + c.Kind.String() + " it", false
	case c.Kind == compare.Removed, our.Kind == compare.Removed:
		return "we have " + our.Kind.String() + " it, they have " + c.Kind.String() + " it", false
	}
	return "", false // a value and its key, or its place
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

// conflictOfAdded is about a value that they have added.
func (m *merging) conflictOfAdded(c *compare.Change) (why string, done bool) {
	if same := m.sameKey(c); same != nil {
		if compare.AreEqual(m.to, c.B, m.ours, same) {
			return "", true
		}
		return "both have added it", false
	}
	if m.refers(c.B) {
		return "it refers to other values", false
	}
	if c.InA.Layout == tree.Pairs {
		return "", false
	}
	for _, our := range m.in[placeAt(c.InA)] {
		if our.Kind == compare.Added && our.InA.Start == c.InA.Start && our.InA.Depth == c.InA.Depth && our.Before == c.Before {
			if our.B.Slot == c.B.Slot && compare.AreEqual(m.to, c.B, m.ours, our.B) {
				return "", true
			}
			return "both have added a value here", false
		}
	}
	return "", false
}

// conflictOfRenamed is about a key that we have already.
func (m *merging) conflictOfRenamed(c *compare.Change) (why string, done bool) {
	if m.sameKey(c) != nil {
		return "we have a value with the new key", false
	}
	return "", false
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
		return our.Kind != compare.Changed && our.InA.Start == in.Start && our.InA.Depth == in.Depth
	})
}

// refers reports whether a value of theirs is, or contains, a reference.
func (m *merging) refers(n *tree.Node) bool {
	if n.Refers {
		return true
	}
	if !m.to.Tree.HasReferences() || n.Layout < tree.Sequence {
		return false
	}
	found := false
	s := m.to.Scan(n)
	s.Run(m.ctx, func(ev tree.Event) bool {
		if ev == tree.Leave && s.Depth() <= n.Depth {
			return false
		}
		found = found || s.Value().Refers
		return !found
	})
	return found
}

// errGone says that this file does not have a value of the base any more.
var errGone = errors.New("it is gone")

// counterpart returns where a value of the base is in this file as it was.
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

// indexNow returns the index that an element of a list has in this file: of those that have not
// moved the order is the same.
func (m *merging) indexNow(n *tree.Node) int64 {
	i := n.Slot.Index
	var fresh []int64 // elements that were added or moved to where they are
	for _, our := range m.in[placeAt(n.Parent)] {
		if our.InA.Start != n.Parent.Start || our.InA.Depth != n.Parent.Depth {
			continue
		}
		if our.A != nil && our.Kind != compare.Changed && our.A.Slot.Index < n.Slot.Index {
			i--
		}
		if our.B != nil && our.Kind != compare.Changed {
			fresh = append(fresh, our.B.Slot.Index)
		}
	}
	slices.Sort(fresh)
	for _, x := range fresh {
		if x <= i {
			i++
		}
	}
	return i
}
