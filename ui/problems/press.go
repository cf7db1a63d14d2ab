package problems

import (
	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/engine/span"
	"varview/ui/action"
)

// showCause shows another possible cause of the selected problem.
func (p *Pane) showCause(by int) tea.Cmd {
	f, ok := p.Selected()
	switch {
	case !ok:
	case len(f.Alternatives) == 0:
		p.Say("no other cause with an equally small change")
	default:
		n := len(f.Alternatives) + 1
		p.cause = (p.cause + by + n) % n
	}
	return p.showSelected()
}

// Update handles a key.
func (p *Pane) Update(msg tea.KeyMsg) tea.Cmd {
	if msg.Type == tea.KeyEsc && p.Task.Runs() {
		return p.Program.Do(action.Cancel)
	}
	return p.Do(p.KeyMap.Of(msg))
}

// Do does an action in the list.
func (p *Pane) Do(a action.Action) tea.Cmd {
	if by, moves := a.Rows(p.Layout.List, len(p.shown)); moves {
		p.move(by)
		return p.showSelected()
	}
	switch a {
	case action.Repair:
		return p.repair()
	case action.RepairAll:
		return p.repairAll()
	case action.GoThere:
		p.goThere()
	case action.CloseList:
		p.leave(false)
	case action.NextCause:
		return p.showCause(1)
	case action.PreviousCause:
		return p.showCause(-1)
	case action.ShowErrors:
		return p.toggle(span.Error)
	case action.ShowWarnings:
		return p.toggle(span.Warning)
	case action.ShowNotes:
		return p.toggle(span.Note)
	default:
		return p.Program.Do(a)
	}
	return nil
}

// goThere closes the list and goes to the selected problem.
func (p *Pane) goThere() {
	if f, ok := p.Selected(); ok {
		p.leave(true)
		p.goTo(f)
	}
}

// showSelected shows the selected problem in the panes, if they are in view, and starts to work out its
// repair.
func (p *Pane) showSelected() tea.Cmd {
	if f, ok := p.Selected(); ok {
		chosen := *f
		p.anchor = &chosen
	}
	if b, f, ok := p.shownCause(); ok && p.Layout.Docked {
		p.ShowBuffer(b)
		p.Report(p.Explorer.GoTo(f.Offset))
	}
	return p.startPreview()
}

// Mouse handles clicks and the wheel over the list. A click on the selected problem goes there.
func (p *Pane) Mouse(msg tea.MouseMsg, by int) (cmd tea.Cmd, done bool) {
	if p.Layout.Docked && by != 0 && msg.Y < p.Height-1-p.Layout.Rows {
		return nil, false
	}
	row, ok := p.Layout.inList(msg.X, msg.Y, p.Height)
	switch {
	case !ok:
	case by != 0:
		p.scroll(by)
	case msg.Button == tea.MouseButtonLeft && p.First+row < len(p.shown):
		if p.at == p.First+row {
			p.goThere()
			return nil, true
		}
		p.move(p.First + row - p.at)
		return p.showSelected(), true
	}
	return nil, true
}
