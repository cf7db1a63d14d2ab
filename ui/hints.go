package ui

import (
	"github.com/charmbracelet/bubbles/key"

	"varview/decoder/engine/span"
	"varview/internal/text"
	"varview/model/explore"
	"varview/themes"
	"varview/ui/action"
	"varview/ui/desk"
	"varview/ui/edits"
	"varview/ui/find"
	"varview/ui/paint"
	"varview/ui/records"
)

// hints are the keys of the bottom line while no dialog is open.
type hints struct {
	*desk.Desk
	values *edits.Values
	find   *find.Find
	lists  *records.Records
}

// view draws the keys that fit into room columns, help and quit always.
func (h *hints) view(room int) []paint.Piece {
	return paint.Keys(paint.FittingKeys(append(h.needed(), h.usual()...), room))
}

// search returns what is searched for, for the end of the bottom line.
func (h *hints) search() []paint.Piece {
	said := h.find.Status(h.Width / 4)
	if said == "" {
		return nil
	}
	return []paint.Piece{paint.Plain(" "), paint.In(themes.Title, text.Clean(said)), paint.Plain(" ")}
}

// needed returns the keys that the file or the selected value calls for.
func (h *hints) needed() []key.Help {
	var keys []key.Help
	add := func(actions ...action.Action) { keys = append(keys, h.Actions.Hints(actions...)...) }
	typed := func(command, does string) { keys = append(keys, key.Help{Key: command, Desc: does}) }
	d, _ := h.Explorer.Differing()
	if d != nil {
		keys = append(keys, h.Actions.Hint("change", action.NextChange, action.PreviousChange))
		add(action.TakeDifference)
	} else if e := h.Doc.Earlier; e != nil {
		keys = append(keys, h.Actions.Hint("change", action.NextChange, action.PreviousChange))
	}
	switch {
	case h.Explorer.Filter() != nil:
		keys = append(keys, h.Actions.Hint("all rows", action.Cancel))
	case d != nil:
		keys = append(keys, h.Actions.Hint("end", action.Cancel))
	}
	if d != nil {
		add(action.GiveDifference, action.OnlyChanges)
	}
	switch {
	case h.Opening.Shows():
		add(action.Cancel)
	case h.Doc.IsLocked():
		typed(":password", "open")
	case h.Doc.IsDeferred():
		typed(":unpack", "open")
	case h.Doc.IsCut():
		typed(":unpack SIZE", "more")
	}
	if h.Doc.ProblemCount(span.Warning) > 0 {
		add(action.ListProblems)
	}
	switch {
	case h.Task.Shows():
		add(action.Cancel)
	case h.Doc.IsModified():
		add(action.Undo, action.Save)
	}
	if h.Focus == desk.OnBytes {
		return keys
	}
	switch {
	case h.Explorer.LacksSchema():
		typed(":schema PATH", "load")
	case h.Explorer.Refers(), h.Explorer.Link() != "":
		keys = append(keys, h.Actions.Hint("follow", action.Toggle))
	}
	if h.Explorer.IsReferred() {
		add(action.NextReference)
	}
	if h.Explorer.HasFollowed() {
		add(action.Back)
	}
	return keys
}

// usual returns the keys that always do something, most important first.
func (h *hints) usual() []key.Help {
	var keys []key.Help
	add := func(actions ...action.Action) { keys = append(keys, h.Actions.Hints(actions...)...) }
	pair := func(title string, actions ...action.Action) { keys = append(keys, h.Actions.Hint(title, actions...)) }
	inBytes, edit := h.Focus == desk.OnBytes, h.editAction()
	switch {
	case inBytes && h.Selection.Active:
		add(action.Copy, action.FillBytes)
		pair("delete", action.DeleteByte)
		pair("more", action.SelectAround)
		pair("end", action.Cancel)
	case !inBytes && h.Explorer.IsChoosing():
		pair("set", action.Edit)
		add(action.Copy, action.Delete, action.Duplicate)
		pair("end", action.Cancel)
	case inBytes && edit != "":
		add(action.InsertBytes, action.OverwriteBytes)
	case edit != "":
		pair("edit", edit)
	}
	if inBytes {
		if !h.Explorer.Buffer.IsPlain() {
			pair("tree", action.OtherPane)
		}
		add(action.SelectBytes)
	} else {
		inTable, isDrawn := h.Explorer.Suits()
		if inTable {
			add(action.ShowTable)
			pair("add", action.AddInside)
		}
		if h.lists.CanShow() {
			add(action.ShowRecords)
		}
		if isDrawn {
			add(action.Draw)
		}
		other := "bytes"
		if h.ShowsText() {
			other = "text"
		}
		pair(other, action.OtherPane)
		pair("fold", action.Right, action.Left)
	}
	if len(h.Doc.Buffers) > 1 {
		pair("buffer", action.Outer, action.Inner)
	}
	add(action.Search, action.Command)
	if inBytes {
		pair("move", action.Left, action.Down, action.Up, action.Right)
	} else {
		pair("move", action.Down, action.Up)
	}
	add(action.Help, action.Quit)
	return keys
}

// editAction returns the action that edits the selection; "" if there is none.
func (h *hints) editAction() action.Action {
	if h.Doc.CanEdit(h.Explorer.Buffer) != nil {
		return ""
	}
	n := h.values.Value()
	switch {
	case h.Focus == desk.OnBytes:
		return action.Edit
	case n == nil, h.Explorer.Buffer.CannotEditValues() != nil:
		return ""
	case explore.CanOpen(n), h.Explorer.Refers(), h.Explorer.Link() != "":
		return action.Edit
	}
	return action.Toggle
}
