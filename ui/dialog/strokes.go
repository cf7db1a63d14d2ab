package dialog

import (
	"strconv"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"varview/internal/text"
	"varview/themes"
	"varview/ui/action"
	"varview/ui/paint"
)

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
