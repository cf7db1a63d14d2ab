package explore

import (
	"errors"
	"math"
	"slices"
	"sort"

	"varview/decoder/engine/tree"
	"varview/model"
	"varview/model/compare"
	"varview/model/diff"
	"varview/model/literals"
)

// Differing is what the rows of a tree show of its differences from another file. A value that only
// the other file has gets a row at its place; its node stands in this tree, and begins at a negative
// offset, which is different for each: the later ones have the smaller one.
type Differing struct {
	*diff.Differences
	Notes int // differences that are only notes

	there *tree.Reader
	marks []*tree.Node                // values that differ, in the order of their rows
	gone  []*tree.Node                // values that only the other file has
	at    map[tree.ID]*compare.Change // how they differ
	hits  *Hits                       // the rows that a filter leaves
}

// NewDiffering prepares differences to be shown. It may run in the background.
func NewDiffering(d *diff.Differences) *Differing {
	x := &Differing{Differences: d, there: d.There(), at: map[tree.ID]*compare.Change{}}
	here, empty := d.Here(), newVacancies(d.Changes)
	for i, c := range d.Changes {
		n := c.B
		if n == nil {
			n = &tree.Node{Value: c.A.Value, Parent: c.InB, Slot: tree.Slot{Index: empty.of(c, here), Key: true}, KeyAt: tree.Unknown, Depth: c.InB.Depth + 1}
			n.Start, n.Layout = -1-int64(i), tree.Leaf
		} else if v, err := here.Child(n.Parent, n.Slot.Index); n.Slot.Key && !hasRow(n) && err == nil {
			n = v
		}
		if was := x.at[n.ID()]; was != nil && !was.Note {
			continue
		} else if was == nil {
			x.marks = append(x.marks, n)
		}
		x.at[n.ID()] = c
	}
	slices.SortFunc(x.marks, compareRows)
	for _, n := range x.marks {
		if isGone(n) {
			x.gone = append(x.gone, n)
		}
		if x.at[n.ID()].Note {
			x.Notes++
		}
	}
	x.hits = x.rowsThatDiffer()
	return x
}

// rowsThatDiffer returns the rows of all differences that are not notes, or of the notes if there is
// nothing else, and of what is around a value that only the other file has.
func (x *Differing) rowsThatDiffer() *Hits {
	var nodes []*tree.Node
	for _, n := range x.marks {
		switch {
		case x.at[n.ID()].Note && x.Notes < len(x.marks):
		case !isGone(n):
			nodes = append(nodes, n)
		case n.Parent.Depth > 0:
			nodes = append(nodes, n.Parent)
		}
	}
	slices.SortFunc(nodes, compareRows)
	h := &Hits{found: found{done: true}, differing: true}
	for _, n := range slices.CompactFunc(nodes, (*tree.Node).Same) {
		h.rows = append(h.rows, hitRow{Cursor: model.CursorOf(n)})
	}
	return h
}

// vacancies are the places in this file of values that only the other one has.
type vacancies struct{ gone, added map[tree.ID][]int64 }

func newVacancies(all []*compare.Change) vacancies {
	p := vacancies{map[tree.ID][]int64{}, map[tree.ID][]int64{}}
	for _, c := range all {
		switch c.Kind {
		case compare.Removed:
			p.gone[c.InB.ID()] = append(p.gone[c.InB.ID()], c.A.Slot.Index)
		case compare.Added:
			p.added[c.InB.ID()] = append(p.added[c.InB.ID()], c.B.Slot.Index)
		}
	}
	for _, m := range []map[tree.ID][]int64{p.gone, p.added} {
		for _, indexes := range m {
			slices.Sort(indexes)
		}
	}
	return p
}

// of returns the child of the value around it before which a value would be. Before the first value of a
// file there are no rows.
func (p *vacancies) of(c *compare.Change, here *tree.Reader) int64 {
	at := c.Before
	if at == math.MaxInt64 { // its index, without those that are gone and with those that are new
		before, _ := slices.BinarySearch(p.gone[c.InB.ID()], c.A.Slot.Index)
		at = c.A.Slot.Index - int64(before)
		for _, i := range p.added[c.InB.ID()] {
			if i < at {
				at++
			}
		}
	}
	if count := here.Count(c.InB); count != tree.Unknown {
		at = min(at, count)
	}
	if c.InB.Depth == 0 {
		at = max(1, at)
	}
	return at
}

// isGone reports whether a row is of a value that only the other file has.
func isGone(n *tree.Node) bool { return n != nil && n.Start < 0 }

// after returns the index of the first of some nodes in order that has a row after that of n, and
// with outside is not in n.
func after(nodes []*tree.Node, n *tree.Node, outside bool) int {
	return sort.Search(len(nodes), func(i int) bool { return compareRows(nodes[i], n) > 0 && !(outside && nodes[i].Within(n)) })
}

// inside returns the number of differences in a value, besides its own.
func (x *Differing) inside(n *tree.Node) int {
	if n.Depth == 0 {
		return 0
	}
	return after(x.marks, n, true) - after(x.marks, n, false)
}

