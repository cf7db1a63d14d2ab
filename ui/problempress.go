package ui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/span"
)

// showCause shows another possible cause of the selected problem.
func (m *Model) showCause(by int) {
	p := m.problems
	f, ok := p.selected()
	switch {
	case !ok:
	case len(f.Alternatives) == 0:
		m.say("no other cause with an equally small change")
	default:
		n := len(f.Alternatives) + 1
		p.cause = (p.cause + by + n) % n
	}
}

// pressProblems handles a key in the list of problems.
func (m *Model) pressProblems(msg tea.KeyMsg) tea.Cmd {
	p, own, k, page := m.problems, m.problems.keys, m.keys, m.problems.layout.list
	switch {
	case key.Matches(msg, own.Repair):
		return m.repair()
	case key.Matches(msg, own.RepairAll):
		return m.repairAll()
	case key.Matches(msg, own.GoTo):
		return m.leaveForProblem()
	case key.Matches(msg, own.Close):
		if msg.Type == tea.KeyEsc && m.task.name != "" {
			m.cancel()
			return nil
		}
		m.closeProblems(false)
		return nil
	case key.Matches(msg, own.NextCause):
		m.showCause(1)
	case key.Matches(msg, own.PreviousCause):
		m.showCause(-1)
	case key.Matches(msg, own.Errors):
		p.toggle(span.Error)
	case key.Matches(msg, own.Warnings):
		p.toggle(span.Warning)
	case key.Matches(msg, own.Notes):
		p.toggle(span.Note)
	case key.Matches(msg, k.Undo), key.Matches(msg, k.Redo), key.Matches(msg, k.Save), key.Matches(msg, k.Help):
		cmd, _ := m.pressGlobal(msg)
		return cmd
	default:
		by, ok := p.step(msg, k, page)
		if !ok {
			return nil
		}
		p.move(by)
	}
	return m.showProblem()
}

// step returns the number of rows that a key moves in the list.
func (p *problemsPane) step(msg tea.KeyMsg, k keyMap, page int) (by int, ok bool) {
	switch {
	case key.Matches(msg, k.Down):
		return 1, true
	case key.Matches(msg, k.Up):
		return -1, true
	case key.Matches(msg, k.HalfDown):
		return max(1, page/2), true
	case key.Matches(msg, k.HalfUp):
		return -max(1, page/2), true
	case key.Matches(msg, k.PageDown):
		return max(1, page-1), true
	case key.Matches(msg, k.PageUp):
		return -max(1, page-1), true
	case key.Matches(msg, k.First):
		return -len(p.shown), true
	case key.Matches(msg, k.Last):
		return len(p.shown), true
	}
	return 0, false
}

// leaveForProblem closes the list and goes to the selected problem.
func (m *Model) leaveForProblem() tea.Cmd {
	f, ok := m.problems.selected()
	if !ok {
		return nil
	}
	m.closeProblems(true)
	m.goToProblem(f)
	return nil
}

// showProblem shows the selected problem in the panes, where they are in view, and
// starts to work out its repair.
func (m *Model) showProblem() tea.Cmd {
	p := m.problems
	if f, ok := p.selected(); ok {
		chosen := *f
		p.anchor = &chosen
	}
	if b, f, ok := p.shownCause(); ok && p.layout.docked {
		m.showBuffer(b)
		m.report(m.view.GoTo(f.Offset))
		m.hex.follow(m.view.Offset(), &m.layout)
	}
	return m.startPreview()
}

// mouseProblems handles clicks and the wheel over the list. A click on the selected
// problem goes there.
func (m *Model) mouseProblems(msg tea.MouseMsg, by int) tea.Cmd {
	p := m.problems
	row, ok := p.layout.inList(msg.X, msg.Y, m.layout.height)
	switch {
	case !ok:
	case by != 0:
		p.scroll(by)
	case msg.Button == tea.MouseButtonLeft && p.top+row < len(p.shown):
		if p.at == p.top+row {
			return m.leaveForProblem()
		}
		p.move(p.top + row - p.at)
		return m.showProblem()
	}
	return nil
}
