package table

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/internal/text"
	"varview/model"
	"varview/model/table"
	"varview/ui/action"
	"varview/ui/dialog"
	"varview/ui/edits"
	"varview/ui/jobs"
)

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
		s.move(int64(by * s.Times()))
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
	program := func(a action.Action) func() tea.Cmd { return func() tea.Cmd { return s.Program.Do(a) } }
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
		action.Undo:        program(action.Undo),
		action.Redo:        program(action.Redo),
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
	return s.Ask("copy "+span.Counted(v.Len(), "row"), "nothing was copied", answers...)
}

func (s *sheet) move(by int64) { s.at = max(0, min(s.at+by, s.view.Len()-1)) }

// step selects another column.
func (s *sheet) step(by int) {
	shown := append([]int{-1}, s.shown()...)
	i := slices.Index(shown, s.column)
	s.column = shown[max(0, min(i+by, len(shown)-1))]
}

// Mouse implements dialog.Pointed.
func (s *sheet) Mouse(msg tea.MouseMsg, by int) (tea.Cmd, bool) {
	row := s.top + int64(msg.Y-2)
	switch s.dragged = none; {
	case by != 0:
		s.move(int64(by))
		return s.load(), true
	case msg.Button != tea.MouseButtonLeft || s.failed != nil:
	case msg.Y == 1:
		if column, from, edge, ok := s.columnAt(msg.X); ok && edge {
			s.dragged, s.from = column, from
		} else if s.point(msg.X) {
			return s.sort(), true
		}
	case row >= s.top && row < min(s.top+int64(s.height()), s.view.Len()):
		before, column, last := s.at, s.column, s.clicked
		s.at, s.clicked = row, time.Now()
		if s.point(msg.X) && row == before && s.column == column && s.clicked.Sub(last) < doubleClick {
			return s.edit(), true
		}
	}
	return nil, true
}

// doubleClick is the time within which two clicks are one.
const doubleClick = 400 * time.Millisecond

// none means no column: -1 is the key.
const none = -2

// Drag implements dialog.Dragged: it moves the end of a column, or extends the selected rows.
func (s *sheet) Drag(x, y int) {
	if s.dragged != none {
		s.resize(s.dragged, x-s.from-1)
	} else if row := s.top + int64(y-2); y > 1 && row < s.view.Len() && row != s.at {
		if s.anchor < 0 {
			s.anchor = s.at
		}
		s.at = row
	}
}

// resize gives a column a width.
func (s *sheet) resize(column, width int) { s.wide[column] = max(2, min(width, 4*cellWidth)) }

// layout returns the columns that are drawn, and their widths.
func (s *sheet) layout() (columns []int, widths map[int]int) {
	width, _ := s.Across()
	return s.fit(s.visible(s.height()), width-2)
}

// columnAt returns the table column at a column of the window, and where it begins. edge says whether x
// is at its end.
func (s *sheet) columnAt(x int) (column, from int, edge, ok bool) {
	columns, widths := s.layout()
	from = 2 // after the frame and the mark of the selected row
	for _, c := range append([]int{-1}, columns...) {
		end := from + widths[c] + 2
		if c < 0 {
			end++ // the rule beside the key
		}
		if x <= end { // with the blank before the next one
			return c, from, x >= end-1, x >= from
		}
		from = end
	}
	return none, 0, false, false
}

// point selects the table column at a column of the window, and reports whether there is one.
func (s *sheet) point(x int) bool {
	column, _, _, ok := s.columnAt(x)
	if ok {
		s.column = column
	}
	return ok
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
	s.column = -1
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
	s.adding, s.at = true, max(0, s.view.Len()-1)
	return s.values.AddIn(s.table.Node)
}

// sort sorts by the selected column, then in reverse, then not at all.
func (s *sheet) sort() tea.Cmd {
	column := s.column
	if column < 0 {
		column = table.KeyColumn
	}
	switch {
	case s.view.Column != column:
		return s.look(column, false, s.view.Filter)
	case !s.view.Descending:
		return s.look(column, true, s.view.Filter)
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
	for i := s.top; column >= 0 && i < min(s.top+int64(s.height()), s.view.Len()); i++ {
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
	if len(first) == 0 || s.column < 0 {
		return s.Say("there is no value to fill down")
	}
	if to-from-1 > maxFilled {
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

// frequencies lists how often the column has each of its values in the rows that are shown. Choosing a
// value leaves only its rows.
func (s *sheet) frequencies() tea.Cmd {
	if s.column < 0 {
		return s.Say("each key occurs once")
	}
	t, v, column := s.table, s.view, s.column
	more := false
	return s.Start(&s.looking, "counting the values", jobs.Then(s.Report, func(ctx context.Context, _ *model.Progress) (found []table.Frequency, err error) {
		found, more, err = t.Frequencies(ctx, v, column)
		return found, err
	}, func(found []table.Frequency) tea.Cmd { return s.openFrequencies(t.Columns[column].Name, found, more) }))
}

// barWidth is the width of the longest bar.
const barWidth = 40

func (s *sheet) openFrequencies(name string, found []table.Frequency, more bool) tea.Cmd {
	p := dialog.NewPrompt(s, text.Clean(name)+"=", nil)
	p.Aside = func() (string, bool) {
		said := span.Counted(int64(len(found)), "value")
		if more {
			said = "the first " + said
		}
		return said + "; enter shows only the rows with it", false
	}
	p.Complete = func(typed string) dialog.Offer {
		return func(context.Context) (c dialog.Completion) {
			for _, f := range found {
				if len(c.All) < maxCounted && strings.Contains(strings.ToLower(f.Literal), strings.ToLower(typed)) {
					bar := strings.Repeat("█", int(max(1, f.Count*barWidth/found[0].Count)))
					c.All = append(c.All, dialog.Candidate{Text: f.Literal, Args: fmt.Sprintf("%7s", span.Grouped(f.Count)), Help: bar})
				}
			}
			return c
		}
	}
	p.Take = func(c dialog.Candidate) tea.Cmd { return s.look(s.view.Column, s.view.Descending, name+"="+c.Text) }
	return s.Open(p)
}

// maxCounted is the largest number of values that are listed.
const maxCounted = 1000
