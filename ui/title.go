package ui

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/internal/text"
	"varview/model"
	"varview/model/bytesize"
	"varview/themes"
	"varview/ui/action"
	"varview/ui/desk"
	"varview/ui/differ"
	"varview/ui/edits"
	"varview/ui/file"
	"varview/ui/find"
	"varview/ui/jobs"
	"varview/ui/paint"
	"varview/ui/records"
)

// title is the first line: what the file is on the left, and its state on the right.
type title struct {
	*desk.Desk
	file   *file.File
	differ *differ.Differ
}

// view draws the upper frame, along the panes below it.
func (t *title) view(panes []framed) string {
	width := t.Width
	state := t.state()
	stateWidth := paint.Columns(state)
	left := []paint.Piece{paint.In(paint.FrameRole(panes[0].focused), "╭ ")}
	room := width - 4 - stateWidth
	name := text.Head(t.Doc.Name, max(8, room/2))
	about := text.Cut(" ─ "+t.about(room-text.Width(name)-4)+" ", max(0, room-text.Width(name)))
	left = append(left, paint.In(themes.Title, name), paint.In(themes.Dim, about))
	pieces := append(left, edge(panes, paint.Columns(left), width-stateWidth-2, "┬", true)...)
	pieces = append(pieces, state...)
	pieces = append(pieces, paint.In(paint.FrameRole(panes[len(panes)-1].focused), "─╮"))
	return t.Styles.Line(pieces, width)
}

// about describes the file: GCPF Zstandard → Godot 4 · stream of 3 · 12.4 KiB. If that is wider than
// width, the wrappers are left out.
func (t *title) about(width int) string {
	title, wrappers := "", ""
	for _, b := range t.Doc.Buffers {
		wrappers += title
		title = b.Title() + " → "
	}
	title = strings.TrimSuffix(title, " → ")
	if t.Doc.Confidence == "weak" && !t.Doc.IsForeign() {
		title += "?"
		if or := t.Doc.Alternative; or != nil && or.Likelier {
			title += " or :as " + or.Format.Info().Dialect.Name
		}
	}
	described := ""
	if d := t.Described; d.IsMeasured {
		described = fmt.Sprintf("%.0f %% described", math.Floor(100*d.Share))
	}
	rest := text.Join(title, t.framing(), described, bytesize.Format(t.Doc.Buffers[0].Size()))
	if wrappers != "" && text.Width(wrappers+rest) > width {
		wrappers = "… → "
	}
	return wrappers + rest
}

// framing says how the values follow one another, or why there are none.
func (t *title) framing() string {
	switch {
	case t.Doc.IsLocked():
		return "encrypted"
	case t.Doc.IsUnfinished():
		return "the beginning"
	case t.Doc.IsDeferred():
		return "packed"
	case t.Doc.Missing != nil:
		return "closed"
	case t.Doc.IsForeign(), !t.Doc.IsFramed():
		return "" // it has no values, or one
	case t.Doc.Framing == "raw":
		return t.Doc.Framing
	}
	framing := t.Doc.Framing
	if n := t.Doc.Values(); n >= 0 {
		framing += " of " + span.Grouped(n)
	}
	if t.Doc.BigEndian {
		framing += " (big-endian lengths)"
	}
	return framing
}

// leastState is the number of columns in which the beginning of a part of the state is shown.
const leastState = 20

// state describes changes, work in progress and problems.
func (t *title) state() (pieces []paint.Piece) {
	parts := slices.Concat(t.onDisk(), t.working(), t.problems())
	if len(parts) == 0 {
		return nil
	}
	room := max(0, t.Width-nameRoom)
	for _, p := range parts {
		between := paint.In(themes.Dim, " · ")
		if pieces == nil {
			between.Text = ""
		}
		left := room - paint.Columns(append(pieces, between))
		if text.Width(p.Text) > left && left < leastState {
			continue
		}
		p.Text = text.Head(p.Text, left)
		pieces = append(pieces, between, p)
	}
	return append([]paint.Piece{paint.Plain(" ")}, append(pieces, paint.Plain(" "))...)
}

