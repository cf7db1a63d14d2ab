package ui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"varview/ui/dialog"
)

// pause is how long no key may have been pressed before a late question takes one: until then
// they are for what the user is at.
const pause = 500 * time.Millisecond

// question is the one that takes the keys that answer it, nil if there is none.
func (m *Model) question() *dialog.Question {
	q, _ := m.desk.Dialogs.Top().(*dialog.Question)
	if q != nil && q.Late && (m.hex.Typing() || time.Since(m.pressed) < pause) {
		return nil
	}
	return q
}

// answers handles a key that answers a question, and reports whether it does. One that was pressed
// before the question was on the screen is dropped, with all that was typed after it.
func (m *Model) answers(msg tea.KeyMsg) (cmd tea.Cmd, done bool) {
	q := m.question()
	m.pressed = time.Now()
	switch {
	case q == nil:
		return nil, false
	case !q.Takes(msg):
		q.Withdraw()
		return nil, false
	case !q.IsShown:
		m.held = nil
		return nil, true
	}
	return q.Update(msg), true
}

// taker is the dialog that takes the keys that answer no question, nil if it is the panes.
func (m *Model) taker() dialog.Dialog {
	all := m.desk.Dialogs
	if _, asks := all.Top().(*dialog.Question); asks {
		all = all[:len(all)-1]
	}
	return all.Top()
}
