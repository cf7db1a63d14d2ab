package ui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/span"
)

// press handles keys that arrived together. Characters typed ahead are one key
// each; pasted ones go to the text that is being typed.
func (m *Model) press(msg tea.KeyMsg) tea.Cmd {
	if msg.Type != tea.KeyRunes || len(msg.Runes) == 1 || m.takesText() && m.question == nil {
		return m.pressKey(msg)
	}
	if msg.Paste {
		return nil
	}
	var cmds []tea.Cmd
	for _, r := range msg.Runes {
		cmds = append(cmds, m.pressKey(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}, Alt: msg.Alt}))
	}
	return tea.Batch(cmds...)
}

// takesText reports whether keys are typed as text.
func (m *Model) takesText() bool { return m.prompt != nil || m.editor != nil || m.typing != nil }

// pressKey handles a key: first what is open over the panes, then the panes.
func (m *Model) pressKey(msg tea.KeyMsg) tea.Cmd {
	m.message = message{}
	switch {
	case msg.Type == tea.KeyCtrlC:
		return m.leave()
	case key.Matches(msg, m.keys.Suspend):
		return tea.Suspend
	case m.question != nil:
		return m.pressQuestion(msg)
	case m.prompt != nil:
		return m.pressPrompt(msg)
	case m.editor != nil:
		return m.pressEditor(msg)
	case m.help != nil:
		if h := m.help; h.press(msg, m.keys, &m.layout) {
			if m.help = nil; h.then != nil {
				h.then(m)
			}
		}
		return nil
	case m.changes != nil:
		return m.pressChanges(msg)
	case m.problems != nil:
		return m.pressProblems(msg)
	case m.typing != nil:
		return m.pressTyping(msg)
	}
	if cmd, done := m.pressGlobal(msg); done {
		return cmd
	}
	cmd := m.pressPane(msg)
	m.hex.follow(m.view.Offset(), &m.layout)
	return cmd
}

// pressPane handles the keys of the pane with the focus.
func (m *Model) pressPane(msg tea.KeyMsg) tea.Cmd {
	if m.focus == onTree {
		if cmd, done := m.pressTreeEdit(msg); done {
			return cmd
		}
		m.report(m.pressTree(msg))
		return nil
	}
	if cmd, done := m.pressBytesEdit(msg); done {
		return cmd
	}
	m.report(m.pressBytes(msg))
	return nil
}

// pressGlobal handles the keys that mean the same in both panes.
func (m *Model) pressGlobal(msg tea.KeyMsg) (cmd tea.Cmd, done bool) {
	switch {
	case key.Matches(msg, m.keys.Quit):
		return m.leave(), true
	case key.Matches(msg, m.keys.Help):
		m.help = newHelp(m.keys, &m.styles)
	case key.Matches(msg, m.keys.Search):
		return m.ask(searchPrompt()), true
	case key.Matches(msg, m.keys.Command):
		return m.ask(m.commandPrompt()), true
	case key.Matches(msg, m.keys.Next):
		return m.search(false), true
	case key.Matches(msg, m.keys.Previous):
		return m.search(true), true
	case key.Matches(msg, m.keys.Cancel):
		m.cancel()
	case key.Matches(msg, m.keys.Outer):
		m.stepBuffer(-1)
	case key.Matches(msg, m.keys.Inner):
		m.stepBuffer(1)
	case key.Matches(msg, m.keys.Back):
		m.goBack()
	case key.Matches(msg, m.keys.Referrer):
		m.nextReferrer()
	case key.Matches(msg, m.keys.Switch):
		m.switchPane()
	case key.Matches(msg, m.keys.Reload):
		return m.askReload(), true
	case key.Matches(msg, m.keys.Problems):
		return m.listProblems(), true
	case key.Matches(msg, m.keys.Problem):
		m.stepProblem(1)
	case key.Matches(msg, m.keys.Earlier):
		m.stepProblem(-1)
	case key.Matches(msg, m.keys.Change):
		m.nextChange()
	case key.Matches(msg, m.keys.Edit):
		return m.editValue(), true
	case key.Matches(msg, m.keys.Undo):
		return m.undo(), true
	case key.Matches(msg, m.keys.Redo):
		return m.redo(), true
	case key.Matches(msg, m.keys.Save):
		return m.write("", false, false), true
	default:
		return nil, false
	}
	return nil, true
}

// cancel stops work in progress: an edit or a save first, then a search, then
// opening.
func (m *Model) cancel() {
	m.hit = span.Span{}
	switch {
	case m.task.name != "":
		m.task.interrupt()
	case m.jobs.name != "":
		m.jobs.stop()
	case m.opening.name != "":
		m.opening.stop()
		if m.doc.IsDeferred() {
			m.say("stopped; :unpack starts it again")
		}
	}
}
