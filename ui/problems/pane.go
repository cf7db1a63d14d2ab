// Package problems is the pane that lists what is wrong with the file, and the repairs of it.
package problems

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/diagnose"
	"varview/decoder/engine/span"
	"varview/model"
	"varview/model/explore"
	"varview/model/problems"
	"varview/model/records"
	"varview/ui/action"
	"varview/ui/desk"
	"varview/ui/dialog"
	"varview/ui/edits"
)

// Problems are the known problems of the document on the desk.
type Problems struct {
	*desk.Desk
	Edits  *edits.Edits
	Delay  time.Duration // how long a problem must be selected before its repair is worked out
	Listed *model.Listed // list as it was last shown; nil if it never was

	Copy    func() string // says which intact copy there is; "" if none is known
	visited *visit        // the problem last gone to; nil if there is none
}

// New returns the problems of the document on a desk.
func New(d *desk.Desk, e *edits.Edits) *Problems {
	return &Problems{Desk: d, Edits: e, Delay: previewDelay}
}

// Known returns the problems known so far.
func (p *Problems) Known() *model.Listed {
	_, whole := p.Doc.Indexed()
	p.Listed = p.Doc.ListProblems(p.Listed, whole && p.Reading.Buffer == nil && !p.Doc.AwaitsDiagnosis())
	return p.Listed
}

// A visit is the last place to which the keys for the next problem have gone.
type visit struct {
	problem model.BufferProblem
	cursor  int64 // offset to which the cursor was moved
}

// Step goes to the next problem, or to the previous one if by is -1. Problems at the same byte come one
// after another; notes are skipped.
func (p *Problems) Step(by int) {
	f := p.Known()
	if f.Problems() == 0 {
		p.Say(p.none(f))
		return
	}
	n := len(f.All)
	at := p.placeAmong(f, by)
	for i := 1; i <= n; i++ {
		if k := ((at+by*i)%n + n) % n; f.All[k].Severity > span.Note {
			p.goTo(&f.All[k])
			return
		}
	}
}

// placeAmong returns the problem under the cursor. If there is none, it returns the one before the cursor
// for a step forward, and the one after it for a step back.
func (p *Problems) placeAmong(f *model.Listed, by int) int {
	off, number := p.Explorer.Offset(), p.Explorer.Buffer.Number
	if v := p.visited; v != nil && v.cursor == off && v.problem.Buffer == p.Explorer.Buffer {
		if at, same := f.Position(&v.problem); same {
			return at
		}
	}
	if by > 0 {
		return f.From(number, off+1) - 1
	}
	return f.From(number, off)
}

// goTo moves the cursor to a problem and shows its message.
func (p *Problems) goTo(f *model.BufferProblem) {
	p.LeapTo(f.Buffer)
	p.GoToByte(f.Offset)
	p.visited = &visit{*f, p.Explorer.Offset()}
	p.Message = desk.Message{Text: fmt.Sprintf("%s: %s (%s)", f.Severity, f.Message, f.Code), IsError: f.Severity == span.Error}
}

// none returns the message if no problem is known.
func (p *Problems) none(f *model.Listed) string {
	notes := ""
	if n := f.By[span.Note]; n > 0 {
		notes = "; " + span.Counted(int64(n), "note") + ": ! lists them"
	}
	if !f.Whole {
		return "no problems so far" + notes + "; the file is still being read"
	}
	return "no problems found" + notes
}

// whereIs returns the path of the value that a problem is about, or the name of the wrapper if that has no
// paths. Only the end of a long path is returned.
func whereIs(f *model.BufferProblem) string {
	path := f.Buffer.PathOf(&f.Diagnosis)
	if f.Buffer.IsWrapper() && path == "$" {
		return f.Buffer.Title()
	}
	return endOf(path)
}

// endOf returns the end of a path that is longer than any window shows.
func endOf(path string) string {
	const most = 800 // bytes
	if len(path) > most {
		path = "…" + strings.ToValidUTF8(path[len(path)-most:], "")
	}
	return path
}

// A Pane lists the problems. In a high window it is below the panes, and in a wide one beside them, which follow it; otherwise
// it covers them.
type Pane struct {
	*Problems
	dialog.List
	all        *model.Listed
	hidden     [3]bool              // by severity
	shown      []int                // problems that are not hidden; of notes, and of all in a capture, the first of each cause
	alike      map[int]int          // number of problems that one of them stands for
	anchor     *model.BufferProblem // the problem selected by a key or a click; it stays selected when the list changes
	repairable int                  // number of shown problems that have a repair
	cause      int                  // index of the shown cause; 0 is the first, then come the others
	back       *place               // place of the cursor before the list was opened; nil after an edit
	where      map[int]string
	widest     int // columns of the longest that was in view
	details    int // largest number of lines that the details of a problem have needed, or the sentence in place of a list

	preview   preview
	previewed previewed
}

