package model

import (
	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
)

// A Cursor is a place in a buffer, independent of the tree that it was made from.
type Cursor struct {
	InBytes bool      // the cursor is on a byte, not on a value
	Offset  int64     // offset of the byte, or of the head of the value: blanks before it belong to what is inserted there
	Depth   int       // of the value
	Slot    tree.Slot // of the value
	Parent  int64     // offset of the head of the value around it or, if that has no bytes, of the innermost one that has
	Steps   string    // steps from there to the value around it; see tree.Node.StepsFromBytes
}

// CursorOf returns a cursor on a value.
func CursorOf(n *tree.Node) Cursor {
	c := Cursor{Offset: n.Head, Depth: n.Depth, Slot: n.Slot}
	if from, steps := n.StepsFromBytes(); from != nil {
		c.Parent, c.Steps = from.Head, steps
	}
	return c
}

// ChildCursor returns a cursor on a child of parent.
func ChildCursor(parent *tree.Node, index int64) Cursor {
	return CursorOf(&tree.Node{Value: tree.Value{Head: parent.Head}, Parent: parent, Depth: parent.Depth + 1, Slot: tree.Slot{Index: index}})
}

// ByteCursor returns a cursor on a byte.
func ByteCursor(off int64) Cursor { return Cursor{InBytes: true, Offset: off} }

// Follow returns the cursor after edits that moved each byte as follow says.
func (c Cursor) Follow(follow func(off int64) int64) Cursor {
	c.Offset, c.Parent = follow(c.Offset), follow(c.Parent)
	return c
}

// moved returns the cursor after an edit.
func (c Cursor) moved(splices []source.Splice) Cursor {
	return c.Follow(func(off int64) int64 { return source.Map(splices, off) })
}

// Find returns the value that a cursor is on. If it is gone, Find returns the nearest one: the last
// child, or the value around it.
func (c Cursor) Find(r *tree.Reader) (*tree.Node, error) {
	if c.Depth == 0 {
		return r.Tree.Base, nil
	}
	if c.Steps == "" {
		n, err := ValueFrom(r, c.Offset, c.Depth)
		if err == nil && n.Depth == c.Depth && n.Slot == c.Slot && n.Parent.Head == c.Parent {
			return n, nil
		}
	}
	parent, err := ValueFrom(r, c.Parent, c.Depth-1-tree.CountSteps(c.Steps))
	if err != nil {
		return nil, err
	}
	in, err := r.FollowSteps(parent, c.Steps)
	if err != nil {
		return parent, nil
	}
	parent = in
	n, err := r.Child(parent, c.Slot.Index)
	if err == tree.ErrNoChild {
		n, err = r.LastChild(parent)
	}
	switch {
	case err == tree.ErrNoChild:
		return parent, nil
	case err != nil:
		return nil, err
	case c.Slot.Key:
		if key := r.Key(n); key != nil {
			return key, nil
		}
	}
	return n, nil
}

// ValueFrom returns the value at a depth that begins at start, or the one around what begins there.
func ValueFrom(r *tree.Reader, start int64, depth int) (*tree.Node, error) {
	if depth == 0 {
		return r.Tree.Base, nil
	}
	n, err := r.At(start)
	if err != nil {
		return nil, err
	}
	for n.Depth > depth {
		n = n.Parent
	}
	for n.Depth < depth && n.Opaque {
		part, err := r.ChildOver(n, start)
		if err != nil {
			break
		}
		n = part
	}
	return n, nil
}
