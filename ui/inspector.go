package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"varview/ui/desk"
	"varview/ui/inspect"
)

// arrangeInspector gives the inspector its place: a column of its own in a wide window,
// otherwise that of the pane without the focus.
func (m *Model) arrangeInspector() {
	d := m.desk
	d.Inspecting = m.inspect.Shown()
	if !d.Inspecting && d.Focus == desk.OnInspector {
		d.SetFocus(d.Under)
	}
	_, _, at := m.places()
	m.inspect.Layout = inspect.Layout{Width: at.width, Height: at.height}
}

// toggleInspector shows or hides the inspector, which is remembered. Where one pane is shown
// alone the inspector is that one.
func (m *Model) toggleInspector() tea.Cmd {
	m.inspect.Toggle()
	m.Arrange()
	if m.desk.Inspecting && m.layout.alone && m.inspect.Columns() == 0 {
		m.desk.SetFocus(desk.OnInspector)
	}
	return m.keepLayout()
}

// drawn are the lines of the tree and of the bytes, or of the inspector in the place of
// one of them.
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

// isInspectorOver reports whether the inspector is in the place of the only pane that is shown.
func (m *Model) isInspectorOver() bool {
	return m.desk.Inspecting && m.inspect.Columns() == 0 && m.desk.Focus == desk.OnInspector
}
