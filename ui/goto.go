package ui

import (
	"fmt"

	"varview/decoder/tree"
)

// goBack returns from the last jump along a reference.
func (m *Model) goBack() {
	ok, err := m.view.Back()
	m.report(err)
	if !ok {
		m.say("no reference was followed")
	}
	m.setFocus(m.focus)
	m.hex.follow(m.view.Offset(), &m.layout)
}

// nextReferrer goes to the next reference to what is selected.
func (m *Model) nextReferrer() {
	if m.focus == onBytes {
		m.setFocus(onTree)
	}
	i, all, err := m.view.NextReferrer()
	_, indexed := m.doc.Indexed()
	switch {
	case err != nil:
		m.report(err)
	case all == 0 && indexed:
		m.say("nothing refers to this")
	case all == 0:
		m.say("nothing refers to this so far; the file is still being read")
	case all == 1:
		m.say("the only reference; ctrl+o goes back")
	default:
		m.say(fmt.Sprintf("reference %d of %d; * goes to the next, ctrl+o back", i, all))
	}
	m.hex.follow(m.view.Offset(), &m.layout)
}

func (m *Model) switchPane() {
	if m.focus == onTree {
		m.setFocus(onBytes)
	} else {
		m.setFocus(onTree)
	}
}

// setFocus moves the focus to a pane; the cursor then moves by its rows or bytes.
func (m *Model) setFocus(f focus) {
	m.focus = f
	if f == onTree {
		m.view.ToRows()
	} else {
		m.view.ToBytes()
	}
}

// goToByte puts the cursor on a byte without moving the focus.
func (m *Model) goToByte(off int64) {
	m.report(m.view.GoTo(off))
	m.setFocus(m.focus)
	m.hex.follow(m.view.Offset(), &m.layout)
}

// goToNamed selects a value that was found by its name. One without bytes can only
// be selected in the tree.
func (m *Model) goToNamed(n *tree.Node) {
	m.report(m.view.GoToValue(n))
	if n.Start == n.End {
		m.focus = onTree
	}
	m.setFocus(m.focus)
	m.hex.follow(m.view.Offset(), &m.layout)
}