// onDisk describes how the document and the file differ, and what keeps them from being the same.
func (t *title) onDisk() (parts []paint.Piece) {
	add := func(isShown bool, role themes.Role, text string) {
		if isShown {
			parts = append(parts, paint.In(role, text))
		}
	}
	f, isModified, watched := t.file, t.Doc.IsModified(), t.differ.Watched()
	isGone, differs := source.IsGone(f.Changed), f.Changed+": "+t.remedy()
	add(isModified, themes.Changed, "modified") // first, so that it is never left out
	add(isGone, themes.Warning, differs)
	add(watched != "", themes.Accent, watched)
	add(f.Grows, themes.Accent, "live")
	add(f.Spoils, themes.Warning, "faults")
	add(!isGone && !f.Grows && f.Changed != "" && (isModified || !t.differ.IsWatching()), themes.Warning, differs)
	add(len(f.Others) > 0, themes.Warning, fmt.Sprintf("open in process %d too", cmp.Or(f.Others...)))
	add(f.Unkept, themes.Warning, "edits are not kept")
	add(f.Protected, themes.Warning, "read-only file")
	add(!isModified && errors.Is(t.Doc.CanEdit(t.Explorer.Buffer), model.ErrReadOnly), themes.Dim, "read-only")
	return parts
}

// working describes work in progress.
func (t *title) working() (parts []paint.Piece) {
	add := func(name string, share float64) {
		if percent := fmt.Sprintf(" %.0f%%", 100*share); percent != " 0%" { // which is also that of what is not counted
			name += percent
		}
		parts = append(parts, paint.In(themes.Accent, name))
	}
	for _, j := range []*jobs.Job{&t.Task, &t.Opening, &t.Seeking} {
		if j.Shows() {
			add(text.Head(j.Name, 24), j.Progress.Share())
		}
	}
	switch share, done := t.Doc.Indexed(); {
	case !done && t.Explorer.Waiting():
		add("working", share)
	case !done:
		add("reading", share)
	case t.Reading.Buffer != nil && t.Reading.Checking:
		share, _ := t.Reading.Buffer.Diagnosing()
		add("checking", share)
	}
	return parts
}

// problems counts the problems, or the notes if there are none.
func (t *title) problems() []paint.Piece {
	n, role, what := t.Doc.ProblemCount(span.Warning), themes.Warning, "problem"
	switch {
	case t.Doc.ProblemCount(span.Error) > 0:
		role = themes.Error
	case n == 0:
		n, role, what = t.Doc.ProblemCount(span.Note), themes.Dim, "note"
	}
	if n == 0 {
		return nil
	}
	return []paint.Piece{paint.In(role, span.Counted(int64(n), what))}
}

// nameRoom is the number of columns that the top line keeps for the file's name,
// the frame and blanks.
const nameRoom = 16

// remedy says what to do about a file that has changed on disk.
func (t *title) remedy() string {
	switch {
	case source.IsGone(t.file.Changed):
		return ":w! writes it again"
	case !t.Doc.IsModified():
		return "R reloads"
	}
	return "R asks"
}

// hints are the keys of the bottom line while no dialog is open.
type hints struct {
	*desk.Desk
	values *edits.Values
	find   *find.Find
	lists  *records.Records
	differ *differ.Differ
}

// search returns what is searched for, for the end of the bottom line.
func (h *hints) search() []paint.Piece {
	said := h.find.Status(h.Width / 4)
	if said == "" {
		return nil
	}
	return []paint.Piece{paint.Plain(" "), paint.In(themes.Title, text.Clean(said)), paint.Plain(" ")}
}

