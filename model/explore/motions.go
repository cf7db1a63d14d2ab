package explore

import (
	"cmp"
	"errors"
	"maps"
	"slices"

	"varview/decoder/engine/tree"
)

// Errors of moves to a value that does not exist.
var (
	errLastSibling  = errors.New("this is the last value here")
	errFirstSibling = errors.New("this is the first value here")
	errNoParent     = errors.New("this value has no parent")
)

// MoveSiblings moves the cursor by values within the one around it, up if by is negative, without
// entering any.
func (x *Explorer) MoveSiblings(by int) error {
	return x.do(func() error {
		n, err := x.row, error(nil)
		if n == nil {
			return nil
		}
		for left := by; left != 0 && err == nil; left -= cmp.Compare(by, 0) {
			var next *tree.Node
			if next, err = x.outline.sibling(n, cmp.Compare(by, 0)); err == nil {
				n = next
			}
		}
		switch {
		case n != x.row && errors.Is(err, tree.ErrNoChild), err == nil:
			return x.selectRow(n, nil)
		case errors.Is(err, tree.ErrNoChild) && by > 0:
			return errLastSibling
		case errors.Is(err, tree.ErrNoChild):
			return errFirstSibling
		}
		return err
	})
}

// nextSibling returns the row behind n in the same value, if all values have rows.
func (o *outline) nextSibling(n *tree.Node) (*tree.Node, error) {
	if n.Slot.Key {
		return o.read.Child(n.Parent, n.Slot.Index)
	}
	return o.entry(o.read.Next(n))
}

// prevSibling returns the row before n in the same value, if all values have rows.
func (o *outline) prevSibling(n *tree.Node) (*tree.Node, error) {
	switch {
	case !n.Slot.Key && hasRow(o.read.Key(n)):
		return o.read.Key(n), nil
	case n.Slot.Index == 0:
		return nil, tree.ErrNoChild
	}
	return o.read.Child(n.Parent, n.Slot.Index-1)
}

// sibling returns the row of the next or previous value within the one around n. With a filter it is the
// nearest one that has a row.
func (o *outline) sibling(n *tree.Node, by int) (*tree.Node, error) {
	switch {
	case n.Depth == 0:
		return nil, tree.ErrNoChild
	case o.filter == nil && by > 0:
		return o.nextSibling(n)
	case o.filter == nil:
		return o.prevSibling(n)
	}
	step := o.next
	if by < 0 {
		step = o.prev
	}
	for m := n; ; {
		var err error
		switch m, err = step(m); {
		case err != nil:
			return nil, err
		case m.Depth < n.Depth:
			return nil, tree.ErrNoChild
		case m.Depth == n.Depth:
			return m, nil
		}
	}
}

// Parent moves the cursor to the value around the selected one, or by levels farther out.
func (x *Explorer) Parent(levels int) error {
	n := x.row
	if n == nil || n.Depth < 2 {
		return errNoParent
	}
	for ; levels > 0 && n.Depth > 1; levels-- {
		n = n.Parent
	}
	return x.do(func() error { return x.selectRow(n, nil) })
}

// GoToRow moves the cursor to the n-th of all rows, from 1, or to the last one.
func (x *Explorer) GoToRow(n int) error {
	if err := x.First(); err != nil || n <= 1 {
		return err
	}
	return x.MoveRows(n - 1)
}

// UnfoldTo unfolds all containers down to a level, 1 for the outermost, and folds those below it. Vectors
// and packed arrays stay as they are.
func (x *Explorer) UnfoldTo(level int) error {
	o, n := x.outline, x.row
	o.foldAll(level)
	o.refill()
	if n == nil {
		return nil
	}
	return x.do(func() error { return x.selectRow(o.rowOf(n)) })
}

// maxSiblings is the number of values that are folded one by one.
const maxSiblings = 100_000

// FoldSiblings folds the selected value and its siblings.
func (x *Explorer) FoldSiblings() error {
	n, o := x.row, x.outline
	if n == nil || n.Depth == 0 {
		return nil
	}
	for _, set := range o.unfolded() {
		maps.DeleteFunc(set, func(p tree.ID, _ bool) bool {
			return p.Depth == n.Depth && p.Start >= n.Parent.Start && (n.Parent.End == tree.Unknown || p.Start < n.Parent.End)
		})
	}
	if n.Depth <= o.level {
		c, err := o.read.Child(n.Parent, 0)
		for i := 0; i < maxSiblings && err == nil; i++ {
			o.closed[c.ID()] = true
			c, err = o.read.Next(c)
		}
	}
	o.refill()
	return x.do(func() error { return x.selectRow(n, nil) })
}

// Align scrolls so that the selected row is at a fraction of the window's height: 0 is the top, 1 the
// bottom.
func (x *Explorer) Align(share float64) {
	if x.row == nil {
		return
	}
	x.outline.setTop(x.row)
	x.outline.scroll(x.outline.find(x.row) - int(share*float64(x.outline.height-1)+0.5))
}

