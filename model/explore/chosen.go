package explore

import (
	"context"
	"slices"

	"varview/decoder/edit"
	"varview/decoder/engine/tree"
	"varview/model"
	"varview/model/drawing"
	"varview/model/inspect"
)

// maxChosen is the number of siblings that can be selected.
const maxChosen = 10_000

// Choose begins to select siblings at the selected value, or ends that if on is false.
func (x *Explorer) Choose(on bool) {
	x.anchor = nil
	if n := x.row; on && n != nil && n.Depth > 0 {
		x.anchor = x.Entry(n)
	}
}

// IsChoosing reports whether siblings are selected.
func (x *Explorer) IsChoosing() bool { return x.anchor != nil }

// IsNumber reports whether the selected value, or the first of several, is a number.
func (x *Explorer) IsNumber() bool { return x.number() != nil }

// IsChannel reports whether that number is a channel of a colour.
func (x *Explorer) IsChannel() bool {
	n := x.number()
	return n != nil && x.read.Look(&n.Parent.Value).Form == tree.FormColor
}

// number returns the selected number, or the first of several; nil if it is not a number.
func (x *Explorer) number() *tree.Node {
	n := x.row
	if all := x.Chosen(); len(all) > 0 {
		n = all[0]
	}
	if n == nil || n.Depth == 0 || n.Slot.Key || x.Buffer.IsWrapper() {
		return nil
	}
	if s := x.read.Counted(&n.Value); !s.IsNumber() {
		return nil
	}
	return n
}

// ChildAt returns the child at an index of the value to which the child indexes in parent lead.
func (x *Explorer) ChildAt(parent []int64, index int64) (*tree.Node, error) {
	return x.read.AtIndexes(append(slices.Clone(parent), index))
}

// ChooseBetween selects children of a value, from the first index to the last.
func (x *Explorer) ChooseBetween(parent []int64, from, to int64) error {
	first, err := x.ChildAt(parent, from)
	if err != nil {
		return err
	}
	last, err := x.ChildAt(parent, to)
	if err != nil {
		return err
	}
	x.anchor = first
	return x.GoToValue(last)
}

// chosenSpan returns the parent of the selected siblings, and the indexes of the first and the last of
// them. ok is false without a selection, which ends when the cursor leaves their parent.
func (x *Explorer) chosenSpan() (parent *tree.Node, from, to int64, ok bool) {
	if x.anchor == nil || x.row == nil || x.row.Depth == 0 {
		return nil, 0, 0, false
	}
	n := x.row
	for n.Depth > x.anchor.Depth {
		n = n.Parent
	}
	if n.Depth != x.anchor.Depth || !n.Parent.Same(x.anchor.Parent) {
		return nil, 0, 0, false
	}
	return n.Parent, min(n.Slot.Index, x.anchor.Slot.Index), max(n.Slot.Index, x.anchor.Slot.Index), true
}

// isChosen reports whether n is a selected sibling, or lies in one.
func (x *Explorer) isChosen(n *tree.Node) bool {
	parent, from, to, ok := x.chosenSpan()
	for ok && n.Depth > x.anchor.Depth {
		n = n.Parent
	}
	return ok && n.Depth == x.anchor.Depth && n.Parent.Same(parent) && n.Slot.Index >= from && n.Slot.Index <= to
}

// Chosen returns the selected siblings in order, with a filter those that it shows; nil if there are none.
func (x *Explorer) Chosen() (all []*tree.Node) {
	parent, from, to, ok := x.chosenSpan()
	if !ok {
		return nil
	}
	next := func(n *tree.Node) (*tree.Node, error) { return x.read.Child(parent, n.Slot.Index+1) }
	n, err := x.read.Child(parent, from)
	if x.outline.filter != nil && x.outline.plainIn(parent) == nil {
		next = func(n *tree.Node) (*tree.Node, error) { return x.outline.siblingWithHits(n) }
		if err == nil && !x.outline.holdsHits(n) && x.outline.plainIn(n) == nil {
			n, err = next(n)
		}
	}
	for ; err == nil && n.Slot.Index <= to && len(all) < maxChosen; n, err = next(n) {
		all = append(all, n)
	}
	return all
}

