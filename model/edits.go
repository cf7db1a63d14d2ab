package model

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"varview/decoder/edit"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
	"varview/model/patch"
)

// ErrNoValues says that there is nothing to edit but bytes.
var ErrNoValues = errors.New("the parts of a wrapper cannot be edited as values, but as bytes; what it holds is the buffer inside")

// editorOf is what changes the values of a tree of the buffer. The error says why they
// cannot be changed.
func (b *Buffer) editorOf(t *tree.Tree) (edit.Editor, error) {
	e, ok := t.Reading.(edit.Editor)
	switch {
	case ok:
		return e, nil
	case b.IsWrapper():
		return nil, ErrNoValues
	}
	return nil, fmt.Errorf("%s files can be read, not edited yet", b.doc.Hints().Title)
}

// Editor returns what changes the values of the buffer. The error says why they cannot be
// changed.
func (b *Buffer) Editor() (edit.Editor, error) { return b.editorOf(b.Tree()) }

// Set gives a value another one. Nodes are those of the transaction's reader.
func (t *Transaction) Set(ctx context.Context, n *tree.Node, c edit.Content, o edit.Options) error {
	e, err := t.buffer.editorOf(t.now.tree)
	if err != nil {
		return err
	}
	splices, err := e.Set(ctx, t.read, n, c, o)
	if err != nil || len(splices) == 0 {
		return err
	}
	return t.set(ctx, n, splices)
}

// SetBytes puts bytes into a value that holds bytes.
func (t *Transaction) SetBytes(ctx context.Context, n *tree.Node, b []byte) error {
	e, ok := t.now.tree.Reading.(edit.ByteEditor)
	if !ok {
		return errNoByteEditor
	}
	splices, err := e.SetBytes(ctx, t.read, n, b)
	if err != nil {
		return err
	}
	return t.set(ctx, n, splices)
}

// errNoByteEditor says that a format puts no bytes into its values.
var errNoByteEditor = errors.New("bytes cannot be put into values of this format")

// set makes the edit that gives a value another one.
func (t *Transaction) set(ctx context.Context, n *tree.Node, splices []source.Splice) (err error) {
	op := patch.Op{Kind: patch.Set, Path: t.PathOf(n), Index: n.Slot.Index}
	if op.Old, err = t.describe(ctx, &op, n); err != nil {
		return err
	}
	if err := t.apply(splices); err != nil {
		return err
	}
	return t.note(ctx, op, CursorOf(n).moved(splices))
}

// Retype gives a value the type name, with what of it that can hold.
func (t *Transaction) Retype(ctx context.Context, n *tree.Node, name string, o edit.Options) error {
	e, err := t.buffer.editorOf(t.now.tree)
	if err != nil {
		return err
	}
	literal, err := e.Retyped(ctx, t.read, n, name)
	if err != nil {
		return err
	}
	o.Retype = true
	return t.Set(ctx, n, edit.Content{Literal: literal}, o)
}

// Insert puts a value into parent before its child index.
func (t *Transaction) Insert(ctx context.Context, parent *tree.Node, index int64, c edit.Content, o edit.Options) error {
	e, err := t.buffer.editorOf(t.now.tree)
	if err != nil {
		return err
	}
	splices, err := e.Insert(ctx, t.read, parent, index, c, o)
	if err != nil || len(splices) == 0 {
		return err
	}
	at := ChildCursor(parent, index).moved(splices)
	if err := t.apply(splices); err != nil {
		return err
	}
	return t.note(ctx, patch.Op{Kind: patch.Insert, Index: index}, at)
}

// Delete takes a value away, with its key.
func (t *Transaction) Delete(ctx context.Context, n *tree.Node, o edit.Options) error {
	e, err := t.buffer.editorOf(t.now.tree)
	if err != nil {
		return err
	}
	if n, err = t.valueOf(n); err != nil {
		return err
	}
	splices, err := e.Delete(ctx, t.read, n, o)
	if err != nil {
		return err
	}
	op := patch.Op{Kind: patch.Delete, Path: t.PathOf(n), Index: n.Slot.Index}
	if op.Old, err = t.describe(ctx, &op, n); err != nil {
		return err
	}
	if err := t.apply(splices); err != nil {
		return err
	}
	t.ops = append(t.ops, op)
	return nil
}

// valueOf is the value of an entry, where n may be its key. A key without a value
// counts as itself.
func (t *Transaction) valueOf(n *tree.Node) (*tree.Node, error) {
	if !n.Slot.Key {
		return n, nil
	}
	value, err := t.read.Child(n.Parent, n.Slot.Index)
	if errors.Is(err, tree.ErrNoChild) {
		return n, nil
	}
	return value, err
}

// Move makes a value, with its key, the child to of its parent.
func (t *Transaction) Move(ctx context.Context, n *tree.Node, to int64, o edit.Options) error {
	e, err := t.buffer.editorOf(t.now.tree)
	if err != nil {
		return err
	}
	if n, err = t.valueOf(n); err != nil {
		return err
	}
	splices, err := e.Move(ctx, t.read, n, to, o)
	if err != nil || len(splices) == 0 {
		return err
	}
	op := patch.Op{Kind: patch.Move, Path: t.PathOf(n), Index: n.Slot.Index, To: to}
	at := ChildCursor(n.Parent, to).moved(splices)
	if err := t.apply(splices); err != nil {
		return err
	}
	return t.note(ctx, op, at)
}

// Bytes puts b in place of n bytes at off, which need not have any meaning.
func (t *Transaction) Bytes(off, n int64, b []byte) error {
	if off < 0 || n < 0 || off > t.now.content.Size()-n {
		return fmt.Errorf("%s at %#x: the buffer has %s", span.Bytes(n), off, span.Bytes(t.now.content.Size()))
	}
	op, err := t.bytesOp(off, n, source.Bytes(b))
	if err != nil {
		return err
	}
	if err := t.apply([]source.Splice{source.Put(off, n, slices.Clone(b))}); err != nil {
		return err
	}
	t.ops = append(t.ops, op)
	return nil
}

// bytesOp is the op that puts b, which is nil for nothing, in place of n bytes at off.
func (t *Transaction) bytesOp(off, n int64, b source.Source) (patch.Op, error) {
	op := patch.Op{Kind: patch.Bytes, Path: fmt.Sprintf("what was at %#x", off), Buffer: t.buffer.Number, Offset: off}
	if b == nil {
		b = source.Bytes(nil)
	}
	if op.Long = max(n, b.Size()) > patch.MaxLiteral/2; op.Long {
		return op, nil
	}
	was, err := readAll(t.now.content.Slice(span.Span{Offset: off, Length: n}))
	if err != nil {
		return op, err
	}
	is, err := readAll(b)
	op.Old, op.New = hex.EncodeToString(was), hex.EncodeToString(is)
	return op, err
}
