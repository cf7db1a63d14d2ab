package explore

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"varview/decoder/engine/format"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/model/compare"
	"varview/model/drawing"
	"varview/model/inspect"
	"varview/model/literals"
	"varview/model/records"
	"varview/model/table"
)

// Columns are what the records of a list have in common: names under which their values can stand.
type Columns struct {
	Names []string

	listed *records.List // the list that says them; nil if the records do
}

// A Cell is what a record has under one of the names of its list; "" if it has none.
type Cell struct {
	Value  string
	Kind   RowKind
	Before string // what the file has in its place, if it was edited
	Hit    bool   // a search has found something in it
}

// Limits of columns. Elements are looked at, and children of each, to find the names.
const (
	sampled    = 4
	maxColumns = 16
)

// fillCells gives a row the names of the columns of what is in it and, if it is a folded record of a list, the
// values under them.
func (x *Explorer) fillCells(r *Row, n *tree.Node, limit int) {
	switch {
	case n.Depth == 0 || r.Kind != RowContainer && r.Kind != RowTitle:
	case r.Open && r.Kind == RowContainer:
		r.Heads = x.columns(n)
	case r.Open:
	case !x.isRecord(&n.Value) || x.columns(n.Parent) == nil:
	case !r.Foldable && r.isBroken():
		r.Value, r.Type, r.List = missing, "", x.columns(n.Parent)
	case !r.Foldable:
		r.Value, r.Type, r.List = "empty", "", x.columns(n.Parent)
	default:
		r.List = x.columns(n.Parent)
		r.Cells = x.cells(n, r.List, limit, r.Changed)
		if i := slices.IndexFunc(r.Cells, func(c Cell) bool { return c.Value == "" }); i >= 0 && r.isBroken() {
			r.Cells[i] = Cell{Value: missing, Kind: RowGap}
		}
	}
}

// missing stands for what is lost of a record.
const missing = "missing"

// isBroken reports whether there is an error in what a row stands for.
func (r *Row) isBroken() bool { return r.Problem != "" && r.Severity == span.Error }

// columns returns the columns of a list; nil if it has none.
func (x *Explorer) columns(n *tree.Node) *Columns {
	c, known := x.lists[n.ID()]
	if !known {
		c = x.findColumns(n)
		x.lists[n.ID()] = c
	}
	return c
}

// findColumns returns the columns of a list, or of a dictionary of records that are alike; nil if it has none. They are
// the names that its first elements have.
func (x *Explorer) findColumns(n *tree.Node) *Columns {
	if n.Depth == 0 || n.Layout == tree.Leaf || x.isRecord(&n.Value) && !x.areAlike(n) {
		return nil
	}
	var c Columns
	if l := records.Of(x.read.Tree); l.Is(n) {
		c.listed = l
		for _, i := range listed(l.Columns) {
			c.Names = append(c.Names, l.Columns[i].Name)
		}
	} else {
		c.Names = x.namesOfFirst(n)
	}
	if len(c.Names) == 0 {
		return nil
	}
	return &c
}

// namesOfFirst returns the names that the first elements of a list have; none if one of these is neither a record nor
// null.
func (x *Explorer) namesOfFirst(n *tree.Node) (names []string) {
	defer x.spend(literalBudget)()
	first, rank := map[string]string{}, map[string]int{}
	inner := false // some members are in others
	for i := range int64(sampled) {
		c, err := x.read.Child(n, i)
		if err != nil {
			break
		}
		if x.read.Plain(&c.Value).Kind == tree.Null {
			continue
		}
		if !x.isRecord(&c.Value) {
			return nil
		}
		if i == 0 && x.hasTitle(c) {
			names = append(names, title)
		}
		x.eachMember(c, func(name string, m *tree.Node) bool {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
			switch value := x.literal(m, maxCell); {
			case i == 0:
				first[name] = value
			case i == 1 && first[name] == value:
				rank[name] |= 1 // it tells nothing apart
			}
			isIn := !m.Parent.Same(c)
			inner = inner || isIn
			rank[name] |= x.rank(m, i == 0 && !isIn)
			return len(names) < maxColumns
		})
	}
	counts := 4
	if inner {
		counts = 7
	}
	slices.SortStableFunc(names, func(a, b string) int { return rank[a]&counts - rank[b]&counts })
	return names
}

// rank returns how far behind others the column of a member stands; isAbout says that it is about the record rather than in it.
func (x *Explorer) rank(m *tree.Node, isAbout bool) (rank int) {
	if isAbout {
		rank = 2
	}
	if CanOpen(m) && x.isList(m) { // it says less than a value
		rank |= 4
	}
	return rank
}

// title is the name of the column for the titles of records.
const title = ""

// listed returns the indexes of the columns of records that are always shown. The last of them says most, and becomes
// the second.
func listed(all []format.Column) (at []int) {
	for i, c := range all {
		if c.Level == 0 {
			at = append(at, i)
		}
	}
	if n := len(at); n > 2 {
		at = slices.Insert(at[:n-1:n-1], 1, at[n-1])
	}
	return at
}

