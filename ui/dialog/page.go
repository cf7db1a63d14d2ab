package dialog

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"varview/internal/text"
	"varview/themes"
	"varview/ui/action"
	"varview/ui/paint"
)

// A Page is a text over the panes, such as the help. It scrolls, and can be searched.
type Page struct {
	Context
	KeyMap action.KeyMap
	Lines  func(width int) [][]paint.Piece
	Then   func() // called after it is closed; may be nil

	top    int    // index of the first line in view
	typing bool   // the search text is being typed
	sought string // in lower case
}

// Place implements Dialog.
func (p *Page) Place() Place { return OverPanes }

// Update implements Dialog.
func (p *Page) Update(msg tea.KeyMsg) tea.Cmd {
	if p.typing {
		p.typeKey(msg)
		return nil
	}
	a := p.KeyMap.Of(msg)
	if msg.Type == tea.KeySpace {
		a = action.PageDown
	}
	by, moves := a.Rows(p.height(), len(p.lines()))
	switch {
	case moves:
		p.scroll(by)
	case a == action.Search:
		p.typing, p.sought = true, ""
	case a == action.NextHit:
		p.find(1)
	case a == action.PreviousHit:
		p.find(-1)
	case a == action.CloseList, a == action.Help, msg.Type == tea.KeyEnter:
		p.Close(p)
		if p.Then != nil {
			p.Then()
		}
	}
	return nil
}

// typeKey handles a key while the search text is typed.
func (p *Page) typeKey(msg tea.KeyMsg) {
	switch msg.Type {
	case tea.KeyEnter:
		p.typing = false
	case tea.KeyEsc:
		p.typing, p.sought = false, ""
	case tea.KeyBackspace:
		if p.sought == "" {
			p.typing = false
			return
		}
		runes := []rune(p.sought)
		p.sought = string(runes[:len(runes)-1])
		p.find(0)
	case tea.KeyRunes, tea.KeySpace:
		p.sought += strings.ToLower(text.Clean(string(msg.Runes)))
		p.find(0)
	}
}

// find scrolls to the next line that contains the search text, after the first line in view, or before it
// if by is -1; if by is 0, that line counts too. After the last line comes the first.
func (p *Page) find(by int) {
	lines := p.lines()
	if p.sought == "" {
		return
	}
	at, step := p.top+by, by
	if step == 0 {
		step = 1
	}
	for range lines {
		at = (at + len(lines)) % len(lines)
		if strings.Contains(strings.ToLower(plain(lines[at])), p.sought) {
			p.top = at
			return
		}
		at += step
	}
}

func plain(line []paint.Piece) string {
	var b strings.Builder
	for _, piece := range line {
		b.WriteString(piece.Text)
	}
	return b.String()
}

// Mouse implements Pointed.
func (p *Page) Mouse(_ tea.MouseMsg, by int) (tea.Cmd, bool) {
	p.scroll(by)
	return nil, true
}

// lines returns the lines of the page in this window.
func (p *Page) lines() [][]paint.Piece {
	width, _ := p.Window()
	return p.Lines(width - 4)
}

// height returns the number of lines in view.
func (p *Page) height() int {
	_, height := p.Window()
	return height - 2
}

func (p *Page) scroll(by int) { p.top = max(0, min(p.top+by, len(p.lines())-p.height())) }

// View implements Dialog.
func (p *Page) View() []string {
	out, all := NewLines(p), p.lines()
	for at := p.top; at < min(len(all), p.top+p.height()); at++ {
		out.Put(false, append([]paint.Piece{paint.Plain("  ")}, p.marked(all[at])...)...)
	}
	out.Fill(p.height())
	return out.All
}

// marked returns a line with the search text marked.
func (p *Page) marked(line []paint.Piece) []paint.Piece {
	if p.sought == "" {
		return line
	}
	var pieces []paint.Piece
	for _, piece := range line {
		rest := piece.Text
		for {
			lower := strings.ToLower(rest)
			i := strings.Index(lower, p.sought)
			if i < 0 || len(lower) != len(rest) {
				break
			}
			end := i + len(p.sought)
			pieces = append(pieces, paint.In(piece.Role, rest[:i]), paint.In(themes.Match, rest[i:end]))
			rest = rest[end:]
		}
		pieces = append(pieces, paint.In(piece.Role, rest))
	}
	return pieces
}

// Hints implements Hinting.
func (p *Page) Hints() []paint.Piece {
	if p.typing {
		return []paint.Piece{paint.In(themes.Accent, "/"), paint.Plain(p.sought), paint.In(themes.Cursor, " ")}
	}
	keys := p.KeyMap.Hints(action.CloseList, action.Search)
	if p.top+p.height() < len(p.lines()) {
		keys = append(keys, p.KeyMap.Hint("scroll", action.Down, action.Up))
	}
	if p.sought != "" {
		keys = append(keys, p.KeyMap.Hint("next", action.NextHit, action.PreviousHit))
	}
	return paint.Keys(keys)
}
