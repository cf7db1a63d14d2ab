package diff

import (
	"errors"

	"varview/decoder/engine/tree"
)

// references calls each with the number of every value to which n refers, or something in n, until it returns
// false.
func (m *merging) references(r *tree.Reader, n *tree.Node, each func(serial uint32) bool) {
	if n.Refers {
		each(n.Sub)
		return
	}
	if !r.Tree.HasReferences() || n.Layout < tree.Sequence {
		return
	}
	s := r.Scan(n)
	s.Run(m.ctx, func(ev tree.Event) bool {
		if ev == tree.Leave && s.Depth() <= n.Depth {
			return false
		}
		v := s.Value()
		return ev == tree.Leave || !v.Refers || each(v.Sub)
	})
}

// refers reports whether a value is, or contains, a reference.
func (m *merging) refers(r *tree.Reader, n *tree.Node) (found bool) {
	m.references(r, n, func(uint32) bool {
		found = true
		return false
	})
	return found
}

// canFollow reports whether all references in a value of theirs lead to values that this file has too.
func (m *merging) canFollow(n *tree.Node) bool {
	ok := true
	m.references(m.to, n, func(serial uint32) bool {
		ok = m.link(serial) != ""
		return ok
	})
	return ok
}

// errElsewhere says that a reference cannot be followed to a value that this file has.
var errElsewhere = errors.New("it refers to other values, and these may be elsewhere")

// link implements becoming.link with the paths before the merge.
func (m *merging) link(serial uint32) string {
	was, known := m.twins[serial]
	if !known {
		return ""
	}
	n, err := m.base.Numbered(was)
	if err == nil {
		n, err = m.counterpart(n)
	}
	if err != nil {
		return ""
	}
	return m.ours.Path(n)
}
