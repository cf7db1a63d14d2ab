package hex

import (
	"slices"
	"strings"

	"varview/decoder/engine/span"
	"varview/internal/text"
	"varview/model"
	"varview/themes"
	"varview/ui/desk"
	"varview/ui/dialog"
	"varview/ui/paint"
)

// View draws the bytes in view.
func (p *Pane) View() []string {
	l := &p.Layout
	size := p.Explorer.Buffer.Size()
	p.end = p.bottom()
	count := int(p.end - p.Top)
	buf := slices.Grow(p.bytes[:0], count)[:count]
	n, holes := p.Explorer.Bytes(buf, p.Top)
	p.bytes, p.holes = buf, holes
	var tried *model.Tried // what is typed in place of a value
	if e := dialog.Find[*dialog.Editor](p.Dialogs); e != nil {
		tried = e.Tried()
	}
	if p.edited = nil; l.IsText {
		p.edited, tried = tried, nil
	}
	chosen, own := p.chosen(buf[:n])
	from, to := chosen.Offset, chosen.End()
	cells := p.cells(p.Top, count, chosen, own)
	if tried != nil && tried.By == 0 { // what is typed would fit there
		at := tried.At
		each(at, at+int64(len(tried.Bytes)), p.Top, cells[:n], func(c *cell) { c.changed = true })
		copy(buf[min(max(0, at-p.Top), int64(n)):n], tried.Bytes[min(max(0, p.Top-at), int64(len(tried.Bytes))):])
	}
	p.ground = p.Styles.Ground(p.Focus == desk.OnBytes)
	p.beginOverview()
	lines := make([]string, l.Height)
	var b strings.Builder
	for r := range lines {
		start := r * l.PerRow
		at := p.Top + int64(start)
		b.Reset()
		b.Grow(8 * l.Width)
		switch {
		case l.IsText:
			p.textRow(&b, r, buf[:n], cells, from, to)
		case at >= size && at > 0 && !(p.typing != nil && at == p.typing.at):
			b.WriteString(strings.Repeat(" ", l.Width-1))
		default:
			p.row(&b, at, buf[min(start, n):min(start+l.PerRow, n)], cells[start:start+l.PerRow], from, to)
			b.WriteString(strings.Repeat(" ", l.Width-Columns(l.PerRow, l.OffsetDigits)))
		}
		out := paint.Painter{Into: &b}
		p.bar(&out, r)
		out.End()
		lines[r] = b.String()
	}
	return lines
}

// chosen returns the bytes that are chosen, and those that are the selection's own. In a text, whose bytes in view are
// given, these are without what separates values.
func (p *Pane) chosen(bytes []byte) (chosen, own span.Span) {
	chosen = p.Chosen() // once, because finding the end may read the file
	p.lead = span.Span{}
	switch {
	case p.Selection.Active:
		return chosen, chosen
	case p.Explorer.Buffer.IsPlain():
		chosen = span.Span{}
	default:
		own = p.Explorer.Own()
	}
	if isLeaf := own == chosen; p.Layout.IsText {
		if chosen = p.trim(chosen, bytes); isLeaf {
			own = chosen
		}
	}
	return chosen, own
}

// trim returns the span of a value in a text without the separators and line ends that belong to it, as far as they
// are in view.
func (p *Pane) trim(s span.Span, bytes []byte) span.Span {
	const apart = " \t\r\n:=,"
	from, to := s.Offset-p.Top, s.End()-p.Top
	if from < 0 || from >= int64(len(bytes)) {
		return s
	}
	to = min(to, int64(len(bytes)))
	for from < to && strings.IndexByte(apart, bytes[from]) >= 0 {
		from++
	}
	for to > from && strings.IndexByte(apart, bytes[to-1]) >= 0 {
		to--
	}
	if from == to {
		return s
	}
	if p.Focus != desk.OnBytes {
		p.lead = span.Between(s.Offset, from+p.Top)
	}
	if s.End() > p.Top+int64(len(bytes)) {
		to = s.End() - p.Top
	}
	return span.Between(from+p.Top, to+p.Top)
}

const hexDigits = "0123456789abcdef"

// row draws one row: offset, bytes with the marks of their fields before them, text. The bytes [from, to)
// are selected.
func (p *Pane) row(b *strings.Builder, at int64, bytes []byte, cells []cell, from, to int64) {
	out := paint.Painter{Into: b}
	offset := make([]byte, p.Layout.OffsetDigits)
	for i, v := len(offset)-1, at; i >= 0; i, v = i-1, v>>4 {
		offset[i] = hexDigits[v&15]
	}
	out.Put(p.Styles.Role(themes.Dim), string(offset))
	out.Put(p.Styles.Role(themes.Accent), gutter(at, at+int64(len(cells)), from, to))
	m := marks{from: from, to: to}
	m.cursor, m.insertion = p.places()
	for i := range cells {
		c, off := &cells[i], at+int64(i)
		p.before(&out, m, c, i, off, i < len(bytes))
		switch {
		case off == m.cursor && p.typing != nil:
			out.Put(p.typingPaint(false), p.typing.digits(c, bytes, i))
		case i < len(bytes):
			out.Put(p.cellPaint(c, off == m.cursor, bytes[i]), c.digits(bytes[i]))
		default:
			out.Put("", "  ")
		}
	}
	p.closing(&out, m, at+int64(len(cells)))
	out.Put("", " ")
	for i := range cells {
		here := at+int64(i) == m.cursor
		char := " "
		if i < len(bytes) {
			char = cells[i].char(bytes[i])
		}
		switch {
		case here && p.typing != nil:
			out.Put(p.typingPaint(true), char)
		case i < len(bytes):
			value := bytes[i]
			if len(char) > 1 && !p.Explorer.Buffer.IsPlain() {
				value = 0 // a dot is dim, so that the texts stand out
			}
			out.Put(p.cellPaint(&cells[i], here, value), char)
		default:
			out.Put("", " ")
		}
	}
	out.End()
}

