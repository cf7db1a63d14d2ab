package hex

import "varview/decoder/engine/span"

// A cell is what is known about one byte in view.
type cell struct {
	kind     span.Kind
	known    bool // the field is known
	inKey    bool // it belongs to the key of an entry
	first    bool // the byte is the first of its field
	selected bool
	own      bool // it belongs to the selection itself, and not to a value that is listed in it
	match    bool
	hole     bool          // the byte cannot be read
	changed  bool          // it differs from the file
	marked   bool          // it differs, or bytes before it were deleted
	wrong    bool          // a problem covers this byte
	faulty   bool          // a problem begins here
	severity span.Severity // of the problem
}

// cells returns what is known about the bytes in view. If the selection lists other values, only its ends
// count as selected: otherwise their colours would be lost.
func (p *Pane) cells(top int64, count int, chosen, own span.Span) []cell {
	if cap(p.cellBuf) < count {
		p.cellBuf = make([]cell, count)
	}
	cells := p.cellBuf[:count]
	clear(cells)
	isPlain := p.Explorer.Buffer.IsPlain()
	if p.marks = p.marks[:0]; !isPlain {
		p.marks = p.Explorer.Marks(p.marks, top, top+int64(count))
	}
	for _, mark := range p.marks {
		for at := max(mark.Offset, top); at < min(mark.End(), top+int64(count)); at++ {
			cells[at-top] = cell{kind: mark.Kind, known: true, inKey: mark.InKey, first: at == mark.Offset}
		}
	}
	for _, hole := range p.holes {
		each(hole.Offset, hole.End(), top, cells, func(c *cell) { *c = cell{kind: span.Gap, known: true, hole: true} })
		each(hole.Offset, hole.Offset+1, top, cells, func(c *cell) { c.first = true })
	}
	p.changedIn = p.Explorer.Buffer.AppendChanges(p.changedIn[:0], top, top+int64(count))
	for _, change := range p.changedIn {
		each(change.Offset, max(change.End(), change.Offset+1), top, cells, func(c *cell) { c.changed, c.marked = change.Length > 0, true })
	}
	if !isPlain {
		p.markProblems(top, cells)
	}
	each(own.Offset, own.End(), top, cells, func(c *cell) { c.own, c.selected = true, own == chosen })
	if p.Explorer.Hits != nil {
		p.hits = p.Explorer.Hits.AppendIn(p.hits[:0], top, top+int64(count))
		for _, hit := range p.hits {
			each(hit.Offset, hit.End(), top, cells, func(c *cell) { c.match = true })
		}
	}
	each(p.Hit.Offset, p.Hit.End(), top, cells, func(c *cell) { c.match = true })
	return cells
}

// markProblems marks the bytes in view that are covered by errors and warnings. If several begin at one
// byte, the worst counts.
func (p *Pane) markProblems(top int64, cells []cell) {
	from, end := top, top+int64(len(cells))
	if len(p.marks) > 0 {
		from = min(top, p.marks[0].Offset) // most problems concern one field
	}
	if !p.hasProblem(from, end) {
		return
	}
	mark := func(from, to int64) {
		x, ok := p.Explorer.Buffer.WorstIn(from, to)
		if !ok || x.Severity == span.Note {
			return
		}
		each(x.Offset, max(x.End(), x.Offset+1), top, cells, func(c *cell) {
			c.wrong, c.severity = !c.hole, max(c.severity, x.Severity) // the gap shows it already
		})
		each(x.Offset, x.Offset+1, top, cells, func(c *cell) { c.faulty = true })
	}
	if from < top {
		mark(from, top)
	}
	for at := top; at < end; at++ {
		mark(at, at+1)
	}
}

// hasProblem reports whether an error or warning begins in [from, to).
func (p *Pane) hasProblem(from, to int64) bool {
	x, ok := p.Explorer.Buffer.WorstIn(from, to)
	return ok && x.Severity > span.Note
}

// each calls f for the cells of the bytes [from, to).
func each(from, to, top int64, cells []cell, f func(*cell)) {
	for at := max(from, top); at < min(to, top+int64(len(cells))); at++ {
		f(&cells[at-top])
	}
}
