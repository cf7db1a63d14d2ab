package ui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/diagnose"
	"varview/decoder/span"
	"varview/model"
)

// problemsPane lists the problems. In a high window it is below the panes, which
// follow it; otherwise it covers them.
type problemsPane struct {
	keys       problemKeys
	layout     problemsLayout
	all        *problemList
	hidden     [3]bool              // by severity
	shown      []int                // those that are not hidden
	at         int                  // the selected one of them
	top        int                  // the first in view
	anchor     *model.BufferProblem // selected by a key or a click; it stays selected when the list changes
	repairable int                  // number of shown problems that have a repair
	cause      int                  // the cause that is shown: 0 for the first, then the others
	back       *place               // the cursor before the list was opened, nil after an edit
	where      map[int]string

	preview   preview
	previewed previewed
}

// A place is a cursor in a buffer.
type place struct {
	buffer *model.Buffer
	cursor model.Cursor
	offset int64
}

// listProblems opens the list at the problem under the cursor, or at the first one
// after it.
func (m *Model) listProblems() tea.Cmd {
	p := &problemsPane{keys: newProblemKeys(), back: &place{m.view.Buffer, m.view.Cursor(), m.view.Offset()}}
	m.problems = p
	m.resize(m.layout.width, m.layout.height)
	p.all = m.knownProblems()
	p.filter()
	p.at = p.shownFrom(max(0, m.placeAmong(p.all, -1)))
	p.follow()
	return m.showProblem()
}

// closeProblems closes the list. The cursor returns to where it was before, unless
// it is to stay.
func (m *Model) closeProblems(stay bool) {
	back := m.problems.back
	m.problems = nil
	m.preview.stop()
	if !stay && back != nil && slices.Contains(m.doc.Buffers, back.buffer) {
		m.showBuffer(back.buffer)
		m.report(m.view.GoTo(back.offset)) // folds what was unfolded to show problems
		m.report(m.view.GoToCursor(back.cursor))
	}
	m.catchUp()
}

// relist updates the list after the problems have changed, or may have.
func (m *Model) relist() tea.Cmd {
	p := m.problems
	if p == nil {
		return nil
	}
	all := m.knownProblems()
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
	if f, ok := p.selected(); !ok || !same || p.shown[p.at] != at || p.cause > len(f.Alternatives) {
		p.cause = 0
	}
	p.follow()
	return m.startPreview()
}

// relistEdited updates the list after an edit, or for another document.
func (m *Model) relistEdited() tea.Cmd {
	m.listed, m.visited = nil, nil
	if m.problems == nil {
		return nil
	}
	m.problems.back = nil
	return m.relist()
}

// filter chooses what is shown.
func (p *problemsPane) filter() {
	p.shown, p.repairable, p.where = p.shown[:0], 0, map[int]string{}
	for i := range p.all.list {
		if f := &p.all.list[i]; !p.hidden[f.Severity] {
			p.shown = append(p.shown, i)
			if f.Repair != "" {
				p.repairable++
			}
		}
	}
}

// shownFrom returns the first shown problem from i on, or the last of all.
func (p *problemsPane) shownFrom(i int) int {
	at, _ := slices.BinarySearch(p.shown, i)
	return max(0, min(at, len(p.shown)-1))
}

// selected returns the selected problem with its first cause.
func (p *problemsPane) selected() (f *model.BufferProblem, ok bool) {
	if p.all == nil || p.at >= len(p.shown) {
		return nil, false
	}
	return &p.all.list[p.shown[p.at]], true
}

// shownCause returns the selected problem with the cause that is shown, and its buffer.
func (p *problemsPane) shownCause() (b *model.Buffer, f diagnose.Diagnosis, ok bool) {
	s, ok := p.selected()
	switch {
	case !ok:
		return nil, f, false
	case p.cause > 0:
		return s.Buffer, s.Alternatives[p.cause-1], true
	}
	return s.Buffer, s.Diagnosis, true
}

// move selects the problem by rows below, above if by is negative.
func (p *problemsPane) move(by int) {
	p.at = max(0, min(p.at+by, len(p.shown)-1))
	p.cause = 0
	p.follow()
}

// follow scrolls the selected problem into view.
func (p *problemsPane) follow() {
	p.top = max(p.at-p.layout.list+1, min(p.top, p.at), 0)
}

// scroll moves the rows in view, and not the selection.
func (p *problemsPane) scroll(by int) {
	p.top = max(0, min(p.top+by, len(p.shown)-p.layout.list))
}

// toggle shows or hides the problems of a severity.
func (p *problemsPane) toggle(s span.Severity) {
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
}