// marks are the offsets at which marks stand between bytes: the ends of the selection, the byte under the cursor, and the
// place where bytes would be inserted.
type marks struct{ from, to, cursor, insertion int64 }

// before draws what stands before the byte i of a row, which is at off: the gap between groups, and one mark.
func (p *Pane) before(out *paint.Painter, m marks, c *cell, i int, off int64, isByte bool) {
	closes := off == m.to && i > 0 && m.from < m.to
	if gap := gapsBefore(i) - gapsBefore(max(0, i-1)); gap > 0 {
		p.gap(out, gap, c.selected && off > m.from, closes)
		closes = false
	}
	switch isByte = isByte || off == m.cursor; {
	case off == m.insertion:
		out.Put(p.Styles.Role(themes.Accent), "|")
	case c.faulty:
		out.Put(p.problemPaint(c), faultMark)
	case isByte && off == m.from && m.from < m.to:
		out.Put(p.Styles.Role(themes.Accent), "[")
	case closes:
		out.Put(p.Styles.Role(themes.Accent), "]")
	case isByte:
		out.Put(p.mark(c, off > m.from))
	default:
		out.Put("", " ")
	}
}

// mark returns the mark before a byte, for what is known of it. isInside says whether it may be inside the selection.
func (p *Pane) mark(c *cell, isInside bool) (paint.Paint, string) {
	switch {
	case c.marked:
		return p.onGround(c, p.Styles.Role(themes.Changed)), paint.Changed
	case c.wrong && c.known && c.first:
		return p.problemPaint(c), string(c.kind.Mark())
	case c.wrong:
		return p.problemPaint(c), problemMark
	case c.known && c.first && p.showsMark(c):
		return p.onGround(c, p.Styles.Kinds[c.kind]), string(c.kind.Mark())
	case c.selected && isInside:
		return p.ground, " "
	}
	return "", " "
}

// closing draws what stands behind the last byte of a row that ends at end.
func (p *Pane) closing(out *paint.Painter, m marks, end int64) {
	size := p.Explorer.Buffer.Size()
	switch {
	case m.to == end && m.from < m.to:
		out.Put(p.Styles.Role(themes.Accent), "]")
	case m.insertion == end && end == size:
		out.Put(p.Styles.Role(themes.Accent), "|")
	case end == size && p.hasProblem(end, end+1): // missing bytes
		out.Put(p.Styles.Role(themes.Error), faultMark)
	default:
		out.Put(p.Styles.Role(themes.Accent), " ")
	}
}

// gap draws the gap between groups of bytes, with the bracket of a selection that ends before it.
func (p *Pane) gap(out *paint.Painter, columns int, selected, hasEnd bool) {
	on := paint.Paint("")
	switch {
	case hasEnd:
		out.Put(p.Styles.Role(themes.Accent), "]")
		columns--
	case selected:
		on = p.ground
	}
	out.Put(on, "  "[:columns])
}

// gutter shows, beside a row with the bytes [at, end), that [from, to) extends over several rows.
func gutter(at, end, from, to int64) string {
	switch {
	case to <= at || from >= end || from >= at && to <= end:
		return " "
	case from >= at:
		return "╭"
	case to <= end:
		return "╰"
	}
	return "│"
}

// places returns the offset of the byte under the cursor, and the offset of the selected value without
// bytes or of an insertion; -1 for none.
func (p *Pane) places() (cursor, insertion int64) {
	if t := p.typing; t != nil {
		if t.insert {
			return t.at, t.at
		}
		return t.at, -1
	}
	if at, none := p.Explorer.Insertion(); none {
		return -1, at
	}
	return p.Cursor(), -1
}

// typingPaint returns the paint of the byte under the cursor while bytes are typed. The column in which
// they are typed has the cursor.
func (p *Pane) typingPaint(chars bool) paint.Paint {
	if p.typing.chars == chars {
		return p.Styles.Role(themes.Cursor)
	}
	return p.Styles.Role(themes.Match)
}

// digits returns the two columns of the byte under the cursor; a half-typed byte shows its first digit.
func (t *typing) digits(c *cell, bytes []byte, i int) string {
	switch {
	case t.half != "":
		return t.half + "_"
	case i < len(bytes):
		return c.digits(bytes[i])
	}
	return "  "
}

