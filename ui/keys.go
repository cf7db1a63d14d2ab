package ui

import "github.com/charmbracelet/bubbles/key"

// keyMap says what every key does. The help and the bottom line are made from it.
type keyMap struct {
	Up, Down, PageUp, PageDown, HalfUp, HalfDown, First, Last key.Binding
	Left, Right, Toggle, FoldAll, Back, Referrer              key.Binding
	Switch, Outer, Inner, Search, Next, Previous              key.Binding
	Problems, Problem, Earlier                                key.Binding
	Edit, Flip, Rename, AsText, Undo, Redo, Change            key.Binding
	After, Before, Inside, Duplicate, Delete                  key.Binding
	MoveDown, MoveUp, Copy, Cut, Paste, PasteBefore           key.Binding
	InsertBytes, AppendBytes, Overwrite, DeleteByte           key.Binding
	Command, Save, Reload, Help, Cancel, Suspend, Quit        key.Binding
}

func bind(does string, show string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(show, does))
}

func newKeyMap() keyMap {
	return keyMap{
		Up:       bind("up", "k ↑", "k", "up"),
		Down:     bind("down", "j ↓", "j", "down"),
		PageUp:   bind("page up", "ctrl+b", "ctrl+b", "pgup"),
		PageDown: bind("page down", "ctrl+f", "ctrl+f", "pgdown"),
		HalfUp:   bind("half a page up", "ctrl+u", "ctrl+u"),
		HalfDown: bind("half a page down", "ctrl+d", "ctrl+d"),
		First:    bind("first", "g", "g", "home"),
		Last:     bind("last", "G", "G", "end"),
		Left:     bind("fold, or go out; one byte back", "h ←", "h", "left"),
		Right:    bind("unfold, or go in; one byte forward", "l →", "l", "right"),
		Toggle:   bind("fold or unfold; edit; follow a reference", "enter", "enter"),
		FoldAll:  bind("fold everything", "-", "-"),
		Back:     bind("back from a jump along a reference", "ctrl+o", "ctrl+o", "backspace"),
		Referrer: bind("next reference to the same value", "*", "*"),
		Switch:   bind("other pane", "tab", "tab", "shift+tab"),
		Outer:    bind("buffer around this one", "<", "<"),
		Inner:    bind("buffer inside this one", ">", ">"),
		Search:   bind("search keys, text, numbers; x:1b 00 bytes", "/", "/"),
		Next:     bind("next hit", "n", "n"),
		Previous: bind("previous hit", "N", "N"),
		Problems: bind("list and repair problems", "!", "!"),
		Problem:  bind("next problem", "]", "]"),
		Earlier:  bind("previous problem", "[", "["),
		Edit:     bind("edit the value, a container as text", "e", "e"),
		Flip:     bind("true or false; fold or unfold", "space", " "),
		Rename:   bind("edit the key or name", "r", "r"),
		AsText:   bind("while typing: text or literal", "ctrl+t", "ctrl+t"),
		Undo:     bind("undo", "u", "u"),
		Redo:     bind("redo", "ctrl+r", "ctrl+r"),
		Change:   bind("next change", "c", "c"),

		After:       bind("add a value after", "a", "a"),
		Before:      bind("add a value before", "i", "i"),
		Inside:      bind("add a value inside, at the end", "A", "A"),
		Duplicate:   bind("duplicate", "D", "D"),
		Delete:      bind("delete", "d", "d", "delete"),
		MoveDown:    bind("move down", "J", "J", "shift+down"),
		MoveUp:      bind("move up", "K", "K", "shift+up"),
		Copy:        bind("copy, to the clipboard too", "y", "y"),
		Cut:         bind("cut", "x", "x"),
		Paste:       bind("paste after", "p", "p"),
		PasteBefore: bind("paste before", "P", "P"),

		InsertBytes: bind("insert bytes", "i", "i"),
		AppendBytes: bind("insert bytes after the cursor", "a", "a"),
		Overwrite:   bind("overwrite bytes", "r", "r"),
		DeleteByte:  bind("delete a byte", "x", "x", "delete"),

		Command: bind("command", ":", ":"),
		Save:    bind("save", "ctrl+s", "ctrl+s"),
		Reload:  bind("reload the file", "R", "R"),
		Help:    bind("help", "?", "?", "f1"),
		Cancel:  bind("stop work in progress, leave, close", "esc", "esc"),
		Suspend: bind("suspend", "ctrl+z", "ctrl+z"),
		Quit:    bind("quit", "q", "q", "ctrl+c"),
	}
}

// A keyGroup is a heading of the help with its keys.
type keyGroup struct {
	title string
	keys  []key.Binding
}

// groups is the whole help.
func (k keyMap) groups() []keyGroup {
	return []keyGroup{
		{"Move", []key.Binding{k.Down, k.Up, k.Right, k.Left, k.HalfDown, k.HalfUp, k.PageDown, k.PageUp, k.First, k.Last, k.Switch, k.Outer, k.Inner}},
		{"Fold", []key.Binding{k.Toggle, k.Referrer, k.Back, k.FoldAll}},
		{"Find", []key.Binding{k.Search, k.Next, k.Previous, k.Problems, k.Problem, k.Earlier, k.Change}},
		{"Edit", []key.Binding{k.Edit, k.Flip, k.Rename, k.AsText, k.Undo, k.Redo}},
		{"Add and delete, in the tree", []key.Binding{k.After, k.Before, k.Inside, k.Duplicate, k.Delete, k.MoveDown, k.MoveUp, k.Copy, k.Cut, k.Paste, k.PasteBefore}},
		{"Bytes, in their pane", []key.Binding{k.InsertBytes, k.AppendBytes, k.Overwrite, k.DeleteByte}},
		newProblemKeys().group(),
		{"Program", []key.Binding{k.Command, k.Save, k.Reload, k.Help, k.Cancel, k.Suspend, k.Quit}},
	}
}

// short lists the keys of the bottom line, the most important first. edits is the
// key that edits the selected value, "" if none does.
func (k keyMap) short(bytes, layered bool, edits string) []key.Binding {
	var all []key.Binding
	switch {
	case bytes && edits != "":
		all = append(all, named(k.InsertBytes, "i", "insert"), named(k.Overwrite, "r", "overwrite"))
	case edits != "":
		all = append(all, named(k.Edit, edits, "edit"))
	}
	if bytes {
		all = append(all, named(k.Switch, "tab", "tree"))
	} else {
		all = append(all, named(k.Switch, "tab", "bytes"), named(k.Right, "l/h", "fold"))
	}
	if layered {
		all = append(all, named(k.Outer, "</>", "buffer"))
	}
	all = append(all, named(k.Search, "/", "search"), named(k.Command, ":", "command"))
	if bytes {
		all = append(all, named(k.Down, "hjkl", "move"))
	} else {
		all = append(all, named(k.Down, "j/k", "move"))
	}
	return append(all, k.Help, k.Quit)
}

// named is a binding under a shorter name.
func named(b key.Binding, show, does string) key.Binding {
	b.SetHelp(show, does)
	return b
}
