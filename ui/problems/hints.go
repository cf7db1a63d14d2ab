package problems

import (
	"github.com/charmbracelet/bubbles/key"

	"varview/ui/action"
	"varview/ui/paint"
)

// Hints implements dialog.Hinting.
func (p *Pane) Hints() []paint.Piece {
	var keys []key.Help
	add := func(title string, actions ...action.Action) {
		keys = append(keys, p.Actions.HintFor(title, actions...))
	}
	f, ok := p.Selected()
	if ok {
		_, cause, _ := p.shownCause()
		if p.Doc.CanEdit(f.Buffer) == nil {
			if cause.Repair != "" {
				add("repair", action.Repair)
			}
			if p.repairable > 1 {
				add("repair all", action.RepairAll)
			}
		}
		add("go there", action.GoThere)
		if len(f.Alternatives) > 0 {
			add("cause", action.PreviousCause, action.NextCause)
		}
	}
	if p.Task.Shows() {
		add("stop", action.Cancel)
	}
	if p.Doc.IsModified() {
		add("undo", action.Undo)
		add("save", action.Save)
	}
	if !p.all.isEmpty() {
		add("filter", action.ShowErrors, action.ShowWarnings, action.ShowNotes)
		add("move", action.Down, action.Up)
	}
	add("help", action.Help)
	add("close", action.CloseList)
	return paint.Keys(paint.FittingKeys(keys, paint.BottomRoom(p.Width)))
}
