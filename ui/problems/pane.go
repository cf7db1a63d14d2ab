package problems

import (
	"cmp"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/diagnose"
	"varview/decoder/engine/span"
	"varview/model"
	"varview/ui/dialog"
)

// A Pane lists the problems. In a high window it is below the panes, which follow it; otherwise it covers
// them.
type Pane struct {
	*Problems
	Layout     Layout
	all        *List
	hidden     [3]bool              // by severity
	shown      []int                // problems that are not hidden
	at         int                  // index of the selected one in shown
	First      int                  // index of the first row in view
	anchor     *model.BufferProblem // the problem selected by a key or a click; it stays selected when the list changes
	repairable int                  // number of shown problems that have a repair
	cause      int                  // index of the shown cause; 0 is the first, then come the others
	back       *place               // place of the cursor before the list was opened; nil after an edit
	where      map[int]string
	widest     int // columns of the longest that was in view

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
	p.Program.Arrange()
	x.all = p.Known()
	x.filter()
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
	p.Layout = newLayout(width, height, len(p.shown))
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
	if x := p.Pane(); x != nil {
		return x.relist()
	}
	return nil
}

func (p *Pane) relist() tea.Cmd {
	all := p.Known()
	if all == p.all {
		return nil
	}
	p.all = all
	p.filter()
	at, same := 0, false
	if p.anchor != nil {
		at, same = all.position(p.anchor)
	}
	p.at = p.shownFrom(at)
	if f, ok := p.Selected(); !ok || !same || p.shown[p.at] != at || p.cause > len(f.Alternatives) {
		p.cause = 0
	}
	p.follow()
	return p.startPreview()
}

// filter selects the problems that are shown.
func (p *Pane) filter() {
	p.shown, p.repairable, p.where, p.widest = p.shown[:0], 0, map[int]string{}, 0
	for i := range p.all.All {
		if f := &p.all.All[i]; !p.hidden[f.Severity] {
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

// scroll moves the rows in view without the selection.
func (p *Pane) scroll(by int) {
	p.First = max(0, min(p.First+by, len(p.shown)-p.Layout.List))
}

// toggle shows or hides the problems of a severity.
func (p *Pane) toggle(s span.Severity) tea.Cmd {
	i := 0
	if p.at < len(p.shown) {
		i = p.shown[p.at]
	}
	was := i
	p.hidden[s] = !p.hidden[s]
	p.filter()
	p.at = p.shownFrom(i)
	if p.at >= len(p.shown) || p.shown[p.at] != was {
		p.cause = 0
	}
	p.follow()
	return p.showSelected()
}
