package ui

import (
	"cmp"
	"context"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/sahilm/fuzzy"

	"varview/internal/state"
	"varview/model/paths"
	"varview/ui/action"
	"varview/ui/dialog"
)

// palette finds actions and commands by name, and values after "@".
func (m *Model) palette(typed string) tea.Cmd {
	room, in := m.room(), m.desk.Dialogs.Top()
	_, isList := in.(dialog.Roomed)
	if _, does := in.(doer); isList && !does {
		room = 0
	}
	p := dialog.NewPrompt(m.desk, "› ", nil)
	p.Input.SetValue(typed)
	p.Input.CursorEnd()
	p.Aside = func() (string, bool) { return "enter does it   @ finds a value by parts of its path", false }
	p.Complete = func(typed string) dialog.Offer {
		if parts, isPath := strings.CutPrefix(typed, "@"); isPath {
			return m.paths(parts)
		}
		all := m.pickable(room)
		return func(context.Context) dialog.Completion { return dialog.Completion{All: fitting(all, typed)} }
	}
	p.Take = func(c dialog.Candidate) tea.Cmd { return tea.Batch(m.remember(c.Text), m.pick(room, c.Text)) }
	return m.desk.Open(p)
}

// A doer does actions that are chosen by name.
type doer interface{ Do(action.Action) tea.Cmd }

// pickable returns the actions of a room and all commands.
func (m *Model) pickable(room action.Rooms) (all []dialog.Candidate) {
	for _, e := range m.desk.Actions {
		if e.Rooms&room != 0 && e.Action != action.Palette {
			c := dialog.Candidate{Text: string(e.Action), Args: e.Shown(), Help: e.Help}
			if c.Help == strings.ReplaceAll(c.Text, "-", " ") {
				c.Help = ""
			}
			all = append(all, c)
		}
	}
	for _, c := range m.commands.list {
		if c.does != "" {
			all = append(all, dialog.Candidate{Text: ":" + c.names[0], Args: c.args, Help: c.does})
		}
	}
	used := m.desk.State.Data().Picked // latest last
	most := func(c dialog.Candidate) int {
		return (slices.Index(action.Most, action.Action(c.Text)) + len(action.Most) + 1) % (len(action.Most) + 1)
	}
	slices.SortStableFunc(all, func(a, b dialog.Candidate) int {
		return cmp.Or(slices.Index(used, b.Text)-slices.Index(used, a.Text), most(a)-most(b))
	})
	return all
}

// remember remembers what was chosen, except paths.
func (m *Model) remember(chosen string) tea.Cmd {
	if strings.HasPrefix(chosen, "$") {
		return nil
	}
	return m.desk.RememberAlways(func(s *state.Data) { s.Picked.Add(chosen) })
}

// named are candidates that can be searched by name.
type named []dialog.Candidate

// String implements fuzzy.Source.
func (n named) String(i int) string { return n[i].Text }

// Len implements fuzzy.Source.
func (n named) Len() int { return len(n) }

// fitting returns the candidates whose names contain the typed letters, best first, and then those whose
// help contains the words. A name that is what was typed, or begins so, precedes the others.
func fitting(all []dialog.Candidate, typed string) (fit []dialog.Candidate) {
	words := strings.Fields(strings.ToLower(typed))
	if len(words) == 0 {
		return all
	}
	byName := map[int]bool{}
	for _, x := range fuzzy.FindFrom(strings.Join(words, ""), named(all)) {
		fit, byName[x.Index] = append(fit, all[x.Index]), true
	}
	for i, c := range all {
		lacks := func(word string) bool { return !strings.Contains(strings.ToLower(c.Help), word) }
		if !byName[i] && !slices.ContainsFunc(words, lacks) {
			fit = append(fit, c)
		}
	}
	begins := func(c dialog.Candidate) int {
		rest, ok := strings.CutPrefix(strings.TrimPrefix(c.Text, ":"), words[0])
		switch {
		case !ok || len(words) > 1:
			return 2
		case rest != "":
			return 1
		}
		return 0
	}
	slices.SortStableFunc(fit, func(a, b dialog.Candidate) int { return begins(a) - begins(b) })
	return fit
}

// pick does what was chosen: an action, a command, or going to a path. For a command that needs an
// argument, typing continues.
func (m *Model) pick(room action.Rooms, chosen string) tea.Cmd {
	name, isCommand := strings.CutPrefix(chosen, ":")
	switch {
	case strings.HasPrefix(chosen, "$"):
		return m.find.GoTo(chosen)
	case !isCommand:
		return m.do(room, action.Action(chosen))
	}
	i := slices.IndexFunc(m.commands.list, func(c command) bool { return c.names[0] == name })
	if args := m.commands.list[i].args; args == "" || strings.HasPrefix(args, "[") {
		return m.commands.run(name)
	}
	return m.commands.askWith(name + " ")
}

// do does an action in a room.
func (m *Model) do(room action.Rooms, a action.Action) tea.Cmd {
	if slices.Contains(everywhere, a) {
		return m.Do(a)
	}
	if x, ok := m.desk.Dialogs.Top().(doer); ok {
		return x.Do(a)
	}
	switch room {
	case action.Bytes:
		return m.hex.Do(a)
	case action.Inspector:
		return m.inspect.Do(a)
	}
	return m.tree.Do(a)
}

// paths offers values whose paths have some parts, in this order.
func (m *Model) paths(parts string) dialog.Offer {
	b := m.desk.Explorer.Buffer
	if b.IsWrapper() {
		return nil
	}
	return func(ctx context.Context) (x dialog.Completion) {
		for _, p := range paths.With(ctx, b, strings.Fields(parts), maxOffered) {
			x.All = append(x.All, dialog.Candidate{Text: p.Path, Help: strings.TrimSpace(p.Type + "  " + strings.TrimPrefix(p.Value, p.Type))})
		}
		x.All = fitting(x.All, parts)
		return x
	}
}
