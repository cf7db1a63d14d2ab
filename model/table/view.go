package table

import (
	"context"
	"slices"

	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
)

// A View is the shown rows of a table, in order. It is immutable, but for one of LookLater.
type View struct {
	Column     int // column by which it is sorted: NoColumn for none, KeyColumn for the key
	Descending bool
	Filter     string // "" for none

	all    int64    // number of rows of the table
	rows   []uint32 // nil for all rows in file order
	places places   // known if rows is not nil
	later  bool     // rows are in file order until Each has passed them; see LookLater
}

// places are where some rows of a table begin, so that each need not be found from the nearest point of the index.
type places struct {
	of  *tree.Tree
	all []place // of each row whose index is a multiple of apart
}

// A place is where a row begins.
type place struct {
	start  int64
	key    uint32 // bytes from its key to it, 0 for none
	serial uint32 // of its value
}

const (
	apart     = 16      // number of rows from one place to the next
	behindRow = 2 << 10 // number of bytes behind a row that reading it looks at
)

// add adds the place of a row, if it is one of those that are kept. keyAt is the offset of the row's key.
func (p *places) add(i int64, row *tree.Value, keyAt int64) {
	if i != apart*int64(len(p.all)) {
		return // or they have been noted
	}
	x := place{start: row.Start, serial: row.Serial}
	if keyAt != tree.Unknown {
		x.key = uint32(row.Start - keyAt)
	}
	p.all = append(p.all, x)
}

// Pseudo-columns.
const (
	NoColumn  = -1
	KeyColumn = -2
)

// All returns the view of all rows in file order.
func All(count int64) *View { return &View{Column: NoColumn, all: count} }

// Len returns the number of rows that are shown.
func (v *View) Len() int64 {
	if v.rows == nil {
		return v.all
	}
	return int64(len(v.rows))
}

// All returns the number of rows of the table.
func (v *View) All() int64 { return v.all }

// At returns the row of the table that is shown as the i-th.
func (v *View) At(i int64) int64 {
	if v.rows == nil {
		return i
	}
	return int64(v.rows[i])
}

// shows returns a function that reports whether a row is shown; a nil view shows all rows.
func (v *View) shows() func(row int64) bool {
	if v == nil || v.rows == nil || int64(len(v.rows)) == v.all {
		return func(int64) bool { return true }
	}
	shown := make([]bool, v.all)
	for _, row := range v.rows {
		shown[row] = true
	}
	return func(row int64) bool { return row < v.all && shown[row] }
}

// Without returns the view after some rows of the table were deleted, which are in order.
func (v *View) Without(deleted []int64) *View {
	now := &View{Column: v.Column, Descending: v.Descending, Filter: v.Filter, all: v.all - int64(len(deleted))}
	for _, row := range v.rows {
		if before, is := slices.BinarySearch(deleted, int64(row)); !is {
			now.rows = append(now.rows, row-uint32(before))
		}
	}
	if v.rows != nil && now.rows == nil {
		now.rows = []uint32{}
	}
	return now
}

// Find returns where a row of the table is shown, or the place nearest to where it would be; shown
// reports whether it is shown. It looks at all rows of a sorted view.
func (v *View) Find(row int64) (at int64, shown bool) {
	switch {
	case v.rows == nil:
		return row, row < v.all
	case v.Column == NoColumn:
		i, ok := slices.BinarySearch(v.rows, uint32(row))
		return int64(i), ok
	}
	i := slices.Index(v.rows, uint32(row))
	return int64(max(i, 0)), i >= 0
}

// Look reads all rows and returns those that match a filter, sorted by a column. A filter is what
// parseFilter parses.
func (t *Table) Look(ctx context.Context, column int, descending bool, filter string) (*View, error) {
	v, err := t.LookLater(ctx, column, descending, filter)
	if err == nil && v.later {
		err = t.completing(func() error {
			return t.scan(ctx, t.tree.NewReader(), scanning{add: t.late, places: &v.places, sorter: newSorter(v)})
		})
	}
	if err != nil {
		return nil, err
	}
	return v, nil
}

// LookLater is Look for callers that need the order only when they call Each: what that reads is then not read once more to sort
// it. Before, the rows are in file order.
func (t *Table) LookLater(ctx context.Context, column int, descending bool, filter string) (*View, error) {
	r := t.tree.NewReader()
	v := &View{Column: column, Descending: descending, Filter: filter, all: t.Count(r)}
	v.places = places{t.tree, make([]place, 0, v.all/apart+1)}
	if column == NoColumn && filter == "" {
		return v, nil
	}
	f, err := t.parseFilter(filter)
	if err == nil && f != nil {
		err = f.follow(ctx, t)
	}
	if err != nil {
		return nil, err
	}
	byIndex := column == KeyColumn && !t.Keyed // the indexes of rows are their order
	if filter != "" || byIndex {
		err = t.match(ctx, r, v, f)
	}
	switch {
	case err != nil, column == NoColumn:
	case !byIndex:
		v.later = true
	case v.Descending:
		slices.Reverse(v.rows)
	}
	return v, err
}

// match finds the rows of a view, those that match a filter, in file order; all rows if f is nil.
func (t *Table) match(ctx context.Context, r *tree.Reader, v *View, f *filter) error {
	v.rows = []uint32{}
	if f == nil {
		v.rows = make([]uint32, 0, v.all)
		return t.scan(ctx, r, scanning{places: &v.places, row: func(i int64, _ *tree.Value) error {
			v.rows = append(v.rows, uint32(i))
			return nil
		}})
	}
	open := int64(-1)
	end := func() {
		if open >= 0 && f.holds(open) {
			v.rows = append(v.rows, uint32(open))
		}
	}
	err := t.scan(ctx, r, scanning{
		places: &v.places,
		row: func(i int64, _ *tree.Value) error {
			end()
			open = i
			f.begin()
			return nil
		},
		key:  func(_ int64, _ *source.Window, key *tree.Value) { f.key(r, key) },
		cell: func(_ int64, column int, _ *source.Window, cell *tree.Value) { f.cell(r, column, cell) },
	})
	end()
	return err
}
