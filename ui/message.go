package ui

import (
	"errors"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"varview/internal/text"
	"varview/themes"
	"varview/ui/action"
	"varview/ui/dialog"
	"varview/ui/paint"
)

// A message that is longer than the bottom line also takes lines above it: at least leastMessage in all,
// up to a quarter of the window. The rest is on a page of its own.
const leastMessage = 3

// message returns the message in lines, and whether these contain all of it.
func (m *Model) message() (lines []string, whole bool) {
	room := paint.BottomRoom(m.desk.Width)
	lines = text.Wrap(m.desk.Message.Text, room)
	most := max(leastMessage, m.desk.Height/4)
	if len(lines) <= most {
		return lines, true
	}
	hint := "  " + m.desk.Actions.Hint("", action.ShowMessage).Key + " shows all"
	lines = lines[:most]
	lines[most-1] = text.Fit(lines[most-1]+" …", room-text.Width(hint)) + hint
	return lines, false
}

// inBottom returns the part of the message in the bottom line: its last line, or nothing if that does not
// fit beside what is typed.
func (m *Model) inBottom() string {
	lines, _ := m.message()
	if len(lines) == 0 {
		return ""
	}
	line := lines[len(lines)-1]
	if m.hex.Typing() && (len(lines) > 1 || text.Width(line)+paint.Columns(m.hex.Mode()) > paint.BottomRoom(m.desk.Width)) {
		return ""
	}
	return line
}

// overflow draws what does not fit the bottom line, of a message or a question, in lines above it.
func (m *Model) overflow() (drawn []string) {
	width := m.desk.Width
	var lines []string
	role := m.desk.Message.Role()
	if top := m.desk.Dialogs.Top(); top != nil && top.Place() == dialog.AtBottom {
		x, insists := top.(dialog.Insistent)
		if !insists {
			return nil
		}
		said, isLong := x.Long()
		if !isLong {
			return nil
		}
		lines, role = text.Wrap(said, width-4), themes.Warning
	} else if lines, _ = m.message(); len(lines) > 0 {
		if m.inBottom() != "" {
			lines = lines[:len(lines)-1]
		}
	}
	border := m.desk.Styles.In(themes.Border, "│")
	for _, line := range lines {
		drawn = append(drawn, border+m.desk.Styles.Line([]paint.Piece{paint.Plain(" "), paint.In(role, line)}, width-2, false)+border)
	}
	return drawn
}

// opensMessage reports whether a key asks for the rest of the message.
func (m *Model) opensMessage(msg tea.KeyMsg) bool {
	_, whole := m.message()
	return !whole && m.keys.Of(msg) == action.ShowMessage && !m.takesText()
}

// showMessage shows the last message on a page.
func (m *Model) showMessage() tea.Cmd {
	last := m.said
	if last.Text == "" {
		return m.desk.Report(errors.New("there was no message yet"))
	}
	page := m.desk.Page(nil)
	page.Lines = func(width int) (lines [][]paint.Piece) {
		for _, line := range text.Wrap(last.Text, width-2) {
			lines = append(lines, []paint.Piece{paint.In(last.Role(), line)})
		}
		return lines
	}
	return m.desk.Open(page)
}

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

// begins are the actions after which a line of text is typed.
var begins = []action.Action{action.Command, action.Palette, action.JumpTo, action.Search, action.Filter}

// answers handles a key while a question is asked, and reports whether one is. A key pressed before the
// question was on the screen is dropped, with everything typed after it. A key that begins a line of text
// withdraws the question and begins the line, so that the text is not taken for keys.
func (m *Model) answers(msg tea.KeyMsg) (cmd tea.Cmd, done bool) {
	q := m.question()
	m.pressed = time.Now()
	switch {
	case q == nil:
		return nil, false
	case slices.Contains(begins, m.keys.Of(msg)) && !q.Takes(msg):
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
