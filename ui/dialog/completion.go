package dialog

import (
	"context"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"varview/internal/text"
	"varview/model"
	"varview/themes"
	"varview/ui/paint"
)

// A Candidate is something that could be typed instead of the last words.
type Candidate struct {
	Text string
	Args string // what follows it, for a command
	Help string
}

// A Completion is all candidates for what follows an offset.
type Completion struct {
	From int
	All  []Candidate
}

// An Offer returns what could be typed. It runs in the background.
type Offer func(context.Context) Completion

// complete looks for what could be typed, and then calls then.
func (p *Prompt) complete(then func()) tea.Cmd {
	p.offered, p.chosen = Completion{}, -1
	if p.Complete == nil {
		return nil
	}
	typed := p.typedHere()
	offer := p.Complete(typed)
	if offer == nil {
		p.completing.Stop()
		return nil
	}
	return p.Start(&p.completing, "completing", func(ctx context.Context, _ *model.Progress) func() tea.Cmd {
		offered := offer(ctx)
		return func() tea.Cmd {
			if all := offered.All; p.Take != nil || len(all) != 1 || typed[offered.From:] != all[0].Text {
				p.offered = offered
			}
			if p.Take != nil {
				p.chosen = 0
			}
			then()
			return nil
		}
	})
}

// typedHere returns the typed text up to the cursor.
func (p *Prompt) typedHere() string {
	return string([]rune(p.Input.Value())[:p.Input.Position()])
}

// choose puts the next candidate into the line, or the one before.
func (p *Prompt) choose(by int) tea.Cmd {
	if len(p.offered.All) == 0 {
		return p.complete(func() {
			if len(p.offered.All) == 1 {
				p.put(0)
			}
		})
	}
	n := len(p.offered.All)
	at := p.chosen + by
	if p.chosen < 0 && by < 0 {
		at = n - 1
	}
	p.put((at + n) % n)
	if n == 1 {
		return p.complete(func() {})
	}
	return nil
}

// put puts a candidate into the line.
func (p *Prompt) put(i int) {
	typed := p.typedHere()
	rest := p.Input.Value()[len(typed):]
	before := typed[:min(p.offered.From, len(typed))] + p.offered.All[i].Text
	p.Input.SetValue(before + rest)
	p.Input.SetCursor(len([]rune(before)))
	p.chosen, p.recalled = i, 0
}

// pick handles a key while a candidate is being chosen. done is false for keys that are typed.
func (p *Prompt) pick(msg tea.KeyMsg) (cmd tea.Cmd, done bool) {
	by, n := 0, len(p.offered.All)
	switch msg.Type {
	case tea.KeyUp, tea.KeyShiftTab, tea.KeyCtrlP:
		by = -1
	case tea.KeyDown, tea.KeyTab, tea.KeyCtrlN:
		by = 1
	case tea.KeyEnter:
		if n == 0 {
			return nil, true
		}
		p.Close(p)
		return p.Take(p.offered.All[p.chosen]), true
	default:
		return nil, false
	}
	if n > 0 {
		p.chosen = (p.chosen + by + n) % n
	}
	return nil, true
}

// The largest number of candidates in view, and the same where one of them has to be chosen.
const (
	maxOffered  = 8
	maxPickable = 16
)

// Popup draws the candidates above the bottom line.
func (p *Prompt) Popup() []string {
	width, height := p.Window()
	most := maxOffered
	if p.Take != nil {
		most = maxPickable
	}
	n := min(len(p.offered.All), most, max(1, (height-4)*2/3))
	border := p.Paints().In(themes.Border, "│")
	if n == 0 && p.Hints != nil {
		hints := append([]paint.Piece{paint.Plain("  ")}, paint.Keys(paint.FittingKeys(slices.Clone(p.Hints), width-4))...)
		return []string{border + p.Paints().Line(hints, width-2, false) + border}
	}
	if n == 0 && p.Take != nil && !p.completing.Runs() && p.Input.Value() != "" {
		return []string{border + p.Paints().Line([]paint.Piece{paint.In(themes.Dim, "  nothing has this name")}, width-2, false) + border}
	}
	if n == 0 {
		return nil
	}
	top := max(0, p.chosen-n+1)
	shown := p.offered.All[top : top+n]
	column, after := 0, 0
	for _, c := range shown {
		column = max(column, text.Width(text.Clean(c.Text)))
		after = max(after, text.Width(c.Args))
	}
	column = min(column, width/2)
	after = min(after, max(0, width/2-column))
	s := p.Paints()
	lines := []string{s.In(themes.Border, "├"+strings.Repeat("─", width-2)+"┤")}
	for i, c := range shown {
		mark := "  "
		if top+i == p.chosen {
			mark = "› "
		}
		name := text.Fit(text.CutLeft(text.Clean(c.Text), column), column)
		pieces := []paint.Piece{paint.In(themes.Accent, mark), paint.In(themes.Key, name)}
		if after > 0 {
			pieces = append(pieces, paint.Plain("  "), paint.In(themes.Accent, text.Fit(c.Args, after)))
		}
		pieces = append(pieces, paint.In(themes.Dim, "  "+text.Head(c.Help, width)))
		lines = append(lines, border+s.Line(pieces, width-2, top+i == p.chosen)+border)
	}
	return lines
}
