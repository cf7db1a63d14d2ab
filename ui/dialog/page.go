package dialog

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"varview/themes"
	"varview/ui/action"
	"varview/ui/paint"
)

// A Page is a text over the panes, such as the help. It scrolls; any other key
// closes it.
type Page struct {
	Context
	KeyMap action.KeyMap
	Lines  [][]paint.Piece
	Then   func() // once it is closed; nil for nothing

	top int // the first line in view
}

// Place implements Dialog.
func (p *Page) Place() Place { return OverPanes }

// Update implements Dialog.
func (p *Page) Update(msg tea.KeyMsg) tea.Cmd {
	a := p.KeyMap.Of(msg)
	if msg.Type == tea.KeySpace {
		a = action.PageDown
	}
	by, moves := a.Rows(p.height(), len(p.Lines))
	if moves {
		p.scroll(by)
		return nil
	}
	p.Close(p)
	if p.Then != nil {
		p.Then()
	}
	return nil
}

// Mouse implements Pointed.
func (p *Page) Mouse(_ tea.MouseMsg, by int) (tea.Cmd, bool) {
	p.scroll(by)
	return nil, true
}

// height is the number of lines in view.
func (p *Page) height() int {
	_, height := p.Window()
	return height - 2
}

func (p *Page) scroll(by int) { p.top = max(0, min(p.top+by, len(p.Lines)-p.height())) }

// View implements Dialog.
func (p *Page) View() []string {
	width, _ := p.Window()
	s := p.Paints()
	border := s.In(themes.Border, "│")
	var lines []string
	for i := range p.height() {
		content := strings.Repeat(" ", width-2)
		if at := p.top + i; at < len(p.Lines) {
			content = s.Line(append([]paint.Piece{paint.Plain("  ")}, p.Lines[at]...), width-2, false)
		}
		lines = append(lines, border+content+border)
	}
	return lines
}

// Hints implements Hinting.
func (p *Page) Hints() []paint.Piece {
	what := "any other key closes this"
	if p.top+p.height() < len(p.Lines) {
		scroll := p.KeyMap.Hint("scroll", action.Down, action.Up)
		what = scroll.Key + " " + scroll.Desc + "  " + what
	}
	return []paint.Piece{paint.In(themes.Dim, what)}
}
