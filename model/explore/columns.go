package explore

import (
	"slices"
	"strings"

	"varview/decoder/engine/tree"
	"varview/model/drawing"
)

// Columns are what the records of a list have in common: names under which their values can stand.
type Columns struct {
	Names []string
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
	if n.Depth == 0 || !r.Foldable || r.Kind != RowContainer {
		return
	}
	if r.Open {
		r.Heads = x.columns(n)
	} else if x.isRecord(&n.Value) {
		if r.List = x.columns(n.Parent); r.List != nil {
			r.Cells = x.cells(n, r.List, limit, r.Changed && x.differing == nil)
		}
	}
}

// columns returns the columns of a list; nil if it has none.
func (x *Explorer) columns(n *tree.Node) *Columns {
	c, known := x.lists[n.ID()]
	if !known {
		if names := x.namesInside(n); len(names) > 0 && n.Depth > 0 {
			c = &Columns{names}
		}
		x.lists[n.ID()] = c
	}
	return c
}

// namesInside returns the names that the first elements of a list have; none if one of these elements is no record.
func (x *Explorer) namesInside(n *tree.Node) (names []string) {
	if n.Layout == tree.Pairs || n.Layout == tree.Leaf {
		return nil
	}
	defer x.spend(literalBudget)()
	var same []string // names of what the first two have in common
	inner := false    // some members are in others
	for i := range int64(sampled) {
		c, err := x.read.Child(n, i)
		if err != nil {
			break
		}
		if !x.isRecord(&c.Value) {
			return nil
		}
		x.eachMember(c, func(name string, m *tree.Node) bool {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
			if i == 1 && m.Parent.Same(c) && x.isLike(m, n) {
				same = append(same, name)
			}
			inner = inner || !m.Parent.Same(c)
			return len(names) < maxColumns
		})
	}
	if inner { // what tells them apart comes first
		slices.SortStableFunc(names, func(a, b string) int { return slices.Index(same, a) - slices.Index(same, b) })
	}
	return names
}

// surrounds reports whether a record is what surrounds a part: the last of its members, of another type, as the
// properties of a resource or of a section.
func (x *Explorer) surrounds(n, part *tree.Node) bool {
	return n.Layout == tree.Pairs && part.Layout == tree.Pairs && CanOpen(part) && part.Slot.Index == x.read.Count(n)-1 && x.typeName(n) != x.typeName(part)
}

// isLike reports whether a member of the second element of a list is the same as that of the first.
func (x *Explorer) isLike(m, list *tree.Node) bool {
	first, err := x.read.Child(list, 0)
	if err == nil {
		first, err = x.read.Child(first, m.Slot.Index)
	}
	return err == nil && x.literal(first, maxCell) == x.literal(m, maxCell)
}

// isRecord reports whether the children of a value have names, and it is no value of the engine's, like a vector.
func (x *Explorer) isRecord(v *tree.Value) bool {
	switch v.Layout {
	case tree.Pairs:
		return true
	case tree.Fixed:
		return strings.HasPrefix(string(x.read.AppendLiteral(nil, v, 1)), "{")
	}
	return false
}

// Suits reports what suits the selected row: a table, of a list of records or of that around a record, and a drawing,
// of colours.
func (x *Explorer) Suits() (inTable, isDrawn bool) {
	n := x.row
	if n == nil || n.Depth == 0 || x.gone != nil || !CanOpen(n) && n.Layout == tree.Leaf {
		return false, false
	}
	inTable = x.columns(n) != nil || n.Parent.Depth > 0 && x.isRecord(&n.Value) && x.columns(n.Parent) != nil
	return inTable, len(drawing.Colors(x.read, n, 1)) > 0
}

// isInColumns reports whether the row of a folded record shows all that is in it.
func (x *Explorer) isInColumns(n *tree.Node) bool {
	if n.Parent == nil || n.Parent.Depth == 0 || !x.isRecord(&n.Value) || x.columns(n.Parent) == nil {
		return false
	}
	all := true
	x.eachMember(n, func(_ string, m *tree.Node) bool {
		all = !CanOpen(m)
		return all
	})
	return all
}

// eachMember calls f with the members of a record that have a name, until f returns false. Of a dictionary that parts
// surround, as the properties of a resource, the entries are members.
func (x *Explorer) eachMember(n *tree.Node, f func(name string, m *tree.Node) bool) (more bool) {
	for c, err := x.read.Child(n, 0); err == nil; c, err = x.read.Next(c) {
		name, _ := label(x.read.Step(c))
		switch {
		case x.surrounds(n, c):
			more = x.eachMember(c, f)
		default:
			more = f(name, c)
		}
		if !more {
			return false
		}
	}
	return true
}

// cells returns what a record, which may be changed, has under the names of its list.
func (x *Explorer) cells(n *tree.Node, list *Columns, limit int, changed bool) []Cell {
	defer x.spend(literalBudget)()
	cells, left := make([]Cell, len(list.Names)), len(list.Names)
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
		if changed {
			cells[i].Before = x.before().Of(m, min(limit, maxCell))
		}
		if x.Hits != nil {
			found, _ := x.Hits.row(m)
			cells[i].Hit = found.inValue
		}
		left--
		return left > 0
	})
	return cells
}

// maxCell is about how many bytes of a value are shown under a name.
const maxCell = 40
