package action

import (
	"regexp"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

// The names of actions are words in lower case, each of one action.
func TestNames(t *testing.T) {
	seen := map[Action]bool{}
	for _, e := range Default() {
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
	for room := Tree; room&All != 0; room <<= 1 {
		seen := map[string]Action{}
		for _, e := range Default() {
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
	for room, want := range map[Rooms]Action{Tree: Rename, Bytes: OverwriteBytes, Problems: Repair, Page: ""} {
		if got := Default().KeyMap(room).Of(press('r')); got != want {
			t.Errorf("r in room %b is %q, want %q", room, got, want)
		}
	}
}

// The help shows the first key of an action and its other signs.
func TestShown(t *testing.T) {
	for a, want := range map[Action]string{Down: "j ↓", PageDown: "ctrl+f", CloseList: "esc !", Flip: "space", Quit: "q", Help: "?", MoveDown: "J"} {
		if got := Default().Entry(a).Shown(); got != want {
			t.Errorf("%s is shown as %q, want %q", a, got, want)
		}
	}
	for want, got := range map[string]string{
		"j/k":    Default().Hint("", Down, Up).Key,
		"hjkl":   Default().Hint("", Left, Down, Up, Right).Key,
		"ctrl+s": Default().Hints(Save)[0].Key,
	} {
		if got != want {
			t.Errorf("hinted as %q, want %q", got, want)
		}
	}
}