// KeysLike returns the keys like that of a member in the records of its list, in order, at most as many as can be selected;
// none for a value that is no member of such a record.
func (x *Explorer) KeysLike(n *tree.Node) (all []*tree.Node) {
	if !x.IsRow(n.Parent) {
		return nil
	}
	step := x.read.Step(n)
	for r, err := x.read.Child(n.Parent.Parent, 0); err == nil && len(all) < maxChosen; r, err = x.read.Next(r) {
		if like, err := x.read.Follow(r, step); err == nil {
			all = append(all, x.KeyOf(like))
		}
	}
	return all
}

// CountChosen returns the number of selected siblings.
func (x *Explorer) CountChosen() int {
	if _, from, to, ok := x.chosenSpan(); ok && x.outline.filter == nil {
		return min(int(to-from+1), maxChosen)
	}
	return len(x.Chosen())
}

// RetypeThese changes the type of values to name, last first, so that those before one keep their offsets.
func (x *Explorer) RetypeThese(all []*tree.Node, name string) model.Intention {
	var places [][]int64
	for _, n := range slices.Backward(all) {
		places = append(places, n.Indexes())
	}
	return x.staying("retype values", func(ctx context.Context, t *model.Transaction) error {
		for _, at := range places {
			n, err := t.Reader().AtIndexes(at)
			if err == nil {
				err = t.Retype(ctx, n, name, t.Options)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// PasteThese inserts copies into parent, before the child at index.
func (x *Explorer) PasteThese(all []Clip, parent *tree.Node, index int64) model.Intention {
	at := parent.Indexes()
	return x.staying("paste into "+x.shortPath(parent), func(ctx context.Context, t *model.Transaction) error {
		return t.Together(ctx, len(all), func(b *model.Batch, i int) error {
			parent, err := b.Reader().AtIndexes(at)
			if err != nil {
				return err
			}
			return b.Insert(ctx, parent, index+int64(i), edit.Content{Key: all[i].Key, Copy: all[i].node, From: all[i].tree.NewReader()}, t.Options)
		})
	})
}

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

// Try works out what a value would be with another literal. It may run in the background.
func (x *Explorer) Try(ctx context.Context, n *tree.Node, literal string) (*Tried, error) {
	d := x.Buffer.Document()
	done, err := d.Use()
	if err != nil {
		return nil, err
	}
	defer done()
	t, err := d.Begin(x.Buffer)
	if err != nil {
		return nil, err
	}
	if err := t.Set(ctx, n, edit.Content{Literal: literal}, edit.Options{Infer: true}); err != nil {
		return nil, err
	}
	r := t.Reader()
	r.Budget = tree.LookUpBudget
	is, err := t.Moved(x.cursorFor(n)).Find(r)
	if err != nil || is.End == tree.Unknown || n.End == tree.Unknown || is.Depth < n.Depth || is.Start == is.End {
		return nil, nil // it can be set, but it takes too long to show, or has no bytes of its own
	}
	tried := &Tried{At: is.Start, Size: is.End - is.Start, By: (is.End - is.Start) - (n.End - n.Start)}
	tried.Bytes = slices.Clone(r.Window().View(is.Start, min(tried.Size, maxTried)))
	if numbers := drawing.Numbers(r, is); r.Look(&is.Value).Form == tree.FormColor && len(numbers) == 4 {
		tried.Color = (*[4]float64)(numbers)
	}
	if t.Steers() {
		if tried.Effect = "other values may read differently"; x.Buffer.Size() <= maxCompared {
			e, err := t.Effect(ctx)
			if err != nil {
				return nil, err
			}
			tried.Effect = e.String()
		}
	}
	return tried, nil
}

// RGB returns the colour of a value that is one.
func (t *Tried) RGB() [3]byte { return inspect.RGB(*t.Color) }
