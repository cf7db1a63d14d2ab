package ui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/diagnose"
	"varview/decoder/span"
	"varview/model"
)

// problemsPane lists what is wrong. In a high window it stands below the panes,
// which follow it; else it lies over them.
type problemsPane struct {
	keys       problemKeys
	layout     problemsLayout
	all        *findings
	hidden     [3]bool              // by severity
	shown      []int                // those that are not hidden
	at         int                  // the selected one of them
	top        int                  // the first in view
	anchor     *model.BufferProblem // what was selected by a key or a click; its place is kept in whatever is found later
	repairable int                  // how many of those that are shown have a repair
	cause      int                  // that is looked at: 0 the likeliest, then the others
	back       *place               // where the cursor was, nil once something was edited
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

// listProblems opens the list at the problem that the cursor is on, or at the
// first behind it.
func (m *Model) listProblems() tea.Cmd {
	p := &problemsPane{keys: newProblemKeys(), back: &place{m.view.Buffer, m.view.Cursor(), m.view.Offset()}}
	m.problems = p
	m.resize(m.layout.width, m.layout.height)
	p.all = m.findings()
	p.filter()
	p.at = p.behind(max(0, m.placeAmong(p.all, -1)))
	p.follow()
	return m.showProblem()
}

// closeProblems closes the list. The cursor goes where it was before, but for where
// it is to stay.
func (m *Model) closeProblems(stay bool) {
	back := m.problems.back
	m.problems = nil
	m.preview.stop()
	if !stay && back != nil && slices.Contains(m.doc.Buffers, back.buffer) {
		m.showBuffer(back.buffer)
		m.report(m.view.GoTo(back.offset)) // which folds what was unfolded to be shown
		m.report(m.view.GoToCursor(back.cursor))
	}
	m.catchUp()
}

// relist takes note that what is wrong is not what it was, or may not be.
func (m *Model) relist() tea.Cmd {
	p := m.problems
	if p == nil {
		return nil
	}
	all := m.findings()
	if all == p.all {
		return nil
	}
	p.all = all
	p.filter()
	at, same := 0, false
	if p.anchor != nil {
		at, same = all.position(p.anchor)
	}
	p.at = p.behind(at)
	if f, ok := p.selected(); !ok || !same || p.shown[p.at] != at || p.cause > len(f.Also) {
		p.cause = 0
	}
	p.follow()
	return m.startPreview()
}

// relistEdited takes note that the bytes were edited, or are those of another
// document.
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

// behind is the first that is shown of those from i on, or the last of all.
func (p *problemsPane) behind(i int) int {
	at, _ := slices.BinarySearch(p.shown, i)
	return max(0, min(at, len(p.shown)-1))
}

// selected is the problem that is selected, the likeliest cause of it.
func (p *problemsPane) selected() (f *model.BufferProblem, ok bool) {
	if p.all == nil || p.at >= len(p.shown) {
		return nil, false
	}
	return &p.all.list[p.shown[p.at]], true
}

// finding is the cause that is looked at.
func (p *problemsPane) finding() (b *model.Buffer, f diagnose.Finding, ok bool) {
	s, ok := p.selected()
	switch {
	case !ok:
		return nil, f, false
	case p.cause > 0:
		return s.Buffer, s.Also[p.cause-1], true
	}
	return s.Buffer, s.Finding, true
}

// move selects another problem, so many rows below.
func (p *problemsPane) move(by int) {
	p.at = max(0, min(p.at+by, len(p.shown)-1))
	p.cause = 0
	p.follow()
}

// follow scrolls the selected problem into view.
func (p *problemsPane) follow() {
	p.top = max(p.at-p.layout.list+1, min(p.top, p.at), 0)
}

// scroll moves what is in view, and not what is selected.
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
	p.at = p.behind(i)
	if p.at >= len(p.shown) || p.shown[p.at] != was {
		p.cause = 0
	}
	p.follow()
}
