package ui

import (
	"strings"

	"varview/decoder/span"
	"varview/themes"
)

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

// byteAt is the offset of the byte drawn at a place in the pane; ok is false
// beside the bytes.
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
	hole     bool // the byte cannot be read
}

// hexLines draws the bytes in view.
func (m *Model) hexLines() []string {
	l := &m.layout
	h := &m.hex
	size := m.view.Buffer.Size()
	count := l.perRow * l.hexHeight
	buf := m.bytes[:0]
	if cap(buf) < count {
		buf = make([]byte, 0, count)
	}
	buf = buf[:count]
	n, holes := m.view.Bytes(buf, h.top)
	m.holes = holes
	m.bytes = buf
	from, to := m.view.Selected() // once: its end may take reading
	cells := m.cells(h.top, count, from, to)
	lines := make([]string, l.hexHeight)
	var b strings.Builder
	for r := range lines {
		start := r * l.perRow
		at := h.top + int64(start)
		b.Reset()
		b.Grow(8 * l.hexWidth)
		if at >= size && at > 0 {
			lines[r] = strings.Repeat(" ", l.hexWidth)
			continue
		}
		m.hexRow(&b, at, buf[min(start, n):min(start+l.perRow, n)], cells[start:start+l.perRow], from, to)
		b.WriteString(strings.Repeat(" ", l.hexWidth-l.hexColumns(l.perRow)))
		lines[r] = b.String()
	}
	return lines
}

// cells finds out what the bytes in view belong to, with [from, to) selected.
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
	each(from, to, top, cells, func(c *cell) { c.selected = true })
	each(m.hit.Offset, m.hit.End(), top, cells, func(c *cell) { c.match = true })
	return cells
}

// each calls f for the cells of the bytes [from, to).
func each(from, to, top int64, cells []cell, f func(*cell)) {
	for at := max(from, top); at < min(to, top+int64(len(cells))); at++ {
		f(&cells[at-top])
	}
}

const hexDigits = "0123456789abcdef"

// hexRow draws one row: offset, bytes each with the mark of its field before
// it, text. The bytes [from, to) are selected.
func (m *Model) hexRow(b *strings.Builder, at int64, bytes []byte, cells []cell, from, to int64) {
	var p painter
	p.b = b
	offset := make([]byte, m.layout.offsetDigits)
	for i, v := len(offset)-1, at; i >= 0; i, v = i-1, v>>4 {
		offset[i] = hexDigits[v&15]
	}
	p.put(m.styles.roles[themes.Dim], string(offset))
	p.put("", " ")
	cursor := m.view.Offset()
	insertion, none := m.view.Insertion()
	if none {
		cursor = -1 // nothing is selected that has bytes
	} else {
		insertion = -1
	}
	for i := range cells {
		off := at + int64(i)
		c := &cells[i]
		switch {
		case off == insertion:
			p.put(m.styles.roles[themes.Accent], "|")
		case i < len(bytes):
			m.markBefore(&p, off, from, to, c)
		case off == to && i > 0 && from < to:
			p.put(m.styles.roles[themes.Accent], "]")
		default:
			p.put("", " ")
		}
		if i >= len(bytes) {
			p.put("", "  ")
			continue
		}
		p.put(m.cellPaint(c, off == cursor), c.digits(bytes[i]))
	}
	closing := " "
	switch behind := at + int64(len(cells)); {
	case to == behind && from < to:
		closing = "]"
	case insertion == behind && behind == m.view.Buffer.Size():
		closing = "|"
	}
	p.put(m.styles.roles[themes.Accent], closing)
	p.put("", " ")
	for i := range cells {
		if i >= len(bytes) {
			p.put("", " ")
			continue
		}
		p.put(m.cellPaint(&cells[i], at+int64(i) == cursor), cells[i].char(bytes[i]))
	}
	p.end()
}

// digits are the two columns of a byte.
func (c *cell) digits(b byte) string {
	if c.hole {
		return "··"
	}
	return string([]byte{hexDigits[b>>4], hexDigits[b&15]})
}

// char is the byte's column in the text.
func (c *cell) char(b byte) string {
	if c.hole {
		return " "
	}
	return printable(b)
}

// markBefore draws the column before a byte: a bracket where the selection
// begins or has ended, else the mark of the field that begins here.
func (m *Model) markBefore(p *painter, off, from, to int64, c *cell) {
	switch {
	case off == from && from < to:
		p.put(m.styles.roles[themes.Accent], "[")
	case off == to && from < to && off%int64(m.layout.perRow) != 0:
		p.put(m.styles.roles[themes.Accent], "]")
	case c.known && c.first && c.selected:
		p.put(m.styles.selected[c.kind], string(c.kind.Mark()))
	case c.known && c.first:
		p.put(m.styles.kinds[c.kind], string(c.kind.Mark()))
	case c.selected && off > from:
		p.put(m.styles.plain, " ")
	default:
		p.put("", " ")
	}
}

func (m *Model) cellPaint(c *cell, cursor bool) paint {
	switch {
	case cursor:
		return m.styles.roles[themes.Cursor]
	case c.match:
		return m.styles.roles[themes.Match]
	case !c.known && c.selected:
		return m.styles.plain
	case !c.known:
		return ""
	case c.selected:
		return m.styles.selected[c.kind]
	}
	return m.styles.kinds[c.kind]
}

// printable is the byte as a character, where it is one of ASCII.
func printable(c byte) string {
	if c >= ' ' && c < 0x7f {
		return string(rune(c))
	}
	return "·"
}

// A painter writes text and changes the paint only where it changes.
type painter struct {
	b  *strings.Builder
	in paint
}

func (p *painter) put(style paint, text string) {
	if style != p.in {
		if p.in != "" {
			p.b.WriteString(unpaint)
		}
		p.b.WriteString(string(style))
		p.in = style
	}
	p.b.WriteString(text)
}

func (p *painter) end() { p.put("", "") }