// recordCells returns what a list says of a record; nil if it is none.
func (x *Explorer) recordCells(n *tree.Node, l *records.List, limit int) (cells []Cell) {
	row, err := l.Row(x.read, n.Slot.Index, limit)
	if err != nil || row.Cells == nil {
		return nil
	}
	kinds := [...]RowKind{RowAside, RowTitle, RowOther}
	for i, at := range listed(l.Columns) {
		c := row.Cells[at]
		cells = append(cells, Cell{Value: cmp.Or(c.Short, c.Text), Kind: kinds[min(i, 2)]})
	}
	return cells
}

// surrounds reports whether a record is what surrounds a part: the last of its members, of another type, as the
// properties of a resource or of a section.
func (x *Explorer) surrounds(n, part *tree.Node) bool {
	return part.Layout == tree.Pairs && CanOpen(part) && part.Slot.Index == x.read.Count(n)-1 && x.isRecord(&n.Value) && x.typeName(n) != x.typeName(part)
}

// Part returns the part that a value surrounds, or the value if there is none.
func (x *Explorer) Part(n *tree.Node) *tree.Node {
	defer x.spend(literalBudget)()
	if part, err := x.read.LastChild(n); err == nil && x.surrounds(n, part) {
		return part
	}
	return n
}

// setOpen unfolds or folds a value, and unfolds the part that it surrounds. What is unfolded has rows in view.
func (x *Explorer) setOpen(n *tree.Node, open bool) {
	if x.outline.setOpen(n, open); open {
		x.outline.setOpen(x.Part(n), true)
		x.outline.leaveBelow(n)
	}
}

// isRecord reports whether the children of a value have names, and it is no value of the engine's, like a vector.
func (x *Explorer) isRecord(v *tree.Value) bool {
	switch v.Layout {
	case tree.Pairs:
		return true
	case tree.Fixed, tree.Sequence:
		return x.isTitled(v) || strings.HasPrefix(string(x.read.AppendLiteral(nil, v, 1)), "{")
	}
	return false
}

// Suits reports what suits the selected row: a table, of a list of records or of that around a record, and what a drawing
// does: "draw" colours, "open" what holds something; "" if there is nothing to draw.
func (x *Explorer) Suits() (inTable bool, draws string) {
	n := x.row
	if n == nil || n.Depth == 0 || x.gone != nil {
		return false, ""
	}
	if len(drawing.Colors(x.read, n, 1)) > 0 {
		draws = "draw"
	}
	if !CanOpen(n) && n.Layout == tree.Leaf {
		return false, cmp.Or(draws, x.opens(n))
	}
	return x.columns(n) != nil || x.IsRow(n), draws
}

// opens returns "open" for bytes or a text that hold something.
func (x *Explorer) opens(n *tree.Node) string {
	const most = 512
	look := x.read.Look(&n.Value)
	held := inspect.Sniff(x.read.Window().View(look.Data.Offset, min(look.Data.Length, most)))
	if look.Form == tree.FormHeld || look.Form == tree.FormData && held.What != "" {
		return "open"
	}
	return ""
}

// CanSet reports whether the selected value can be replaced by another.
func (x *Explorer) CanSet() bool {
	n := x.Subject()
	return n != nil && n.Depth > 0 && x.Buffer.CanSet(x.read, n)
}

// IsRow reports whether a value is a record of a list, and so a row of that list's table.
func (x *Explorer) IsRow(n *tree.Node) bool {
	return n.Depth > 1 && x.isRecord(&n.Value) && x.columns(n.Parent) != nil
}

// IsOnRow reports whether a record of a list is selected.
func (x *Explorer) IsOnRow() bool { return x.row != nil && x.IsRow(x.row) }

// TableOf returns the container whose children are the rows of a table for a value, and the row that the value is or is in:
// of a record the list around it. For a container that is no record, it is that one, without a row.
func (x *Explorer) TableOf(n *tree.Node) (of, row *tree.Node) {
	if row = n; !x.IsRow(n) && !CanOpen(n) {
		row = n.Parent
	}
	switch {
	case x.IsRow(row):
		return row.Parent, row
	case row.Depth == 1 && x.areAlike(x.Base()):
		return row.Parent, row
	case row != n && row.Depth > 0:
		return row, n
	}
	return n, nil
}

// areAlike reports whether the first values in n, as those of JSON lines, are records that begin with the same name.
func (x *Explorer) areAlike(n *tree.Node) bool {
	defer x.spend(literalBudget)()
	first, name := "", ""
	for i := range int64(sampled) {
		c, err := x.read.Child(n, i)
		if err != nil || !x.isRecord(&c.Value) {
			return err != nil && i > 1
		}
		x.eachMember(c, func(of string, _ *tree.Node) bool { name = of; return false })
		if i > 0 && name != first {
			return false
		}
		first = name
	}
	return true
}

// A TablePlace is the path of a table's container as child indexes, which edits do not invalidate.
type TablePlace []int64

