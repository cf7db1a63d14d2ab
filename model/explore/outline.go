package explore

import (
	"errors"

	"varview/decoder/engine/tree"
)

// An outline is the tree as rows: the unfolded values and their visible children. It reads only what the
// rows in view need.
type outline struct {
	read   *tree.Reader
	base   *tree.Node
	open   map[tree.ID]bool // values unfolded by hand
	shown  map[tree.ID]bool // values unfolded because the cursor is in them
	sought map[tree.ID]bool // values unfolded because of the hit that was gone to last
	level  int              // values that hold others are unfolded down to this depth
	closed map[tree.ID]bool // values that were folded by hand
	filter *filter          // leaves rows out; nil if all are there
	gone   []*tree.Node     // values that only another file has, in order
	rows   []*tree.Node     // values in view, from the top one on
	height int
	stop   error // why the rows end above the bottom: tree.ErrPending; nil at the end
}

func newOutline(read *tree.Reader) *outline {
	return &outline{read: read, base: read.Tree.Base, open: map[tree.ID]bool{}, shown: map[tree.ID]bool{}, sought: map[tree.ID]bool{}, closed: map[tree.ID]bool{}, height: 1}
}

// CanOpen reports whether a value has anything to unfold.
func CanOpen(n *tree.Node) bool { return n.Layout != tree.Leaf && n.Count != 0 }

// isOpen reports whether the children of a value have rows.
func (o *outline) isOpen(n *tree.Node) bool {
	p := n.ID()
	if o.filter != nil && n.Depth > 0 && o.holdsHits(n) {
		return o.filter.isOpen(p)
	}
	return n.Depth == 0 || o.open[p] || o.shown[p] || o.sought[p] || o.isLeveled(n) && !o.closed[p]
}

// isLeveled reports whether a value is unfolded together with all others of its level.
func (o *outline) isLeveled(n *tree.Node) bool {
	return n.Depth <= o.level && n.Layout >= tree.Sequence && CanOpen(n)
}

// setOpen unfolds or folds a value.
func (o *outline) setOpen(n *tree.Node, open bool) {
	p := n.ID()
	switch {
	case o.filter != nil && o.holdsHits(n):
		o.filter.setOpen(p, open)
	case open && CanOpen(n):
		o.open[p] = true
		delete(o.closed, p)
	default:
		delete(o.open, p)
		delete(o.shown, p) // although the cursor is in it
		delete(o.sought, p)
		if o.isLeveled(n) {
			o.closed[p] = true
		}
	}
	o.refill()
}

// first returns the first row of all.
func (o *outline) first() (*tree.Node, error) {
	if o.filter != nil {
		return o.firstHit()
	}
	n, err := o.read.Child(o.base, 0)
	if errors.Is(err, tree.ErrNoChild) {
		return o.gap()
	}
	return o.entry(n, err)
}

// gap returns the row for the bytes after the last value, if there are any. It represents the buffer
// itself.
func (o *outline) gap() (*tree.Node, error) {
	base, err := o.read.Finish(o.base)
	if err == nil && !base.HasGap() {
		err = tree.ErrNoChild
	}
	return base, err
}

// last returns the last row of all.
func (o *outline) last() (*tree.Node, error) {
	if o.filter != nil {
		return o.lastHit()
	}
	if n, err := o.gap(); err == nil || !errors.Is(err, tree.ErrNoChild) {
		return n, err
	}
	n, err := o.read.LastChild(o.base)
	if err != nil {
		return nil, err
	}
	return o.lastIn(n)
}

// lastIn returns the last row of n and everything unfolded in it.
func (o *outline) lastIn(n *tree.Node) (*tree.Node, error) {
	for CanOpen(n) && o.isOpen(n) {
		c, err := o.read.LastChild(n)
		if errors.Is(err, tree.ErrNoChild) {
			break
		}
		if err != nil {
			return nil, err
		}
		n = c
	}
	return n, nil
}

// hasRow reports whether a key has a row of its own; other keys are shown in the row of their value.
func hasRow(key *tree.Node) bool { return key != nil && key.Layout >= tree.Sequence }

// entry returns the first row of the entry that ends with the value n: the row of its key, or n.
func (o *outline) entry(n *tree.Node, err error) (*tree.Node, error) {
	if err != nil {
		return nil, err
	}
	if key := o.read.Key(n); hasRow(key) {
		return key, nil
	}
	return n, nil
}

