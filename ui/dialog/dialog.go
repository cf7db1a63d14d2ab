// Package dialog is what opens over the panes and takes the keys until it is closed:
// questions, prompts, editors, lists and texts. Open dialogs are a stack.
package dialog

import (
	"context"
	"reflect"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/engine/tree"
	"varview/internal/text"
	"varview/model"
	"varview/themes"
	"varview/ui/action"
	"varview/ui/jobs"
	"varview/ui/paint"
)

// A Place is where a dialog is drawn.
type Place uint8

// The places.
const (
	AtBottom Place = iota // it is the bottom line
	InPane                // a pane draws it, and it draws the lines below the panes
	BelowPanes
	OverPanes
)

// A Dialog receives all keys while it is on top of the stack.
type Dialog interface {
	Place() Place
	Update(tea.KeyMsg) tea.Cmd
	// View draws the dialog: over the panes, in lines as wide as the window, between its first and last
	// line.
	View() []string
}

// Hinting is a dialog that leaves the bottom line to messages. Its hints are shown when there is no
// message.
type Hinting interface{ Hints() []paint.Piece }

// Beginning is a dialog that does something as soon as it is open.
type Beginning interface{ Init() tea.Cmd }

// Typed is a dialog in which text is typed: keys that arrive together are passed to it as one.
type Typed interface{ TakesText() }

// Bound is a dialog about the values as they are: the document is not replaced while it is open.
type Bound interface{ Binds() }

// Pointed is a dialog that the mouse works in. Mouse reports whether a click or a turn of the wheel, by
// rows down, was for it; otherwise it is for the panes.
type Pointed interface {
	Mouse(msg tea.MouseMsg, by int) (cmd tea.Cmd, done bool)
}

// Dragged is a dialog that receives mouse movements with a button held.
type Dragged interface{ Drag(x, y int) }

// Yielding is a dialog below the panes that can leave the keys and the bottom line to them.
type Yielding interface{ Yields() bool }

// Accompanied is a dialog over the panes that leaves room for the tree beside it in a wide window.
type Accompanied interface{ Accompanied() bool }

// Leading is an accompanied dialog that the tree follows.
type Leading interface {
	Accompanied
	// Led returns the value that the tree shows, which may have to be read; nil for none.
	Led() *tree.Node
}

// Hosting is a dialog over the panes that draws what is typed in one of its own rows.
type Hosting interface{ Hosts() }

// Roomed is a dialog with keys of its own in which no text is typed. Commands, the palette and the help
// are available in it.
type Roomed interface{ Room() action.Rooms }

// Context is the part of the program that a dialog may touch.
type Context interface {
	Open(Dialog) tea.Cmd
	Close(Dialog)
	Say(text string) tea.Cmd
	Window() (width, height int)
	// Across returns the size available to dialogs over the panes: the window without a pane beside them.
	Across() (width, height int)
	Paints() *paint.Styles
	// Press does what a key means, or waits for the next key after a number or the first of two keys.
	Press(k action.KeyMap, msg tea.KeyMsg, do func(action.Action) tea.Cmd) tea.Cmd
	// Times returns the number typed before an action; 1 without one.
	Times() int
	Start(job *jobs.Job, name string, work func(context.Context, *model.Progress) (take func() tea.Cmd)) tea.Cmd
}

// A Stack is the open dialogs; the last one receives the keys.
type Stack []Dialog

// Open puts a dialog on top. It replaces another one of its kind.
func (s *Stack) Open(d Dialog) {
	*s = slices.DeleteFunc(*s, func(other Dialog) bool { return reflect.TypeOf(other) == reflect.TypeOf(d) })
	*s = append(*s, d)
}

// OpenBelow puts a dialog below the one on top.
func (s *Stack) OpenBelow(d Dialog) {
	top := s.Top()
	s.Open(d)
	s.Close(top)
	*s = append(*s, top)
}

// Close removes a dialog, if it is open.
func (s *Stack) Close(d Dialog) {
	*s = slices.DeleteFunc(*s, func(other Dialog) bool { return other == d })
}

// Top returns the dialog that receives the keys; nil if none is open.
func (s Stack) Top() Dialog {
	for _, d := range slices.Backward(s) {
		if x, ok := d.(Yielding); !ok || !x.Yields() {
			return d
		}
	}
	return nil
}

// At returns the uppermost dialog at a place; nil if there is none.
func (s Stack) At(p Place) Dialog {
	for _, d := range slices.Backward(s) {
		if d.Place() == p {
			return d
		}
	}
	return nil
}

// Over returns the dialog that is drawn over the panes; nil if the panes are drawn, also because a dialog above it needs
// them.
func (s Stack) Over() Dialog {
	over := s.At(OverPanes)
	_, hosts := over.(Hosting)
	for _, d := range slices.Backward(s) {
		if d == over {
			break
		}
		x, yields := d.(Yielding)
		yields = yields && x.Yields()
		if p := d.Place(); p == BelowPanes && !yields || p == InPane && !hosts {
			return nil
		}
	}
	return over
}

// Find returns the open dialog of a type; the zero value if there is none.
func Find[D Dialog](s Stack) (found D) {
	for _, d := range s {
		if x, ok := d.(D); ok {
			return x
		}
	}
	return found
}

// A Question is in the bottom line. A key that does not answer it only withdraws it, so that a later key is
// not taken for an answer; one that begins a line of text, such as ":", also begins it.
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

// Binds implements Bound.
func (q *Question) Binds() {}

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

// answer returns the index of the answer that a key gives; -1 for none. y gives the only one.
func (q *Question) answer(msg tea.KeyMsg) int {
	if len(q.Answers) == 1 && action.NameOf(msg) == "y" {
		return 0
	}
	return slices.IndexFunc(q.Answers, func(a Answer) bool { return a.Key == action.NameOf(msg) })
}

// leaves returns the keys that leave the question; if y is an answer, n is one of them.
func (q *Question) leaves() (keys []string) {
	has := func(key string) bool {
		return slices.ContainsFunc(q.Answers, func(a Answer) bool { return a.Key == key })
	}
	if (has("y") || len(q.Answers) == 1) && !has("n") {
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

// Long returns the text, which is shown even if the bottom line is too short for it, and whether it is.
func (q *Question) Long() (text string, isLong bool) {
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

// Binds implements Bound: the rest of an action is about the value that it began on.
func (s *Strokes) Binds() {}

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
