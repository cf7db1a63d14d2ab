package ui

import (
	"github.com/charmbracelet/bubbles/key"

	"varview/decoder/span"
	"varview/model"
	"varview/ui/action"
	"varview/ui/desk"
	"varview/ui/edits"
	"varview/ui/paint"
)

// hints are the keys of the bottom line while no dialog is open.
type hints struct {
	*desk.Desk
	edits *edits.Edits
}

// needed are the keys that the file, or the selected value, asks for.
func (h *hints) needed() []key.Help {
	var keys []key.Help
	switch {
	case h.Opening.Shows():
		keys = append(keys, h.Actions.Hint(action.Cancel))
	case h.Doc.IsLocked():
		keys = append(keys, key.Help{Key: ":password", Desc: "open"})
	case h.Doc.IsDeferred():
		keys = append(keys, key.Help{Key: ":unpack", Desc: "open"})
	case h.Doc.IsCut():
		keys = append(keys, key.Help{Key: ":unpack SIZE", Desc: "more"})
	}
	if h.Doc.ProblemCount(span.Warning) > 0 {
		keys = append(keys, h.Actions.Hint(action.ListProblems))
	}
	switch {
	case h.Task.Shows():
		keys = append(keys, h.Actions.Hint(action.Cancel))
	case h.Doc.IsModified():
		keys = append(keys, h.Actions.Hint(action.Undo), h.Actions.Hint(action.Save))
	}
	if h.Focus == desk.OnBytes {
		return keys
	}
	switch {
	case h.Explorer.LacksSchema():
		keys = append(keys, key.Help{Key: ":schema PATH", Desc: "load"})
	case h.Explorer.Refers():
		keys = append(keys, h.Actions.HintFor("follow", action.Toggle))
	}
	if h.Explorer.IsReferred() {
		keys = append(keys, h.Actions.Hint(action.NextReference))
	}
	if h.Explorer.CanGoBack() {
		keys = append(keys, h.Actions.Hint(action.Back))
	}
	return keys
}

// view draws the keys that fit, help and quit always.
func (h *hints) view() []paint.Piece {
	return paint.Keys(paint.FittingKeys(append(h.needed(), h.usual()...), paint.BottomRoom(h.Width)))
}

// usual lists the keys that always do something, the most important first.
func (h *hints) usual() []key.Help {
	var keys []key.Help
	add := func(title string, actions ...action.Action) {
		keys = append(keys, h.Actions.HintFor(title, actions...))
	}
	inBytes, edit := h.Focus == desk.OnBytes, h.editAction()
	switch {
	case inBytes && edit != "":
		add("insert", action.InsertBytes)
		add("overwrite", action.OverwriteBytes)
	case edit != "":
		add("edit", edit)
	}
	if inBytes {
		add("tree", action.OtherPane)
	} else {
		add("bytes", action.OtherPane)
		add("fold", action.Right, action.Left)
	}
	if len(h.Doc.Buffers) > 1 {
		add("buffer", action.Outer, action.Inner)
	}
	add("search", action.Search)
	add("command", action.Command)
	if inBytes {
		add("move", action.Left, action.Down, action.Up, action.Right)
	} else {
		add("move", action.Down, action.Up)
	}
	add("help", action.Help)
	add("quit", action.Quit)
	return keys
}

// editAction is the action that edits what is selected, "" if none does.
func (h *hints) editAction() action.Action {
	if h.Doc.CanEdit(h.Explorer.Buffer) != nil || h.Explorer.Buffer.CannotEditValues() != nil {
		return ""
	}
	n := h.edits.Value()
	switch {
	case h.Focus == desk.OnBytes:
		return action.Edit
	case n == nil:
		return ""
	case model.CanOpen(n), h.Explorer.Refers():
		return action.Edit
	}
	return action.Toggle
}
