package ui

import (
	"fmt"
	"strings"

	"varview/decoder/span"
	"varview/model"
	"varview/themes"
	"varview/ui/paint"
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
			m.styles.Line([]paint.Piece{paint.In(themes.Key, fmt.Sprintf(" %#x", m.view.Offset()))}, width, false),
			m.styles.Line([]paint.Piece{paint.In(themes.Dim, " not read that far yet")}, width, false),
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
	first := []paint.Piece{paint.Plain(" "), paint.In(themes.Key, text.Fit(path, width-2-text.Width(where))), paint.In(themes.Dim, where), paint.Plain(" ")}
	return []string{m.styles.Line(first, width, false), m.styles.Line(m.fieldPieces(d, width), width, false)}
}

// fieldPieces explain the value or the byte under the cursor: its problem, its
// fields and its meaning.
func (m *Model) fieldPieces(d model.Description, width int) []paint.Piece {
	pieces := []paint.Piece{paint.Plain(" ")}
	if d.Problem != "" {
		pieces = append(pieces, paint.In(paint.SeverityRoles[d.Severity], paint.SeverityMarks[d.Severity]+" "+text.Head(d.Problem, width)+"  "))
	}
	for _, note := range d.Notes {
		pieces = append(pieces, paint.In(themes.Ref, text.Head(note, 4*width)+"  "))
	}
	f := d.Field
	for _, own := range d.Fields {
		pieces = append(pieces, paint.In(themes.Role(own.Kind.String()), fmt.Sprintf("%c %s %s  ", own.Kind.Mark(), own.Label, span.Grouped(own.Length))))
	}
	if d.Each != "" {
		pieces = append(pieces, paint.In(themes.Value, fmt.Sprintf("%c %s  ", span.Value.Mark(), d.Each)))
	}
	if f.Length > 0 {
		pieces = append(pieces, paint.In(themes.Role(f.Kind.String()), fmt.Sprintf("%c %s", f.Kind.Mark(), f.Kind)))
		if f.Label != f.Kind.String() {
			pieces = append(pieces, paint.Plain(" "+f.Label))
		}
		pieces = append(pieces, paint.In(themes.Dim, " · "+join(f.Span.String(), span.Bytes(f.Length))+"  "))
	}
	if d.Meaning != "" {
		pieces = append(pieces, paint.In(themes.Dim, "→ "), paint.Plain(text.Head(d.Meaning, width)))
	}
	if f.Length > 0 {
		pieces = append(pieces, paint.In(themes.Dim, "  "+f.Kind.Meaning()))
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
