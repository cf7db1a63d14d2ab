package hex

import (
	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/engine/span"
	"varview/ui/action"
	"varview/ui/desk"
)

// toggleSelection begins a selection at the cursor, or ends it.
func (p *Pane) toggleSelection() tea.Cmd {
	p.Selection = desk.Selection{Active: !p.Selection.Active && p.Explorer.Buffer.Size() > 0, Anchor: p.Explorer.Offset()}
	return nil
}

// selectAround selects the field under the cursor, then its value, and then the values around that.
func (p *Pane) selectAround() tea.Cmd {
	s := span.Span{Offset: p.Explorer.Offset()}
	if p.Selection.Active {
		s = p.Chosen()
	}
	if s = p.Explorer.Wider(s); s.Length > 0 {
		p.Selection = desk.Selection{Active: true, Anchor: s.Offset}
		p.GoToByte(s.End() - 1)
	}
	return nil
}

// cancel ends the selection, or else stops work in progress.
func (p *Pane) cancel() tea.Cmd {
	if p.Selection.Active {
		p.Selection = desk.Selection{}
		return nil
	}
	return p.Program.Do(action.Cancel)
}

// Drag selects the bytes from where the mouse button was pressed to a place in the pane.
func (p *Pane) Drag(row, column int) {
	off, ok := p.byteAt(row, column)
	if !ok || p.typing != nil || p.Focus != desk.OnBytes {
		return
	}
	if !p.Selection.Active && off != p.Explorer.Offset() {
		p.Selection = desk.Selection{Active: true, Anchor: p.Explorer.Offset()}
	}
	p.GoToByte(off)
}
