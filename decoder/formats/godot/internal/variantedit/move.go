package variantedit

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/types"
)

// Move implements edit.Editor. Names of a NodePath move among its names, subnames
// among its subnames.
func (f Editor) Move(ctx context.Context, r *tree.Reader, n *tree.Node, to int64, o edit.Options) ([]source.Splice, error) {
	e := begin(ctx, f.Format, r, o)
	if n.Slot.Key {
		value, err := r.Child(n.Parent, n.Slot.Index)
		if err != nil {
			return nil, cmp.Or(notFound(err), errors.New("a key without a value cannot be moved"))
		}
		n = value
	}
	start, end, err := e.extent(n)
	if err != nil {
		return nil, err
	}
	if e.together != nil {
		return e.moveTogether(n, start, end, to)
	}
	if to == n.Slot.Index {
		return nil, nil
	}
	other, err := r.Child(n.Parent, to)
	if err != nil {
		return nil, cmp.Or(notFound(err), fmt.Errorf("index %d is out of range", to))
	}
	otherStart, otherEnd, err := e.extent(other)
	if err != nil {
		return nil, err
	}
	if names := int64(n.Parent.Sub); types.Of(n.Parent.Type).Shape == types.ShapePath && n.Slot.Index < names != (to < names) {
		return nil, errors.New("names and subnames of a NodePath cannot change places")
	}
	last := n
	if to > n.Slot.Index {
		last = other
	}
	if bad, err := e.absorbs(last); bad || err != nil {
		return nil, cmp.Or(err, edit.ErrAfterDamage)
	}
	if to > n.Slot.Index {
		e.swap(n.Parent, start, end, otherEnd)
	} else {
		e.swap(n.Parent, otherStart, start, end)
	}
	return e.Done(n)
}

// moveTogether moves n, which takes the bytes [start, end), before the child of the unchanged tree
// with an index.
func (e *Editing) moveTogether(n *tree.Node, start, end, before int64) ([]source.Splice, error) {
	at, err := e.offsetOf(n.Parent, before)
	if err != nil {
		return nil, err
	}
	bad, err := e.absorbs(n)
	unpadded := n.Parent.Layout != tree.Fixed && !e.isFrames(&n.Parent.Value) && e.Format.Dialect.Pad(end-start) > 0
	if bad || unpadded || types.Of(n.Parent.Type).Shape == types.ShapePath {
		err = cmp.Or(err, edit.ErrAlone)
	}
	if err != nil {
		return nil, err
	}
	e.Cut(start, end)
	if err := e.insert(n.Parent, at, edit.Bytes(e.Reader.Tree.Source, start, end)); err != nil {
		return nil, err
	}
	return e.Done(n)
}

// notFound returns nil for ErrNoChild, so that cmp.Or takes a better message.
func notFound(err error) error {
	if errors.Is(err, tree.ErrNoChild) {
		return nil
	}
	return err
}

// swap exchanges the bytes [a, b) and [b, c).
func (e *Editing) swap(parent *tree.Node, a, b, c int64) {
	src := e.Reader.Tree.Source
	if parent.Layout != tree.Fixed && !e.isFrames(&parent.Value) && e.Format.Dialect.Pad(c-b) > 0 { // padding is missing at the end of the buffer
		e.Replace(a, c, joined(e.Padded(src, b, c), edit.Bytes(src, a, b)))
		return
	}
	e.Splices = append(e.Splices, edit.Swap(src, a, b, c)...)
}
