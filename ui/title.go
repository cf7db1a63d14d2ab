package ui

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

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
	add := func(role themes.Role, text string) { parts = append(parts, paint.In(role, text)) }
	if t.Doc.IsModified() { // first, so that it is never left out
		add(themes.Changed, "modified")
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
	if !t.Doc.IsModified() && errors.Is(t.Doc.CanEdit(t.Explorer.Buffer), model.ErrReadOnly) {
		add(themes.Dim, "read-only")
	}
	return parts
}

// working describes work in progress.
func (t *title) working() (parts []paint.Piece) {
	add := func(name string, share float64) {
		parts = append(parts, paint.In(themes.Accent, fmt.Sprintf("%s %.0f%%", name, 100*share)))
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

// A keyList is keys for the bottom line.
type keyList struct {
	actions action.Table
	all     []key.Help
}

// add adds actions with their usual titles.
func (k *keyList) add(actions ...action.Action) {
	k.all = append(k.all, k.actions.Hints(actions...)...)
}

// called adds actions that belong together under another title.
func (k *keyList) called(title string, actions ...action.Action) {
	k.all = append(k.all, k.actions.Hint(title, actions...))
}

// typed adds a command.
func (k *keyList) typed(command, does string) {
	k.all = append(k.all, key.Help{Key: command, Desc: does})
}

// needed returns the keys that the file or the selected value calls for.
func (h *hints) needed() []key.Help {
	k := keyList{actions: h.Actions}
	h.addChanges(&k)
	switch {
	case h.Opening.Shows():
		k.add(action.Cancel)
	case h.Doc.IsLocked():
		k.typed(":password", "open")
	case h.Doc.IsDeferred():
		k.typed(":unpack", "open")
	case h.Doc.IsCut():
		k.typed(":unpack SIZE", "more")
	}
	if h.Doc.ProblemCount(span.Warning) > 0 {
		k.add(action.ListProblems)
	}
	switch {
	case h.Task.Shows():
		k.add(action.Cancel)
	case h.Doc.IsModified():
		k.add(action.Undo, action.Save)
	}
	if h.Focus == desk.OnBytes {
		return k.all
	}
	switch {
	case h.Explorer.LacksSchema():
		k.typed(":schema PATH", "load")
	case h.Explorer.Refers(), h.Explorer.Link() != "":
		k.called("follow", action.Toggle)
	}
	if h.Explorer.IsReferred() {
		k.add(action.NextReference)
	}
	if h.Explorer.HasFollowed() {
		k.add(action.Back)
	}
	return k.all
}

// addChanges adds the keys for what differs from another file or has changed, and those that end a filter.
func (h *hints) addChanges(k *keyList) {
	d, _ := h.Explorer.Differing()
	if h.differ.Asks() {
		k.called("keep mine, take theirs or both", action.Cancel)
	}
	if d != nil || h.Doc.Earlier != nil {
		k.called("change", action.NextChange, action.PreviousChange)
	}
	switch {
	case d != nil && h.Explorer.TakesBack():
		k.called("take back", action.TakeDifference)
	case d != nil:
		k.add(action.TakeDifference)
	}
	switch {
	case h.differ.Asks():
	case h.Explorer.Filter() != nil:
		k.called("all rows", action.Cancel)
	case d != nil:
		k.called("end", action.Cancel)
	}
	if d != nil {
		if d.CanGive {
			k.add(action.GiveDifference)
		}
		k.add(action.OnlyChanges)
	}
}

// usual returns the keys that always do something, most important first.
func (h *hints) usual() []key.Help {
	k, takesFirst := keyList{actions: h.Actions}, h.Explorer.TakesFirst()
	if h.Focus == desk.OnBytes {
		h.addForBytes(&k)
	} else {
		h.addForTree(&k, takesFirst)
	}
	if len(h.Doc.Buffers) > 1 {
		k.called("buffer", action.Outer, action.Inner)
	}
	if !takesFirst {
		k.add(action.Search)
	}
	k.add(action.Command)
	if h.Focus == desk.OnBytes {
		k.called("move", action.Left, action.Down, action.Up, action.Right)
	} else {
		k.called("move", action.Down, action.Up)
	}
	k.add(action.Help, action.Quit)
	return k.all
}

// addForBytes adds the keys of the pane of the bytes.
func (h *hints) addForBytes(k *keyList) {
	unknown := h.Explorer.Buffer.IsPlain() && h.Doc.IsUnexplained()
	switch {
	case h.Selection.Active && unknown:
		k.typed(":describe NAME", "name them")
	case unknown:
		k.called("noticed", action.Toggle)
	}
	switch {
	case h.Selection.Active:
		k.add(action.Copy, action.FillBytes)
		k.called("delete", action.DeleteByte)
		k.called("more", action.SelectAround)
		k.called("end", action.Cancel)
	case h.Doc.CanEdit(h.Explorer.Buffer) == nil:
		k.add(action.InsertBytes, action.OverwriteBytes)
	}
	if !h.Explorer.Buffer.IsPlain() {
		k.called("tree", action.OtherPane)
	}
	k.add(action.SelectBytes)
}

// addForTree adds the keys of the tree, which may lack its first value.
func (h *hints) addForTree(k *keyList, takesFirst bool) {
	draws := h.addEdits(k, takesFirst)
	if h.lists.CanShow() {
		k.add(action.ShowRecords)
	}
	if draws != "" {
		k.called(draws, action.Draw)
	}
	other := "bytes"
	if h.ShowsText() {
		other = "text"
	}
	k.called(other, action.OtherPane)
	if !takesFirst {
		k.called("fold", action.Right, action.Left)
	}
}

// addEdits adds the keys that edit and add values, and that of a table, and returns what a drawing does.
func (h *hints) addEdits(k *keyList, takesFirst bool) (draws string) {
	canEdit, n := h.Doc.CanEdit(h.Explorer.Buffer) == nil, h.values.Value()
	canSet := canEdit && n != nil && h.Explorer.CanSet()
	switch {
	case h.Explorer.IsChoosing():
		k.called("set "+span.Counted(int64(h.Explorer.CountChosen()), "value"), action.Edit)
		k.add(action.Copy)
		k.typed(strings.Replace(h.Actions.Hint("", action.Delete).Key, "dd", "d", 1), "delete")
		k.add(action.Duplicate)
		k.called("end", action.Cancel)
	case canSet:
		k.add(action.Edit)
	case canEdit && takesFirst:
		k.called("add", action.AddAfter)
	}
	inTable, draws := h.Explorer.Suits()
	if inTable {
		k.add(action.ShowTable)
	}
	switch {
	case inTable && canSet && h.Explorer.IsOnRow():
		k.called("add", action.AddAfter)
	case inTable && canSet, canEdit && n != nil && n.Layout == tree.Pairs:
		k.called("add", action.AddInside)
	}
	return draws
}
