package variantedit

import (
	"context"
	"errors"
	"fmt"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/encode"
	"varview/decoder/formats/godot/internal/types"
)

// Insert implements edit.Editor. An entry or a property needs a key that is not in use. A part of a
// NodePath becomes a name before the first subname and a subname after it; between the names and the
// subnames Content.Key may be "names" or "subnames", and without it the part becomes a name unless the path
// has only subnames.
func (f Editor) Insert(ctx context.Context, r *tree.Reader, parent *tree.Node, index int64, c edit.Content, o edit.Options) ([]source.Splice, error) {
	e := Begin(ctx, f.Format, r, o)
	switch {
	case parent.Type == types.Raw:
		return nil, edit.ErrSingle
	case parent.Damage != nil && parent.Layout == tree.Leaf:
		return nil, errors.New("nothing can be inserted into a damaged value")
	case c.Key != "" && c.Copy == nil && isNumbered(parent):
		return nil, edit.ErrNumbered
	}
	insert := e.insert
	if shape := types.Of(parent.Type).Shape; shape == types.ShapePacked || shape == types.ShapeBytes {
		insert = e.insertElement
	}
	return e.Done(parent, insert(parent, index, c))
}

// insert inserts a child, and adds it to the count.
func (e *Editing) insert(parent *tree.Node, index int64, c edit.Content) error {
	b, err := e.newChild(parent, index, c)
	if err != nil {
		return err
	}
	at, err := e.OffsetOf(parent, index)
	if err == nil {
		err = e.InsertAt(parent, at, b)
	}
	switch {
	case err != nil || parent.Type == types.Stream:
		return err
	case types.Of(parent.Type).Shape == types.ShapePath:
		return e.countPart(parent, index, c)
	}
	return e.Recount(&parent.Value, 1)
}

// newChild returns the bytes of content as a child of a value: with its key, or in a stream with its length.
func (e *Editing) newChild(parent *tree.Node, index int64, c edit.Content) (*source.Pieces, error) {
	switch shape := types.Of(parent.Type).Shape; {
	case parent.Type == types.Stream:
		b, err := e.content(&parent.Value, tree.Slot{Index: index}, c)
		if err != nil {
			return nil, err
		}
		length, err := e.Format.AppendFrameLength(nil, b.Size())
		return joined(source.Memory(length), b), err
	case shape == types.ShapeArray || shape == types.ShapeTyped:
		return e.content(&parent.Value, tree.Slot{Index: index}, c)
	case shape == types.ShapeDict, shape == types.ShapeObject && parent.Layout == tree.Pairs:
		return e.newPair(parent, index, c)
	case shape == types.ShapeStrings, shape == types.ShapePath && parent.Layout != tree.Leaf:
		l, err := e.contentLiteral(c)
		if err == nil && l.Kind != types.String {
			err = l.Errorf("a text in quotes is expected")
		}
		if err != nil {
			return nil, err
		}
		if e.Out = nil; shape == types.ShapePath {
			e.PutPart(l.Text)
		} else {
			e.Entry(l.Text, true) // with a NUL, as engines write it
		}
		return source.Memory(e.Out), nil
	}
	return nil, fmt.Errorf("nothing can be inserted into %s", e.Format.AppendType(nil, e.Window, &parent.Value))
}

// isNumbered reports whether new children of a value have no keys.
func isNumbered(parent *tree.Node) bool {
	switch types.Of(parent.Type).Shape {
	case types.ShapeArray, types.ShapeTyped, types.ShapeStrings, types.ShapePacked, types.ShapeBytes:
		return true
	}
	return parent.Type == types.Stream
}

// OffsetOf implements edit.Mover.
func (e *Editing) OffsetOf(parent *tree.Node, index int64) (int64, error) {
	if parent.Layout == tree.Fixed && index <= parent.Count { // the padding of bytes comes after the last one
		return parent.Body + index*int64(parent.Stride), nil
	}
	return edit.Offset(e.Reader, parent, index, e.Absorbs)
}

// Absorbs implements edit.Mover: n is damaged, or is a frame whose length is too large.
func (e *Editing) Absorbs(n *tree.Node) (bool, error) {
	if n.Fenced {
		return e.frameOverruns(n), nil
	}
	return edit.IsDamaged(e.Reader, n)
}

// InsertAt implements edit.Mover. It adds padding that the value before the bytes lacks.
func (e *Editing) InsertAt(parent *tree.Node, at int64, bytes *source.Pieces) error {
	if e.isPadded(parent) && e.Format.Dialect.Pad(bytes.Size()) > 0 { // the last value of the buffer lacks its padding
		if err := e.BeAlone(); err != nil {
			return err
		}
	}
	if missing := e.Format.Dialect.Pad(at - parent.Head); missing > 0 && !e.isFrames(&parent.Value) {
		if err := e.BeAlone(); err != nil {
			return err
		}
		bytes = joined(source.Memory(make([]byte, missing)), bytes)
	}
	e.Replace(at, at, bytes)
	return nil
}

// newPair returns the bytes of an entry of a Dictionary, or of a property.
func (e *Editing) newPair(parent *tree.Node, index int64, c edit.Content) (*source.Pieces, error) {
	key, id, err := e.keyBytes(parent, c)
	if err == nil {
		err = e.checkFreeKey(parent, tree.Unknown, id)
	}
	if err != nil {
		return nil, err
	}
	b, err := e.content(&parent.Value, tree.Slot{Index: index}, c)
	if err != nil {
		return nil, err
	}
	return joined(key, b), nil
}

// keyBytes returns the key of content for parent, as bytes and as an identity (see keyOf).
func (e *Editing) keyBytes(parent *tree.Node, c edit.Content) (*source.Pieces, string, error) {
	if c = c.KeyContent(); c.Literal == "" && c.Copy == nil {
		return nil, "", fmt.Errorf("an entry of %s needs a key", e.Format.TypeName(&parent.Value))
	}
	l, err := e.contentLiteral(c)
	if err != nil {
		return nil, "", err
	}
	if parent.Type == types.Object || parent.Type == types.Properties {
		if l.Kind != types.String {
			return nil, "", l.Errorf("the name of a property must be a text in quotes")
		}
		e.Out = nil
		e.PutPart(l.Text)
		return source.Memory(e.Out), encode.KeyName(e.Format, e.Text, &l, false), nil
	}
	id := encode.KeyName(e.Format, e.Text, &l, false)
	if c.Copy != nil && !isWhole(c.Copy) { // the name of a property
		c = edit.Content{Literal: e.Text}
	}
	bytes, err := e.content(&parent.Value, tree.Slot{Key: true}, c)
	return bytes, id, err
}
