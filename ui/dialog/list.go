package dialog

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/engine/tree"
	"varview/themes"
	"varview/ui/action"
	"varview/ui/paint"
)

// A List is rows over the panes, of which one is selected, between a heading and a line that sums them
// up.
type List struct {
	Context
	KeyMap action.KeyMap
	In     action.Rooms
	Rows
	Heading []paint.Piece // nil for none
	Goes    string        // what enter does

	Count func() int
	// Shown draws the rows from one index up to another.
	Shown func(from, to, width int) [][]paint.Piece
	Sum   func() string
	// GoThere goes to what a row stands for, after the list is closed.
	GoThere func(row int) tea.Cmd
	// Turn undoes or redoes an edit, after the list is closed; nil if neither is possible.
	Turn func(action.Action) tea.Cmd
}

// Room implements Roomed.
func (l *List) Room() action.Rooms { return l.In }

// Place implements Dialog.
func (l *List) Place() Place {
	place, _, _ := l.lines()
	return place
}

func (l *List) lines() (place Place, all, first int) { return lines(l, l.Count()+l.above()+1) }

// Beside implements Accompanied.
func (l *List) Beside() *tree.Node { return nil }

// Taken implements Low.
func (l *List) Taken() int { return LinesBelow(l, l.Count()+l.above()+1) }

// Update implements Dialog.
func (l *List) Update(msg tea.KeyMsg) tea.Cmd { return l.Press(l.KeyMap, msg, l.Do) }

// Do does an action in the list.
func (l *List) Do(a action.Action) tea.Cmd {
	if by, moves := a.Rows(l.height(), l.Count()); moves {
		l.Move(by*l.Times(), l.Count())
		return nil
	}
	switch a {
	case action.GoThere:
		return l.goThere()
	case action.Undo, action.Redo:
		if l.Turn != nil {
			l.Close(l)
			return l.Turn(a)
		}
	case action.Cancel, action.Quit:
		l.Close(l)
	}
	return nil
}

func (l *List) goThere() tea.Cmd {
	if l.At >= l.Count() {
		return nil
	}
	l.Close(l)
	return l.GoThere(l.At)
}

// Mouse implements Pointed.
func (l *List) Mouse(msg tea.MouseMsg, by int) (tea.Cmd, bool) {
	_, _, first := l.lines()
	if width, _ := l.Across(); msg.X >= width {
		return nil, true
	}
	if l.Pick(msg, by, msg.Y-first-l.above(), l.height(), l.Count()) {
		return l.goThere(), true
	}
	return nil, true
}

// above returns the number of lines above the rows.
func (l *List) above() int { return min(1, len(l.Heading)) }

// height returns the number of rows in view.
func (l *List) height() int {
	_, all, _ := l.lines()
	return max(1, all-1-l.above())
}

// Hints implements Hinting.
func (l *List) Hints() []paint.Piece {
	keys := []key.Help{l.KeyMap.Hint("move", action.Down, action.Up), l.KeyMap.Hint(l.Goes, action.GoThere)}
	if l.Turn != nil {
		keys = append(keys, l.KeyMap.Hints(action.Undo)...)
	}
	width, _ := l.Window()
	return paint.Keys(paint.FittingKeys(append(keys, l.KeyMap.Hint("close", action.Cancel), l.KeyMap.Hints(action.Help)[0]), paint.BottomRoom(width)))
}

// View implements Dialog.
func (l *List) View() []string {
	out, height, count := NewLines(l), l.height(), l.Count()
	l.Fit(height, count)
	if l.Heading != nil {
		out.Put(false, l.Heading...)
	}
	for i, row := range l.Shown(l.Top, min(count, l.Top+height), out.Width) {
		out.Row(l.Top+i == l.At, row...)
	}
	out.Fill(height + l.above())
	out.Put(false, paint.In(themes.Dim, " "+l.Sum()))
	return out.All
}