// Table returns the table of the container n, or if it is none, of the one around it, and its place. It may run in the
// background.
func (x *Explorer) Table(ctx context.Context, n *tree.Node) (*table.Table, TablePlace, error) {
	t, err := table.New(ctx, x.Buffer.Tree(), n)
	if errors.Is(err, table.ErrNoTable) && n.Depth > 1 {
		return x.Table(ctx, n.Parent)
	}
	if err == nil && t.Count(t.NewReader()) == 0 {
		err = errors.New("the container is empty: there are no rows")
	}
	return t, n.Indexes(), err
}

// FilterOfRows returns the filter of the tree as one of the rows of a table, "" for none. It reports whether it can be:
// text, or a comparison with what is in a column.
func (x *Explorer) FilterOfRows() (filter string, ok bool) {
	h := x.Filter()
	if h == nil {
		return "", true
	}
	filter = h.Query.String()
	if key, condition, isColumn := strings.Cut(strings.TrimPrefix(filter, "key:"), " "); isColumn && strings.ContainsAny(condition[:1], "<>=") {
		filter = key + condition
	}
	return filter, h.Within == "" && filter != "" && !strings.ContainsAny(filter, ` :|/"`) && filter[0] != '-'
}

// TableNow returns a table of the current buffer.
func (x *Explorer) TableNow(t *table.Table, place TablePlace) (*table.Table, error) {
	r := x.LookReader()
	n, err := r.AtIndexes(place)
	if err != nil {
		return nil, err
	}
	return t.Like(r.Tree, n), nil
}

// LookReader returns a reader for what is drawn: it reads no more than takes a moment.
func (x *Explorer) LookReader() *tree.Reader {
	r := x.Buffer.Tree().NewReader()
	r.Budget = tree.LookUpBudget
	return r
}

// isInColumns reports whether the row of a folded record shows something of all that is in it.
func (x *Explorer) isInColumns(n *tree.Node) bool {
	if !x.IsRow(n) {
		return false
	}
	list := x.columns(n.Parent)
	return x.eachMember(n, func(name string, m *tree.Node) bool {
		return (list.listed != nil || slices.Contains(list.Names, name)) && (!x.isRecord(&m.Value) || !CanOpen(m) || x.hasTitle(m))
	})
}

// eachMember calls f with the members of a record that have a name, until f returns false. Of a dictionary that parts
// surround, as the properties of a resource, the entries are members.
func (x *Explorer) eachMember(n *tree.Node, f func(name string, m *tree.Node) bool) (more bool) {
	for c, err := x.read.Child(n, 0); err == nil; c, err = x.read.Next(c) {
		name, _ := literals.Label(x.read.Step(c))
		if part := x.surrounds(n, c); part && !x.eachMember(c, f) || !part && !f(name, c) {
			return false
		}
	}
	return true
}

// cells returns what a record, which may be changed, has under the names of its list.
func (x *Explorer) cells(n *tree.Node, list *Columns, limit int, changed bool) []Cell {
	if list.listed != nil {
		return x.recordCells(n, list.listed, limit)
	}
	defer x.spend(literalBudget)()
	cells, left := make([]Cell, len(list.Names)), len(list.Names)
	if list.Names[0] == title && x.hasTitle(n) {
		cells[0] = Cell{Value: x.literal(n, min(limit, maxCell)), Kind: RowTitle}
		left--
	}
	x.eachMember(n, func(name string, m *tree.Node) bool {
		i := slices.Index(list.Names, name)
		if i < 0 || cells[i].Value != "" {
			return true
		}
		var r Row
		x.fillValue(&r, m, min(limit, maxCell))
		cells[i] = Cell{Value: r.Value, Kind: r.Kind}
		switch {
		case r.Kind == RowContainer && r.Preview != "":
			cells[i].Value = r.Preview
		case r.Value == "": // null, of which a row of its own shows the type
			cells[i].Value = x.literal(m, maxCell)
		}
		cells[i].Before = x.cellBefore(m, changed, min(limit, maxCell))
		if x.Hits != nil {
			cells[i].Hit = x.Hits.row(m).inValue
		}
		left--
		return left > 0
	})
	return cells
}

// cellBefore returns what is compared with a member, if it means something else: the other file's value, or that of the
// file if the record is changed, or that of the save before.
func (x *Explorer) cellBefore(m *tree.Node, changed bool, limit int) string {
	if x.differing == nil {
		was := ""
		if changed {
			was = x.before().Of(m, limit)
		}
		if all, _, _ := x.earlier().Of(x.read, m); len(all) > 0 {
			was = cmp.Or(was, all[len(all)-1])
		}
		return was
	} else if d := x.differs(); d != nil && d.at[m.ID()] != nil {
		if c := d.at[m.ID()]; c.Kind == compare.Changed && !c.Note {
			return x.was(c.A, limit)
		}
	}
	return ""
}

// maxCell is about how many bytes of a value are shown under a name.
const maxCell = 80
