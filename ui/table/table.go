// Package table is the dialog that shows a container as rows and columns.
package table

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/engine/tree"
	"varview/model"
	"varview/model/explore"
	"varview/model/table"
	"varview/ui/action"
	"varview/ui/desk"
	"varview/ui/dialog"
	"varview/ui/edits"
	"varview/ui/jobs"
)

// Tables opens tables.
type Tables struct {
	*desk.Desk
	values *edits.Values
}

// New returns the Tables of a desk.
func New(d *desk.Desk, v *edits.Values) *Tables { return &Tables{d, v} }

// Show opens the table of the selected container, or of the one around the selected value. The table of a record, or of a value
// in one, is that of its list, with its row selected.
func (t *Tables) Show() tea.Cmd {
	n := t.values.Value()
	if n != nil && n.Slot.Key {
		n = t.Explorer.Entry(n)
	}
	if n == nil {
		return t.Say("no container is selected: its children would be the rows")
	}
	if of, row := t.Explorer.TableOf(n); row != nil {
		return t.open(of, row.Slot.Index, n)
	}
	return t.open(n, 0, nil)
}

// Writer returns a function that writes the open table as it is shown: its columns, sorted and filtered. If no
// table is open, it writes the table of the selected container. It is nil if end is not the extension of a
// table.
func (t *Tables) Writer(end string) func(context.Context, io.Writer) error {
	write := table.Forms[end]
	if s := dialog.Find[*sheet](t.Dialogs); s != nil && s.failed == nil && write != nil {
		of, view, columns := s.table, s.view, s.shown()
		return func(ctx context.Context, out io.Writer) error { return write(of, ctx, view, columns, out) }
	}
	if end != ".csv" && end != ".tsv" && end != ".md" {
		return nil
	}
	n, x := t.values.Value(), t.Explorer
	return func(ctx context.Context, out io.Writer) error {
		if n == nil {
			return errors.New("no container is selected: its children would be the rows")
		}
		of, _, err := x.Table(ctx, n)
		if err != nil {
			return err
		}
		return write(of, ctx, table.All(of.Count(of.NewReader())), nil, out)
	}
}

// open opens the table of a container, or of the container around a value, with the cursor in a row, and in it on a cell
// that is not nil.
func (t *Tables) open(n *tree.Node, row int64, cell *tree.Node) tea.Cmd {
	x := t.Explorer
	var place explore.TablePlace
	return t.Start(&t.Seeking, "reading the columns", jobs.Then(t.Report, func(ctx context.Context, _ *model.Progress) (found *table.Table, err error) {
		found, place, err = x.Table(ctx, n)
		return found, err
	}, func(found *table.Table) tea.Cmd {
		s := &sheet{Tables: t, keys: t.Actions.KeyMap(action.Sheet), table: found, place: place, at: row, anchor: -1, dragged: none, hidden: map[int]bool{}, wide: map[int]int{}, wanted: map[int]int{}}
		s.view = table.All(found.Count(found.NewReader()))
		s.tree = x.Buffer.Tree()
		if r, ok := s.row(); ok && cell != nil {
			s.column = max(0, slices.IndexFunc(r.Cells, func(n *tree.Node) bool { return n != nil && n.Same(cell) }))
		}
		x.Leap()
		x.Choose(false)
		opened := t.Open(s)
		switch filter, ok := x.FilterOfRows(); {
		case !ok:
			t.Say("these are all rows: the filter of the tree says nothing about columns")
		case filter != "":
			return tea.Batch(opened, s.look(table.NoColumn, false, filter))
		}
		return tea.Batch(opened, s.load(), s.summarize())
	}))
}

// A sheet is an open table.
type sheet struct {
	*Tables
	keys  action.KeyMap
	table *table.Table
	place explore.TablePlace
	tree  *tree.Tree // the tree to which the table belongs
	view  *table.View
	lost  *table.View // how the rows were sorted and filtered before their number changed; nil once they are so again
	going []int64     // the rows that are being deleted

	clicked     time.Time // time of the last click
	at, top     int64     // the row of the view with the cursor, and the first one drawn
	adding      bool      // what is typed is a new row
	shows       bool      // the selected row was just added, and stays in view
	anchor      int64     // row at which the selection of rows began; -1 without one
	column      int       // index of the selected column; -1 for the key
	left        int       // index of the first column drawn beside the key
	beyond      int       // number of columns behind the last one drawn
	hidden      map[int]bool
	wide        map[int]int  // widths that were chosen, by column
	wanted      map[int]int  // widths of the widest values so far
	right       map[int]bool // columns whose values stand at the right
	dragged     int          // the column whose width is being dragged, or none
	from        int          // where that column begins
	rows        dialog.Kept[drawn]
	looking     jobs.Job // sorts and filters
	summarizing jobs.Job
	summaries   []table.Summary // nil until known
	failed      error           // why the table can no longer be shown
}

// follow follows edits of the document.
func (s *sheet) follow() {
	now := s.Explorer.Buffer.Tree()
	if now == s.tree || s.failed != nil {
		return
	}
	again, err := s.Explorer.TableNow(s.table, s.place)
	if err != nil {
		s.failed = err
		return
	}
	was, count, going := s.view, again.Count(again.NewReader()), s.going
	from, _ := s.chosen()
	s.table, s.tree, s.summaries, s.anchor, s.going = again, now, nil, -1, nil
	s.rows.Forget()
	s.looking.Stop()
	switch before := was.All(); {
	case count == before:
	case count == before-int64(len(going)):
		s.view, s.at = was.Without(going), from
	default:
		if s.view, s.lost = table.All(count), was; count > before {
			s.shows = s.goToAdded()
		} else if was.Len() > 0 {
			s.at = was.At(s.at)
		}
	}
	s.at = max(0, min(s.at, s.view.Len()-1))
}

