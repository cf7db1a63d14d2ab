// Package table shows a container as a table: its children are the rows, and what they have in common the
// columns. It reads only what is looked at.
package table

import (
	"context"
	"errors"
	"maps"
	"math"
	"slices"

	"varview/decoder/engine/tree"
)

// A Column is a place at which rows have values.
type Column struct {
	Step string // step from a row to the value, as in a path: ".hp"; "" for the row itself
	Name string // the step for people: "hp"
	Text bool   // the first value found in it is text
}

// A Table is a container as rows and columns.
type Table struct {
	Node    *tree.Node
	Columns []Column
	Keyed   bool // rows have keys, not indexes

	Passed func(done, all int64) // if set, called now and then with the number of rows read

	tree   *tree.Tree
	lookup map[string]int // columns by step
	more   bool           // there are more columns than are shown
	whole  bool           // there are no other columns
	late   bool           // the next pass over all rows adds those that only later rows have
}

const (
	sampled    = 500 // number of rows whose columns are looked up first
	maxColumns = 256 // largest number of columns
)

// ErrNoTable says that a value cannot be shown as a table.
var ErrNoTable = errors.New("only a container can be a table: its children are the rows")

// New returns the table of a container. Its columns are those of the first rows; columns of later rows
// are added by Complete.
func New(ctx context.Context, t *tree.Tree, n *tree.Node) (*Table, error) {
	if n.Layout == tree.Leaf && n.Damage == nil && n.Count == 0 || n.Opaque {
		return nil, ErrNoTable
	}
	table := &Table{Node: n, Keyed: n.Layout == tree.Pairs, tree: t, lookup: map[string]int{}}
	rows := 0
	err := table.scan(ctx, t.NewReader(), scanning{add: true, row: func(int64, *tree.Value) error {
		if rows++; rows > sampled {
			return errEnough
		}
		return nil
	}})
	table.whole = err == nil && rows <= sampled
	return table, err
}

// NewReader returns a reader of the table's tree.
func (t *Table) NewReader() *tree.Reader { return t.tree.NewReader() }

// Like returns a table of the same container in an edited tree, with the same columns.
func (t *Table) Like(now *tree.Tree, n *tree.Node) *Table {
	again := *t
	again.tree, again.Node = now, n
	return &again
}

// Complete reads all rows, to add the columns that only later ones have.
func (t *Table) Complete(ctx context.Context) error {
	if t.whole {
		return nil
	}
	t.late = true
	return t.completing(func() error { return t.scan(ctx, t.tree.NewReader(), scanning{add: true}) })
}

// CompleteLater is Complete for callers that look at the columns only after they have called Look and while Each writes.
// What these read is then not read once more.
func (t *Table) CompleteLater() { t.late = !t.whole }

// completing carries out a pass over all rows that adds columns if t.late is set.
func (t *Table) completing(pass func() error) error {
	err := pass()
	if err == nil && t.late {
		t.late, t.whole = false, true
	}
	return err
}

// Completed returns the table with the columns that only later rows have appended.
func (t *Table) Completed(ctx context.Context) (*Table, error) {
	again := *t
	again.Columns, again.lookup = slices.Clone(t.Columns), maps.Clone(t.lookup)
	return &again, again.Complete(ctx)
}

// HasMore reports whether there are more columns than are shown.
func (t *Table) HasMore() bool { return t.more }

// Count returns the number of rows that the container counts, as far as its bytes have room for them. r
// must read the table's tree.
func (t *Table) Count(r *tree.Reader) int64 {
	n := r.Count(t.Node)
	if least := int64(t.Node.MinChild); least > 0 && n != tree.Unknown {
		n = min(n, (t.Node.Limit-t.Node.Body)/least)
	}
	return min(max(n, 0), math.MaxUint32)
}

// column returns the index of the column with a step; -1 if there is none and add is not set.
func (t *Table) column(step []byte, add bool) int {
	if i, ok := t.lookup[string(step)]; ok {
		return i
	}
	if !add {
		return -1
	}
	if len(t.Columns) == maxColumns {
		t.more = true
		return -1
	}
	i := len(t.Columns)
	t.lookup[string(step)] = i
	t.Columns = append(t.Columns, Column{Step: string(step), Name: nameOf(string(step))})
	return i
}

