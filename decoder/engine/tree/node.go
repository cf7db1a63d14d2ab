package tree

import (
	"cmp"
	"encoding/binary"
	"errors"
	"slices"
)

// A Node is a value with its position in the tree. Nodes are made only for values that
// somebody looks at, and never change.
type Node struct {
	Value
	Parent *Node // nil for the base, which is the buffer itself
	Slot   Slot  // its place among the children of Parent
	KeyAt  int64 // offset of the key before it, or Unknown
	Depth  int   // 0 for the base

	jump *Node // a node around it from which those farther out are near; nil if there is none
}

// An ID identifies a value in a tree. Several values without bytes can begin at one offset.
type ID struct {
	Start int64
	Depth int
	Slot  Slot
	Steps string // that lead to it from bytes; see StepsFromBytes
}

// ID identifies the value.
func (n *Node) ID() ID {
	_, steps := n.StepsFromBytes()
	return ID{n.Start, n.Depth, n.Slot, steps}
}

// StepsFromBytes returns the innermost value around n that has bytes in the buffer, or the base, and the steps that lead
// from it to the parent of n; "" if that is the value itself. All that is unpacked from bytes begins at one offset, so only
// the steps tell such values apart. FollowSteps follows them.
func (n *Node) StepsFromBytes() (from *Node, steps string) {
	var slots []Slot
	for from = n.Parent; from != nil && from.Parent != nil && from.End == from.Start; from = from.Parent {
		slots = append(slots, from.Slot)
	}
	var b []byte
	for _, s := range slices.Backward(slots) {
		step := uint64(s.Index) << 1
		if s.Key {
			step |= 1
		}
		b = binary.BigEndian.AppendUint64(b, step)
	}
	return from, string(b)
}

// CountSteps returns how many levels steps lead down.
func CountSteps(steps string) int { return len(steps) / 8 }

// FollowSteps returns the value to which steps lead from n. The error is ErrNoChild if there is none.
func (r *Reader) FollowSteps(n *Node, steps string) (*Node, error) {
	for b := []byte(steps); len(b) > 0; b = b[8:] {
		step := binary.BigEndian.Uint64(b)
		c, err := r.Child(n, int64(step>>1))
		if err == nil && step&1 != 0 {
			c = r.Key(c)
		}
		if err != nil || c == nil {
			return nil, cmp.Or(err, ErrNoChild)
		}
		n = c
	}
	return n, nil
}

// newNode returns a node in a value (nil for the base), from which any value around it is a few jumps away.
func newNode(parent *Node, v *Value, slot Slot, keyAt int64) *Node {
	n := new(Node)
	n.be(parent, v, slot, keyAt)
	return n
}

func (n *Node) be(parent *Node, v *Value, slot Slot, keyAt int64) {
	n.Value = *v // in place: a literal of a node is copied again
	n.Parent, n.Slot, n.KeyAt, n.Depth, n.jump = parent, slot, keyAt, 0, nil
	if parent != nil {
		n.Depth, n.jump = parent.Depth+1, parent.jumpBelow()
	}
}

// jumpBelow returns the jump of a node in n: two jumps of the same length become one of twice the length.
func (n *Node) jumpBelow() *Node {
	near := n.jump
	if near == nil {
		return n
	}
	far := near.jump
	if far == nil {
		far = near
	}
	if n.Depth-near.Depth == near.Depth-far.Depth {
		return far
	}
	return n
}

// Around returns n or the value around it with the given depth, or n itself if its depth is less.
func (n *Node) Around(depth int) *Node {
	for n.Depth > depth {
		if n.jump != nil && n.jump.Depth >= depth {
			n = n.jump
		} else {
			n = n.Parent
		}
	}
	return n
}

// Same reports whether two nodes are the same value of the same tree.
func (n *Node) Same(m *Node) bool {
	if n == m {
		return true
	}
	return n != nil && m != nil && n.Start == m.Start && n.Depth == m.Depth && n.Slot == m.Slot && n.ID() == m.ID()
}

// Within reports whether n is outer or inside it.
func (n *Node) Within(outer *Node) bool {
	if n == nil {
		return false
	}
	return n.Around(outer.Depth).Same(outer)
}

// parentValue returns the value that contains n; nil for the base.
func (n *Node) parentValue() *Value {
	if n.Parent == nil {
		return nil
	}
	return &n.Parent.Value
}

// Node returns the innermost open value as a node.
func (s *Scanner) Node() *Node { return s.nodeOf(len(s.levels)) }

// nodeOf returns the innermost of some levels as a node.
func (s *Scanner) nodeOf(levels int) *Node {
	parent := s.base
	if n := min(s.numNodes, levels); n > 0 {
		parent = s.levels[n-1].node
	}
	for i := s.numNodes; i < levels; i++ {
		l := &s.levels[i]
		l.node = newNode(parent, &l.Value, l.slot, l.key)
		parent = l.node
	}
	s.numNodes = max(s.numNodes, levels)
	return parent
}

// Current returns the value of the last event as a node.
func (s *Scanner) Current(ev Event) *Node {
	if ev == Enter {
		return s.Node()
	}
	return s.Subject()
}

// CurrentIn is Current, but puts a node that only the caller knows into memory of theirs: n is that until they use it again.
func (s *Scanner) CurrentIn(n *Node, ev Event) *Node {
	around := len(s.levels)
	if ev == Enter {
		around--
	}
	n.be(s.nodeOf(around), &s.value, s.slot, s.key)
	return n
}

// Subject returns the value for which Report is being called, as a node.
func (s *Scanner) Subject() *Node {
	parent := s.base
	if len(s.levels) > 0 {
		parent = s.Node()
	}
	return newNode(parent, &s.value, s.slot, s.key)
}

// Indexes returns the indexes of the children that lead from the buffer to a node.
func (n *Node) Indexes() []int64 {
	indexes := make([]int64, n.Depth)
	for m := n; m.Parent != nil; m = m.Parent {
		indexes[m.Depth-1] = m.Slot.Index
	}
	return indexes
}

// AtIndexes finds the value to which the indexes of children lead from the buffer.
func (r *Reader) AtIndexes(indexes []int64) (*Node, error) {
	n := r.Tree.Base
	for _, i := range indexes {
		c, err := r.Child(n, i)
		if errors.Is(err, ErrNoChild) && n.Layout == Leaf {
			c, _, err = r.lead(n, string(r.AppendStep(nil, &n.Value, Slot{Index: i}, nil)))
		}
		if err != nil {
			return nil, err
		}
		n = c
	}
	return n, nil
}
