package model

import (
	"context"
	"slices"

	"varview/decoder/edit"
	"varview/decoder/engine/tree"
	"varview/model/drawing"
	"varview/model/inspect"
)

// A Tried is what a value would become.
type Tried struct {
	At    int64  // offset of the value
	Bytes []byte // its first bytes
	Size  int64  // size of the whole value in bytes
	By    int64  // growth of the value in bytes
	Color *[4]float64
	// Effect describes which other values would read differently; "" if none would.
	Effect string
}

// maxTried is the number of bytes of a value that are shown.
const maxTried = 4096

// maxCompared is the size of a buffer up to which it is compared with what it would become.
const maxCompared = 4 << 20

// Try works out what a value would be with another literal: nil if it can be set, but it takes too long to show, or has no bytes
// of its own. at is a cursor on the value, or on that whose key it is. It may run in the background.
func (b *Buffer) Try(ctx context.Context, n *tree.Node, at Cursor, literal string, o edit.Options) (*Tried, error) {
	d := b.doc
	done, err := d.Use()
	if err != nil {
		return nil, err
	}
	defer done()
	t, err := d.Begin(b)
	if err != nil {
		return nil, err
	}
	if err := t.Set(ctx, n, edit.Content{Literal: literal}, o); err != nil {
		return nil, err
	}
	r := t.Reader()
	r.Budget = tree.LookUpBudget
	is, err := t.Moved(at).Find(r)
	if err != nil || is.End == tree.Unknown || n.End == tree.Unknown || is.Depth < n.Depth || is.Start == is.End {
		return nil, nil
	}
	tried := &Tried{At: is.Start, Size: is.End - is.Start, By: (is.End - is.Start) - (n.End - n.Start)}
	tried.Bytes = slices.Clone(r.Window().View(is.Start, min(tried.Size, maxTried)))
	if numbers := drawing.Numbers(r, is); r.Look(&is.Value).Form == tree.FormColor && len(numbers) == 4 {
		tried.Color = (*[4]float64)(numbers)
	}
	if t.Steers() {
		if tried.Effect = "other values may read differently"; b.Size() <= maxCompared {
			if e, err := t.Effect(ctx); err == nil {
				tried.Effect = e.String()
			}
		}
	}
	return tried, nil
}

// RGB returns the colour of a value that is one.
func (t *Tried) RGB() [3]byte { return inspect.RGB(*t.Color) }
