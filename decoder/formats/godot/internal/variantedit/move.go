package variantedit

import (
	"context"
	"errors"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/types"
)

// Move implements edit.Editor. Names of a NodePath move among its names, subnames
// among its subnames.
func (f Editor) Move(ctx context.Context, r *tree.Reader, n *tree.Node, to int64, o edit.Options) ([]source.Splice, error) {
	e := Begin(ctx, f.Format, r, o)
	if in := n.Parent; in != nil && types.Of(in.Type).Shape == types.ShapePath {
		names := int64(in.Sub)
		switch {
		case o.Together != nil:
			return nil, edit.ErrAlone
		case n.Slot.Index < names != (to < names) && to < in.Count:
			return nil, errors.New("names and subnames of a NodePath cannot change places")
		}
	}
	return e.Done(n, e.MoveChild(e, n, to))
}

// isPadded reports whether the children of a value are padded.
func (e *Editing) isPadded(parent *tree.Node) bool {
	return parent.Layout != tree.Fixed && !e.isFrames(&parent.Value)
}

// Swap implements edit.Mover.
func (e *Editing) Swap(parent *tree.Node, a, b, c int64) {
	if e.isPadded(parent) && e.Format.Dialect.Pad(c-b) > 0 { // padding is missing at the end of the buffer
		src := e.Reader.Tree.Source
		e.Replace(a, c, joined(e.Padded(src, b, c), edit.Bytes(src, a, b)))
		return
	}
	e.Editing.Swap(parent, a, b, c)
}
