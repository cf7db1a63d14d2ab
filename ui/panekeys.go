package ui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"varview/model"
)

// pressTree handles a key in the tree.
func (m *Model) pressTree(msg tea.KeyMsg) error {
	v, k, page := m.view, m.keys, m.layout.treeHeight
	switch {
	case key.Matches(msg, k.Down):
		return v.MoveRows(1)
	case key.Matches(msg, k.Up):
		return v.MoveRows(-1)
	case key.Matches(msg, k.HalfDown):
		return v.MoveRows(max(1, page/2))
	case key.Matches(msg, k.HalfUp):
		return v.MoveRows(-max(1, page/2))
	case key.Matches(msg, k.PageDown):
		return v.MoveRows(max(1, page-1))
	case key.Matches(msg, k.PageUp):
		return v.MoveRows(-max(1, page-1))
	case key.Matches(msg, k.First):
		return v.First()
	case key.Matches(msg, k.Last):
		return v.Last()
	case key.Matches(msg, k.Right):
		return v.Unfold()
	case key.Matches(msg, k.Left):
		return v.Fold()
	case key.Matches(msg, k.Toggle), key.Matches(msg, k.Flip):
		v.Toggle()
	case key.Matches(msg, k.FoldAll):
		return v.FoldAll()
	}
	return nil
}

// pressBytes handles a key in the hex pane.
func (m *Model) pressBytes(msg tea.KeyMsg) error {
	v, k := m.view, m.keys
	row := int64(m.layout.perRow)
	page := row * int64(max(1, m.layout.hexHeight-1))
	switch {
	case key.Matches(msg, k.Down):
		return v.MoveBytes(row)
	case key.Matches(msg, k.Up):
		return v.MoveBytes(-row)
	case key.Matches(msg, k.Right):
		return v.MoveBytes(1)
	case key.Matches(msg, k.Left):
		return v.MoveBytes(-1)
	case key.Matches(msg, k.HalfDown):
		return v.MoveBytes(max(row, page/2/row*row))
	case key.Matches(msg, k.HalfUp):
		return v.MoveBytes(-max(row, page/2/row*row))
	case key.Matches(msg, k.PageDown):
		return v.MoveBytes(page)
	case key.Matches(msg, k.PageUp):
		return v.MoveBytes(-page)
	case key.Matches(msg, k.First):
		return v.GoTo(0)
	case key.Matches(msg, k.Last):
		return v.GoTo(v.Buffer.Size() - 1)
	case key.Matches(msg, k.Toggle), key.Matches(msg, k.Flip):
		m.switchPane()
	}
	return nil
}

// pressTreeEdit handles a key that edits what is selected in the tree, or follows
// it.
func (m *Model) pressTreeEdit(msg tea.KeyMsg) (cmd tea.Cmd, done bool) {
	k := m.keys
	switch {
	case key.Matches(msg, k.Toggle):
		return m.enter()
	case key.Matches(msg, k.Flip):
		return m.flip()
	case key.Matches(msg, k.Rename):
		cmd = m.editKey()
	case key.Matches(msg, k.Before):
		cmd = m.insert(m.gapHere(true))
	case key.Matches(msg, k.After):
		cmd = m.insert(m.gapHere(false))
	case key.Matches(msg, k.Inside):
		cmd = m.insert(m.gapInside())
	case key.Matches(msg, k.Delete):
		cmd = m.remove()
	case key.Matches(msg, k.Duplicate):
		cmd = m.duplicate()
	case key.Matches(msg, k.MoveDown):
		cmd = m.move(1)
	case key.Matches(msg, k.MoveUp):
		cmd = m.move(-1)
	case key.Matches(msg, k.Copy):
		_, cmd = m.copyValue()
	case key.Matches(msg, k.Cut):
		cmd = m.cutValue()
	case key.Matches(msg, k.Paste):
		cmd = m.paste(m.gapHere(false))
	case key.Matches(msg, k.PasteBefore):
		cmd = m.paste(m.gapHere(true))
	default:
		return nil, false
	}
	return cmd, true
}

// enter follows a reference, or edits a value without children. For any other value
// done is false, and the key folds it.
func (m *Model) enter() (cmd tea.Cmd, done bool) {
	if ok, err := m.view.Follow(); ok {
		m.report(err)
		return nil, true
	}
	if n := m.view.Subject(); n == nil || n.Depth == 0 || model.CanOpen(n) {
		return nil, false
	}
	return m.editValue(), true
}

// pressBytesEdit handles a key that edits bytes.
func (m *Model) pressBytesEdit(msg tea.KeyMsg) (cmd tea.Cmd, done bool) {
	k := m.keys
	switch {
	case key.Matches(msg, k.InsertBytes):
		m.startTyping(true, 0)
	case key.Matches(msg, k.AppendBytes):
		m.startTyping(true, 1)
	case key.Matches(msg, k.Overwrite):
		m.startTyping(false, 0)
	case key.Matches(msg, k.DeleteByte):
		cmd = m.deleteByte()
	default:
		return nil, false
	}
	return cmd, true
}
