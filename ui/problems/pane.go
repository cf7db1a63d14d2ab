package problems

import (
	"cmp"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/diagnose"
	"varview/decoder/engine/span"
	"varview/model"
	"varview/model/problems"
	"varview/model/records"
	"varview/ui/action"
	"varview/ui/dialog"
)

// A Pane lists the problems. In a high window it is below the panes, which follow it; otherwise it covers
// them.
type Pane struct {
	*Problems
	Layout     layout
	all        *List
	hidden     [3]bool              // by severity
	shown      []int                // problems that are not hidden; of those of one cause in a capture, the first
	alike      map[int]int          // number of problems that one of them stands for
	at         int                  // index of the selected one in shown
	First      int                  // index of the first row in view
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
	cursor model.Cursor
	offset int64
}

// Pane returns the list of problems; nil if it is not open.
func (p *Problems) Pane() *Pane { return dialog.Find[*Pane](p.Dialogs) }

// Show opens the pane at the problem last gone to, or at the first one that can be repaired; if there is
// none, at the first from the cursor on.
func (p *Problems) Show() tea.Cmd {
	x := &Pane{Problems: p, back: &place{p.Explorer.Buffer, p.Explorer.Cursor(), p.Explorer.Offset()}}
	p.Open(x)
	x.all = p.Known()
	x.filter()
	p.Program.Arrange()
	if x.at = slices.IndexFunc(x.shown, func(i int) bool { return x.all.canRepair(&x.all.All[i]) }); x.at < 0 || p.visited != nil {
		x.at = x.shownFrom(max(0, p.placeAmong(x.all, -1)))
	}
	x.follow()
	return x.showSelected()
}

// leave closes the pane. The cursor returns to where it was before, unless stay is set.
func (p *Pane) leave(stay bool) {
	p.Close(p)
	p.Preview.Stop()
	if back := p.back; !stay && back != nil && slices.Contains(p.Doc.Buffers, back.buffer) {
		p.ShowBuffer(back.buffer)
		p.Report(p.Explorer.GoTo(back.offset)) // folds what was unfolded to show problems
		p.Report(p.Explorer.GoToCursor(back.cursor))
	}
	p.CatchUp()
}

// Arrange adapts to the size of the window.
func (p *Pane) Arrange() {
	width, height := p.Window()
	for range 2 { // what is needed depends on the width
		p.details = p.neededLines()
		p.Layout = newLayout(width, height, len(p.shown), p.details)
	}
	p.follow()
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
	at, same := 0, false
	if x.anchor != nil {
		at, same = all.position(x.anchor)
	}
	x.at = x.shownFrom(at)
	if f, ok := x.Selected(); !ok || !same || x.shown[x.at] != at || x.cause > len(f.Alternatives) {
		x.cause = 0
	}
	x.follow()
	return x.startPreview()
}

// filter selects the problems that are shown.
func (p *Pane) filter() {
	p.shown, p.repairable, p.where, p.widest = p.shown[:0], 0, map[int]string{}, 0
	first, isCapture := map[string]int{}, records.Of(p.Doc.Innermost().Tree()) != nil
	p.alike = map[int]int{}
	for i := range p.all.All {
		if f := &p.all.All[i]; !p.hidden[f.Severity] {
			if isCapture {
				cause := problems.Cause(&f.Problem)
				if of, known := first[cause]; known {
					p.alike[of]++
					continue
				}
				first[cause], p.alike[i] = i, 1
			}
			p.shown = append(p.shown, i)
			if p.all.canRepair(f) {
				p.repairable++
			}
		}
	}
	slices.SortStableFunc(p.shown, func(i, k int) int { return cmp.Compare(p.all.All[k].Severity, p.all.All[i].Severity) })
	p.Arrange()
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
	if p.all == nil || p.at >= len(p.shown) {
		return nil, false
	}
	return &p.all.All[p.shown[p.at]], true
}

// shownCause returns the selected problem with the shown cause, and its buffer.
func (p *Pane) shownCause() (b *model.Buffer, f diagnose.Diagnosis, ok bool) {
	s, ok := p.Selected()
	switch {
	case !ok:
		return nil, f, false
	case p.cause > 0:
		return s.Buffer, s.Alternatives[p.cause-1], true
	}
	return s.Buffer, s.Diagnosis, true
}

// move selects the problem that is by rows below, or above if by is negative.
func (p *Pane) move(by int) {
	p.at = max(0, min(p.at+by, len(p.shown)-1))
	p.cause = 0
	p.follow()
}

// follow scrolls the selected problem into view.
func (p *Pane) follow() {
	p.First = max(p.at-p.Layout.List+1, min(p.First, p.at), 0)
}

// toggle shows or hides the problems of a severity.
func (p *Pane) toggle(s span.Severity) tea.Cmd {
	i := 0
	if p.at < len(p.shown) {
		i = p.shown[p.at]
	}
	p.hidden[s] = !p.hidden[s]
	p.filter()
	p.at = p.shownFrom(i)
	if p.at >= len(p.shown) || p.shown[p.at] != i {
		p.cause = 0
	}
	p.follow()
	return p.showSelected()
}

