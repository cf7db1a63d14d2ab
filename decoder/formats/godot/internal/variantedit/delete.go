package variantedit

import (
	"context"
	"errors"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/types"
)

var errNoPart = errors.New("a part of a value of fixed size cannot be deleted or moved")

// Delete implements edit.Editor. From a damaged value it removes the bytes that could be read; a frame is
// removed as a whole.
func (f Editor) Delete(ctx context.Context, r *tree.Reader, n *tree.Node, o edit.Options) ([]source.Splice, error) {
	e := begin(ctx, f.Format, r, o)
	if n.Slot.Key {
		value, err := r.Child(n.Parent, n.Slot.Index)
		if err == nil {
			n = value
		} else if !errors.Is(err, tree.ErrNoChild) {
			return nil, err
		}
	}
	start, end, err := e.extent(n)
	if err != nil {
		return nil, err
	}
	e.Cut(start, end)
	parent := &n.Parent.Value
	shape := types.Of(parent.Type).Shape
	if shape == types.ShapePath || shape == types.ShapeBytes { // two counts, or padding
		if err := e.beAlone(); err != nil {
			return nil, err
		}
	}
	switch shape {
	case types.ShapePath:
		flags := e.Format.PathFlags(e.Window, parent)
		if n.Slot.Index < int64(parent.Sub) {
			err = e.RecountPath(parent, -1, 0, flags)
		} else {
			err = e.RecountPath(parent, 0, -1, flags)
		}
	case types.ShapeBytes:
		e.repad(parent, parent.Count-1)
		err = e.Recount(parent, -1)
	default:
		if parent.Type != types.Stream {
			err = e.Recount(parent, -1)
		}
	}
	if err != nil {
		return nil, err
	}
	return e.Done(n)
}

// extent returns the range of bytes that is removed with n: its key, its frame.
func (e *Editing) extent(n *tree.Node) (start, end int64, err error) {
	switch {
	case n.Parent == nil || n.Parent.Type == types.Raw:
		return 0, 0, errors.New("the only value of a buffer cannot be deleted or moved")
	case n.Parent.Type == types.Element || types.Of(n.Parent.Type).Shape == types.ShapeFixed:
		return 0, 0, errNoPart
	}
	if n, err = e.Reader.Finish(n); err != nil {
		return 0, 0, err
	}
	start, end = n.Start, n.Tail
	if n.KeyAt != tree.Unknown {
		start = n.KeyAt
	}
	if n.Parent.Type == types.Stream {
		end = n.End
	}
	return start, end, nil
}
