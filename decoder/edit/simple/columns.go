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

// insertRow puts content into a column, and zeros at the same index into the others.
func (e *editing) insertRow(col *tree.Node, index int64, c edit.Content) ([]source.Splice, error) {
	at := inside(&col.Value, false)
	b, err := e.content(c, at, nil)
	if err != nil {
		return nil, err
	}
	zero := e.leaf(Datum{Place: at, Scalar: tree.Scalar{Kind: tree.Int}}, nil)
	err = edit.EachChild(e.Ctx, e.Reader, col.Parent, func(n *tree.Node) error {
		off, err := e.OffsetOf(n, index)
		if n.Slot == col.Slot {
			e.put(off, 0, b)
		} else {
			e.put(off, 0, source.Memory(zero))
		}
		return err
	})
	return e.finish(err, col, index, 1)
}

// deleteRow deletes a value of a column, and those with the same index in the others.
func (e *editing) deleteRow(cell *tree.Node) ([]source.Splice, error) {
	err := edit.EachChild(e.Ctx, e.Reader, cell.Parent.Parent, func(n *tree.Node) error {
		c, err := e.Reader.Child(n, cell.Slot.Index)
		if err != nil {
			return err
		}
		_, at, err := e.Extent(c)
		e.put(at.Offset, at.Length, nil)
		return err
	})
	return e.finish(err, cell.Parent, cell.Slot.Index, -1)
}

// moveRow moves a value of a column, and those with the same index in the others.
func (e *editing) moveRow(cell *tree.Node, to int64) error {
	return edit.EachChild(e.Ctx, e.Reader, cell.Parent.Parent, func(n *tree.Node) error {
		c, err := e.Reader.Child(n, cell.Slot.Index)
		if err != nil {
			return err
		}
		return e.MoveChild(e, c, to)
	})
}

// column returns the bytes of a new column.
func (e *editing) column(around *tree.Node, c edit.Content) (*source.Pieces, error) {
	if c.Copy != nil {
		var err error
		if c.Literal, err = edit.LiteralOf(e.Ctx, c.From, &c.Copy.Value, notation.MaxText); err != nil {
			return nil, err
		}
	}
	v, err := notation.Parse(c.Literal)
	if err != nil {
		return nil, err
	}
	b, err := e.cells(&v, around, nil, int64(around.Rows))
	return source.Memory(b), err
}

// columns returns the bytes of a literal that replaces a column, or all columns.
func (e *editing) columns(v *notation.Value, old *tree.Node) ([]byte, error) {
	if old.Type == column {
		return e.cells(v, old, old, old.Count)
	}
	before, err := e.children(old)
	if err != nil {
		return nil, err
	}
	rows := int64(old.Rows)
	if len(v.Items) > 0 {
		rows = int64(len(v.Items[0].Items))
	}
	var body []byte
	for i := range v.Items {
		b, err := e.cells(&v.Items[i], old, before[fmt.Sprint(i)], rows)
		if err != nil {
			return nil, err
		}
		body = append(body, b...)
	}
	n := int64(len(v.Items))
	head, err := e.head(old, change{at: min(n, old.Count), count: n - old.Count, rows: rows - int64(old.Rows)})
	return append(head, body...), err
}

// cells returns the bytes of a column of some rows that replaces the old one, if old is not nil.
func (e *editing) cells(v *notation.Value, around, old *tree.Node, rows int64) (body []byte, err error) {
	if v.Kind != notation.List || int64(len(v.Items)) != rows {
		return nil, v.Errorf("a column must be a list of %d here, like all others", rows)
	}
	before, err := e.children(old)
	for i := 0; i < len(v.Items) && err == nil; i++ {
		var b []byte
		b, err = e.value(&v.Items[i], inside(&around.Value, false), before[fmt.Sprint(i)])
		body = append(body, b...)
	}
	return body, err
}