// RowsAround returns at most most rows of the innermost values around what is in view, to be shown over
// the first rows in view. They never hide the selected row or one of themselves.
func (x *Explorer) RowsAround(most, limit int) []Row { return x.newRows(x.around(most), limit) }

func (x *Explorer) around(most int) []*tree.Node {
	rows := x.view()
	if len(rows) == 0 || rows[0].Depth < 2 {
		return nil // all are in view
	}
	find := func(n *tree.Node) int { return slices.IndexFunc(rows, n.Same) }
	if i := find(x.selected()); i >= 0 {
		most = min(most, i)
	}
	for hidden := min(most, len(rows)-1); hidden > 0; hidden-- {
		var all []*tree.Node
		for n := rows[hidden].Parent; n != nil && n.Depth > 0; n = n.Parent {
			if find(n) < hidden { // it would be hidden, or is above
				all = append(all, n)
			}
		}
		if len(all) >= hidden {
			all = all[:hidden]
			slices.Reverse(all)
			return all
		}
	}
	return nil
}

// SelectAround moves the cursor to the i-th of the values around what is in view.
func (x *Explorer) SelectAround(most, i int) error {
	all := x.around(most)
	return x.do(func() error { return x.selectRow(all[i], nil) })
}

// MoveRows moves the cursor down by rows, up if by is negative.
func (x *Explorer) MoveRows(by int) error {
	return x.do(func() error {
		n, gone, err := x.row, x.gone, error(nil)
		if n == nil {
			return x.selectRow(x.outline.first())
		}
		for left := by; left != 0 && err == nil; left -= cmp.Compare(by, 0) {
			var m, g *tree.Node
			if m, g, err = x.step(n, gone, cmp.Compare(by, 0)); err == nil {
				n, gone = m, g
			}
		}
		if errors.Is(err, tree.ErrPending) {
			return err
		}
		err = x.selectRow(n, nil)
		x.gone = gone
		return err
	})
}

// beside returns the row below n or, if by is -1, the one above; it is fast for rows in view.
func (o *outline) beside(n *tree.Node, by int) (*tree.Node, error) {
	switch i := o.find(n); {
	case i >= 0 && i+by >= 0 && i+by < len(o.rows):
		return o.rows[i+by], nil
	case by < 0:
		return o.prev(n)
	}
	return o.next(n)
}

// Scroll moves the rows in view without the cursor.
func (x *Explorer) Scroll(by int) { x.outline.scroll(by) }

// First moves the cursor to the first row.
func (x *Explorer) First() error {
	return x.do(func() error { return x.selectRow(x.outline.first()) })
}

// Last moves the cursor to the last row.
func (x *Explorer) Last() error {
	return x.do(func() error { return x.selectRow(x.outline.last()) })
}

// SelectRow moves the cursor to the i-th row in view.
func (x *Explorer) SelectRow(i int) error {
	rows := x.view()
	if i < 0 || i >= len(rows) {
		return nil
	}
	return x.do(func() error {
		row := i
		for row > 0 && isGone(rows[row]) {
			row--
		}
		if err := x.selectRow(rows[row], nil); err != nil || row == i {
			return err
		}
		x.gone = rows[i]
		return nil
	})
}

// Unfold shows the children of the selected value or, if they are shown, goes to the first of them.
func (x *Explorer) Unfold() error {
	if x.row == nil || !CanOpen(x.row) || x.Open() {
		return nil
	}
	return x.MoveRows(1)
}

// Open shows the children of the selected value, and reports whether they were hidden.
func (x *Explorer) Open() (opened bool) {
	if opened = x.row != nil && CanOpen(x.row) && !x.outline.isOpen(x.row); opened {
		x.setOpen(x.row, true)
	}
	return opened
}

// Fold hides the children of the selected value or, if they are hidden, goes to the value around it.
func (x *Explorer) Fold() error {
	n := x.row
	switch {
	case n == nil || n.Depth == 0:
		return nil
	case CanOpen(n) && x.outline.isOpen(n):
		x.outline.setOpen(n, false)
		return x.do(func() error { return x.selectRow(n, nil) })
	case n.Depth > 1:
		return x.do(func() error { return x.selectRow(n.Parent, nil) })
	}
	return nil
}

// Toggle folds or unfolds the selected value.
func (x *Explorer) Toggle() {
	if x.row != nil && CanOpen(x.row) {
		x.setOpen(x.row, !x.outline.isOpen(x.row))
	}
}

// FoldAll folds everything except what contains the selected row.
func (x *Explorer) FoldAll() error {
	n := x.row
	for n != nil && n.Depth > 1 {
		n = n.Parent
	}
	x.outline.foldAll(0)
	if x.outline.filter != nil {
		x.outline.filter.foldAll()
	}
	if n == nil {
		return x.First()
	}
	x.outline.setTop(n)
	return x.do(func() error { return x.selectRow(n, nil) })
}
