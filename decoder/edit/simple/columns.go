package simple

import (
	"fmt"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
	"varview/decoder/value/notation"
)

// Bound implements format.Binder: columns have the same number of rows.
func (r *reading) Bound(n *tree.Node) *tree.Node {
	if n.Type == column {
		return n.Parent
	}
	return nil
}

// eachColumn calls a function for all columns, of which col is one.
func (e *editing) eachColumn(col *tree.Node, f func(n *tree.Node)) {
	e.Keep(edit.EachChild(e.Ctx, e.Reader, col.Parent, func(n *tree.Node) error {
		f(n)
		return e.Err
	}))
}

// insertRow puts content into a column, and zeros at the same index into the others.
func (e *editing) insertRow(col *tree.Node, index int64, c edit.Content) {
	at := inside(&col.Value, false)
	b := e.content(c, at, nil)
	if e.Err != nil {
		return
	}
	zero := source.Memory(e.leaf(Datum{Place: at, Scalar: tree.Scalar{Kind: tree.Int}}, nil))
	e.eachColumn(col, func(n *tree.Node) {
		if off := e.OffsetOf(n, index); n.Slot == col.Slot {
			e.put(off, 0, b)
		} else {
			e.put(off, 0, zero)
		}
	})
}

// eachCell calls a function for a value of a column, and for those with the same index in the others.
func (e *editing) eachCell(cell *tree.Node, f func(n *tree.Node)) {
	e.eachColumn(cell.Parent, func(n *tree.Node) {
		if c, err := e.Reader.Child(n, cell.Slot.Index); e.Keep(err) {
			f(c)
		}
	})
}

// deleteRow deletes a value of a column, and those with the same index in the others.
func (e *editing) deleteRow(cell *tree.Node) {
	e.eachCell(cell, func(c *tree.Node) {
		_, at := e.Extent(c)
		e.Cut(at.Offset, at.End())
	})
}

// moveRow moves a value of a column, and those with the same index in the others.
func (e *editing) moveRow(cell *tree.Node, to int64) {
	e.eachCell(cell, func(c *tree.Node) { e.MoveChild(e, c, to) })
}

// column returns the bytes of a new column.
func (e *editing) column(around *tree.Node, c edit.Content) *source.Pieces {
	return source.Memory(e.cells(e.parsed(c), around, nil, int64(around.Rows)))
}

// columns returns the bytes of a literal that replaces a column, or all columns.
func (e *editing) columns(v *notation.Value, old *tree.Node) []byte {
	if old.Type == column {
		return e.cells(v, old, old, old.Count)
	}
	before, rows := e.children(old), int64(old.Rows)
	if len(v.Items) > 0 {
		rows = int64(len(v.Items[0].Items))
	}
	var body []byte
	for i := range v.Items {
		body = append(body, e.cells(&v.Items[i], old, before[fmt.Sprint(i)], rows)...)
	}
	if e.Err != nil {
		return nil
	}
	n := int64(len(v.Items))
	return append(e.head(old, change{at: min(n, old.Count), count: n - old.Count, rows: rows - int64(old.Rows)}), body...)
}

// cells returns the bytes of a column of some rows that replaces the old one, if old is not nil.
func (e *editing) cells(v *notation.Value, around, old *tree.Node, rows int64) (body []byte) {
	if v.Kind != notation.List || int64(len(v.Items)) != rows {
		e.Keep(v.Errorf("a column must be a list of %d here, like all others", rows))
	}
	before := e.children(old)
	for i := 0; i < len(v.Items) && e.Err == nil; i++ {
		body = append(body, e.value(&v.Items[i], inside(&around.Value, false), before[fmt.Sprint(i)])...)
	}
	return body
}
