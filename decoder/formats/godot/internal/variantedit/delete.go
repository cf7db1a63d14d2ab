package variantedit

import (
	"context"
	"errors"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/types"
)

var errNoPart = errors.New("a part of a value of fixed size cannot be deleted or moved")

// Delete implements edit.Editor. From a damaged value it removes the bytes that could be read; a frame is
// removed as a whole.
func (f Editor) Delete(ctx context.Context, r *tree.Reader, n *tree.Node, o edit.Options) ([]source.Splice, error) {
	e := Begin(ctx, f.Format, r, o)
	n, at, err := e.Extent(n)
	if err != nil {
		return nil, err
	}
	parent := &n.Parent.Value
	switch shape := types.Of(parent.Type).Shape; shape {
	case types.ShapeBytes, types.ShapePacked:
		err = e.putElements(parent, n.Slot.Index, 1, nil)
	case types.ShapePath:
		e.Cut(at.Offset, at.End())
		err = e.recountPart(parent, n.Slot.Index >= int64(parent.Sub), -1)
	default:
		if e.Cut(at.Offset, at.End()); parent.Type != types.Stream {
			err = e.Recount(parent, -1)
		}
	}
	return e.Done(n, err)
}

// Extent implements edit.Mover. A key without a value is returned itself.
func (e *Editing) Extent(n *tree.Node) (*tree.Node, span.Span, error) {
	switch {
	case n.Parent == nil || n.Parent.Type == types.Raw:
		return n, span.Span{}, edit.ErrOnly
	case n.Parent.Type == types.Element || types.Of(n.Parent.Type).Shape == types.ShapeFixed:
		return n, span.Span{}, errNoPart
	}
	n, at, err := e.EntryOf(n)
	if n.Parent.Type == types.Stream {
		at = span.Between(n.Start, n.End)
	}
	return n, at, err
}