// digits returns the two columns of a byte.
func (c *cell) digits(b byte) string {
	if c.hole {
		return "··"
	}
	return string([]byte{hexDigits[b>>4], hexDigits[b&15]})
}

// char returns the byte's column in the text.
func (c *cell) char(b byte) string {
	switch {
	case c.hole:
		return " "
	case b >= ' ' && b < 0x7f:
		return string(rune(b))
	}
	return "·"
}

// showsMark reports whether the mark of a field is drawn. Where colours show the kinds of the fields, only
// those of the selected value have marks.
func (p *Pane) showsMark(c *cell) bool {
	return p.Marks == MarksOn || p.Marks == MarksAuto && (!p.Styles.InColour || c.own)
}

// onGround returns the paint of a byte on its background.
func (p *Pane) onGround(c *cell, on paint.Paint) paint.Paint {
	if c.selected {
		return p.Styles.Over(on, p.ground)
	}
	return on
}

// faultMark is drawn before the first byte of a problem, and where bytes are missing; problemMark before
// its other bytes.
const (
	faultMark   = "✗"
	problemMark = "–"
)

// problemPaint returns the paint of a byte that a problem covers.
func (p *Pane) problemPaint(c *cell) paint.Paint {
	return p.onGround(c, p.Styles.Role(paint.SeverityRoles[c.severity]))
}

// cellPaint returns the paint of a byte. Zeros, and bytes that only frame values, are dim except in the
// selected value.
func (p *Pane) cellPaint(c *cell, cursor bool, value byte) paint.Paint {
	switch {
	case cursor:
		return p.Styles.Role(themes.Cursor)
	case c.match:
		return p.Styles.Role(themes.Match)
	case c.wrong:
		return p.problemPaint(c)
	case c.changed:
		return p.onGround(c, p.Styles.Role(themes.Changed))
	case !c.known && p.Explorer.Buffer.IsPlain() && !p.Layout.IsText:
		return p.onGround(c, p.Styles.Role(classRole(value)))
	case !c.known:
		return p.onGround(c, "")
	case !c.own && value == 0:
		return p.onGround(c, p.Styles.Role(themes.Padding))
	case !c.own && !c.kind.IsContent():
		return p.onGround(c, p.Styles.Role(themes.Dim))
	}
	return p.contentPaint(c)
}

// contentPaint returns the paint of a byte of a value or, so that they differ, of a key.
func (p *Pane) contentPaint(c *cell) paint.Paint {
	if c.inKey && c.kind.IsContent() {
		return p.onGround(c, p.Styles.Role(themes.Key))
	}
	return p.onGround(c, p.Styles.Kinds[c.kind])
}

// classRole returns the role of a byte about which nothing else is known: zeros are dim, and printable
// characters, control characters and the rest differ in colour.
func classRole(b byte) themes.Role {
	switch {
	case b == 0:
		return themes.Padding
	case b >= ' ' && b < 0x7f:
		return themes.String
	case b < ' ' || b == 0x7f:
		return themes.Keyword
	}
	return themes.Number
}

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
	cells := slices.Grow(p.cellBuf[:0], count)[:count]
	p.cellBuf = cells
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

// rowOf returns where the row with a byte begins.
func (p *Pane) rowOf(at int64) int64 {
	if !p.Layout.IsText {
		return max(0, at-at%int64(p.Layout.PerRow))
	}
	start, _ := p.text().Row(max(0, at))
	return start
}

// endOf returns where the row with a byte ends.
func (p *Pane) endOf(at int64) int64 {
	if !p.Layout.IsText {
		return p.rowOf(at) + int64(p.Layout.PerRow)
	}
	_, end := p.text().Row(at)
	return end
}

// moved returns the start of the row that is by rows below another one; the last or the first one if there
// are not as many.
func (p *Pane) moved(row int64, by int) int64 {
	if !p.Layout.IsText {
		return max(0, min(row+int64(by*p.Layout.PerRow), p.rowOf(max(row, p.Explorer.Buffer.Size()-1))))
	}
	return p.text().Moved(row, by)
}

// text returns the rows of the text as it was edited.
func (p *Pane) text() *text.Rows {
	x := p.Explorer
	if all := x.Buffer.Range(span.Between(0, x.Buffer.Size())); p.lines == nil || all != p.linesOf {
		p.linesOf = all
		p.lines = text.NewRows(x.Buffer.Size(), func(dst []byte, from int64) (n int) {
			n, _ = x.Bytes(dst, from)
			return n
		})
	}
	p.lines.Fit(p.Layout.Width - numberColumns - 2)
	return p.lines
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

// vertical returns the byte that is by rows below another one, in the same column.
func (p *Pane) vertical(at int64, by int) int64 {
	if !p.Layout.IsText {
		return at + int64(by*p.Layout.PerRow)
	}
	row := p.rowOf(at)
	to := p.moved(row, by)
	return p.inColumn(to, p.columnOf(row, at))
}
