package ui

import (
	"fmt"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"varview/internal/state"
	"varview/ui/action"
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

// borderStep is the number of columns by which a key moves the border between the panes.
const borderStep = 4

// moveBorder moves the border between the tree and the bytes by steps, and waits for more keys of that
// kind.
func (m *Model) moveBorder(steps int) tea.Cmd {
	l := &m.layout
	switch {
	case l.alone:
		return m.desk.Say("there is one pane: " + m.desk.Actions.Hint("", action.Zoom).Key + " shows both")
	case l.stacked:
		m.setBorder(l.treeHeight + steps)
	default:
		m.setBorder(l.treeWidth + borderStep*steps)
	}
	again := m.desk.Await("ctrl+w", "", []key.Help{{Key: "hjkl", Desc: "move the border"}, {Key: "=", Desc: "as usual"}}, func(msg tea.KeyMsg) tea.Cmd {
		switch action.NameOf(msg) {
		case "h", "left", "k", "up":
			return m.moveBorder(-1)
		case "l", "right", "j", "down":
			return m.moveBorder(1)
		case "=":
			return m.resetBorder()
		case "enter":
			return nil
		}
		return m.pressKey(msg)
	})
	return tea.Batch(again, m.keepLayout())
}

// setBorder gives the tree a number of columns, or rows if it is above the bytes.
func (m *Model) setBorder(tree int) {
	m.wish.tree = max(1, tree)
	m.Arrange()
	if m.layout.stacked {
		m.wish.tree = m.layout.treeHeight
	} else {
		m.wish.tree = m.layout.treeWidth
	}
}

// resetBorder moves the border to its default position.
func (m *Model) resetBorder() tea.Cmd {
	m.wish.tree = 0
	m.Arrange()
	return m.keepLayout()
}

// zoom shows the pane with the focus alone, or both again.
func (m *Model) zoom() tea.Cmd {
	m.wish.alone = !m.wish.alone
	m.Arrange()
	if m.layout.alone && !m.wish.alone {
		m.desk.Say(fmt.Sprintf("both panes need %d×%d", bothWidth, bothHeight))
	}
	return m.keepLayout()
}

// windowSize names the size of the window.
func (m *Model) windowSize() string { return fmt.Sprintf("%dx%d", m.desk.Width, m.desk.Height) }

// keepLayout remembers the layout for windows of this size.
func (m *Model) keepLayout() tea.Cmd {
	size, l := m.windowSize(), state.Layout{Used: time.Now(), Tree: m.wish.tree, Alone: m.wish.alone, Inspector: m.inspect.Wish()}
	return m.desk.RememberAlways(func(s *state.Data) { s.SetLayout(size, l) })
}

// recallLayout applies the layout for windows of this size, or that of the configuration.
func (m *Model) recallLayout() {
	m.wish.tree, m.wish.alone = 0, m.alone
	if l := m.desk.State.Data().Layouts[m.windowSize()]; l != nil {
		m.wish.tree, m.wish.alone = max(0, l.Tree), l.Alone
		m.inspect.SetWish(l.Inspector)
	}
}

// dragBorder handles the mouse on the border, and reports whether the event was for it.
func (m *Model) dragBorder(msg tea.MouseMsg) (cmd tea.Cmd, done bool) {
	l := &m.layout
	switch {
	case msg.Action == tea.MouseActionRelease && m.dragging:
		m.dragging = false
		return m.keepLayout(), true
	case msg.Action == tea.MouseActionMotion && m.dragging && l.stacked:
		m.setBorder(msg.Y - 1)
	case msg.Action == tea.MouseActionMotion && m.dragging:
		m.setBorder(msg.X - 1)
	case msg.Action == tea.MouseActionPress && msg.Button == tea.MouseButtonLeft && m.onBorder(msg.X, msg.Y):
		m.dragging = true
	default:
		return nil, m.dragging
	}
	return nil, true
}

// onBorder reports whether a point of the window is between the panes.
func (m *Model) onBorder(x, y int) bool {
	l := &m.layout
	switch {
	case l.alone, m.desk.Dialogs.Top() != nil:
		return false
	case l.stacked:
		return y == 1+l.treeHeight
	}
	return x == 1+l.treeWidth && y >= 1 && y <= l.treeHeight
}
