// Package action names everything that a key can do. The help, the keys in the bottom line and the keys
// of every pane and dialog come from one table of actions.
package action

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// An Action is the name of what a key does: "undo", "goto-last".
type Action string

// Rooms is a set of panes and dialogs in which an action can be done. A key may mean something else in
// another room.
type Rooms uint16

// The rooms.
const (
	Tree     Rooms = 1 << iota
	Bytes          // the pane of the bytes
	Typing         // typing bytes
	Editor         // typing a value
	Problems       // the list of problems
	Changes        // the list of changes
	Results        // the list of hits
	Page           // the help, and other texts over the panes
	Inspector
	Sheet       // a table
	Conflicts   // the list of conflicts of a merge
	Records     // the list of messages
	Differences // any pane, while another file is compared
	Places      // the list of what is noticed in bytes, or where values may stand

	Panes = Tree | Bytes | Inspector
	Lists = Problems | Changes | Results | Page | Sheet | Conflicts | Records
	All   = Panes | Typing | Editor | Lists
)

// A Group is a heading of the help.
type Group string

// An Entry describes an action.
type Entry struct {
	Action
	Group
	Rooms
	Title string // one or two words, for the bottom line
	Help  string
	Keys  []string // keys as Bubble Tea names them, the most important first
}

// A Table lists actions in the order of the help.
type Table []Entry

// Entry returns the entry of an action.
func (t Table) Entry(a Action) Entry {
	return t[slices.IndexFunc(t, func(e Entry) bool { return e.Action == a })]
}

// Hints returns actions for the bottom line, each with its first key and its title.
func (t Table) Hints(actions ...Action) []key.Help {
	var hints []key.Help
	for _, a := range actions {
		if len(t.Entry(a).Keys) > 0 {
			hints = append(hints, t.Hint(t.Entry(a).Title, a))
		}
	}
	return hints
}

// Hint returns a hint about actions that belong together: "j/k move".
func (t Table) Hint(title string, actions ...Action) key.Help {
	var keys []string
	for _, a := range actions {
		if own := t.Entry(a).Keys; len(own) > 0 {
			keys = append(keys, Named(own[0]))
		}
	}
	between := "/"
	if len(keys) > 3 {
		between = ""
	}
	return key.Help{Key: strings.Join(keys, between), Desc: title}
}

// Keys are keys for the bottom line.
type Keys struct {
	Table
	All []key.Help
}

// Add adds actions, if they are to be shown: each with its usual title or, where there is one, all under another.
func (k *Keys) Add(isShown bool, title string, actions ...Action) {
	switch {
	case !isShown:
	case title == "":
		k.All = append(k.All, k.Hints(actions...)...)
	default:
		k.All = append(k.All, k.Hint(title, actions...))
	}
}

// Typed adds what is typed otherwise, such as a command, if it is to be shown.
func (k *Keys) Typed(isShown bool, typed, does string) {
	if isShown {
		k.All = append(k.All, key.Help{Key: typed, Desc: does})
	}
}

// A KeyMap maps keys to actions in one room.
type KeyMap struct {
	Table
	actions map[string]Action
}

// KeyMap returns the keys of a room.
func (t Table) KeyMap(room Rooms) KeyMap {
	k := KeyMap{t, map[string]Action{}}
	for _, e := range t {
		if e.Rooms&room == 0 {
			continue
		}
		for _, name := range e.Keys {
			k.actions[name] = e.Action
		}
	}
	return k
}

// Of returns the action of a key; "" if it has none.
func (k KeyMap) Of(msg tea.KeyMsg) Action { return k.actions[NameOf(msg)] }

// Begins returns the actions with two keys of which the first is msg.
func (k KeyMap) Begins(msg tea.KeyMsg) (after Table) {
	first := NameOf(msg)
	if first == "" {
		return nil
	}
	for _, e := range k.Table {
		for _, name := range e.Keys {
			if rest, ok := strings.CutPrefix(name, first+" "); ok && rest != "" && k.actions[name] == e.Action {
				e.Keys = []string{rest}
				after = append(after, e)
			}
		}
	}
	return after
}

// Shown returns the keys of an action as the help shows them: the first one, and others that are single
// characters.
func (e Entry) Shown() string {
	if len(e.Keys) == 0 {
		return ""
	}
	shown := Named(e.Keys[0])
	for _, k := range e.Keys[1:] {
		name := Named(k)
		if r, n := utf8.DecodeRuneInString(name); n == len(name) && !unicode.IsLetter(r) {
			shown += " " + name
		}
	}
	return shown
}

// Does is what actions do in a pane or dialog.
type Does map[Action]func() tea.Cmd

// Plainly returns what does something at once, for Does.
func Plainly(do func()) func() tea.Cmd {
	return func() tea.Cmd {
		do()
		return nil
	}
}

// Named returns the name of a key for people.
func Named(k string) string {
	if first, second, two := strings.Cut(k, " "); two && first != "" {
		return Named(first) + Named(second)
	}
	if name, ok := map[string]string{"up": "↑", "down": "↓", "left": "←", "right": "→", " ": "space", "ctrl+^": "ctrl+6"}[k]; ok {
		return name
	}
	return k
}

// Rows returns the number of rows by which an action moves in a list of count rows, of which page are in
// view; moves is false for an action that does not move.
func (a Action) Rows(page, count int) (by int, moves bool) {
	by, moves = map[Action]int{
		Down: 1, Up: -1,
		HalfPageDown: max(1, page/2), HalfPageUp: -max(1, page/2),
		PageDown: max(1, page-1), PageUp: -max(1, page-1),
		First: -count, Last: count,
	}[a]
	return by, moves
}

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
		if k, ok := keyTypes()[name]; ok {
			msg = tea.KeyMsg{Type: k}
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
	_, ok := keyTypes()[name]
	return ok
}

// keyTypes are the keys that are not characters, by their names.
var keyTypes = sync.OnceValue(func() map[string]tea.KeyType {
	all := map[string]tea.KeyType{}
	for t := tea.KeyType(127); t >= -100; t-- {
		if name := (tea.KeyMsg{Type: t}).String(); t != tea.KeyRunes && name != "" && name != " " {
			all[name] = t
		}
	}
	return all
})

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

// NameOf returns the name of a key as in bindings; "" for text. Bubble Tea reports characters that arrive
// together as one key named after them: the word "home" would be that key.
func NameOf(msg tea.KeyMsg) string {
	if isText(msg) {
		return ""
	}
	return msg.String()
}

// isText reports whether several characters arrived together or were pasted.
func isText(msg tea.KeyMsg) bool {
	return msg.Type == tea.KeyRunes && (msg.Paste || len(msg.Runes) != 1)
}

// Strokes returns one key for each of the characters that arrived together; none if they were pasted.
func Strokes(msg tea.KeyMsg) (each []tea.KeyMsg) {
	switch {
	case !isText(msg):
		return []tea.KeyMsg{msg}
	case msg.Paste:
		return nil
	}
	for _, r := range msg.Runes {
		each = append(each, tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}, Alt: msg.Alt})
	}
	return each
}

// Pasted marks characters that arrived together as pasted, for components that compare names.
func Pasted(msg tea.KeyMsg) tea.KeyMsg {
	msg.Paste = isText(msg)
	return msg
}