// ShowDiffering shows what differs from another file, until the buffer is edited; nil shows nothing.
func (x *Explorer) ShowDiffering(d *Differing) {
	filters := x.OnlyDiffering()
	x.differing, x.gone, x.outline.gone = d, nil, nil
	if d == nil && filters {
		x.SetFilter(nil)
	}
	if d == nil {
		return
	}
	d.hits.Buffer, x.outline.gone = x.Buffer, d.gone
	if filters {
		x.SetFilter(d.hits)
		x.keepRow()
	}
}

// keepRow keeps the selected row among those that a filter leaves.
func (x *Explorer) keepRow() {
	if x.gone == nil && x.row != nil {
		x.do(func() error { return x.selectRow(x.row, nil) })
	}
}

// Differing returns what differs from another file, nil where that is not shown, and whether it is out
// of date since an edit.
func (x *Explorer) Differing() (d *Differing, stale bool) {
	return x.differing, x.differing != nil && !x.differing.IsFrom(x.Buffer.Tree())
}

// differs returns what differs from another file now, nil for nothing.
func (x *Explorer) differs() *Differing {
	if d, stale := x.Differing(); !stale {
		return d
	}
	return nil
}

// OnlyDiffering reports whether the tree is reduced to what differs.
func (x *Explorer) OnlyDiffering() bool {
	return x.outline.filter != nil && x.outline.filter.hits.differing
}

// FilterDiffering reduces the tree to what differs, or shows all rows again.
func (x *Explorer) FilterDiffering() {
	if x.OnlyDiffering() {
		x.SetFilter(nil)
	} else if d := x.differs(); d != nil && len(d.hits.rows) > 0 {
		x.SetFilter(d.hits)
		x.keepRow()
	}
}

// Difference returns how the selected row differs; nil if it does not.
func (x *Explorer) Difference() *compare.Change {
	d := x.differs()
	if n := x.selected(); d != nil && n != nil {
		return d.at[n.ID()]
	}
	return nil
}

// DifferenceInside returns all that differs in the selected value as one change of it; nil for nothing, or if it is not known
// what the other file has in its place.
func (x *Explorer) DifferenceInside() *compare.Change {
	d, n := x.differs(), x.row
	if d == nil || n == nil || n.Depth == 0 || x.gone != nil {
		return nil
	}
	for _, m := range d.marks[after(d.marks, n, false):after(d.marks, n, true)] {
		c := d.at[m.ID()]
		if a := c.A; !c.Note && a != nil && (c.Kind == compare.Changed || c.Kind == compare.Removed) {
			for range m.Depth - n.Depth {
				a = a.Parent
			}
			return &compare.Change{Kind: compare.Changed, Path: x.Path(n), A: a, B: n, InA: a.Parent, InB: n.Parent}
		}
	}
	return nil
}

// TakesBack reports whether to take the selected value of the other file is to undo an edit.
func (x *Explorer) TakesBack() bool {
	d := x.differs()
	start, end := x.Selected()
	return d != nil && d.IsOfDisk() && x.Difference() != nil && x.gone == nil && x.isChanged(x.row, start, end)
}

// NextDifference goes to the next difference that is not a note, or with back to the one before. It
// reports whether there is one.
func (x *Explorer) NextDifference(back bool) (found bool, err error) {
	d, n := x.differs(), x.selected()
	if d == nil || n == nil {
		return false, nil
	}
	i, by := after(d.marks, n, false), 1
	if back {
		by = -1
		i, _ = slices.BinarySearchFunc(d.marks, n, compareRows)
		i--
	}
	for i >= 0 && i < len(d.marks) && d.at[d.marks[i].ID()].Note {
		i += by
	}
	if i < 0 || i >= len(d.marks) {
		return false, nil
	}
	return true, x.do(func() error { return x.goToDifference(d.marks[i]) })
}

// FirstDifference goes to the first difference that is not a note, if there is one.
func (x *Explorer) FirstDifference() error {
	err := x.First()
	if c := x.Difference(); err == nil && (c == nil || c.Note) {
		_, err = x.NextDifference(false)
	}
	return err
}

// goToDifference puts the cursor on a row that differs. What is unfolded for it is folded again by the
// next one.
func (x *Explorer) goToDifference(n *tree.Node) error {
	clear(x.outline.sought)
	x.outline.unfoldAround(n, x.outline.sought, maxUnfolded)
	row := n
	if isGone(n) {
		var err error
		if row, err = x.outline.prev(n); err != nil {
			return err
		}
	}
	if err := x.selectRow(row, nil); err != nil || row == n {
		return err
	}
	x.gone = n
	return nil
}

// selected returns the selected row, also that of a value that only the other file has.
func (x *Explorer) selected() *tree.Node {
	if x.gone != nil {
		return x.gone
	}
	return x.row
}

