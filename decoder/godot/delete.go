package godot

import (
	"context"
	"errors"

	"varview/decoder/edit"
	"varview/decoder/source"
	"varview/decoder/tree"
)

var errNoPart = errors.New("a part of a value of fixed size cannot be taken away or moved")

// Delete implements edit.Editor. Of a value that could not be read to its end it
// takes what was understood; a frame goes as a whole.
func (f *Format) Delete(ctx context.Context, r *tree.Reader, n *tree.Node, o edit.Options) ([]source.Splice, error) {
	e := f.newEditing(ctx, r)
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
	e.cut(start, end)
	parent := &n.Parent.Value
	switch typeOf(parent.Type).shape {
	case shapePath:
		_, flags := f.pathFlags(e.w, parent)
		if n.Slot.Index < int64(parent.Sub) {
			err = e.recountPath(parent, -1, 0, flags)
		} else {
			err = e.recountPath(parent, 0, -1, flags)
		}
	case shapeBytes:
		e.repad(parent, parent.Count-1)
		err = e.recount(parent, -1)
	default:
		if parent.Type != tStream {
			err = e.recount(parent, -1)
		}
	}
	if err != nil {
		return nil, err
	}
	return e.done(n)
}

// extent is what goes with n where it is taken away: its key, its frame.
func (e *editing) extent(n *tree.Node) (start, end int64, err error) {
	switch {
	case n.Parent == nil || n.Parent.Type == tRaw:
		return 0, 0, errors.New("the only value of a buffer cannot be taken away or moved")
	case n.Parent.Type == tElement || typeOf(n.Parent.Type).shape == shapeFixed:
		return 0, 0, errNoPart
	}
	if n, err = e.r.Finish(n); err != nil {
		return 0, 0, err
	}
	start, end = n.Start, n.Tail
	if n.KeyAt != tree.Unknown {
		start = n.KeyAt
	}
	if n.Parent.Type == tStream {
		end = n.End
	}
	return start, end, nil
}
