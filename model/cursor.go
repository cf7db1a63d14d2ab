package model

import (
	"varview/decoder/source"
	"varview/decoder/tree"
)

// A Cursor is where the cursor of an explorer is, in words that hold for the
// same bytes at any time.
type Cursor struct {
	bytes  bool      // on a byte, not on a row
	offset int64     // of that byte, or of the value
	depth  int       // of the value
	slot   tree.Slot // of the value
	parent int64     // where the value around it begins
}

// Cursor returns where the cursor is.
func (x *Explorer) Cursor() Cursor {
	if x.row == nil || x.inBytes {
		return Cursor{bytes: true, offset: x.offset}
	}
	return cursorOf(x.row, false)
}

// cursorOf is a cursor on a value.
func cursorOf(n *tree.Node, bytes bool) Cursor {
	c := Cursor{bytes: bytes, offset: n.Start, depth: n.Depth, slot: n.Slot}
	if n.Parent != nil {
		c.parent = n.Parent.Start
	}
	return c
}

// childCursor is a cursor on a child of parent.
func childCursor(parent *tree.Node, index int64) Cursor {
	return Cursor{offset: parent.Start, depth: parent.Depth + 1, slot: tree.Slot{Index: index}, parent: parent.Start}
}

// ByteCursor is a cursor on a byte.
func ByteCursor(off int64) Cursor { return Cursor{bytes: true, offset: off} }

// moved is the same cursor after an edit.
func (c Cursor) moved(splices []source.Splice) Cursor {
	c.offset, c.parent = source.Map(splices, c.offset), source.Map(splices, c.parent)
	return c
}

// GoToCursor puts the cursor where c says.
func (x *Explorer) GoToCursor(c Cursor) error {
	if c.bytes {
		return x.GoTo(c.offset)
	}
	return x.do(func() error {
		n, err := valueAt(x.read, c)
		if err != nil {
			return err
		}
		if n.Depth == 0 {
			return x.selectRow(x.outline.first())
		}
		return x.goToValue(n)
	})
}

// valueAt is the value that a cursor is on, or where it would be the nearest
// there is: the last child, or the value around it.
func valueAt(r *tree.Reader, c Cursor) (*tree.Node, error) {
	if c.depth == 0 {
		return r.Tree.Base, nil
	}
	parent, err := valueFrom(r, c.parent, c.depth-1)
	if err != nil {
		return nil, err
	}
	n, err := r.Child(parent, c.slot.Index)
	if err == tree.ErrNoChild {
		n, err = r.LastChild(parent)
	}
	switch {
	case err == tree.ErrNoChild:
		return parent, nil
	case err != nil:
		return nil, err
	case c.slot.Key:
		if key := r.Key(n); key != nil {
			return key, nil
		}
	}
	return n, nil
}

// valueFrom is the value at a depth that begins at start, or lies around what
// does.
func valueFrom(r *tree.Reader, start int64, depth int) (*tree.Node, error) {
	if depth == 0 {
		return r.Tree.Base, nil
	}
	n, err := r.At(start)
	if err != nil {
		return nil, err
	}
	for n.Depth > depth {
		n = n.Parent
	}
	return n, nil
}

// edited follows the buffer to its version after an edit: what is unfolded stays
// so.
func (x *Explorer) edited(groups [][]source.Splice) {
	old := x.outline
	x.read = x.Buffer.Tree().NewReader()
	x.setBudget()
	x.later, x.row, x.owner, x.cycling = nil, nil, nil, nil
	clear(x.targets)
	x.Hits = nil // they are to be found again
	x.outline = newOutline(x.read)
	x.outline.height = old.height
	var maps []source.Mapping
	for _, splices := range groups {
		maps = append(maps, source.NewMapping(splices))
	}
	follow := func(off int64) int64 {
		for _, m := range maps {
			off = m.Map(off)
		}
		return off
	}
	carry := func(from, to map[place]bool) {
		for p := range from {
			if n, err := valueFrom(x.read, follow(p.start), p.depth); err == nil && n.Depth == p.depth {
				to[placeOf(n)] = true
			}
		}
	}
	carry(old.open, x.outline.open)
	carry(old.shown, x.outline.shown)
	carry(old.sought, x.outline.sought)
	carry(old.closed, x.outline.closed)
	x.outline.level = old.level
	x.jumps.edited(follow)
	if old.filter != nil {
		x.outline.filter = old.filter.edited(follow)
		carry(old.filter.turned, x.outline.filter.turned)
	}
	if len(old.rows) > 0 {
		top := cursorOf(old.rows[0], false)
		top.offset, top.parent = follow(top.offset), follow(top.parent)
		if n, err := valueAt(x.read, top); err == nil && n.Depth > 0 {
			if row, err := x.outline.rowOf(n); err == nil {
				x.outline.rows = append(x.outline.rows[:0], row)
			}
		}
	}
	x.outline.fill()
}

// A Place is where the cursor of an explorer is, in words that hold for another
// reading of the same bytes.
type Place struct {
	offset int64
	path   string // of the selected row, if the cursor is at its beginning
}

// Place returns where the cursor is.
func (x *Explorer) Place() Place {
	p := Place{offset: x.offset}
	if n := x.row; !x.inBytes && n != nil && n.Depth > 0 && !x.Buffer.IsWrapper() && (n.Start == x.offset || n.Start == n.End) {
		p.path = x.Path(n)
	}
	return p
}

// Return puts the cursor where another explorer's was: on the value with the same
// path, or on the same byte.
func (x *Explorer) Return(p Place) error {
	if p.path != "" {
		if n, err := x.read.Resolve(p.path); err == nil {
			return x.GoToValue(n)
		}
	}
	if p.offset == 0 {
		return nil
	}
	return x.GoTo(p.offset)
}
