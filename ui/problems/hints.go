package problems

import (
	"github.com/charmbracelet/bubbles/key"

	"varview/ui/action"
	"varview/ui/paint"
)

// Hints implements dialog.Hinting.
func (p *Pane) Hints() []paint.Piece {
	var keys []key.Help
	add := func(actions ...action.Action) { keys = append(keys, p.KeyMap.Hints(actions...)...) }
	if f, ok := p.Selected(); ok {
		_, cause, _ := p.shownCause()
		canEdit := p.Doc.CanEdit(f.Buffer) == nil
		if canEdit && cause.Repair != "" && !p.all.unconfirmed[f.Buffer] {
			add(action.Repair)
		}
		if canEdit && p.repairable > 1 {
			add(action.RepairAll)
		}
		add(action.GoThere)
		if len(f.Alternatives) > 0 {
			keys = append(keys, p.KeyMap.Hint("cause", action.PreviousCause, action.NextCause))
		}
	}
	if p.Task.Shows() {
		add(action.Cancel)
	}
	if p.Doc.IsModified() {
		add(action.Undo, action.Save)
	}
	if !p.all.isEmpty() {
		keys = append(keys, p.KeyMap.Hint("filter", action.ShowErrors, action.ShowWarnings, action.ShowNotes), p.KeyMap.Hint("move", action.Down, action.Up))
	}
	add(action.Help, action.CloseList)
	return paint.Keys(paint.FittingKeys(keys, paint.BottomRoom(p.Width)))
}
