package ui

import (
	"fmt"
	"strings"

	"varview/decoder/span"
	"varview/model"
	"varview/model/bytesize"
	"varview/themes"
	"varview/ui/paint"
	"varview/ui/text"
)

// A look is how one buffer is shown. It is kept while another one is shown.
type look struct {
	view *model.Explorer
	hex  hexPane
	hit  span.Span // what was found last
}

// setDocument shows the innermost buffer of a document.
func (m *Model) setDocument(d *model.Document) {
	m.doc, m.looks, m.reading = d, make([]look, len(d.Buffers)), nil
	m.look = look{view: model.Explore(d.Innermost())}
}

// showBuffer shows a buffer as it was left.
func (m *Model) showBuffer(b *model.Buffer) {
	if b == m.view.Buffer {
		return
	}
	m.looks[m.view.Buffer.Number] = m.look
	m.look = m.looks[b.Number]
	if m.view == nil {
		m.view = model.Explore(b)
	}
	m.resize(m.layout.width, m.layout.height)
	m.setFocus(m.focus)
}

// stepBuffer shows the buffer by wrappers farther inside, outside if by is
// negative.
func (m *Model) stepBuffer(by int) {
	switch to := m.view.Buffer.Number + by; {
	case len(m.doc.Buffers) == 1:
		m.say("there is only this buffer: the file is not wrapped in anything")
	case to < 0:
		m.say("this is the file itself, the outermost buffer")
	case to >= len(m.doc.Buffers):
		m.say("this is the innermost buffer")
	default:
		m.showBuffer(m.doc.Buffers[to])
	}
}

// shown lists the looks of the buffers that were shown.
func (m *Model) shown() []look {
	all := []look{m.look}
	for i, l := range m.looks {
		if l.view != nil && i != m.view.Buffer.Number {
			all = append(all, l)
		}
	}
	return all
}

// layerLines draws the lines above the tree where there are several buffers: a row
// for each and a rule, or one row that names the one shown.
func (m *Model) layerLines() []string {
	l := &m.layout
	switch {
	case l.layerRows == 0:
		return nil
	case !l.layerRule:
		b := m.view.Buffer
		which := fmt.Sprintf("buffer %d (of 0–%d)", b.Number, len(m.doc.Buffers)-1)
		return []string{m.styles.Line([]paint.Piece{m.worst(b), paint.In(themes.Accent, "● "), paint.In(themes.Title, which), paint.In(themes.Accent, "  < >"), paint.In(themes.Dim, about(b))}, l.treeWidth, false)}
	}
	var lines []string
	for _, b := range m.doc.Buffers {
		pieces := []paint.Piece{m.worst(b), paint.Plain("  "), paint.In(themes.Dim, fmt.Sprint(b.Number, " ")), paint.Plain(b.Title()), paint.In(themes.Dim, " · "+bytesize.Format(b.Size()))}
		if b == m.view.Buffer {
			pieces[1], pieces[3].Role = paint.In(themes.Accent, "● "), themes.Title
		}
		lines = append(lines, m.styles.Line(pieces, l.treeWidth, false))
	}
	return append(lines, m.styles.In(themes.Border, strings.Repeat("─", l.treeWidth)))
}

func about(b *model.Buffer) string {
	return " · " + b.Title() + " · " + bytesize.Format(b.Size())
}

// worst is the mark of a buffer's worst problem that is more than a note.
func (m *Model) worst(b *model.Buffer) paint.Piece {
	for _, s := range []span.Severity{span.Error, span.Warning} {
		if b.ProblemCount(s) > 0 {
			return paint.In(paint.SeverityRoles[s], paint.SeverityMarks[s])
		}
	}
	return paint.Plain(" ")
}

// clickLayer shows the buffer of a row; where there is one row for all, a click
// goes outward on its left half and inward on its right.
func (m *Model) clickLayer(row, x int) {
	switch {
	case m.layout.layerRule && row < len(m.doc.Buffers):
		m.showBuffer(m.doc.Buffers[row])
	case m.layout.layerRule:
	case x <= m.layout.treeWidth/2:
		m.stepBuffer(-1)
	default:
		m.stepBuffer(1)
	}
}

// missingLines explain why there are no values, and what can be done.
func (m *Model) missingLines(width int) []string {
	if m.doc.Missing == nil || m.view.Buffer != m.doc.Innermost() {
		return nil
	}
	role := themes.Note
	hint := ""
	switch {
	case m.doc.IsLocked():
		role, hint = themes.Warning, ":password asks for it, :key for 64 hex digits."
	case m.doc.IsDeferred() && m.opening.name == "":
		hint = ":unpack does that."
	case m.doc.IsCut():
		role, hint = themes.Error, ":unpack 2G allows it more room."
	case !m.doc.IsDeferred():
		role = themes.Error
	}
	lines := []string{strings.Repeat(" ", width)}
	say := func(s string, role themes.Role) {
		for _, line := range text.Wrap(s, width-4) {
			lines = append(lines, m.styles.Line([]paint.Piece{paint.Plain("  "), paint.In(role, line)}, width, false))
		}
	}
	say(sentence(m.doc.WhyMissing().Message), role)
	if hint != "" {
		say(hint, themes.Dim)
	}
	return lines
}

// sentence returns s with a capital at its start and a full stop at its end.
func sentence(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:] + "."
}
