package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"varview/ui/dialog"
)

const wheelRows = 3

// mouse handles clicks and the wheel: first the dialog on top, then the panes.
func (m *Model) mouse(msg tea.MouseMsg) tea.Cmd {
	if cmd, done := m.dragBorder(msg); done {
		return cmd
	}
	if msg.Action == tea.MouseActionMotion && msg.Button == tea.MouseButtonLeft && m.taker() == nil {
		tree, hex, _ := m.places()
		if row, column, ok := hex.at(msg.X, msg.Y); ok {
			m.hex.Drag(row, column)
		} else if row, _, ok := tree.at(msg.X, msg.Y); ok {
			m.tree.Drag(row)
		}
	}
	if x, ok := m.taker().(dialog.Dragged); ok && msg.Action == tea.MouseActionMotion && msg.Button == tea.MouseButtonLeft {
		x.Drag(msg.X, msg.Y)
	}
	if msg.Action != tea.MouseActionPress {
		return nil
	}
	by := 0
	switch msg.Button {
	case tea.MouseButtonWheelUp:
		by = -wheelRows
	case tea.MouseButtonWheelDown:
		by = wheelRows
	}
	if q := m.question(); q != nil && by == 0 {
		q.Withdraw()
	}
	top := m.taker()
	if below := top == nil || top.Place() != dialog.AtBottom; below && msg.Y == m.desk.Height-1 && msg.Button == tea.MouseButtonLeft {
		return m.clickBottom(msg.X)
	}
	if p := m.records.Pane(); p != nil && top == nil && !m.hex.Typing() { // it has left the keys to the panes
		top = p
	}
	if top != nil {
		pointed, ok := top.(dialog.Pointed)
		if !ok {
			return nil
		}
		if cmd, done := pointed.Mouse(msg, by); done {
			return cmd
		}
	}
	return m.mousePanes(msg, by)
}

// mousePanes handles clicks and the wheel over the panes.
func (m *Model) mousePanes(msg tea.MouseMsg, by int) (cmd tea.Cmd) {
	clicked := msg.Button == tea.MouseButtonLeft
	tree, hex, inspector := m.places()
	if row, column, ok := inspector.at(msg.X, msg.Y); ok {
		m.inspect.Mouse(row, column, by, clicked)
	} else if row, column, ok := tree.at(msg.X, msg.Y); ok && !(clicked && m.hex.Typing()) {
		cmd = m.tree.Mouse(row, column+1, by, clicked)
	} else if row, column, ok := hex.at(msg.X, msg.Y); ok {
		m.hex.Mouse(row, column, by, clicked)
	}
	if by == 0 {
		m.hex.Follow(true)
	}
	return cmd
}
