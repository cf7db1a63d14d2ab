package explore

import (
	"errors"

	"varview/decoder/engine/tree"
)

// An outline is the tree as rows: the unfolded values and their visible children. It reads only what the
// rows in view need.
type outline struct {
	read *tree.Reader
	base *tree.Node
	folds
	level  int          // values that hold others are unfolded down to this depth
	filter *filter      // leaves rows out; nil if all are there
	gone   []*tree.Node // values that only another file has, in order
	rows   []*tree.Node // values in view, from the top one on
	height int
	stop   error // why the rows end above the bottom: tree.ErrPending; nil at the end
}

// folds are the values that were unfolded and folded.
type folds struct {
	open   map[tree.ID]bool // unfolded by hand
	shown  map[tree.ID]bool // unfolded because the cursor is in them
	sought map[tree.ID]bool // unfolded because of the hit that was gone to last
	closed map[tree.ID]bool // folded by hand
}

// unfolded returns the sets of values that were unfolded.
func (f *folds) unfolded() []map[tree.ID]bool { return []map[tree.ID]bool{f.open, f.shown, f.sought} }

// foldAll folds all values that hold others, except those down to a depth.
func (o *outline) foldAll(level int) {
	o.level = level
	for _, set := range append(o.unfolded(), o.closed) {
		clear(set)
	}
}

func newOutline(read *tree.Reader) *outline {
	return &outline{read: read, base: read.Tree.Base, folds: folds{map[tree.ID]bool{}, map[tree.ID]bool{}, map[tree.ID]bool{}, map[tree.ID]bool{}}, height: 1}
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
		for _, set := range o.unfolded() { // although the cursor may be in it
			delete(set, p)
		}
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

// refill reads the rows again from the top one, or from the folded value that contains it.
func (o *outline) refill() {
	if len(o.rows) > 0 {
		if n, err := o.rowOf(o.rows[0]); err == nil {
			o.rows[0] = n
		}
		o.rows = o.rows[:1]
	}
	o.fill()
}

// fill reads rows until the window is full; at the end of the file, also those above.
func (o *outline) fill() {
	o.stop = nil
	if len(o.rows) == 0 {
		n, err := o.first()
		if err != nil {
			o.stop = pendingOnly(err)
			return
		}
		o.rows = append(o.rows, n)
	}
	if len(o.rows) > o.height {
		o.rows = o.rows[:o.height]
	}
	for len(o.rows) < o.height {
		last := len(o.rows) - 1
		o.finish(last)
		n, err := o.next(o.rows[last])
		if err != nil {
			o.stop = pendingOnly(err)
			break
		}
		o.rows = append(o.rows, n)
	}
	o.finish(len(o.rows) - 1)
	for len(o.rows) < o.height && o.stop == nil {
		if !o.unshift() {
			return
		}
	}
}

// unshift adds the row above the window to it, if there is one.
func (o *outline) unshift() bool {
	n, err := o.prev(o.rows[0])
	if err != nil {
		return false
	}
	o.rows = append([]*tree.Node{n}, o.rows...)
	o.finish(0)
	return true
}

// finish finds the end of a row's value, if that is quick, so that it need not be found again.
func (o *outline) finish(i int) {
	if n, err := o.read.Finish(o.rows[i]); err == nil {
		o.rows[i] = n
	}
}

func pendingOnly(err error) error {
	if errors.Is(err, tree.ErrNoChild) {
		return nil
	}
	return err
}

// setTop puts a row at the top of the window.
func (o *outline) setTop(n *tree.Node) {
	o.rows = append(o.rows[:0], n)
	o.fill()
}

// find returns the position of a row in the window; -1 if it is not in view.
func (o *outline) find(n *tree.Node) int {
	if n == nil {
		return -1
	}
	for i, m := range o.rows {
		if m.Same(n) {
			return i
		}
	}
	return -1
}

// scroll moves the window by rows, as far as possible.
func (o *outline) scroll(by int) {
	if len(o.rows) == 0 {
		return
	}
	for ; by > 0; by-- {
		n, err := o.next(o.rows[len(o.rows)-1])
		if err != nil {
			return
		}
		o.rows = append(append(o.rows[:0], o.rows[1:]...), n)
		o.finish(len(o.rows) - 1)
	}
	for ; by < 0 && o.unshift(); by++ {
		o.fill()
	}
}

// show scrolls a row into view, to about a third of the window if it was far away.
func (o *outline) show(n *tree.Node) {
	if o.find(n) >= 0 {
		return
	}
	if len(o.rows) > 0 {
		if above, err := o.prev(o.rows[0]); err == nil && above.Same(n) {
			o.scroll(-1)
			return
		}
		if len(o.rows) == o.height {
			if below, err := o.next(o.rows[o.height-1]); err == nil && below.Same(n) {
				o.scroll(1)
				return
			}
		}
	}
	o.setTop(n)
	o.scroll(o.find(n) - o.height/3)
}

// leaveBelow scrolls so that what is in a row in view is below it, or a third of the window.
func (o *outline) leaveBelow(n *tree.Node) {
	below := o.height / 3
	if n.Count > 0 {
		below = int(min(int64(below), n.Count))
	}
	if o.find(n) > o.height-1-below {
		o.scroll(o.find(n) - (o.height - 1 - below))
	}
}
