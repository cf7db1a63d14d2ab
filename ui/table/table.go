// Package table is the dialog that shows a container as rows and columns.
package table

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/internal/text"
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
		s := &sheet{Tables: t, keys: t.Actions.KeyMap(action.Sheet), table: found, place: place, Rows: dialog.Rows[int64]{At: row}, anchor: -1, hidden: map[int]bool{}, wide: map[int]int{}, wanted: map[int]int{}}
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
	dialog.Rows[int64]
	keys  action.KeyMap
	table *table.Table
	place explore.TablePlace
	tree  *tree.Tree // the tree to which the table belongs
	view  *table.View
	lost  *table.View // how the rows were sorted and filtered before their number changed; nil once they are so again
	going []int64     // the rows that are being deleted

	clicked     time.Time // time of the last click
	adding      bool      // what is typed is a new row
	shows       bool      // the selected row was just added, and stays in view
	anchor      int64     // row at which the selection of rows began; -1 without one
	column      int       // index of the selected column, or table.KeyColumn
	left        int       // index of the first column drawn beside the key
	beyond      int       // number of columns behind the last one drawn
	hidden      map[int]bool
	wide        map[int]int  // widths that were chosen, by column
	wanted      map[int]int  // widths of the widest values so far
	right       map[int]bool // columns whose values stand at the right
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
		s.view, s.At = was.Without(going), from
	default:
		if s.view, s.lost = table.All(count), was; count > before {
			s.shows = s.goToAdded()
		} else if was.Len() > 0 {
			s.At = was.At(s.At)
		}
	}
	s.Move(0, s.view.Len())
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
	s.At = n.Slot.Index
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
		row = s.view.At(s.At)
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
		s.At = at
		s.Move(0, v.Len())
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
	row, err := s.table.Row(s.Explorer.LookReader(), s.view, s.view.At(s.At))
	return row, err == nil && row.Node != nil
}

// chosen returns the range [from, to) of selected rows of the view.
func (s *sheet) chosen() (from, to int64) {
	if s.anchor < 0 {
		return s.At, min(s.At+1, s.view.Len())
	}
	return min(s.At, s.anchor), min(max(s.At, s.anchor)+1, s.view.Len())
}

