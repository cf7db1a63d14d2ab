package ui

import (
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"varview/themes"
	"varview/ui/paint"
	"varview/ui/text"
)

// A question is shown in the bottom line until it is answered.
type question struct {
	text    string
	answers []answer
	leave   string // message after esc
}

// An answer is a key, and what it does.
type answer struct {
	key, does string
	run       func(*Model) tea.Cmd
}

// pressQuestion handles a key while a question is asked.
func (m *Model) pressQuestion(msg tea.KeyMsg) tea.Cmd {
	q := m.question
	if msg.Type == tea.KeyEsc {
		m.question = nil
		m.say(q.leave)
		return nil
	}
	i := slices.IndexFunc(q.answers, func(a answer) bool { return a.key == msg.String() })
	if i < 0 {
		return nil
	}
	m.question = nil
	return q.answers[i].run(m)
}

// pieces are the question and its answers. A question that is too long for width
// columns is left out, and asked over the panes.
func (q *question) pieces(width int) (pieces []paint.Piece, asks bool) {
	var keys []key.Help
	for _, a := range q.answers {
		keys = append(keys, key.Help{Key: a.key, Desc: a.does})
	}
	answers := append(paint.Keys(keys), paint.In(themes.Accent, "esc"), paint.In(themes.Dim, " stay"))
	if pieces = append([]paint.Piece{paint.In(themes.Warning, text.Clean(q.text)+"  ")}, answers...); paint.Columns(pieces) <= width {
		return pieces, true
	}
	return answers, false
}
