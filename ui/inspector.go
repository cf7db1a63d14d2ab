package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"varview/ui/desk"
	"varview/ui/inspect"
)

// arrangeInspector gives the inspector its place: a column of its own in a wide window,
// otherwise that of the pane without the focus.
func (m *Model) arrangeInspector() {
	d, l := m.desk, &m.layout
	d.Inspecting = m.inspect.Shown()
	if !d.Inspecting && d.Focus == desk.OnInspector {
		d.SetFocus(d.Under)
	}
	switch columns := m.inspect.Columns(); {
	case l.alone && columns == 0:
		m.inspect.Layout = inspect.Layout{Width: l.treeWidth, Height: l.treeHeight}
	case columns > 0 && l.stacked:
		m.inspect.Layout = inspect.Layout{Width: columns - 1, Height: l.treeHeight + 1 + l.hex.Height}
	case columns > 0:
		m.inspect.Layout = inspect.Layout{Width: columns - 1, Height: l.treeHeight}
	case d.Under == desk.OnTree:
		m.inspect.Layout = inspect.Layout{Width: l.hex.Width, Height: l.hex.Height}
	default:
		m.inspect.Layout = inspect.Layout{Width: l.treeWidth, Height: l.treeHeight}
	}
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

// inInspector returns the place in the inspector that contains a point of the window.
func (m *Model) inInspector(x, y int) (row, column int, ok bool) {
	if !m.desk.Inspecting {
		return 0, 0, false
	}
	l := &m.layout
	if columns := m.inspect.Columns(); columns > 0 {
		row, column = y-1, x-(m.desk.Width-columns)
		return row, column, row >= 0 && row < m.inspect.Layout.Height && column >= 0 && column < columns-1
	}
	switch {
	case l.alone && !m.isInspectorOver():
		return 0, 0, false
	case l.alone:
		return y - 1, x - 1, y >= 1 && y <= l.treeHeight && x >= 1 && x <= l.treeWidth
	case m.desk.Under == desk.OnTree:
		return m.inHex(x, y)
	}
	row, column, ok = m.inTree(x, y)
	return row, column - 1, ok
}
