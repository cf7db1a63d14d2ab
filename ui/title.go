package ui

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"

	"github.com/charmbracelet/bubbles/key"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
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
	return t.Styles.Line(pieces, width, false)
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
	case t.Doc.IsForeign():
		return "" // it has no values
	case !t.Doc.IsFramed():
		return "" // there is one value
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

// state describes work in progress, changes and problems.
func (t *title) state() []paint.Piece {
	var parts []paint.Piece
	add := func(role themes.Role, text string) {
		if len(parts) > 0 {
			parts = append(parts, paint.In(themes.Dim, " · "))
		}
		parts = append(parts, paint.In(role, text))
	}
	if said := t.differ.Watched(); said != "" {
		add(themes.Accent, said)
	}
	if t.file.Grows {
		add(themes.Accent, "live")
	} else if t.file.Changed != "" && (t.Doc.IsModified() || !t.differ.IsWatching()) {
		add(themes.Warning, strings.TrimSuffix(t.file.Changed+": "+t.remedy(), ": "))
	}
	if len(t.file.Others) > 0 {
		add(themes.Warning, fmt.Sprintf("open in process %d too", t.file.Others[0]))
	}
	if t.file.Unkept {
		add(themes.Warning, "edits are not kept")
	}
	if t.file.Protected {
		add(themes.Warning, "read-only file")
	}
	switch {
	case t.Doc.IsModified():
		add(themes.Changed, "modified")
	case errors.Is(t.Doc.CanEdit(t.Explorer.Buffer), model.ErrReadOnly):
		add(themes.Dim, "read-only")
	}
	for _, j := range []*jobs.Job{&t.Task, &t.Opening, &t.Seeking} {
		if j.Shows() {
			add(themes.Accent, fmt.Sprintf("%s %.0f%%", text.Head(j.Name, 24), 100*j.Progress.Share()))
		}
	}
	switch share, done := t.Doc.Indexed(); {
	case !done:
		word := "reading"
		if t.Explorer.Waiting() {
			word = "working"
		}
		add(themes.Accent, fmt.Sprintf("%s %.0f%%", word, 100*share))
	case t.Reading.Buffer != nil && t.Reading.Checking:
		share, _ := t.Reading.Buffer.Diagnosing()
		add(themes.Accent, fmt.Sprintf("checking %.0f%%", 100*share))
	}
	if n := t.Doc.ProblemCount(span.Warning); n > 0 {
		role := themes.Warning
		if t.Doc.ProblemCount(span.Error) > 0 {
			role = themes.Error
		}
		add(role, span.Counted(int64(n), "problem"))
	} else if n := t.Doc.ProblemCount(span.Note); n > 0 {
		add(themes.Note, span.Counted(int64(n), "note"))
	}
	if len(parts) == 0 {
		return nil
	}
	room := max(0, t.Width-nameRoom)
	for len(parts) > 1 && paint.Columns(parts) > room {
		parts = parts[:len(parts)-2] // with the separator before it
	}
	parts[0].Text = text.Head(parts[0].Text, room)
	return append([]paint.Piece{paint.Plain(" ")}, append(parts, paint.Plain(" "))...)
}

// nameRoom is the number of columns that the top line keeps for the file's name,
// the frame and blanks.
const nameRoom = 16

// remedy says what to do about a file that has changed on disk.
func (t *title) remedy() string {
	switch {
	case t.file.Changed == source.Gone:
		return ":w! writes it again"
	case !t.Doc.IsModified():
		return "R reloads"
	}
	return "R asks"
}

// maxTrail is the largest number of messages in a report about a panic.
const maxTrail = 100

// A trail holds the names of the last messages, with how often each was repeated. A panic in another
// goroutine lists them too.
type trail struct {
	mu   sync.Mutex
	last []happened
}

type happened struct {
	name  string
	times int
}

func (t *trail) add(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if n := len(t.last); n > 0 && t.last[n-1].name == name {
		t.last[n-1].times++
		return
	}
	if len(t.last) == maxTrail {
		t.last = append(t.last[:0], t.last[1:]...)
	}
	t.last = append(t.last, happened{name, 1})
}

// list returns a line for each action, latest last.
func (t *trail) list() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var b strings.Builder
	b.WriteString("last actions:\n")
	for _, x := range t.last {
		fmt.Fprintf(&b, "  %s", x.name)
		if x.times > 1 {
			fmt.Fprintf(&b, " (%d times)", x.times)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// hints are the keys of the bottom line while no dialog is open.
type hints struct {
	*desk.Desk
	values *edits.Values
	find   *find.Find
	lists  *records.Records
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
	inBytes, canEdit, takesFirst := h.Focus == desk.OnBytes, h.canEdit(), h.Explorer.TakesFirst()
	switch {
	case inBytes && h.Selection.Active:
		add(action.Copy, action.FillBytes)
		pair("delete", action.DeleteByte)
		pair("more", action.SelectAround)
		pair("end", action.Cancel)
	case !inBytes && h.Explorer.IsChoosing():
		pair("set "+span.Counted(int64(h.Explorer.CountChosen()), "value"), action.Edit)
		add(action.Copy)
		keys = append(keys, key.Help{Key: strings.Replace(h.Actions.Hint("", action.Delete).Key, "dd", "d", 1), Desc: "delete"})
		add(action.Duplicate)
		pair("end", action.Cancel)
	case inBytes && canEdit:
		add(action.InsertBytes, action.OverwriteBytes)
	case canEdit:
		add(action.Edit)
	case takesFirst && h.Doc.CanEdit(h.Explorer.Buffer) == nil:
		pair("add", action.AddAfter)
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
		if !takesFirst {
			pair("fold", action.Right, action.Left)
		}
	}
	if len(h.Doc.Buffers) > 1 {
		pair("buffer", action.Outer, action.Inner)
	}
	if !takesFirst {
		add(action.Search)
	}
	add(action.Command)
	if inBytes {
		pair("move", action.Left, action.Down, action.Up, action.Right)
	} else {
		pair("move", action.Down, action.Up)
	}
	add(action.Help, action.Quit)
	return keys
}

// canEdit reports whether the selected value, or the bytes, can be edited.
func (h *hints) canEdit() bool {
	if h.Doc.CanEdit(h.Explorer.Buffer) != nil {
		return false
	}
	return h.Focus == desk.OnBytes || h.values.Value() != nil && h.Explorer.Buffer.CannotEditValues() == nil
}
