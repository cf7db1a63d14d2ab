package ui

import (
	"github.com/charmbracelet/bubbles/key"

	"varview/ui/paint"
)

// problemKeys are the keys of the list of problems, except those to move, undo,
// save and for help.
type problemKeys struct {
	GoTo, Repair, RepairAll  key.Binding
	NextCause, PreviousCause key.Binding
	Errors, Warnings, Notes  key.Binding
	Close                    key.Binding
}

func newProblemKeys() problemKeys {
	return problemKeys{
		GoTo:          bind("go there", "enter", "enter"),
		Repair:        bind("repair this one", "r", "r"),
		RepairAll:     bind("repair all that are shown", "R", "R"),
		NextCause:     bind("next possible cause", "l →", "l", "right"),
		PreviousCause: bind("previous possible cause", "h ←", "h", "left"),
		Errors:        bind("hide or show errors", "e", "e"),
		Warnings:      bind("hide or show warnings", "w", "w"),
		Notes:         bind("hide or show notes", "n", "n"),
		Close:         bind("close, back to where you were", "esc !", "esc", "!", "q"),
	}
}

// group is their part of the help.
func (k problemKeys) group() keyGroup {
	return keyGroup{"In the list of problems", []key.Binding{k.GoTo, k.Repair, k.RepairAll, k.NextCause, k.PreviousCause, k.Errors, k.Warnings, k.Notes, k.Close}}
}

// problemHelp are the keys of the bottom line while problems are listed.
func (m *Model) problemHelp(width int) []key.Help {
	var keys []key.Help
	add := func(key_, does string) { keys = append(keys, key.Help{Key: key_, Desc: does}) }
	p := m.problems
	f, ok := p.selected()
	if ok {
		_, cause, _ := p.shownCause()
		if m.doc.CanEdit(f.Buffer) == nil {
			if cause.Repair != "" {
				add("r", "repair")
			}
			if p.repairable > 1 {
				add("R", "repair all")
			}
		}
		add("enter", "go there")
		if len(f.Alternatives) > 0 {
			add("h/l", "cause")
		}
	}
	if m.task.name != "" {
		add("esc", "stop")
	}
	if m.doc.IsModified() {
		add("u", "undo")
		add("ctrl+s", "save")
	}
	if !p.all.isEmpty() {
		add("e/w/n", "filter")
		add("j/k", "move")
	}
	add("?", "help")
	add("esc", "close")
	return paint.FittingKeys(keys, width)
}
