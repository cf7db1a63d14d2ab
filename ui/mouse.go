package ui

import tea "github.com/charmbracelet/bubbletea"

const wheelRows = 3

// mouse handles clicks and the wheel.
func (m *Model) mouse(msg tea.MouseMsg) tea.Cmd {
	if m.prompt != nil || m.editor != nil || m.question != nil || m.changes != nil || msg.Action != tea.MouseActionPress {
		return nil
	}
	by := 0
	switch msg.Button {
	case tea.MouseButtonWheelUp:
		by = -wheelRows
	case tea.MouseButtonWheelDown:
		by = wheelRows
	}
	if m.help != nil {
		m.help.scroll(by, &m.layout)
		return nil
	}
	if p := m.problems; p != nil && (!p.layout.docked || by == 0 || msg.Y >= m.layout.height-1-p.layout.rows) {
		return m.mouseProblems(msg, by)
	}
	m.mousePanes(msg, by)
	return nil
}

// mousePanes handles clicks and the wheel over the panes.
func (m *Model) mousePanes(msg tea.MouseMsg, by int) {
	if row, ok := m.layout.inLayers(msg.X, msg.Y); ok {
		if msg.Button == tea.MouseButtonLeft && m.typing == nil {
			m.clickLayer(row, msg.X)
		}
		return
	}
	if row, ok := m.layout.inTree(msg.X, msg.Y); ok {
		if by != 0 {
			m.view.Scroll(by)
		} else if msg.Button == tea.MouseButtonLeft && m.typing == nil {
			m.clickTree(row, msg.X)
		}
		return
	}
	if row, column, ok := m.layout.inHex(msg.X, msg.Y); ok {
		if by != 0 {
			m.hex.scroll(by, &m.layout, m.view.Buffer.Size())
		} else if msg.Button == tea.MouseButtonLeft {
			if off, ok := m.hex.byteAt(row, column, &m.layout); ok {
				m.focus = onBytes
				m.goToByte(off)
				if m.typing != nil {
					m.typing.half = ""
					m.typing.at = m.view.Offset()
				}
			}
		}
	}
}

// clickTree selects a row; a click on its fold mark, or on the row that is
// selected already, folds or unfolds it.
func (m *Model) clickTree(row, x int) {
	rows, _ := m.view.Rows(0)
	if row >= len(rows) {
		return
	}
	m.setFocus(onTree)
	mark := 1 + 2 + 2*rows[row].Indent
	again := rows[row].Selected
	m.report(m.view.SelectRow(row))
	if again || x == mark || x == mark+1 {
		m.view.Toggle()
	}
	m.hex.follow(m.view.Offset(), &m.layout)
}
