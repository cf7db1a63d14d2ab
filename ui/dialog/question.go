package dialog

import (
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"varview/themes"
	"varview/ui/paint"
	"varview/ui/text"
)

// A Question is shown in the bottom line until it is answered. Any key that is no answer
// cancels it, so that a later one is not taken for an answer.
type Question struct {
	Context
	Text    string
	Answers []Answer
	Leave   string // message after a key that is no answer
}

// An Answer is a key, and what it does.
type Answer struct {
	Key, Does string
	Run       func() tea.Cmd
}

// Place implements Dialog.
func (q *Question) Place() Place { return AtBottom }

// Update implements Dialog.
func (q *Question) Update(msg tea.KeyMsg) tea.Cmd {
	q.Close(q)
	i := slices.IndexFunc(q.Answers, func(a Answer) bool { return a.Key == msg.String() })
	if i < 0 {
		q.Say(q.Leave)
		return nil
	}
	return q.Answers[i].Run()
}

// pieces are the question and its answers. Where it does not fit the bottom line
// they are the answers alone.
func (q *Question) pieces() (pieces []paint.Piece, fits bool) {
	var keys []key.Help
	for _, a := range q.Answers {
		keys = append(keys, key.Help{Key: a.Key, Desc: a.Does})
	}
	answers := append(paint.Keys(keys), paint.In(themes.Accent, "esc"), paint.In(themes.Dim, " stay"))
	width, _ := q.Window()
	pieces = append([]paint.Piece{paint.In(themes.Warning, text.Clean(q.Text)+"  ")}, answers...)
	if paint.Columns(pieces) <= paint.BottomRoom(width) {
		return pieces, true
	}
	return answers, false
}

// Long implements Insistent.
func (q *Question) Long() (string, bool) {
	_, fits := q.pieces()
	return q.Text, !fits
}

// View implements Dialog.
func (q *Question) View() []string {
	pieces, _ := q.pieces()
	width, _ := q.Window()
	return []string{q.Paints().Bottom(pieces, width)}
}
