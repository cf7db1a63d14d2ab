package ui

import (
	"strings"

	"varview/themes"
	"varview/ui/text"
)

// A piece is text of one role.
type piece struct {
	text string
	role themes.Role
}

// columns is the number of columns that pieces take.
func columns(pieces []piece) int {
	n := 0
	for _, p := range pieces {
		n += text.Width(p.text)
	}
	return n
}

// line draws pieces one after the other in exactly width columns, cut with … where
// they are longer. A selected line has the selection's background.
func (m *Model) line(pieces []piece, width int, selected bool) string {
	var b strings.Builder
	left := width
	for _, p := range pieces {
		if left <= 0 {
			break
		}
		t := p.text
		w := text.Width(t)
		if w > left {
			t = text.Cut(t, left)
			w = text.Width(t)
		}
		left -= w
		style := m.styles.roles[p.role]
		if selected && p.role != themes.Cursor {
			style = m.styles.over(style)
		}
		b.WriteString(style.on(t))
	}
	if left > 0 {
		rest := strings.Repeat(" ", left)
		if selected {
			rest = m.styles.plain.on(rest)
		}
		b.WriteString(rest)
	}
	return b.String()
}
