package explore

import (
	"errors"

	"varview/decoder/engine/tree"
)

// MoveRows moves the cursor down by rows, up if by is negative.
func (x *Explorer) MoveRows(by int) error {
	return x.do(func() error {
		n, gone, err := x.row, x.gone, error(nil)
		if n == nil {
			return x.selectRow(x.outline.first())
		}
		for left := by; left != 0 && err == nil; left -= sign(by) {
			var m, g *tree.Node
			if m, g, err = x.step(n, gone, sign(by)); err == nil {
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

func sign(n int) int {
	if n < 0 {
		return -1
	}
	return 1
}

// below returns the row below n; it is fast for rows in view.
func (o *outline) below(n *tree.Node) (*tree.Node, error) {
	if i := o.find(n); i >= 0 && i+1 < len(o.rows) {
		return o.rows[i+1], nil
	}
	return o.next(n)
}

func (o *outline) above(n *tree.Node) (*tree.Node, error) {
	if i := o.find(n); i > 0 {
		return o.rows[i-1], nil
	}
	return o.prev(n)
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
	if x.row == nil || !CanOpen(x.row) {
		return nil
	}
	if !x.outline.isOpen(x.row) {
		x.outline.setOpen(x.row, true)
		return nil
	}
	return x.MoveRows(1)
}

// Open shows the children of the selected value.
func (x *Explorer) Open() {
	if x.row != nil && CanOpen(x.row) && !x.outline.isOpen(x.row) {
		x.outline.setOpen(x.row, true)
	}
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
		x.outline.setOpen(x.row, !x.outline.isOpen(x.row))
		x.outline.show(x.row)
	}
}

// FoldAll folds everything except what contains the selected row.
func (x *Explorer) FoldAll() error {
	n := x.row
	for n != nil && n.Depth > 1 {
		n = n.Parent
	}
	clear(x.outline.open)
	clear(x.outline.shown)
	clear(x.outline.sought)
	clear(x.outline.closed)
	x.outline.level = 0
	if x.outline.filter != nil {
		x.outline.filter.foldAll()
	}
	if n == nil {
		return x.First()
	}
	x.outline.setTop(n)
	return x.do(func() error { return x.selectRow(n, nil) })
}
