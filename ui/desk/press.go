package desk

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"varview/ui/action"
	"varview/ui/dialog"
)

// scaled are the actions that take a number as a distance or a destination, in Count.
var scaled = []action.Action{action.Down, action.Up, action.HalfPageDown, action.HalfPageUp, action.PageDown, action.PageUp,
	action.First, action.Last, action.Increase, action.Decrease, action.ExtendDown, action.ExtendUp, action.NextSibling, action.PreviousSibling, action.Parent, action.UnfoldAll, action.BorderLeft, action.BorderRight}

// repeated are the actions that take a number of repetitions.
var repeated = []action.Action{action.Right, action.Left, action.Back, action.Forward, action.NextProblem, action.PreviousProblem}

// Press handles a key of a pane: it does what the key means, or waits for the next key after a number or
// the first of two keys.
func (d *Desk) Press(k action.KeyMap, msg tea.KeyMsg, do func(action.Action) tea.Cmd) tea.Cmd {
	return d.press(k, msg, 0, do)
}

func (d *Desk) press(k action.KeyMap, msg tea.KeyMsg, count int, do func(action.Action) tea.Cmd) tea.Cmd {
	a := k.Of(msg)
	if n, isDigit := dialog.Counted(count, msg); isDigit && a == "" {
		return d.Await(strconv.Itoa(n), "then a key: how often, how far or where", nil, func(next tea.KeyMsg) tea.Cmd {
			return d.press(k, next, n, do)
		})
	}
	if after := k.Begins(msg); a == "" && len(after) > 0 {
		var keys []key.Help
		for _, e := range after {
			keys = append(keys, key.Help{Key: e.Keys[0], Desc: e.Title})
		}
		return d.Await(action.NameOf(msg), "", keys, func(next tea.KeyMsg) tea.Cmd {
			name := action.NameOf(msg) + " " + action.NameOf(next)
			i := slices.IndexFunc(after, func(e action.Entry) bool { return e.Keys[0] == action.NameOf(next) })
			if i < 0 {
				return d.run("", name, count, do)
			}
			return d.run(after[i].Action, name, count, do)
		})
	}
	return d.run(a, action.NameOf(msg), count, do)
}

// Await waits for the next key after others. Meanwhile it shows say, or keys. The dialog in which the
// keys were pressed may be closed by then, and the document may be another one.
func (d *Desk) Await(typed, say string, keys []key.Help, next func(tea.KeyMsg) tea.Cmd) tea.Cmd {
	in := d.Dialogs.Top()
	return d.Open(&dialog.Strokes{Context: d, Typed: typed, Say: say, Keys: keys, Next: func(msg tea.KeyMsg) tea.Cmd {
		if in != nil && !slices.Contains(d.Dialogs, in) {
			return nil
		}
		return next(msg)
	}})
}

// run does an action, with the number typed before it, if any.
func (d *Desk) run(a action.Action, name string, count int, do func(action.Action) tea.Cmd) tea.Cmd {
	switch {
	case a == "":
		return d.Say(fmt.Sprintf("no action on %s; %s lists all", action.Named(name), d.Actions.Hint("", action.Help).Key))
	case count == 0:
		return do(a)
	case slices.Contains(scaled, a):
		d.Count = count
		defer func() { d.Count = 0 }()
		return do(a)
	case slices.Contains(repeated, a):
		var cmds []tea.Cmd
		for range count {
			cmds = append(cmds, do(a))
		}
		return tea.Batch(cmds...)
	}
	return d.Say(fmt.Sprintf("%s takes no number before it", action.Named(name)))
}

// Times returns the number typed before an action; 1 without one.
func (d *Desk) Times() int { return max(1, d.Count) }
