package model

import (
	"varview/decoder/tree"
)

// HasValues reports whether the values of the buffer can be edited, and not its
// bytes only.
func (b *Buffer) HasValues() bool {
	_, err := b.editorOf(b.Tree())
	return err == nil
}

// CannotEditValues says that the values of the buffer can be read, but not edited, nil
// where they can or where there are none.
func (b *Buffer) CannotEditValues() error {
	if b.IsWrapper() {
		return nil
	}
	_, err := b.editorOf(b.Tree())
	return err
}

// Count is how many children a value has, tree.Unknown while that is not known.
func (x *Explorer) Count(n *tree.Node) int64 { return x.read.Count(n) }

// Entry is the value that a key belongs to, or the value itself; nil where it is
// not there.
func (x *Explorer) Entry(n *tree.Node) *tree.Node {
	if !n.Slot.Key {
		return n
	}
	value, err := x.read.Child(n.Parent, n.Slot.Index)
	if err != nil {
		return nil
	}
	return value
}

// Base is the parent of the values that no other is around.
func (x *Explorer) Base() *tree.Node { return x.read.Tree.Base }