// A place is a cursor in a buffer.
type place struct {
	buffer *model.Buffer
	at     explore.Place
	offset int64
}

// Pane returns the list of problems; nil if it is not open.
func (p *Problems) Pane() *Pane { return dialog.Find[*Pane](p.Dialogs) }

// Show opens the pane.
func (p *Problems) Show() tea.Cmd {
	x := &Pane{Problems: p, all: p.Known(), back: &place{p.Explorer.Buffer, p.Explorer.Place(), p.Explorer.Offset()}}
	x.List = dialog.List{On: p, Of: x, KeyMap: p.Actions.KeyMap(action.Problems), In: action.Problems, Share: belowShare, Heading: x.heading, Foot: x.viewDetails,
		Count: func() int { return len(x.shown) }, Measure: x.measure, Draw: x.row, Moved: x.moved, GoThere: x.goThere, Does: x.does()}
	p.Open(x)
	x.filter()
	x.begin()
	return x.showSelected()
}

// begin selects the problem last gone to, or the first one that can be repaired; if there is none, the first from the cursor on.
func (p *Pane) begin() {
	if p.At = slices.IndexFunc(p.shown, func(i int) bool { return p.all.CanRepair(&p.all.All[i]) }); p.At < 0 || p.visited != nil {
		p.At = p.shownFrom(max(0, p.placeAmong(p.all, -1)))
	}
}

// leave closes the pane. The cursor returns to where it was before, unless stay is set.
func (p *Pane) leave(stay bool) {
	p.Close(p)
	p.Preview.Stop()
	if back := p.back; !stay && back != nil && slices.Contains(p.Doc.Buffers, back.buffer) {
		p.ShowBuffer(back.buffer)
		p.Report(p.Explorer.GoTo(back.offset)) // folds what was unfolded to show problems
		p.Report(p.Explorer.Return(back.at))
	}
	p.CatchUp()
}

// Arrange adapts to the size of the window: the details get the lines that they need, and over the panes those that the list
// leaves. If there is nothing to list, a sentence takes its place.
func (p *Pane) Arrange() {
	width, height := p.Across()
	p.details, p.Short = p.neededLines(width-3), len(p.shown) == 0
	rows := height - 2
	if p.FootLines = p.details; p.Short {
		if p.Taken() == 0 {
			p.FootLines = rows - 2
		}
		return
	}
	if p.Taken() > 0 {
		rows = height * belowShare / 100
	}
	body := rows - 2 // without the heading and a rule
	left := body - len(p.shown)
	if p.FootLines = max(leastDetails, min(p.details, max(left, body*detailsShare/100))); p.Taken() == 0 {
		p.FootLines = max(p.FootLines, left)
	}
}

// Resized shows the selected problem in the panes, if they are now in view.
func (p *Problems) Resized() tea.Cmd {
	if x := p.Pane(); x != nil {
		return x.showSelected()
	}
	return nil
}

// Edited updates the list after an edit, or for another document.
func (p *Problems) Edited() tea.Cmd {
	p.Listed, p.visited = nil, nil
	if x := p.Pane(); x != nil {
		x.back = nil
	}
	return p.Relist()
}

// Relist updates the list after the problems may have changed.
func (p *Problems) Relist() tea.Cmd {
	x := p.Pane()
	if x == nil {
		return nil
	}
	all := p.Known()
	if all == x.all {
		return nil
	}
	x.all = all
	x.filter()
	if x.anchor == nil {
		x.begin()
		return x.showSelected()
	}
	at, same := all.Position(x.anchor)
	x.At = x.shownFrom(at)
	if f, ok := x.Selected(); !ok || !same || x.shown[x.At] != at || x.cause > len(f.Alternatives) {
		x.cause = 0
	}
	return x.startPreview()
}

// filter selects the problems that are shown.
func (p *Pane) filter() {
	p.shown, p.repairable, p.where, p.widest = p.shown[:0], 0, map[int]string{}, 0
	first, isCapture := map[string]int{}, records.Of(p.Doc.Innermost().Tree()) != nil
	p.alike = map[int]int{}
	for i := range p.all.All {
		if f := &p.all.All[i]; !p.hidden[f.Severity] {
			if isCapture || f.Severity == span.Note {
				cause := problems.Cause(&f.Problem)
				if of, known := first[cause]; known {
					p.alike[of]++
					continue
				}
				first[cause], p.alike[i] = i, 1
			}
			p.shown = append(p.shown, i)
			if p.all.CanRepair(f) {
				p.repairable++
			}
		}
	}
	slices.SortStableFunc(p.shown, func(i, k int) int { return cmp.Compare(p.all.All[k].Severity, p.all.All[i].Severity) })
	p.Program.Arrange()
}

