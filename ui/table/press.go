package table

import (
	"context"
	"errors"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/edit"
	"varview/decoder/span"
	"varview/decoder/tree"
	"varview/model"
	"varview/model/table"
	"varview/ui/action"
	"varview/ui/dialog"
	"varview/ui/edits"
)

// Room implements dialog.Roomed.
func (s *sheet) Room() action.Rooms { return action.Sheet }

// Place implements dialog.Dialog.
func (s *sheet) Place() dialog.Place { return dialog.OverPanes }

// Update implements dialog.Dialog.
func (s *sheet) Update(msg tea.KeyMsg) tea.Cmd {
	s.follow()
	again := s.summarizeAgain()
	return tea.Batch(s.Press(s.keys, msg, s.Do), again)
}

// Do does an action in the table.
func (s *sheet) Do(a action.Action) tea.Cmd {
	if by, moves := a.Rows(s.height(), int(min(s.view.Len(), 1<<31))); moves {
		s.move(int64(by * s.Times()))
		return s.load()
	}
	if s.failed != nil && !slices.Contains([]action.Action{action.Undo, action.Redo, action.Cancel, action.Quit}, a) {
		return nil
	}
	switch a {
	case action.Left:
		s.step(-1)
	case action.Right:
		s.step(1)
	case action.GoThere:
		return s.goThere()
	case action.Edit:
		return s.edit()
	case action.SortColumn:
		return s.sort()
	case action.FilterRows:
		return s.filter()
	case action.HideColumn:
		s.hide()
	case action.ShowColumns:
		clear(s.hidden)
	case action.FillDown:
		return s.fillDown()
	case action.AddInside:
		return s.add()
	case action.Delete, action.Duplicate:
		return s.doInTree(a)
	case action.Undo, action.Redo:
		return s.Program.Do(a)
	case action.Cancel, action.Quit:
		return s.leave()
	}
	return nil
}

// leave stops work that is under way, or closes the table.
func (s *sheet) leave() tea.Cmd {
	if s.looking.Runs() {
		s.looking.Stop()
		s.Say("stopped")
		return nil
	}
	s.summaries = []table.Summary{}
	s.summarizing.Stop()
	s.loading.Stop()
	s.Close(s)
	return nil
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
	switch {
	case by != 0:
		s.move(int64(by))
		return s.load(), true
	case msg.Button != tea.MouseButtonLeft || s.failed != nil:
	case msg.Y == 1 && s.point(msg.X):
		return s.sort(), true
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

// point selects the column that is drawn at a column of the window, and reports whether one is.
func (s *sheet) point(x int) bool {
	width, _ := s.Window()
	columns, widths := s.fit(s.visible(s.height()), width-2)
	at := 3 // the frame and the mark of the selected row
	for _, c := range append([]int{-1}, columns...) {
		if at += widths[c] + 2; x < at {
			s.column = c
			return true
		}
	}
	return false
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

// target is the selected value, or its row where that lacks it.
func (s *sheet) target() *tree.Node {
	if n := s.cell(); n != nil {
		return n
	}
	row, _ := s.row()
	return row.Node
}

// doInTree does to the selected row what a key does in the tree.
func (s *sheet) doInTree(a action.Action) tea.Cmd {
	row, ok := s.row()
	if !ok {
		return nil
	}
	if err := s.Explorer.GoToValue(row.Node); err != nil {
		s.Report(err)
		return nil
	}
	if a == action.Delete {
		return s.values.Delete()
	}
	return s.values.Duplicate()
}

// add opens an editor for a new row after the last one.
func (s *sheet) add() tea.Cmd {
	if err := s.Explorer.GoToValue(s.table.Node); err != nil {
		s.Report(err)
		return nil
	}
	return s.values.AddIn(s.table.Node)
}

// sort sorts by the selected column, then the other way round, then not at all.
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

// checking is how long the check of what is typed may take.
const checking = 50 * time.Millisecond

// edit asks for another value of the cell, and says while it is typed what speaks against
// it.
func (s *sheet) edit() tea.Cmd {
	n := s.cell()
	if n == nil {
		s.Say("this row has no such value")
		return nil
	}
	if err := s.CanEdit(); err != nil {
		s.Report(err)
		return nil
	}
	literal, err := s.Explorer.Literal(s.Ctx, n)
	if err != nil {
		s.Report(err)
		return nil
	}
	p := dialog.NewPrompt(s, "value: ", func(typed string) tea.Cmd {
		return s.values.Make(edits.Request{Intend: func(o edit.Options) model.Intention { return s.Explorer.Set(n, typed, o) }})
	})
	p.Input.CharLimit = max(p.Input.CharLimit, 2*len(literal))
	p.Input.SetValue(literal)
	p.Input.CursorEnd()
	p.Aside = func() (string, bool) {
		ctx, stop := context.WithTimeout(s.Ctx, checking)
		defer stop()
		if err := s.Explorer.Check(ctx, n, p.Input.Value(), edit.Options{}); err != nil && !errors.Is(err, context.DeadlineExceeded) {
			return err.Error(), true
		}
		return "", false
	}
	return s.Open(p)
}

// maxFilled is the number of rows that are filled at once.
const maxFilled = 100_000

// fillDown gives all rows below, as they are shown, the value of the selected one.
func (s *sheet) fillDown() tea.Cmd {
	from := s.cell()
	if from == nil || s.column < 0 {
		s.Say("there is no value to fill down")
		return nil
	}
	if s.view.Len()-s.at > maxFilled {
		s.Say("more than " + span.Grouped(maxFilled) + " rows are below; a filter leaves fewer")
		return nil
	}
	t, column, view, at := s.table, s.column, s.view, s.at
	r := t.NewReader()
	var to []*tree.Node
	for i := at + 1; i < view.Len(); i++ {
		if row, err := t.Row(r, view.At(i)); err == nil && row.Cells[column] != nil {
			to = append(to, row.Cells[column])
		}
	}
	slices.SortFunc(to, func(a, b *tree.Node) int { return int(a.Start - b.Start) })
	s.Ask("fill "+span.Counted(int64(len(to)), "row")+" below with this value?", "nothing was changed", dialog.Answer{Key: "y", Does: "fill them", Run: func() tea.Cmd {
		return s.values.Make(edits.Request{Intend: func(edit.Options) model.Intention { return s.Explorer.FillDown(from, to) }})
	}})
	return nil
}
