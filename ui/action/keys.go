package action

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"
)

// ParseKeys parses the keys of an action as a user writes them: names of keys, or two of them with a
// blank between, pressed one after the other.
func ParseKeys(written []string) ([]string, error) {
	var all []string
	for _, w := range written {
		strokes := strings.Fields(w)
		if len(strokes) == 0 || len(strokes) > 2 {
			return nil, fmt.Errorf("%q: a key is one or two names, as in \"ctrl+f\" or \"z t\"", w)
		}
		for i, k := range strokes {
			if k == "space" && len(strokes) == 1 {
				strokes[i] = " "
			} else if !isKey(k) {
				return nil, fmt.Errorf("no key is called %q; names are as in \"x\", \"X\", \"ctrl+x\", \"alt+x\", \"f5\", \"pgup\", \"space\"", k)
			}
		}
		all = append(all, strings.Join(strokes, " "))
	}
	return all, nil
}

// Typed returns the keys that an action shows as its own: "dd", "ctrl+s", "↓".
func (t Table) Typed(shown string) (each []tea.KeyMsg) {
	strokes := []string{shown}
	for _, e := range t {
		if i := slices.IndexFunc(e.Keys, func(k string) bool { return Named(k) == shown }); i >= 0 && e.Keys[i] != " " {
			strokes = strings.Fields(e.Keys[i])
			break
		}
	}
	for _, name := range strokes {
		msg := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
		for k := tea.KeyType(-100); k < 128; k++ {
			if k != tea.KeyRunes && (tea.KeyMsg{Type: k}).String() == name {
				msg = tea.KeyMsg{Type: k}
				break
			}
		}
		each = append(each, msg)
	}
	return each
}

// isKey reports whether a name is that of a key.
func isKey(name string) bool {
	name = strings.TrimPrefix(name, "alt+")
	if r, n := utf8.DecodeRuneInString(name); n == len(name) && n > 0 {
		return unicode.IsPrint(r) && r != utf8.RuneError
	}
	return slices.Contains(keyNames, name)
}

// keyNames are the names of the keys that are not characters.
var keyNames = func() (names []string) {
	for t := tea.KeyType(-100); t < 128; t++ {
		if name := (tea.KeyMsg{Type: t}).String(); t != tea.KeyRunes && name != "" && name != " " {
			names = append(names, name)
		}
	}
	return names
}()

// WithKeys returns the table with other keys for some actions. If such a key had another meaning, it
// loses that. Two of the actions cannot have the same key in one room.
func (t Table) WithKeys(chosen map[Action][]string) (Table, error) {
	with := slices.Clone(t)
	for i, e := range with {
		if keys, ok := chosen[e.Action]; ok {
			with[i].Keys = keys
		}
	}
	for i, e := range with {
		if _, ok := chosen[e.Action]; ok {
			continue
		}
		with[i].Keys = slices.DeleteFunc(slices.Clone(e.Keys), func(k string) bool {
			return slices.ContainsFunc(with, func(other Entry) bool {
				_, ok := chosen[other.Action]
				return ok && other.Rooms&e.Rooms != 0 && slices.ContainsFunc(other.Keys, func(o string) bool { return clashes(k, o) })
			})
		})
	}
	for i, e := range with {
		for _, other := range with[:i] {
			for _, k := range e.Keys {
				if e.Rooms&other.Rooms != 0 && slices.ContainsFunc(other.Keys, func(o string) bool { return clashes(k, o) }) {
					return t, fmt.Errorf("%q would be %s and %s", k, other.Action, e.Action)
				}
			}
		}
	}
	return with, nil
}

// clashes reports whether one of two keys hides the other: the first of two strokes must not mean
// something by itself.
func clashes(a, b string) bool {
	return a == b || a != " " && strings.HasPrefix(b, a+" ") || b != " " && strings.HasPrefix(a, b+" ")
}