// needed returns the keys that the file or the selected value calls for, and those that end a filter.
func (h *hints) needed() []key.Help {
	k, doc, x, asks := action.Keys{Table: h.Actions}, h.Doc, h.Explorer, h.differ.Asks()
	d, _ := x.Differing()
	compares, opens, works, inTree := d != nil, h.Opening.Shows(), h.Task.Shows(), h.Focus != desk.OnBytes
	k.Add(asks, "keep mine, take theirs or both", action.Cancel)
	k.Add(compares || doc.Earlier != nil, "change", action.NextChange, action.PreviousChange)
	k.Add(compares && x.TakesBack(), "take back", action.TakeDifference)
	k.Add(compares && !x.TakesBack(), "", action.TakeDifference)
	k.Add(!asks && x.Filter() != nil, "all rows", action.Cancel)
	k.Add(!asks && x.Filter() == nil && compares, "end", action.Cancel)
	k.Add(compares && d.CanGive, "", action.GiveDifference)
	k.Add(compares, "", action.OnlyChanges)
	k.Add(opens, "", action.Cancel)
	k.Typed(!opens && doc.IsLocked(), ":password", "open")
	k.Typed(!opens && !doc.IsLocked() && doc.IsDeferred(), ":unpack", "open")
	k.Typed(!opens && doc.IsCut(), ":unpack SIZE", "more")
	k.Add(doc.ProblemCount(span.Warning) > 0, "", action.ListProblems)
	k.Add(works, "", action.Cancel)
	k.Add(!works && doc.IsModified(), "", action.Undo, action.Save)
	k.Typed(inTree && x.LacksSchema(), ":schema PATH", "load")
	k.Add(inTree && !x.LacksSchema() && (x.Refers() || x.Link() != ""), "follow", action.Toggle)
	k.Add(inTree && x.IsReferred(), "", action.NextReference)
	k.Add(inTree && x.HasFollowed(), "", action.Back)
	return k.All
}

// usual returns the keys that always do something, most important first.
func (h *hints) usual() []key.Help {
	k, takesFirst, inBytes := action.Keys{Table: h.Actions}, h.Explorer.TakesFirst(), h.Focus == desk.OnBytes
	if inBytes {
		h.addForBytes(&k)
	} else {
		h.addForTree(&k, takesFirst)
	}
	k.Add(len(h.Doc.Buffers) > 1, "buffer", action.Outer, action.Inner)
	k.Add(!takesFirst, "", action.Search)
	k.Add(true, "", action.Command)
	k.Add(inBytes, "move", action.Left, action.Down, action.Up, action.Right)
	k.Add(!inBytes, "move", action.Down, action.Up)
	k.Add(true, "", action.Help, action.Quit)
	return k.All
}

// addForBytes adds the keys of the pane of the bytes.
func (h *hints) addForBytes(k *action.Keys) {
	isPlain, selects := h.Explorer.Buffer.IsPlain(), h.Selection.Active
	isUnknown := isPlain && h.Doc.IsUnexplained()
	k.Typed(isUnknown && selects, ":describe NAME", "name them")
	k.Add(isUnknown && !selects, "noticed", action.Toggle)
	k.Add(selects, "", action.Copy, action.FillBytes)
	k.Add(selects, "delete", action.DeleteByte)
	k.Add(selects, "more", action.SelectAround)
	k.Add(selects, "end", action.Cancel)
	k.Add(!selects && h.Doc.CanEdit(h.Explorer.Buffer) == nil, "", action.InsertBytes, action.OverwriteBytes)
	k.Add(!isPlain, "tree", action.OtherPane)
	k.Add(true, "", action.SelectBytes)
}

// addForTree adds the keys of the tree, which may lack its first value.
func (h *hints) addForTree(k *action.Keys, takesFirst bool) {
	x, n, canEdit, chooses := h.Explorer, h.values.Value(), h.Doc.CanEdit(h.Explorer.Buffer) == nil, h.Explorer.IsChoosing()
	canSet := canEdit && n != nil && x.CanSet()
	inTable, draws := x.Suits()
	isRow := inTable && canSet && x.IsOnRow()
	k.Add(chooses, "set "+span.Counted(int64(x.CountChosen()), "value"), action.Edit)
	k.Add(chooses, "", action.Copy)
	k.Typed(chooses, strings.Replace(h.Actions.Hint("", action.Delete).Key, "dd", "d", 1), "delete")
	k.Add(chooses, "", action.Duplicate)
	k.Add(chooses, "end", action.Cancel)
	k.Add(!chooses && canSet, "", action.Edit)
	k.Add(!chooses && !canSet && canEdit && takesFirst, "add", action.AddAfter)
	k.Add(inTable, "", action.ShowTable)
	k.Add(isRow, "add", action.AddAfter)
	k.Add(!isRow && (inTable && canSet || canEdit && n != nil && n.Layout == tree.Pairs), "add", action.AddInside)
	k.Add(h.lists.CanShow(), "", action.ShowRecords)
	k.Add(draws != "", draws, action.Draw)
	k.Add(h.ShowsText(), "text", action.OtherPane)
	k.Add(!h.ShowsText(), "bytes", action.OtherPane)
	k.Add(!takesFirst, "fold", action.Right, action.Left)
}
