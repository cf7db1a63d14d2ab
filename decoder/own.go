package decoder

import (
	"context"
	"errors"

	"varview/decoder/detect"
	"varview/decoder/engine/tree"
	"varview/decoder/wrap"
)

// completeOwn tells the headers and trailers of the game's own what is inside, so that the lengths in them
// are found.
func (d *Document) completeOwn() {
	if d.Missing != nil || d.IsUnfinished() {
		return
	}
	in := wrap.Inner{}
	if d.Tree.Region.Length <= detect.Prefix { // counting the values of a large file takes a while
		in.Count = func() (int64, error) { return CountValues(context.Background(), d.Tree) }
	}
	for i := len(d.Layers) - 1; i >= 0; i-- {
		in.Sizes = append([]int64{d.Layers[i].Payload.Size()}, in.Sizes...)
		wrap.Complete(d.Layers[i].Layer, in)
	}
}

// CountValues returns the number of the outermost values of a tree.
func CountValues(ctx context.Context, t *tree.Tree) (int64, error) {
	if err := t.BuildIndex(ctx); err != nil {
		return 0, err
	}
	last, err := t.NewReader().LastChild(t.Base)
	if errors.Is(err, tree.ErrNoChild) {
		return 0, nil
	} else if err != nil {
		return 0, err
	}
	return last.Slot.Index + 1, nil
}
