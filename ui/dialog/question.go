package dialog

import (
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"varview/internal/text"
	"varview/themes"
	"varview/ui/action"
	"varview/ui/paint"
)

// A Question is in the bottom line and takes only the keys that answer it. Any other key withdraws it, so
// that a later key is not taken for an answer, and does what it always does.
type Question struct {
	Context
	Text    string
	Answers []Answer
	Leave   string // message after it is left or withdrawn
	Late    bool   // other keys were pressed since the user asked for what it is about
	IsShown bool   // it has been drawn; a key pressed before that does not answer it
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
	i := q.answer(msg)
	if i < 0 {
		q.Withdraw()
		return nil
	}
	q.Close(q)
	return q.Answers[i].Run()
}

// Withdraw closes the question without an answer.
func (q *Question) Withdraw() {
	q.Close(q)
	q.Say(q.Leave)
}

// Takes reports whether a key answers the question.
func (q *Question) Takes(msg tea.KeyMsg) bool {
	return q.answer(msg) >= 0 || slices.Contains(q.leaves(), action.NameOf(msg))
}

// answer returns the index of the answer that a key gives; -1 for none.
func (q *Question) answer(msg tea.KeyMsg) int {
	return slices.IndexFunc(q.Answers, func(a Answer) bool { return a.Key == action.NameOf(msg) })
}

// leaves returns the keys that leave the question; if y is an answer, n is one of them.
func (q *Question) leaves() (keys []string) {
	has := func(key string) bool {
		return slices.ContainsFunc(q.Answers, func(a Answer) bool { return a.Key == key })
	}
	if has("y") && !has("n") {
		keys = append(keys, "n")
	}
	if !has("esc") {
		keys = append(keys, "esc")
	}
	return keys
}

// pieces returns the question and its answers, or if they do not fit the bottom line, only the answers.
func (q *Question) pieces() (pieces []paint.Piece, fits bool) {
	var keys []key.Help
	for _, a := range q.Answers {
		keys = append(keys, key.Help{Key: a.Key, Desc: a.Does})
	}
	if leaves := q.leaves(); len(leaves) > 0 {
		keys = append(keys, key.Help{Key: strings.Join(leaves, "/"), Desc: "stay"})
	}
	answers := paint.Keys(keys)
	answers[len(answers)-1].Text = strings.TrimRight(answers[len(answers)-1].Text, " ")
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

// Strokes are pressed keys that wait for another one: a number before an action, the first of two keys,
// or a key after which a letter follows.
type Strokes struct {
	Context
	Typed string // what was pressed
	Say   string // what is awaited; "" to list the Keys
	Keys  []key.Help
	// Next receives the next key, after the dialog is closed.
	Next func(tea.KeyMsg) tea.Cmd
}

// Place implements Dialog.
func (s *Strokes) Place() Place { return AtBottom }

// Update implements Dialog.
func (s *Strokes) Update(msg tea.KeyMsg) tea.Cmd {
	s.Close(s)
	if msg.Type == tea.KeyEsc {
		return nil
	}
	return s.Next(msg)
}

// Mouse implements Pointed: a click is for the panes.
func (s *Strokes) Mouse(tea.MouseMsg, int) (tea.Cmd, bool) {
	s.Close(s)
	return nil, false
}

// View implements Dialog.
func (s *Strokes) View() []string {
	width, _ := s.Window()
	pieces := []paint.Piece{paint.In(themes.Accent, text.Clean(s.Typed)), paint.Plain("  "), paint.In(themes.Dim, text.Head(s.Say, width))}
	if s.Say == "" {
		pieces = append(pieces[:2], paint.Keys(s.Keys)...)
	}
	return []string{s.Paints().Bottom(pieces, width)}
}

// maxCount is the largest number that can be typed before an action.
const maxCount = 9999

// Counted returns the number with another digit appended, and whether the key is a digit.
func Counted(count int, msg tea.KeyMsg) (int, bool) {
	digit, err := strconv.Atoi(action.NameOf(msg))
	if err != nil || digit == 0 && count == 0 {
		return count, false
	}
	return min(maxCount, 10*count+digit), true
}
