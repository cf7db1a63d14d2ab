package explore

import (
	"errors"

	"varview/decoder/engine/tree"
)

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

// leaveBelow scrolls so that a third of the window is below a row in view, for what is in it.
func (o *outline) leaveBelow(n *tree.Node) {
	if below := o.height / 3; o.find(n) > o.height-1-below {
		o.scroll(o.find(n) - (o.height - 1 - below))
	}
}