// choose begins to select rows; again it selects all, and again none.
func (s *sheet) choose() tea.Cmd {
	switch from, to := s.chosen(); {
	case s.anchor < 0:
		s.anchor = s.At
		return s.Say("moving selects rows; again all that are shown; e sets their values")
	case to-from < s.view.Len():
		s.anchor, s.At = 0, s.view.Len()-1
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

// Room implements dialog.Roomed.
func (s *sheet) Room() action.Rooms { return action.Sheet }

// Place implements dialog.Dialog.
func (s *sheet) Place() dialog.Place { return dialog.OverPanes }

// Update implements dialog.Dialog.
func (s *sheet) Update(msg tea.KeyMsg) tea.Cmd {
	s.follow()
	again := s.summarizeAgain()
	begins := func(e action.Entry) bool { return e.Action == action.Delete }
	if s.anchor >= 0 && slices.ContainsFunc(s.keys.Begins(msg), begins) { // of rows that are selected already
		s.ActedOn(msg)
		return tea.Batch(s.Do(action.Delete), again)
	}
	return tea.Batch(s.Press(s.keys, msg, s.Do), again)
}

// Do does an action in the table.
func (s *sheet) Do(a action.Action) tea.Cmd {
	s.going = nil
	if by, moves := a.Rows(s.height(), int(min(s.view.Len(), 1<<31))); moves {
		s.Move(int64(by*s.Times()), s.view.Len())
		return s.load()
	}
	if s.failed != nil && !slices.Contains([]action.Action{action.Undo, action.Redo, action.Cancel, action.Quit}, a) {
		return nil
	}
	if do, ok := s.does()[a]; ok {
		return do()
	}
	return nil
}

func (s *sheet) does() action.Does {
	resize := func(by int) func() tea.Cmd {
		return action.Plainly(func() {
			_, widths := s.layout()
			s.resize(s.column, widths[s.column]+by*s.Times())
		})
	}
	return action.Does{
		action.Left:        action.Plainly(func() { s.step(-1) }),
		action.Right:       action.Plainly(func() { s.step(1) }),
		action.GoThere:     s.goThere,
		action.Edit:        s.edit,
		action.SortColumn:  s.sort,
		action.FilterRows:  s.filter,
		action.HideColumn:  action.Plainly(s.hide),
		action.ShowColumns: action.Plainly(func() { clear(s.hidden) }),
		action.FillDown:    s.fillDown,
		action.SelectRows:  s.choose,
		action.Frequencies: s.frequencies,
		action.CopyAs:      s.copyAs,
		action.Narrow:      resize(-2),
		action.Widen:       resize(2),
		action.AddInside:   s.add,
		action.Delete:      func() tea.Cmd { return s.doInTree(action.Delete) },
		action.Duplicate:   func() tea.Cmd { return s.doInTree(action.Duplicate) },
		action.Undo:        s.Doing(action.Undo),
		action.Redo:        s.Doing(action.Redo),
		action.Cancel:      s.leave,
		action.Quit:        s.leave,
	}
}

// leave ends a selection, stops work in progress, ends a filter, or closes the table.
func (s *sheet) leave() tea.Cmd {
	if s.anchor >= 0 {
		s.anchor = -1
		return nil
	}
	if s.looking.Runs() {
		s.looking.Stop()
		return s.Say("stopped")
	}
	if s.view.Filter != "" {
		return s.look(s.view.Column, s.view.Descending, "")
	}
	s.summaries = []table.Summary{}
	s.summarizing.Stop()
	s.rows.Forget()
	s.Close(s)
	return nil
}

// copyAs asks in which form the rows are copied, as they are shown.
func (s *sheet) copyAs() tea.Cmd {
	t, v, columns := s.table, s.view, s.shown()
	var answers []dialog.Answer
	for _, form := range []struct{ key, does, end string }{{"m", "Markdown", ".md"}, {"c", "CSV", ".csv"}, {"j", "JSON", ".json"}} {
		as := func(ctx context.Context, _ *tree.Node) (string, error) {
			return edits.RowsAs(ctx, table.Forms[form.end], t, v, columns)
		}
		answers = append(answers, dialog.Answer{Key: form.key, Does: form.does, Run: func() tea.Cmd { return s.values.CopyWhole("the table as "+form.does, as, nil) }})
	}
	return s.AskWhich("copy "+span.Counted(v.Len(), "row"), "nothing was copied", answers...)
}

// step selects another column.
func (s *sheet) step(by int) {
	shown := append([]int{table.KeyColumn}, s.shown()...)
	i := slices.Index(shown, s.column)
	s.column = shown[max(0, min(i+by, len(shown)-1))]
}

// goThere selects the value in the tree.
func (s *sheet) goThere() tea.Cmd {
	n := s.target()
	if n == nil {
		return nil
	}
	s.Explorer.Leap()
	s.Report(s.Explorer.GoToValue(n))
	s.summarizing.Stop()
	s.Close(s)
	return nil
}

// target returns the selected value, or its row if that lacks the value.
func (s *sheet) target() *tree.Node {
	row, ok := s.row()
	if n := s.cellOf(&row); ok && n != nil {
		return n
	}
	return row.Node
}

// doInTree does to the selected rows what a key does in the tree.
func (s *sheet) doInTree(a action.Action) tea.Cmd {
	column := s.column
	s.column = table.KeyColumn
	rows := s.valuesIn(s.chosen())
	s.column = column
	if len(rows) == 0 {
		return nil
	}
	if err := cmp.Or(s.CanEdit(), s.Explorer.GoToValue(rows[len(rows)-1])); err != nil {
		return s.Report(err)
	}
	if a == action.Delete {
		for _, n := range rows {
			s.going = append(s.going, n.Slot.Index)
		}
		return s.values.DeleteThese(rows)
	}
	return s.values.DuplicateThese(rows)
}

// add opens an editor for a new row after the last one.
func (s *sheet) add() tea.Cmd {
	if err := s.Explorer.GoToValue(s.table.Node); err != nil {
		return s.Report(err)
	}
	s.adding, s.At = true, max(0, s.view.Len()-1)
	return s.values.AddIn(s.table.Node)
}

// sort sorts by the selected column, then in reverse, then not at all.
func (s *sheet) sort() tea.Cmd {
	switch {
	case s.view.Column != s.column:
		return s.look(s.column, false, s.view.Filter)
	case !s.view.Descending:
		return s.look(s.column, true, s.view.Filter)
	}
	return s.look(table.NoColumn, false, s.view.Filter)
}

// filter asks which rows to show.
func (s *sheet) filter() tea.Cmd {
	p := dialog.NewPrompt(s, "rows with: ", func(typed string) tea.Cmd { return s.look(s.view.Column, s.view.Descending, typed) })
	p.Aside = func() (string, bool) { return "text, or column=value, with = != < <= > >= ~; nothing shows all", false }
	return s.Open(p)
}

func (s *sheet) hide() {
	if s.column < 0 || len(s.shown()) == 1 {
		s.Say("this column stays")
		return
	}
	hidden := s.column
	s.step(1)
	if s.column == hidden {
		s.step(-1)
	}
	s.hidden[hidden] = true
}

// edit opens an editor in the cell, also where the row lacks the value, or asks for one value of the selected rows.
func (s *sheet) edit() tea.Cmd {
	n := s.cell()
	if s.adding = false; s.anchor >= 0 {
		return s.editThese()
	}
	if n == nil {
		return s.addCell()
	}
	if err := s.Explorer.GoToValue(n); err != nil {
		return s.Report(err)
	}
	if s.column < 0 {
		return s.values.EditKey()
	}
	return s.values.EditValue()
}

// editThese asks for one value of the cells in the selected rows.
func (s *sheet) editThese() tea.Cmd {
	all := s.valuesIn(s.chosen())
	if len(all) == 0 || s.column < 0 {
		return s.Say("these rows have no such value")
	}
	if err := cmp.Or(s.CanEdit(), s.Explorer.GoToValue(s.target())); err != nil {
		return s.Report(err)
	}
	return s.values.EditThese(all)
}

// addCell opens an editor for a value that the row lacks, with the key that other rows have.
func (s *sheet) addCell() tea.Cmd {
	row, ok := s.row()
	like := s.firstIn(s.column)
	if !ok || like == nil || like.Depth != row.Node.Depth+1 || row.Node.Layout != tree.Pairs {
		return s.Say("this row has no such value")
	}
	if err := cmp.Or(s.CanEdit(), s.Explorer.GoToValue(row.Node)); err != nil {
		return s.Report(err)
	}
	return s.values.AddLike(row.Node, like)
}

// firstIn returns the first value of a column among the rows in view; nil if none has one.
func (s *sheet) firstIn(column int) *tree.Node {
	r := s.Explorer.LookReader()
	for i := s.Top; column >= 0 && i < min(s.Top+int64(s.height()), s.view.Len()); i++ {
		if row, err := s.table.Row(r, s.view, s.view.At(i)); err == nil && row.Node != nil && row.Cells[column] != nil {
			return row.Cells[column]
		}
	}
	return nil
}

// maxFilled is the largest number of rows that are filled at once.
const maxFilled = 100_000

// fillDown sets the selected rows to the value of the first, or all rows below the cursor to the value
// there.
func (s *sheet) fillDown() tea.Cmd {
	from, to := s.chosen()
	below := ""
	if s.anchor < 0 {
		to, below = s.view.Len(), " below"
	}
	first := s.valuesIn(from, from+1)
	switch {
	case len(first) == 0 || s.column < 0:
		return s.Say("there is no value to fill down")
	case to-from < 2:
		return s.Say("there is no row below to be filled")
	case to-from-1 > maxFilled:
		return s.Say("more than " + span.Grouped(maxFilled) + " rows are below; a filter leaves fewer")
	}
	literal, err := s.Explorer.Literal(s.Ctx, first[0])
	if err != nil {
		return s.Report(err)
	}
	all := s.valuesIn(from+1, to)
	name := text.Clean(s.table.Columns[s.column].Name)
	return s.Ask(fmt.Sprintf("fill %s of %s%s with %s?", name, span.Counted(int64(len(all)), "row"), below, text.Head(literal, 40)), "nothing was changed",
		dialog.Answer{Key: "y", Does: "fill them", Run: func() tea.Cmd { return s.values.SetThese(all, literal, nil) }})
}
