package ui

import "github.com/charmbracelet/bubbles/key"

// keyMap is what every key does. The help and the bottom line are made from it.
type keyMap struct {
	Up, Down, PageUp, PageDown, HalfUp, HalfDown, First, Last key.Binding
	Left, Right, Toggle, FoldAll, Back, Referrer              key.Binding
	Switch, Outer, Inner, Search, Next, Previous, Problem     key.Binding
	Command, Reload, Help, Cancel, Suspend, Quit              key.Binding
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
		Left:     bind("fold, or go out; a byte back", "h ←", "h", "left"),
		Right:    bind("unfold, or go in; a byte on", "l →", "l", "right"),
		Toggle:   bind("fold or unfold; follow a reference", "enter", "enter", " "),
		FoldAll:  bind("fold everything", "-", "-"),
		Back:     bind("back from a jump along a reference", "ctrl+o", "ctrl+o", "backspace"),
		Referrer: bind("next reference to the same value", "*", "*"),
		Switch:   bind("other pane", "tab", "tab", "shift+tab"),
		Outer:    bind("buffer around this one", "<", "<"),
		Inner:    bind("buffer inside this one", ">", ">"),
		Search:   bind("search keys, text, numbers; x:1b 00 bytes", "/", "/"),
		Next:     bind("next hit", "n", "n"),
		Previous: bind("previous hit", "N", "N"),
		Problem:  bind("next problem", "!", "!"),
		Command:  bind("command", ":", ":"),
		Reload:   bind("reload the file", "R", "R"),
		Help:     bind("help", "?", "?", "f1"),
		Cancel:   bind("stop a search or unpacking, close this", "esc", "esc"),
		Suspend:  bind("suspend", "ctrl+z", "ctrl+z"),
		Quit:     bind("quit", "q", "q", "ctrl+c"),
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
		{"Find", []key.Binding{k.Search, k.Next, k.Previous, k.Problem}},
		{"Program", []key.Binding{k.Command, k.Reload, k.Help, k.Cancel, k.Suspend, k.Quit}},
	}
}

// short is the bottom line, the most wanted first.
func (k keyMap) short(bytes, layered bool) []key.Binding {
	all := []key.Binding{named(k.Down, "j/k", "move"), named(k.Right, "l/h", "fold"), named(k.Switch, "tab", "bytes")}
	if bytes {
		all = []key.Binding{named(k.Down, "hjkl", "bytes"), named(k.Switch, "tab", "tree")}
	}
	if layered {
		all = append(all, named(k.Outer, "</>", "buffer"))
	}
	return append(all, k.search(), k.command(), k.Help, k.Quit)
}

func (k keyMap) search() key.Binding  { return named(k.Search, "/", "search") }
func (k keyMap) command() key.Binding { return named(k.Command, ":", "goto") }

// named is a binding under a shorter name.
func named(b key.Binding, show, does string) key.Binding {
	b.SetHelp(show, does)
	return b
}
