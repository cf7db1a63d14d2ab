package ui

import (
	"fmt"
	"strings"
	"sync"

	tea "github.com/charmbracelet/bubbletea"
)

// maxActions is how many actions a report about a panic lists.
const maxActions = 100

// actions are the names of the last messages, with how often each came in a row. A panic
// in another goroutine lists them too.
type actions struct {
	mu   sync.Mutex
	last []action
}

type action struct {
	name  string
	times int
}

func (a *actions) add(name string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if n := len(a.last); n > 0 && a.last[n-1].name == name {
		a.last[n-1].times++
		return
	}
	if len(a.last) == maxActions {
		a.last = append(a.last[:0], a.last[1:]...)
	}
	a.last = append(a.last, action{name, 1})
}

// list is a line for each action, the last one at the end.
func (a *actions) list() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	var b strings.Builder
	b.WriteString("last actions:\n")
	for _, x := range a.last {
		fmt.Fprintf(&b, "  %s", x.name)
		if x.times > 1 {
			fmt.Fprintf(&b, " (%d times)", x.times)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// nameOf names a message. Nothing that was typed as text is in the name.
func (m *Model) nameOf(msg tea.Msg) string {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		if isText := msg.Type == tea.KeyRunes || msg.Type == tea.KeySpace; isText && (m.takesText() || len(msg.Runes) > 1) {
			return "key: text"
		}
		return "key: " + msg.String()
	case tea.MouseMsg:
		return "mouse: " + msg.String()
	}
	return fmt.Sprintf("%T", msg)
}
