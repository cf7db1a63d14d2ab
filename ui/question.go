package ui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"varview/ui/dialog"
)

// pause is how long no key may have been pressed before a late question takes one: until then, keys are
// for what the user is doing.
const pause = 500 * time.Millisecond

// question returns the question that takes the keys that answer it; nil if there is none.
func (m *Model) question() *dialog.Question {
	q, _ := m.desk.Dialogs.Top().(*dialog.Question)
	if q != nil && q.Late && (m.hex.Typing() || time.Since(m.pressed) < pause) {
		return nil
	}
	return q
}

// answers handles a key that answers a question, and reports whether it does. A key pressed before the
// question was on the screen is dropped, with everything typed after it.
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

// taker returns the dialog that receives the keys that do not answer a question; nil if the panes do.
func (m *Model) taker() dialog.Dialog {
	all := m.desk.Dialogs
	if _, asks := all.Top().(*dialog.Question); asks {
		all = all[:len(all)-1]
	}
	return all.Top()
}
