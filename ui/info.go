package ui

import (
	"fmt"
	"strings"

	"varview/decoder/span"
	"varview/model"
	"varview/themes"
	"varview/ui/text"
)

// infoLines describe the cursor's place and the byte under it.
func (m *Model) infoLines() []string {
	width := m.layout.width - 2
	if m.editor != nil {
		return m.editorInfo(width)
	}
	d := m.view.Describe(2 * width)
	if d.Pending {
		return []string{
			m.line([]piece{{fmt.Sprintf(" %#x", m.view.Offset()), themes.Key}}, width, false),
			m.line([]piece{{" not read that far yet", themes.Dim}}, width, false),
		}
	}
	where := d.Type
	switch {
	case d.NoBytes:
		where = join(where, fmt.Sprintf("no bytes at %#x", d.Value.Offset))
	case d.Value.Length > 0:
		where = join(where, d.Value.String(), span.Bytes(d.Value.Length))
	}
	where = text.Head(where, width*2/3)
	path := text.CutLeft(text.Clean(d.Path), width-3-text.Width(where))
	first := []piece{{" ", ""}, {text.Fit(path, width-2-text.Width(where)), themes.Key}, {where, themes.Dim}, {" ", ""}}
	return []string{m.line(first, width, false), m.line(m.fieldPieces(d, width), width, false)}
}

// fieldPieces explain the value or the byte under the cursor: its problem, its
// fields and its meaning.
func (m *Model) fieldPieces(d model.Description, width int) []piece {
	pieces := []piece{{" ", ""}}
	if d.Problem != "" {
		pieces = append(pieces, piece{severityMarks[d.Severity] + " " + text.Head(d.Problem, width) + "  ", severityRoles[d.Severity]})
	}
	for _, note := range d.Notes {
		pieces = append(pieces, piece{text.Head(note, 4*width) + "  ", themes.Ref})
	}
	f := d.Field
	for _, own := range d.Fields {
		pieces = append(pieces, piece{fmt.Sprintf("%c %s %s  ", own.Kind.Mark(), own.Label, span.Grouped(own.Length)), themes.Role(own.Kind.String())})
	}
	if d.Each != "" {
		pieces = append(pieces, piece{fmt.Sprintf("%c %s  ", span.Value.Mark(), d.Each), themes.Value})
	}
	if f.Length > 0 {
		pieces = append(pieces, piece{fmt.Sprintf("%c %s", f.Kind.Mark(), f.Kind), themes.Role(f.Kind.String())})
		if f.Label != f.Kind.String() {
			pieces = append(pieces, piece{" " + f.Label, ""})
		}
		pieces = append(pieces, piece{" · " + join(f.Span.String(), span.Bytes(f.Length)) + "  ", themes.Dim})
	}
	if d.Meaning != "" {
		pieces = append(pieces, piece{"→ ", themes.Dim}, piece{text.Head(d.Meaning, width), ""})
	}
	if f.Length > 0 {
		pieces = append(pieces, piece{"  " + f.Kind.Meaning(), themes.Dim})
	}
	return pieces
}

func join(parts ...string) string {
	var some []string
	for _, p := range parts {
		if p != "" {
			some = append(some, p)
		}
	}
	return strings.Join(some, " · ")
}
