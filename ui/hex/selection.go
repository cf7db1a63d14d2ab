package hex

import (
	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/span"
	"varview/ui/action"
	"varview/ui/desk"
)

// toggleSelection begins a selection at the cursor, or ends the one there is.
func (p *Pane) toggleSelection() tea.Cmd {
	p.Selection = desk.Selection{Active: !p.Selection.Active && p.Explorer.Buffer.Size() > 0, Anchor: p.Explorer.Offset()}
	return nil
}

// selectAround selects the field under the cursor, then its value, then what is around
// that.
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

// cancel ends the selection, or else stops what is going on.
func (p *Pane) cancel() tea.Cmd {
	if p.Selection.Active {
		p.Selection = desk.Selection{}
		return nil
	}
	return p.Program.Do(action.Cancel)
}

// Drag selects the bytes from where the button of the mouse was pressed to a place of the
// pane.
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
