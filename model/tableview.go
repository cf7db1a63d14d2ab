package model

import (
	"bytes"
	"context"

	"varview/decoder/edit"
	"varview/decoder/tree"
	"varview/model/search"
	"varview/model/table"
)

// A TablePlace is where the container of a table is, whatever is edited in it.
type TablePlace []int64

// Table returns the table of the container n, and where it is. It may run in the
// background.
func (x *Explorer) Table(ctx context.Context, n *tree.Node) (*table.Table, TablePlace, error) {
	t, err := table.New(ctx, x.Buffer.Tree(), n)
	return t, indexesOf(n), err
}

// TableNow is a table in the buffer as it is now.
func (x *Explorer) TableNow(t *table.Table, place TablePlace) (*table.Table, error) {
	now := x.Buffer.Tree()
	r := now.NewReader()
	r.Budget = lookUpBudget
	n, err := nodeAt(r, place)
	if err != nil {
		return nil, err
	}
	return t.Like(now, n), nil
}

// LookReader reads what is drawn: no more than takes a moment.
func (x *Explorer) LookReader() *tree.Reader {
	r := x.Buffer.Tree().NewReader()
	r.Budget = lookUpBudget
	return r
}

// SetAll gives all values that a path stands for another one.
func (x *Explorer) SetAll(path, value string, o edit.Options) Intention {
	before := x.Cursor()
	return Intention{"set " + path, before, func(ctx context.Context, t *Transaction) (Cursor, error) {
		_, err := t.SetAll(ctx, path, value, o)
		return t.moved(before), err
	}}
}

// SetFound gives all values in which a query finds something another one.
func (x *Explorer) SetFound(q search.Query, value string, o edit.Options) Intention {
	before := x.Cursor()
	return Intention{"set all hits of " + q.String(), before, func(ctx context.Context, t *Transaction) (Cursor, error) {
		_, err := t.SetFound(ctx, q, value, o)
		return t.moved(before), err
	}}
}

// Values returns the number of values that a prepared edit changes.
func (p *Prepared) Values() int { return len(p.t.ops) }

// ImportCSV puts the values of a CSV file into the container n.
func (x *Explorer) ImportCSV(n *tree.Node, csv []byte, o edit.Options) Intention {
	before := x.Cursor()
	return Intention{"import CSV into " + x.shortPath(n), before, func(ctx context.Context, t *Transaction) (Cursor, error) {
		_, err := t.ImportCSV(ctx, n, bytes.NewReader(csv), o)
		return t.moved(before), err
	}}
}

// Sort puts the children of the container n in order.
func (x *Explorer) Sort(n *tree.Node, s Sorting, o edit.Options) Intention {
	before := x.Cursor()
	return Intention{"sort " + x.shortPath(n), before, func(ctx context.Context, t *Transaction) (Cursor, error) {
		_, _, err := t.Sort(ctx, n, s, o)
		return t.moved(before), err
	}}
}

// FillDown gives values the literal of another one. They are in file order.
func (x *Explorer) FillDown(from *tree.Node, to []*tree.Node) Intention {
	before := x.Cursor()
	return Intention{"fill down", before, func(ctx context.Context, t *Transaction) (Cursor, error) {
		literal, err := fullLiteral(ctx, t.now.tree, from)
		if err != nil {
			return before, err
		}
		b, err := t.beginBulk(edit.Options{})
		if err != nil {
			return before, err
		}
		r := t.now.tree.NewReader()
		for _, n := range to {
			if err := b.set(ctx, r, n, literal); err != nil {
				return before, err
			}
		}
		_, err = b.finish(ctx)
		return t.moved(before), err
	}}
}