// next returns the row below n.
func (o *outline) next(n *tree.Node) (*tree.Node, error) {
	if o.filter != nil {
		return o.nextHit(n)
	}
	return o.nextOf(n)
}

// nextOf is next without a filter.
func (o *outline) nextOf(n *tree.Node) (*tree.Node, error) {
	if n.Depth == 0 {
		return nil, tree.ErrNoChild
	}
	if CanOpen(n) && o.isOpen(n) {
		c, err := o.entry(o.read.Child(n, 0))
		if !errors.Is(err, tree.ErrNoChild) {
			return c, err
		}
	}
	for ; n.Depth > 0; n = n.Parent {
		if n.Slot.Key {
			return o.read.Child(n.Parent, n.Slot.Index)
		}
		c, err := o.entry(o.read.Next(n))
		if !errors.Is(err, tree.ErrNoChild) {
			return c, err
		}
	}
	return o.gap()
}

// prev returns the row above n.
func (o *outline) prev(n *tree.Node) (*tree.Node, error) {
	if o.filter != nil {
		return o.prevHit(n)
	}
	return o.prevOf(n)
}

// prevOf is prev without a filter.
func (o *outline) prevOf(n *tree.Node) (*tree.Node, error) {
	if n.Depth == 0 { // the gap at the end
		c, err := o.read.LastChild(o.base)
		if err != nil {
			return nil, err
		}
		return o.lastIn(c)
	}
	if key := o.read.Key(n); hasRow(key) {
		return o.lastIn(key)
	}
	if n.Slot.Index == 0 {
		if n.Depth == 1 {
			return nil, tree.ErrNoChild
		}
		return n.Parent, nil
	}
	c, err := o.read.Child(n.Parent, n.Slot.Index-1)
	if err != nil {
		return nil, err
	}
	return o.lastIn(c)
}

// rowAt returns the row of the byte at off, which n owns. Bytes of the buffer itself belong to the
// nearest row.
func (o *outline) rowAt(n *tree.Node, off int64) (*tree.Node, error) {
	switch {
	case n.Depth > 0 || n.HasGap() && off >= n.Tail:
		return o.rowOf(n)
	case off < n.Body:
		return o.first()
	}
	last, err := o.read.LastChild(o.base)
	switch {
	case errors.Is(err, tree.ErrNoChild):
		return o.rowOf(n)
	case err != nil:
		return nil, err
	}
	return o.lastIn(last)
}

// rowOf returns the row that represents n: its own row, or that of the innermost value around it that has
// one.
func (o *outline) rowOf(n *tree.Node) (*tree.Node, error) {
	if n.Depth == 0 {
		g, err := o.gap()
		if errors.Is(err, tree.ErrNoChild) {
			return o.first()
		}
		return g, err
	}
	row := n
	for m := n.Parent; m.Depth > 0; m = m.Parent {
		if !o.isOpen(m) {
			row = m
		}
	}
	var outer []*tree.Node // keys around the row: if the bytes end inside one, they end in those around it
	for m := row; m.Depth > 0; m = m.Parent {
		switch last := len(outer) - 1; {
		case !m.Slot.Key:
		case !hasRow(m):
			v, err := o.valueOf(m)
			if err != nil {
				return nil, err
			}
			row = v
		case last >= 0 && outer[last].Parent.Limit == m.Parent.Limit:
			outer[last] = m
		default:
			outer = append(outer, m)
		}
	}
	for _, key := range outer {
		v, err := o.valueOf(key)
		if err != nil {
			return nil, err
		}
		if v == key.Parent {
			row = v
		}
	}
	return row, nil
}

// valueOf returns the value of a key, or of the key around it whose value is missing.
func (o *outline) valueOf(key *tree.Node) (*tree.Node, error) {
	v, err := o.read.Child(key.Parent, key.Slot.Index)
	if errors.Is(err, tree.ErrNoChild) {
		return key.Parent, nil
	}
	return v, err
}

// unfoldAround unfolds up to most values around n, in one of the maps, and reads the rows again.
func (o *outline) unfoldAround(n *tree.Node, unfolded map[tree.ID]bool, most int) {
	o.pin(n)
	for m := n.Parent; m != nil && m.Depth > 0 && most > 0; m = m.Parent {
		if o.isOpen(m) {
			continue
		}
		unfolded[m.ID()] = true
		if most--; o.filter != nil {
			o.filter.setOpen(m.ID(), true)
		}
	}
	o.refill()
}
