package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"varview/ui/desk"
	"varview/ui/inspect"
)

// arrangeInspector lays out the inspector: in a column of its own in a wide window, otherwise in place of
// the pane without the focus.
func (m *Model) arrangeInspector() {
	d := m.desk
	d.Inspecting = m.inspect.Shown()
	if !d.Inspecting && d.Focus == desk.OnInspector {
		d.SetFocus(d.Under)
	}
	_, _, at := m.places()
	m.inspect.Layout = inspect.Layout{Width: at.width, Height: at.height}
}

// toggleInspector shows or hides the inspector, which is remembered. If only one pane is shown, the
// inspector replaces it.
func (m *Model) toggleInspector() tea.Cmd {
	m.inspect.Toggle()
	m.Arrange()
	if m.desk.Inspecting && m.layout.alone && m.inspect.Columns() == 0 {
		m.desk.SetFocus(desk.OnInspector)
	}
	return m.keepLayout()
}

// drawn returns the lines of the tree and of the bytes, or of the inspector instead of one of them.
func (m *Model) drawn() (tree, hex []string) {
	switch {
	case m.layout.alone && m.isInspectorOver():
		return m.inspect.View(), nil
	case m.layout.alone && m.desk.Under == desk.OnTree:
		return m.tree.View(), nil
	case m.layout.alone:
		return m.hex.View(), nil
	case !m.desk.Inspecting || m.inspect.Columns() > 0:
		return m.tree.View(), m.hex.View()
	case m.desk.Under == desk.OnTree:
		return m.tree.View(), m.inspect.View()
	}
	return m.inspect.View(), m.hex.View()
}

// isInspectorOver reports whether the inspector replaces the only shown pane.
func (m *Model) isInspectorOver() bool {
	return m.desk.Inspecting && m.inspect.Columns() == 0 && m.desk.Focus == desk.OnInspector
}
