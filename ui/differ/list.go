package differ

import (
	"cmp"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/span"
	"varview/decoder/tree"
	"varview/model/compare"
	"varview/model/diff"
	"varview/ui/action"
	"varview/ui/dialog"
	"varview/ui/paint"
)

// A List shows over the panes what differs, and below that the bytes of the selected value on both sides.
type List struct {
	*Differ
	keys  action.KeyMap
	diff  *diff.Differences
	stale bool   // the document has been edited since
	only  bool   // notes are hidden
	left  func() // called after it is closed; may be nil
	dialog.Rows
}

// Room implements dialog.Roomed.
func (l *List) Room() action.Rooms { return action.Differences }

// Place implements dialog.Dialog.
func (l *List) Place() dialog.Place { return dialog.OverPanes }

// rows returns the changes that are shown.
func (l *List) rows() []*compare.Change {
	if !l.only {
		return l.diff.Changes
	}
	var rows []*compare.Change
	for _, c := range l.diff.Changes {
		if !c.Note {
			rows = append(rows, c)
		}
	}
	return rows
}

// selected returns the selected change; nil if there is none, or if the list is out of date.
func (l *List) selected() *compare.Change {
	rows := l.rows()
	if l.stale || l.At >= len(rows) {
		return nil
	}
	return rows[l.At]
}

// Update implements dialog.Dialog.
func (l *List) Update(msg tea.KeyMsg) tea.Cmd { return l.Press(l.keys, msg, l.Do) }

// Do does an action.
func (l *List) Do(a action.Action) tea.Cmd {
	if by, moves := a.Rows(l.height(), len(l.rows())); moves {
		l.Move(by*l.Times(), len(l.rows()))
		return nil
	}
	switch a {
	case action.NextDifference:
		l.step(1)
	case action.PreviousDifference:
		l.step(-1)
	case action.OnlyChanges:
		l.showOnlyChanges()
	case action.TakeDifference:
		return l.take()
	case action.GiveDifference:
		l.give()
	case action.GoThere:
		return l.goThere()
	case action.Undo, action.Redo:
		return l.Program.Do(a)
	case action.Cancel, action.Quit:
		l.close()
	}
	return nil
}

// step goes to the next change that is not a note, or to the previous one. It reports whether there is
// one.
func (l *List) step(by int) bool {
	rows := l.rows()
	found := l.Seek(by, len(rows), func(row int) bool { return !rows[row].Note })
	if !found {
		l.Say("there is no further change")
	}
	return found
}

// showOnlyChanges hides or shows the notes. The selected change stays.
func (l *List) showOnlyChanges() {
	was := l.selected()
	l.only = !l.only
	for i, c := range l.rows() {
		if c == was {
			l.At = i
		}
	}
	l.Move(0, len(l.rows()))
}

// goThere goes to the selected value, or if only the other file has it, to the value around it. The list
// is left, and can be shown again.
func (l *List) goThere() tea.Cmd {
	c := l.selected()
	if c == nil {
		return nil
	}
	n := cmp.Or(c.B, c.InB)
	l.Close(l)
	l.leave(l)
	l.ShowBuffer(l.Doc.Innermost())
	rows := l.rows()
	l.Say(fmt.Sprintf("%d of %s: ", l.At+1, span.Counted(int64(len(rows)), "difference")) + signs[c.Kind].sign + " " + line(l.pieces(c, "", shownChange)))
	return l.find.GoTo(l.diff.Here().Path(n))
}

// line returns pieces as text without colours.
func line(pieces []paint.Piece) string {
	var text strings.Builder
	for _, p := range pieces {
		text.WriteString(p.Text)
	}
	return text.String()
}

// shownChange is the width of a change in a message.
const shownChange = 100

// close closes the list, and the other file.
func (l *List) close() {
	l.Close(l)
	l.leave(nil)
	l.diff.Other.Close()
	if l.left != nil {
		l.left()
	}
}

// Beside implements dialog.Accompanied.
func (l *List) Beside() *tree.Node {
	if c := l.selected(); c != nil && l.Explorer.Buffer == l.Doc.Innermost() {
		return cmp.Or(c.B, c.InB)
	}
	return nil
}

// Mouse implements dialog.Pointed.
func (l *List) Mouse(msg tea.MouseMsg, by int) (tea.Cmd, bool) {
	l.Pick(msg, by, msg.Y-1-l.heading(), l.height(), len(l.rows()))
	return nil, true
}