// nameOf returns a step for people.
func nameOf(step string) string {
	switch {
	case step == "":
		return "value"
	case step[0] == '.':
		return step[1:]
	case len(step) > 5 && (step[1] == '&' || step[1] == '^') && tree.IsIdentifier([]byte(step[3:len(step)-2])):
		return step[3 : len(step)-2] // [&"name"]
	}
	return step
}

// ColumnNamed finds a column by its name or step; -1 if there is none.
func (t *Table) ColumnNamed(name string) int {
	for i, c := range t.Columns {
		if c.Name == name || c.Step == name {
			return i
		}
	}
	return -1
}

// A Row is a row with its values.
type Row struct {
	Index int64
	Key   *tree.Node   // nil if it has none
	Node  *tree.Node   // nil if the bytes have no such row
	Cells []*tree.Node // cells by column; nil if the row has no such value
}

// Row reads a row of the table. A view that shows it may know about where it begins; v may be nil.
func (t *Table) Row(r *tree.Reader, v *View, i int64) (Row, error) {
	if v != nil && v.places.of == t.tree {
		if row, err := t.rowNear(r, &v.places, i); err == nil {
			return row, nil
		}
	}
	n, err := r.Child(t.Node, i)
	if err != nil {
		return Row{Index: i, Cells: make([]*tree.Node, len(t.Columns))}, err
	}
	return t.rowOf(r, n)
}

// rowNear reads a row, beginning with the nearest row whose place is known. The window reads only what lies between the
// places around it.
func (t *Table) rowNear(r *tree.Reader, p *places, i int64) (row Row, err error) {
	near := i / apart
	if near+1 >= int64(len(p.all)) {
		return row, tree.ErrNoChild
	}
	at, begins, ends := p.all[near], p.all[near].start-int64(p.all[near].key), p.all[near+1].start+behindRow
	keyAt := int64(tree.Unknown)
	if at.key > 0 {
		keyAt = begins
	}
	r.Window().ReadUpTo(ends)
	defer r.Window().ReadUpTo(0)
	r.Window().View(begins, ends-begins)
	n := r.ChildAt(t.Node, near*apart, keyAt, at.start, at.serial)
	for n.Damage == nil && n.Slot.Index < i { // the end of a damaged row may have been found by reading on
		if n, err = r.Next(n); err != nil {
			return row, err
		}
	}
	if n.Damage != nil {
		return row, tree.ErrNoChild
	}
	return t.rowOf(r, n)
}

// Next reads the row after one.
func (t *Table) Next(r *tree.Reader, row Row) (Row, error) {
	if row.Node == nil {
		return t.Row(r, nil, row.Index+1)
	}
	n, err := r.Next(row.Node)
	if err != nil {
		return Row{Index: row.Index + 1, Cells: make([]*tree.Node, len(t.Columns))}, err
	}
	return t.rowOf(r, n)
}

// rowOf reads the values of a row.
func (t *Table) rowOf(r *tree.Reader, n *tree.Node) (Row, error) {
	row := Row{Index: n.Slot.Index, Node: n, Key: r.Key(n), Cells: make([]*tree.Node, len(t.Columns))}
	if !hasParts(&n.Value) {
		if i := t.column(nil, false); i >= 0 {
			row.Cells[i] = n
		}
		return row, nil
	}
	return row, t.cellsOf(r, n, "", row.Cells, 0)
}

// cellsOf reads the values of a row, or of a record in it to which a step leads, in a number of others.
func (t *Table) cellsOf(r *tree.Reader, n *tree.Node, step string, cells []*tree.Node, nested int) error {
	c, err := r.Child(n, 0)
	for range 4 * maxColumns {
		if err != nil {
			break
		}
		at := step + r.Step(c)
		if i := t.column([]byte(at), false); i >= 0 {
			cells[i] = c // of several with its key the last
		} else if nested < mostNested && n.Layout != tree.Pairs && isRecord(r, &c.Value) {
			if err := t.cellsOf(r, c, at, cells, nested+1); err != nil {
				return err
			}
		}
		c, err = r.Next(c)
	}
	if errors.Is(err, tree.ErrNoChild) {
		err = nil
	}
	return err
}

// hasParts reports whether a row has values inside that are columns.
func hasParts(v *tree.Value) bool {
	return v.Layout != tree.Leaf && !v.Opaque && (v.Layout == tree.Pairs || v.Count <= maxColumns)
}

// Path returns the path of the container, for messages.
func (t *Table) Path() string { return t.tree.NewReader().Path(t.Node) }