// Edited updates the table after an edit: it reads the rows for which a frame has no time.
func (t *Tables) Edited() tea.Cmd {
	s := dialog.Find[*sheet](t.Dialogs)
	if s == nil {
		return nil
	}
	s.follow()
	return tea.Batch(s.summarizeAgain(), s.load())
}

// summarizeAgain reads the values again after an edit for the summaries.
func (s *sheet) summarizeAgain() tea.Cmd {
	if s.summaries != nil || s.summarizing.Runs() || s.failed != nil {
		return nil
	}
	if was := s.lost; was != nil && (was.Filter != "" || was.Column != table.NoColumn) {
		s.lost = nil
		return s.look(was.Column, was.Descending, was.Filter)
	}
	return s.summarize()
}

// goToAdded selects the row with the value that an edit has added, which is selected in the tree, and reports whether there is one.
func (s *sheet) goToAdded() bool {
	n := s.Explorer.Subject()
	for n != nil && n.Depth > s.table.Node.Depth+1 {
		n = n.Parent
	}
	if n == nil || n.Parent == nil || n.Parent.Start != s.table.Node.Start || n.Depth != s.table.Node.Depth+1 {
		return false
	}
	s.at = n.Slot.Index
	return true
}

// summarize reads all rows, for columns that only later rows have, and for the summaries of the rows that
// are shown.
func (s *sheet) summarize() tea.Cmd {
	t, v := s.table, s.view
	return s.Start(&s.summarizing, "summing up the columns", func(ctx context.Context, _ *model.Progress) func() tea.Cmd {
		var all []table.Summary
		whole, err := t.Completed(ctx)
		if err == nil {
			all, _, err = whole.Summarize(ctx, v)
		}
		return func() tea.Cmd {
			if err != nil || s.table != t || s.view != v {
				return nil
			}
			s.summaries = all
			if len(whole.Columns) == len(t.Columns) {
				return nil
			}
			s.table = whole
			s.rows.Forget()
			return s.load()
		}
	})
}

// look sorts and filters.
func (s *sheet) look(column int, descending bool, filter string) tea.Cmd {
	t, of := s.table, s.tree
	row := int64(0)
	if s.view.Len() > 0 {
		row = s.view.At(s.at)
	}
	return s.Start(&s.looking, "sorting the rows", jobs.Then(s.Report, func(ctx context.Context, _ *model.Progress) (*table.View, error) {
		return t.Look(ctx, column, descending, filter)
	}, func(v *table.View) tea.Cmd {
		if s.tree != of {
			return nil
		}
		at, found := v.Find(row)
		if s.shows && !found { // the row that was just added
			s.shows = false
			s.Say("the new row does not fit the filter, which has ended")
			return s.look(column, descending, "")
		}
		s.view, s.anchor, s.summaries, s.shows = v, -1, nil, false
		s.at = at
		s.at = max(0, min(s.at, v.Len()-1))
		s.summarizing.Stop()
		return tea.Batch(s.load(), s.summarize())
	}))
}

// cell returns the selected value; nil if the row has none.
func (s *sheet) cell() *tree.Node {
	if row, ok := s.row(); ok {
		return s.cellOf(&row)
	}
	return nil
}

// cellOf returns the value in the selected column of a row; nil if it has none.
func (s *sheet) cellOf(row *table.Row) *tree.Node {
	switch {
	case row.Node == nil:
		return nil
	case s.column < 0:
		return row.Key
	}
	return row.Cells[s.column]
}

// row returns the selected row.
func (s *sheet) row() (table.Row, bool) {
	if s.view.Len() == 0 || s.failed != nil {
		return table.Row{}, false
	}
	row, err := s.table.Row(s.Explorer.LookReader(), s.view, s.view.At(s.at))
	return row, err == nil && row.Node != nil
}

// chosen returns the range [from, to) of selected rows of the view.
func (s *sheet) chosen() (from, to int64) {
	if s.anchor < 0 {
		return s.at, min(s.at+1, s.view.Len())
	}
	return min(s.at, s.anchor), min(max(s.at, s.anchor)+1, s.view.Len())
}

// choose begins to select rows; again it selects all, and again none.
func (s *sheet) choose() tea.Cmd {
	switch from, to := s.chosen(); {
	case s.anchor < 0:
		s.anchor = s.at
		return s.Say("moving selects rows; again all that are shown; e sets their values")
	case to-from < s.view.Len():
		s.anchor, s.at = 0, s.view.Len()-1
	default:
		s.anchor = -1
	}
	return s.load()
}

// valuesIn returns the values of the column in rows of the view, in file order.
func (s *sheet) valuesIn(from, to int64) (all []*tree.Node) {
	r := s.table.NewReader()
	for i := from; i < min(to, from+maxFilled, s.view.Len()); i++ {
		row, err := s.table.Row(r, s.view, s.view.At(i))
		switch {
		case err != nil || row.Node == nil:
		case s.column < 0:
			all = append(all, row.Node)
		case row.Cells[s.column] != nil:
			all = append(all, row.Cells[s.column])
		}
	}
	slices.SortFunc(all, func(a, b *tree.Node) int { return cmp.Compare(a.Start, b.Start) })
	return all
}

// Accompanied implements dialog.Accompanied.
func (s *sheet) Accompanied() bool { return true }

// Led implements dialog.Leading.
func (s *sheet) Led() *tree.Node {
	if s.failed != nil || s.tree != s.Explorer.Buffer.Tree() {
		return nil
	}
	return s.target()
}

// shown returns the columns that are not hidden.
func (s *sheet) shown() (all []int) {
	for i := range s.table.Columns {
		if !s.hidden[i] {
			all = append(all, i)
		}
	}
	return all
}
