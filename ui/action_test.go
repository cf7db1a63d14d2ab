package ui

import (
	"regexp"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"varview/ui/action"
)

// The names of actions are words in lower case, each of one action.
func TestNames(t *testing.T) {
	seen := map[action.Action]bool{}
	for _, e := range action.Default() {
		if seen[e.Action] {
			t.Errorf("%s is there twice", e.Action)
		}
		seen[e.Action] = true
		if !regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`).MatchString(string(e.Action)) {
			t.Errorf("%q is no name", e.Action)
		}
	}
}

// No two actions in a room have the same key.
func TestKeysAreUnique(t *testing.T) {
	for room := action.Tree; room&action.All != 0; room <<= 1 {
		seen := map[string]action.Action{}
		for _, e := range action.Default() {
			if e.Rooms&room == 0 {
				continue
			}
			for _, k := range e.Keys {
				if other, ok := seen[k]; ok {
					t.Errorf("%s and %s have the key %s in room %b", e.Action, other, k, room)
				}
				seen[k] = e.Action
			}
		}
	}
}

// A key means what its room says.
func TestKeyMap(t *testing.T) {
	press := func(r rune) tea.KeyMsg { return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}} }
	for room, want := range map[action.Rooms]action.Action{action.Tree: action.Rename, action.Bytes: action.OverwriteBytes, action.Problems: action.Repair, action.Page: ""} {
		if got := action.Default().KeyMap(room).Of(press('r')); got != want {
			t.Errorf("r in room %b is %q, want %q", room, got, want)
		}
	}
}

// The help shows the first key of an action and its other signs.
func TestShown(t *testing.T) {
	for a, want := range map[action.Action]string{action.Down: "j ↓", action.PageDown: "ctrl+f", action.CloseList: "esc !", action.Flip: "space", action.Quit: "q", action.Help: "?", action.MoveDown: "J"} {
		if got := action.Default().Entry(a).Shown(); got != want {
			t.Errorf("%s is shown as %q, want %q", a, got, want)
		}
	}
	for want, got := range map[string]string{
		"j/k":    action.Default().Hint("", action.Down, action.Up).Key,
		"hjkl":   action.Default().Hint("", action.Left, action.Down, action.Up, action.Right).Key,
		"ctrl+s": action.Default().Hints(action.Save)[0].Key,
	} {
		if got != want {
			t.Errorf("hinted as %q, want %q", got, want)
		}
	}
}