// The smallest window in which the list of problems is drawn. It needs less room than the panes.
const (
	minWidth  = 40
	minHeight = 12
)

const (
	dockedHeight  = 32  // lines of a window from which the panes stay in view above the list
	dockedWidth   = 60  // columns of that window
	besideWidth   = 140 // columns of a window from which the details are to the right of the list
	leastDetails  = 5   // lines below the list
	mostDocked    = 24  // largest number of lines of the list below the panes
	listShare     = 11  // twentieths of the width for the list, left of the details
	detailsShare  = 11  // twentieths of the height for the details, below the list
	wholeOfShares = 20
)

// A layout is the arrangement of the list of problems and the details.
type layout struct {
	Docked                  bool // below the panes, which stay in view
	beside                  bool // the details are to the right of the list
	Rows                    int  // lines in all, including the heading: no more than needed below the panes
	List, details           int  // lines
	listWidth, detailsWidth int
}

// newLayout divides a window for a number of problems, whose details need some lines. If there is nothing to list, a
// sentence takes the place of the list.
func newLayout(width, height, count, details int) layout {
	p := layout{Docked: width >= dockedWidth && (height >= dockedHeight || count == 0), beside: width >= besideWidth && count > 0}
	p.Rows = height - 2
	switch {
	case p.Docked && p.beside:
		p.Rows = min(mostDocked-1, p.Rows*2/5-1, 1+max(count, details))
	case p.Docked && count == 0:
		p.Rows = min(p.Rows*3/5-1, 1+details)
	case p.Docked:
		p.Rows = min(p.Rows*3/5-1, 1+count+1+details)
	}
	inner, body := width-2, p.Rows-1
	if count == 0 {
		p.List, p.listWidth = body, inner
		return p
	}
	if p.beside {
		p.List, p.details = body, body
		p.listWidth = inner * listShare / wholeOfShares
		p.detailsWidth = inner - 1 - p.listWidth
		return p
	}
	p.details = max(leastDetails, (body-1)*detailsShare/wholeOfShares, body-1-count)
	if p.Docked {
		p.details = min(p.details, details)
	}
	p.List = max(1, body-1-p.details)
	p.listWidth, p.detailsWidth = inner, inner
	return p
}

// Fits reports whether the list can be drawn in a window. It needs less room than the panes.
func (p *Pane) Fits(width, height int) bool {
	return width >= minWidth && height >= minHeight
}

// inList returns the row of the list that contains a point of the window.
func (p *layout) inList(x, y, height int) (row int, ok bool) {
	row = y - (height - 1 - p.Rows) - 1
	return row, row >= 0 && row < p.List && x >= 1 && x <= p.listWidth
}

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
	return p.showSelected()
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
	if by, moves := a.Rows(p.Layout.List, len(p.shown)); moves {
		p.move(by)
		return p.showSelected()
	}
	if do, ok := p.does()[a]; ok {
		return do()
	}
	return p.Program.Do(a)
}

func (p *Pane) does() action.Does {
	return action.Does{
		action.Repair:        p.repair,
		action.RepairAll:     p.repairAll,
		action.GoThere:       action.Plainly(p.goThere),
		action.CloseList:     action.Plainly(func() { p.leave(false) }),
		action.NextCause:     func() tea.Cmd { return p.showCause(1) },
		action.PreviousCause: func() tea.Cmd { return p.showCause(-1) },
		action.ShowErrors:    func() tea.Cmd { return p.toggle(span.Error) },
		action.ShowWarnings:  func() tea.Cmd { return p.toggle(span.Warning) },
		action.ShowNotes:     func() tea.Cmd { return p.toggle(span.Note) },
	}
}

// goThere closes the list and goes to the selected problem.
func (p *Pane) goThere() {
	if f, ok := p.Selected(); ok {
		p.leave(true)
		p.goTo(f)
	}
}

// showSelected shows the selected problem in the panes, if they are in view, and starts to work out its
// repair.
func (p *Pane) showSelected() tea.Cmd {
	if f, ok := p.Selected(); ok {
		chosen := *f
		p.anchor = &chosen
	}
	if b, f, ok := p.shownCause(); ok && p.Layout.Docked {
		p.ShowBuffer(b)
		p.Report(p.Explorer.GoTo(f.Offset))
	}
	return p.startPreview()
}

// Mouse handles clicks and the wheel over the list. A click on the selected problem goes there.
func (p *Pane) Mouse(msg tea.MouseMsg, by int) (cmd tea.Cmd, done bool) {
	if p.Layout.Docked && by != 0 && msg.Y < p.Height-1-p.Layout.Rows {
		return nil, false
	}
	row, ok := p.Layout.inList(msg.X, msg.Y, p.Height)
	switch {
	case !ok:
	case by != 0:
		p.First = max(0, min(p.First+by, len(p.shown)-p.Layout.List))
	case msg.Button == tea.MouseButtonLeft && p.First+row < len(p.shown):
		if p.at == p.First+row {
			p.goThere()
			return nil, true
		}
		p.move(p.First + row - p.at)
		return p.showSelected(), true
	}
	return nil, true
}