// step returns the row below a selected one or, if by is -1, the one above. Rows of values that only the
// other file has follow a row of this one.
func (x *Explorer) step(n, gone *tree.Node, by int) (row, goneRow *tree.Node, err error) {
	rows := x.outline.goneBelow(n)
	i := slices.Index(rows, gone) + by // the row itself is at -1
	switch {
	case i == -2:
		row, err = x.outline.beside(n, -1)
		if rows = x.outline.goneBelow(row); err == nil && len(rows) > 0 {
			goneRow = rows[len(rows)-1]
		}
		return row, goneRow, err
	case i == -1:
		return n, nil, nil
	case i < len(rows):
		return n, rows[i], nil
	}
	row, err = x.outline.beside(n, 1)
	return row, nil, err
}

// goneBelow returns the rows between n and the next one of values that only the other file has. A search
// leaves them out.
func (o *outline) goneBelow(n *tree.Node) []*tree.Node {
	if len(o.gone) == 0 || n == nil || n.Depth == 0 || o.filter != nil && !o.filter.hits.differing {
		return nil
	}
	from, to := after(o.gone, n, CanOpen(n) && !o.isOpen(n)), len(o.gone)
	switch next, err := o.beside(n, 1); {
	case err == nil && next.Depth > 0:
		to = after(o.gone, next, false)
	case err != nil && !errors.Is(err, tree.ErrNoChild):
		return nil
	}
	return o.gone[min(from, to):to]
}

// holdsGone reports whether values that only the other file has are in n.
func (o *outline) holdsGone(n *tree.Node) bool {
	i := after(o.gone, n, false)
	return i < len(o.gone) && o.gone[i].Within(n)
}

// view returns the rows in view with those of values that only the other file has, as many as there is
// room for around the selected one.
func (x *Explorer) view() []*tree.Node {
	o := x.outline
	if len(o.gone) == 0 {
		return o.rows
	}
	var rows []*tree.Node
	for _, n := range o.rows {
		gone := o.goneBelow(n)
		at := max(0, slices.Index(gone, x.gone)) // there may be many more than there is room for
		rows = append(append(rows, n), gone[max(0, at-o.height):min(len(gone), at+o.height)]...)
	}
	from := max(0, slices.IndexFunc(rows, x.selected().Same)-o.height+1)
	return rows[from:min(len(rows), from+o.height)]
}

// goneRow returns the row of a value that only the other file has.
func (x *Explorer) goneRow(n *tree.Node, limit int) Row {
	r := Row{Indent: n.Depth - 1, Selected: n == x.gone, Differs: DiffersGone, Type: x.differing.there.Tree.Reading.TypeName(&n.Value)}
	a := x.differing.at[n.ID()].A
	r.Label, r.Named = literals.Label(x.differing.there.Step(a))
	r.Was = x.was(a, limit)
	return r
}

// was returns a value of the other file, cut to about limit bytes.
func (x *Explorer) was(n *tree.Node, limit int) string {
	return string(x.differing.there.AppendLiteral(nil, &n.Value, limit))
}

// Differs is how a row differs from the other file.
type Differs uint8

const (
	DiffersNot   Differs = iota
	DiffersNoted         // it means the same, but is stored otherwise
	DiffersMeans         // it means something else
	DiffersAdded         // only this file has it
	DiffersGone          // only the other file has it
)

// isInAdded reports whether a value has been added with one around it.
func (d *Differing) isInAdded(n *tree.Node) bool {
	for m := n.Parent; m != nil && m.Depth > 0; m = m.Parent {
		if around := d.at[m.ID()]; around != nil && around.Kind == compare.Added {
			return true
		}
	}
	return false
}

// fillDiffering writes how a row differs, and what the other file has in its place.
func (x *Explorer) fillDiffering(r *Row, n *tree.Node, limit int) {
	d := x.differs()
	if d == nil || n.Depth == 0 {
		return
	}
	r.Inside = d.inside(n)
	c := d.at[n.ID()]
	if c == nil {
		if d.isInAdded(n) {
			r.Differs = DiffersAdded
		}
		return
	}
	r.Differs = DiffersMeans
	switch {
	case c.Kind == compare.Added:
		r.Differs, r.Only = DiffersAdded, true
	case c.Note && c.Kind == compare.Moved:
		r.Differs, r.Was = DiffersNoted, "other order of keys"
	case c.Kind == compare.Moved:
		r.Was = "at " + d.there.Step(c.A)
	case c.Kind == compare.Renamed:
		name, _ := literals.Label(d.there.Step(c.A))
		r.Was = "named " + name
	case c.A.Slot.Key:
		r.Differs, r.Was = DiffersNoted, "key stored otherwise"
	case c.Kind == compare.Retyped:
		if r.Differs, r.Was = DiffersNoted, d.there.Tree.Reading.TypeName(&c.A.Value); r.Was == r.Type {
			r.Was = "stored otherwise"
		}
	default:
		r.Was, r.Value = x.was(c.A, limit), x.literal(n, limit)
		r.Preview, r.Theirs = "", d.IsOfDisk() && !r.Changed
	}
}
