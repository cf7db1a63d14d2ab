package ui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"varview/themes"
)

// A question stands in the bottom line until it is answered.
type question struct {
	text    string
	answers []answer
	leave   string // what is said after esc
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

// pieces are the question, which has a pane of its own where it is long, and its
// answers.
func (q *question) pieces(width int) []piece {
	var pieces []piece
	for _, a := range q.answers {
		pieces = append(pieces, piece{a.key, themes.Accent}, piece{" " + a.does + "  ", themes.Dim})
	}
	pieces = append(pieces, piece{"esc", themes.Accent}, piece{" stay", themes.Dim})
	if asked := (piece{q.text + "  ", themes.Warning}); columns(append(pieces, asked)) <= width {
		pieces = append([]piece{asked}, pieces...)
	}
	return pieces
}