// shownFrom returns the row of the first shown problem from i on, or the last row.
func (p *Pane) shownFrom(i int) int {
	best := len(p.shown) - 1
	for at, k := range p.shown {
		if k >= i && (p.shown[best] < i || k < p.shown[best]) {
			best = at
		}
	}
	return max(0, best)
}

// Selected returns the selected problem with its first cause.
func (p *Pane) Selected() (f *model.BufferProblem, ok bool) {
	if p.all == nil || p.At >= len(p.shown) {
		return nil, false
	}
	return &p.all.All[p.shown[p.At]], true
}

// shownCause returns the selected problem with the shown cause, and its buffer.
func (p *Pane) shownCause() (b *model.Buffer, f diagnose.Diagnosis, ok bool) {
	s, ok := p.Selected()
	switch {
	case !ok:
		return nil, f, false
	case p.cause > 0 && p.cause <= len(s.Alternatives): // after an edit there may be fewer
		return s.Buffer, s.Alternatives[p.cause-1], true
	}
	return s.Buffer, s.Diagnosis, true
}

// moved shows the problem that was selected.
func (p *Pane) moved() tea.Cmd {
	p.cause = 0
	return p.chosen()
}

// chosen keeps the selected problem selected when the list changes, and shows it.
func (p *Pane) chosen() tea.Cmd {
	if f, ok := p.Selected(); ok {
		chosen := *f
		p.anchor = &chosen
	}
	return p.showSelected()
}

// toggle shows or hides the problems of a severity.
func (p *Pane) toggle(s span.Severity) tea.Cmd {
	i := 0
	if p.At < len(p.shown) {
		i = p.shown[p.At]
	}
	p.hidden[s] = !p.hidden[s]
	p.filter()
	p.At = p.shownFrom(i)
	if p.At >= len(p.shown) || p.shown[p.At] != i {
		p.cause = 0
	}
	return p.chosen()
}

// How the lines are divided.
const (
	belowShare   = 55 // percent of the window for the list below the panes
	detailsShare = 55 // percent of that for the details
	leastDetails = 5  // lines
	mostDetails  = 24
)

// showCause shows another possible cause of the selected problem.
func (p *Pane) showCause(by int) tea.Cmd {
	f, ok := p.Selected()
	switch {
	case !ok:
	case len(f.Alternatives) == 0:
		p.Say("no other cause with an equally small change")
	default:
		n := len(f.Alternatives) + 1
		p.cause = (p.cause + by + n) % n
	}
	return p.chosen()
}

// Update handles a key.
func (p *Pane) Update(msg tea.KeyMsg) tea.Cmd {
	if msg.Type == tea.KeyEsc && p.Task.Runs() {
		return p.Program.Do(action.Cancel)
	}
	return p.Do(p.KeyMap.Of(msg))
}

// Do does an action in the list.
func (p *Pane) Do(a action.Action) tea.Cmd {
	_, moves := a.Rows(0, 0)
	if _, own := p.Does[a]; own || moves || a == action.GoThere {
		return p.List.Do(a)
	}
	return p.Program.Do(a)
}

func (p *Pane) does() action.Does {
	return action.Does{
		action.Repair:        p.repair,
		action.RepairAll:     p.repairAll,
		action.MergeSides:    p.mergeSides,
		action.CloseList:     action.Plainly(func() { p.leave(false) }),
		action.NextCause:     func() tea.Cmd { return p.showCause(1) },
		action.PreviousCause: func() tea.Cmd { return p.showCause(-1) },
		action.ShowErrors:    func() tea.Cmd { return p.toggle(span.Error) },
		action.ShowWarnings:  func() tea.Cmd { return p.toggle(span.Warning) },
		action.ShowNotes:     func() tea.Cmd { return p.toggle(span.Note) },
	}
}

// goThere goes to the selected problem.
func (p *Pane) goThere(int) tea.Cmd {
	f, _ := p.Selected()
	p.leave(true)
	p.goTo(f)
	return nil
}

// showSelected shows the selected problem in the panes, if they are in view, and starts to work out its
// repair.
func (p *Pane) showSelected() tea.Cmd {
	if b, f, ok := p.shownCause(); ok && (p.Taken() > 0 || p.BesideColumns() > 0) {
		p.ShowBuffer(b)
		p.Report(p.Explorer.GoTo(f.Offset))
	}
	return p.startPreview()
}
