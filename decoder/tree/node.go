package tree

// A Node is a value with its position in the tree. Nodes are made only for values that
// somebody looks at, and never change.
type Node struct {
	Value
	Parent *Node // nil for the base, which is the buffer itself
	Slot   Slot  // which child of Parent
	KeyAt  int64 // offset of the key before it, or Unknown
	Depth  int   // 0 for the base
}

// Same reports whether two nodes are the same value of the same tree.
func (n *Node) Same(m *Node) bool {
	if n == m {
		return true
	}
	return n != nil && m != nil && n.Start == m.Start && n.Depth == m.Depth && n.Slot == m.Slot
}

// Within reports whether n is outer or inside it.
func (n *Node) Within(outer *Node) bool {
	for n != nil && n.Depth > outer.Depth {
		n = n.Parent
	}
	return n.Same(outer)
}

// parentValue returns the value that contains n, nil for the base.
func (n *Node) parentValue() *Value {
	if n.Parent == nil {
		return nil
	}
	return &n.Parent.Value
}

// Node returns the innermost open value as a node.
func (s *Scanner) Node() *Node {
	parent := s.base
	if s.numNodes > 0 {
		parent = s.levels[s.numNodes-1].node
	}
	for i := s.numNodes; i < len(s.levels); i++ {
		l := &s.levels[i]
		l.node = &Node{Value: l.Value, Parent: parent, Slot: l.slot, KeyAt: l.key, Depth: depthBelow(parent)}
		parent = l.node
	}
	s.numNodes = len(s.levels)
	return parent
}

// Current returns the value of the last event as a node.
func (s *Scanner) Current(ev Event) *Node {
	if ev == Enter {
		return s.Node()
	}
	return s.Subject()
}

// Subject returns the value that Report is being called for, as a node.
func (s *Scanner) Subject() *Node {
	parent := s.base
	if len(s.levels) > 0 {
		parent = s.Node()
	}
	return &Node{Value: s.value, Parent: parent, Slot: s.slot, KeyAt: s.key, Depth: depthBelow(parent)}
}

func depthBelow(parent *Node) int {
	if parent == nil {
		return 0
	}
	return parent.Depth + 1
}

// Indexes returns the numbers of the children that lead from the buffer to a node.
func (n *Node) Indexes() []int64 {
	indexes := make([]int64, n.Depth)
	for m := n; m.Parent != nil; m = m.Parent {
		indexes[m.Depth-1] = m.Slot.Index
	}
	return indexes
}

// AtIndexes finds the value to which the numbers of children lead from the buffer.
func (r *Reader) AtIndexes(indexes []int64) (*Node, error) {
	n := r.Tree.Base
	for _, i := range indexes {
		c, err := r.Child(n, i)
		if err != nil {
			return nil, err
		}
		n = c
	}
	return n, nil
}
