package hex

// rowOf returns where the row with a byte begins.
func (p *Pane) rowOf(at int64) int64 {
	if !p.Layout.IsText {
		return max(0, at-at%int64(p.Layout.PerRow))
	}
	start, _ := p.text().row(max(0, at))
	return start
}

// endOf returns where the row with a byte ends.
func (p *Pane) endOf(at int64) int64 {
	if !p.Layout.IsText {
		return p.rowOf(at) + int64(p.Layout.PerRow)
	}
	_, end := p.text().row(at)
	return end
}

// moved returns the start of the row that is by rows below another one; the last or the first one if there
// are not as many.
func (p *Pane) moved(row int64, by int) int64 {
	if !p.Layout.IsText {
		return max(0, min(row+int64(by*p.Layout.PerRow), p.rowOf(max(row, p.Explorer.Buffer.Size()-1))))
	}
	return p.text().moved(row, by)
}

// text returns what tells where the rows of the text begin.
func (p *Pane) text() *breaker {
	p.lines.set(p.Explorer, p.Layout.Width-numberColumns-2)
	return &p.lines
}

// bottom returns the end of the last row that fits into the window.
func (p *Pane) bottom() int64 {
	if !p.Layout.IsText {
		return p.Top + int64(p.Layout.PerRow*p.Layout.Height)
	}
	p.shown = p.shown[:0]
	at, size := p.Top, p.Explorer.Buffer.Size()
	for len(p.shown) < p.Layout.Height && at < size {
		p.shown = append(p.shown, at)
		at = p.endOf(at)
	}
	return at
}

// moveRows moves the cursor down by rows, in its column.
func (p *Pane) moveRows(by int) error { return p.Explorer.GoTo(p.vertical(p.Explorer.Offset(), by)) }

// vertical returns the byte that is by rows below another one, in the same column.
func (p *Pane) vertical(at int64, by int) int64 {
	if !p.Layout.IsText {
		return at + int64(by*p.Layout.PerRow)
	}
	row := p.rowOf(at)
	to := p.moved(row, by)
	return p.inColumn(to, p.columnOf(row, at))
}
