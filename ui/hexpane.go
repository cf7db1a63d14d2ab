package ui

import "varview/decoder/span"

// hexPane is where the bytes are scrolled to.
type hexPane struct {
	top int64 // offset of the first byte in view, a multiple of the row's length
}

// follow scrolls so that the byte at off is in view; a jump puts it at a third
// of the window.
func (h *hexPane) follow(off int64, l *layout) {
	row := int64(l.perRow)
	h.top -= h.top % row
	last := h.top + row*int64(l.hexHeight-1)
	at := off - off%row
	switch {
	case at >= h.top && at <= last:
	case at == h.top-row:
		h.top = at
	case at == last+row:
		h.top += row
	default:
		h.top = max(0, at-row*int64(l.hexHeight/3))
	}
}

// scroll moves the bytes in view by rows.
func (h *hexPane) scroll(by int, l *layout, size int64) {
	row := int64(l.perRow)
	last := max(0, (size-1)/row*row-row*int64(l.hexHeight-1))
	h.top = max(0, min(h.top+int64(by)*row, last))
}

// byteAt returns the offset of the byte drawn at a place in the pane; ok is false
// left or right of the bytes.
func (h *hexPane) byteAt(row, column int, l *layout) (int64, bool) {
	digits := column - l.offsetDigits - 1
	i := digits / 3
	if chars := digits - 3*l.perRow - 2; chars >= 0 {
		i = chars
	}
	if digits < 0 || i >= l.perRow {
		return 0, false
	}
	return h.top + int64(row*l.perRow+i), true
}

// A cell is what is known of one byte in view.
type cell struct {
	kind     span.Kind
	known    bool // the field is known
	first    bool // of its field
	selected bool
	match    bool
	hole     bool          // the byte cannot be read
	changed  bool          // it differs from the file
	marked   bool          // it differs, or bytes before it were deleted
	wrong    bool          // a problem covers this byte
	faulty   bool          // and begins here
	severity span.Severity // of the problem
}

// cells returns what is known of the bytes in view, with [from, to) selected.
func (m *Model) cells(top int64, count int, from, to int64) []cell {
	if cap(m.cellBuf) < count {
		m.cellBuf = make([]cell, count)
	}
	cells := m.cellBuf[:count]
	clear(cells)
	m.marks = m.view.Marks(m.marks[:0], top, top+int64(count))
	for _, mark := range m.marks {
		for at := max(mark.Offset, top); at < min(mark.End(), top+int64(count)); at++ {
			cells[at-top] = cell{kind: mark.Kind, known: true, first: at == mark.Offset}
		}
	}
	for _, hole := range m.holes {
		each(hole.Offset, hole.End(), top, cells, func(c *cell) { *c = cell{kind: span.Gap, known: true, hole: true} })
		each(hole.Offset, hole.Offset+1, top, cells, func(c *cell) { c.first = true })
	}
	m.changedIn = m.view.Buffer.AppendChanges(m.changedIn[:0], top, top+int64(count))
	for _, change := range m.changedIn {
		each(change.Offset, max(change.End(), change.Offset+1), top, cells, func(c *cell) { c.changed, c.marked = change.Length > 0, true })
	}
	m.markProblems(top, cells)
	each(from, to, top, cells, func(c *cell) { c.selected = true })
	each(m.hit.Offset, m.hit.End(), top, cells, func(c *cell) { c.match = true })
	return cells
}

// markProblems marks the bytes in view that are covered by errors and warnings. Of
// several that begin at one byte the worst counts.
func (m *Model) markProblems(top int64, cells []cell) {
	from, end := top, top+int64(len(cells))
	if len(m.marks) > 0 {
		from = min(top, m.marks[0].Offset) // most problems concern one field
	}
	if !m.hasProblem(from, end) {
		return
	}
	mark := func(from, to int64) {
		p, ok := m.view.Buffer.WorstIn(from, to)
		if !ok || p.Severity == span.Note {
			return
		}
		each(p.Offset, max(p.End(), p.Offset+1), top, cells, func(c *cell) {
			c.wrong, c.severity = !c.hole, max(c.severity, p.Severity) // the gap shows it already
		})
		each(p.Offset, p.Offset+1, top, cells, func(c *cell) { c.faulty = true })
	}
	if from < top {
		mark(from, top)
	}
	for at := top; at < end; at++ {
		mark(at, at+1)
	}
}

// hasProblem reports whether an error or warning begins in [from, to).
func (m *Model) hasProblem(from, to int64) bool {
	p, ok := m.view.Buffer.WorstIn(from, to)
	return ok && p.Severity > span.Note
}

// each calls f for the cells of the bytes [from, to).
func each(from, to, top int64, cells []cell, f func(*cell)) {
	for at := max(from, top); at < min(to, top+int64(len(cells))); at++ {
		f(&cells[at-top])
	}
}
