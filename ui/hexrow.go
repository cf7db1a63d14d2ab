package ui

import (
	"strings"

	"varview/themes"
	"varview/ui/paint"
)

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
	from, to := m.view.Selected() // once, because finding the end may read the file
	cells := m.cells(h.top, count, from, to)
	lines := make([]string, l.hexHeight)
	var b strings.Builder
	for r := range lines {
		start := r * l.perRow
		at := h.top + int64(start)
		b.Reset()
		b.Grow(8 * l.hexWidth)
		if at >= size && at > 0 && !(m.typing != nil && at == m.typing.at) {
			lines[r] = strings.Repeat(" ", l.hexWidth)
			continue
		}
		m.hexRow(&b, at, buf[min(start, n):min(start+l.perRow, n)], cells[start:start+l.perRow], from, to)
		b.WriteString(strings.Repeat(" ", l.hexWidth-l.hexColumns(l.perRow)))
		lines[r] = b.String()
	}
	return lines
}

const hexDigits = "0123456789abcdef"

// hexRow draws one row: offset, bytes each with the mark of its field before
// it, text. The bytes [from, to) are selected.
func (m *Model) hexRow(b *strings.Builder, at int64, bytes []byte, cells []cell, from, to int64) {
	p := paint.Painter{Into: b}
	offset := make([]byte, m.layout.offsetDigits)
	for i, v := len(offset)-1, at; i >= 0; i, v = i-1, v>>4 {
		offset[i] = hexDigits[v&15]
	}
	p.Put(m.styles.Role(themes.Dim), string(offset))
	p.Put("", " ")
	cursor, insertion := m.hexCursor()
	for i := range cells {
		off := at + int64(i)
		c := &cells[i]
		switch {
		case off == insertion:
			p.Put(m.styles.Role(themes.Accent), "|")
		case c.faulty:
			p.Put(m.problemPaint(c), faultMark)
		case i < len(bytes), off == cursor:
			m.markBefore(&p, off, from, to, c)
		case off == to && i > 0 && from < to:
			p.Put(m.styles.Role(themes.Accent), "]")
		default:
			p.Put("", " ")
		}
		switch {
		case off == cursor && m.typing != nil:
			p.Put(m.typingPaint(false), m.typing.digits(c, bytes, i))
		case i < len(bytes):
			p.Put(m.cellPaint(c, off == cursor), c.digits(bytes[i]))
		default:
			p.Put("", "  ")
		}
	}
	closing, paint := " ", m.styles.Role(themes.Accent)
	switch end := at + int64(len(cells)); {
	case to == end && from < to:
		closing = "]"
	case insertion == end && end == m.view.Buffer.Size():
		closing = "|"
	case end == m.view.Buffer.Size() && m.hasProblem(end, end+1): // what is missing
		closing, paint = faultMark, m.styles.Role(themes.Error)
	}
	p.Put(paint, closing)
	p.Put("", " ")
	for i := range cells {
		here := at+int64(i) == cursor
		char := " "
		if i < len(bytes) {
			char = cells[i].char(bytes[i])
		}
		switch {
		case here && m.typing != nil:
			p.Put(m.typingPaint(true), char)
		case i < len(bytes):
			p.Put(m.cellPaint(&cells[i], here), char)
		default:
			p.Put("", " ")
		}
	}
	p.End()
}

// hexCursor returns the offset of the byte under the cursor, and the offset at
// which the selected value without bytes is, or a byte is being inserted; -1 for
// none.
func (m *Model) hexCursor() (cursor, insertion int64) {
	if t := m.typing; t != nil {
		if t.insert {
			return t.at, t.at
		}
		return t.at, -1
	}
	if at, none := m.view.Insertion(); none {
		return -1, at
	}
	return m.view.Offset(), -1
}

// typingPaint is the paint of the byte under the cursor while bytes are typed. The
// column in which they are typed has the cursor.
func (m *Model) typingPaint(chars bool) paint.Paint {
	if m.typing.chars == chars {
		return m.styles.Role(themes.Cursor)
	}
	return m.styles.Role(themes.Match)
}

// digits are the two columns of the byte under the cursor; a half-typed byte shows
// its first digit.
func (t *typing) digits(c *cell, bytes []byte, i int) string {
	switch {
	case t.half != "":
		return t.half + "_"
	case i < len(bytes):
		return c.digits(bytes[i])
	}
	return "  "
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

// markBefore draws the column before a byte: a bracket where the selection begins
// or has ended, otherwise the mark of the field that begins here.
func (m *Model) markBefore(p *paint.Painter, off, from, to int64, c *cell) {
	switch {
	case off == from && from < to:
		p.Put(m.styles.Role(themes.Accent), "[")
	case off == to && from < to && off%int64(m.layout.perRow) != 0:
		p.Put(m.styles.Role(themes.Accent), "]")
	case c.marked && c.selected:
		p.Put(m.styles.Over(m.styles.Role(themes.Changed)), paint.Changed)
	case c.marked:
		p.Put(m.styles.Role(themes.Changed), paint.Changed)
	case c.wrong && c.known && c.first:
		p.Put(m.problemPaint(c), string(c.kind.Mark()))
	case c.wrong:
		p.Put(m.problemPaint(c), problemMark)
	case c.known && c.first && c.selected:
		p.Put(m.styles.Selected[c.kind], string(c.kind.Mark()))
	case c.known && c.first:
		p.Put(m.styles.Kinds[c.kind], string(c.kind.Mark()))
	case c.selected && off > from:
		p.Put(m.styles.Plain, " ")
	default:
		p.Put("", " ")
	}
}

// faultMark is drawn before the first byte of a problem, and where bytes are
// missing; problemMark before its other bytes.
const (
	faultMark   = "✗"
	problemMark = "–"
)

// problemPaint is the paint of a byte that a problem covers.
func (m *Model) problemPaint(c *cell) paint.Paint {
	style := m.styles.Role(paint.SeverityRoles[c.severity])
	if c.selected {
		return m.styles.Over(style)
	}
	return style
}

func (m *Model) cellPaint(c *cell, cursor bool) paint.Paint {
	switch {
	case cursor:
		return m.styles.Role(themes.Cursor)
	case c.match:
		return m.styles.Role(themes.Match)
	case c.wrong:
		return m.problemPaint(c)
	case c.changed && c.selected:
		return m.styles.Over(m.styles.Role(themes.Changed))
	case c.changed:
		return m.styles.Role(themes.Changed)
	case !c.known && c.selected:
		return m.styles.Plain
	case !c.known:
		return ""
	case c.selected:
		return m.styles.Selected[c.kind]
	}
	return m.styles.Kinds[c.kind]
}

// printable is the byte as a character if it is printable ASCII.
func printable(c byte) string {
	if c >= ' ' && c < 0x7f {
		return string(rune(c))
	}
	return "·"
}
