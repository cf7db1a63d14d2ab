package draw

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"varview/internal/text"
	"varview/model/inspect"
	"varview/themes"
	"varview/ui/action"
	"varview/ui/dialog"
	"varview/ui/paint"
)

// Sliders change a colour beside its swatch.
type Sliders struct {
	dialog.Context
	Path  string
	Color [4]float64 // red, green, blue, alpha
	Set   func([4]float64) tea.Cmd

	at int
}

// Place implements dialog.Dialog.
func (s *Sliders) Place() dialog.Place { return dialog.BelowPanes }

// Taken implements dialog.Low.
func (s *Sliders) Taken() int { return len(inspect.Levels) + 1 }

// Mouse implements dialog.Pointed.
func (s *Sliders) Mouse(tea.MouseMsg, int) (tea.Cmd, bool) { return nil, true }

// Update implements dialog.Dialog.
func (s *Sliders) Update(msg tea.KeyMsg) tea.Cmd {
	by := map[string]float64{"left": -1, "h": -1, "right": 1, "l": 1, "shift+left": -10, "H": -10, "shift+right": 10, "L": 10}[action.NameOf(msg)]
	switch action.NameOf(msg) {
	case "down", "j":
		s.at = min(s.at+1, len(inspect.Levels)-1)
	case "up", "k":
		s.at = max(s.at-1, 0)
	case "enter", "ctrl+s":
		s.Close(s)
		return s.Set(s.Color)
	case "esc", "q":
		s.Close(s)
	}
	if by != 0 {
		s.Color = inspect.WithLevel(s.Color, s.at, inspect.Level(s.Color, s.at)+by/inspect.Levels[s.at].Most)
	}
	return nil
}

// Hints implements dialog.Hinting.
func (s *Sliders) Hints() []paint.Piece {
	return paint.Keys([]key.Help{{Key: "h/l", Desc: "less, more"}, {Key: "H/L", Desc: "by 10"}, {Key: "j/k", Desc: "choose"}, {Key: "enter", Desc: "set"}, {Key: "esc", Desc: "leave"}})
}

// View implements dialog.Dialog.
func (s *Sliders) View() []string {
	out := dialog.NewLines(s)
	out.Put(false, paint.In(themes.Key, " "+text.CutLeft(text.Clean(s.Path), out.Width/2)), paint.In(themes.Dim, "  "+inspect.Hex(s.Color)))
	for i, line := range levels(s.Color, len(inspect.Levels), out.Width-2, out.Styles) {
		out.Row(i == s.at, line...)
	}
	return out.All
}

// levels draws how much of each a colour has, beside its swatch if there are colours.
func levels(c [4]float64, count, width int, s *paint.Styles) (lines [][]paint.Piece) {
	swatch := paint.Piece{Text: text.Fit("", min(14, width/4))}
	if s.InColour {
		swatch.Paint = s.Swatch(inspect.RGB(c))
	}
	for i, x := range inspect.Levels[:count] {
		room := max(1, width-len(swatch.Text)-24)
		full := int(max(0, min(inspect.Level(c, i), 1))*float64(room) + 0.5)
		lines = append(lines, []paint.Piece{swatch, paint.In(themes.Dim, " "+text.Fit(x.Name, 11)),
			paint.Plain(text.Fit(fmt.Sprintf("%.0f", inspect.Level(c, i)*x.Most), 5)), paint.In(themes.Accent, strings.Repeat("█", full)), paint.In(themes.Border, strings.Repeat("─", room-full))})
	}
	return lines
}
