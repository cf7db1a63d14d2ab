package ui

import (
	"slices"
	"strings"

	"varview/model"
	"varview/themes"
	"varview/ui/paint"
	"varview/ui/text"
)

// treeLines draws the rows of the tree.
func (m *Model) treeLines() []string {
	width, height := m.layout.treeWidth, m.layout.treeHeight+m.layout.aboveTree()
	rows, pending := m.view.Rows(width)
	lines := append(make([]string, 0, height), m.layerLines()...)
	for i := range rows {
		if len(lines) == height {
			break
		}
		lines = append(lines, m.treeRow(&rows[i], width))
	}
	selected := slices.IndexFunc(rows, func(r model.Row) bool { return r.Selected })
	lines = m.withNewRow(lines, rows, selected, width)
	if len(rows) == 0 && !pending && m.editor == nil {
		lines = append(lines, m.emptyTree(width)...)
	}
	if pending && len(lines) < height {
		lines = append(lines, m.styles.In(themes.Dim, text.Fit("  reading…", width)))
	}
	lines = append(lines, m.missingLines(width)...)
	for len(lines) < height {
		lines = append(lines, strings.Repeat(" ", width))
	}
	lines = lines[:height]
	if m.problems == nil { // whose own rows show it
		m.overlay(lines, width, m.layout.aboveTree()+selected)
	}
	return lines
}

// withNewRow adds the row of a value that does not exist yet to those of the tree,
// in place of the row farthest from it. The selected row is rows[at], if there is
// one.
func (m *Model) withNewRow(lines []string, rows []model.Row, at, width int) []string {
	if m.editor == nil || !m.editor.isNew {
		return lines
	}
	above, height := m.layout.aboveTree(), m.layout.treeHeight
	if at < 0 {
		return append(lines, m.newRow(nil, width))
	}
	row := m.newRow(&rows[at], width)
	if !m.editor.above {
		at++
	}
	lines = slices.Insert(lines, above+at, row)
	switch {
	case len(lines) <= above+height:
	case at == height:
		return slices.Delete(lines, above, above+1)
	default:
		return lines[:above+height]
	}
	return lines
}

// overlay writes a message that is too long for the bottom line over the lower
// rows, or over the upper ones where the lower would hide the selected row.
func (m *Model) overlay(lines []string, width, selected int) {
	said, role := m.message.text, m.message.role()
	if q := m.question; q != nil {
		if _, asks := q.pieces(m.messageWidth()); asks {
			return
		}
		said, role = q.text, themes.Warning
	} else if m.prompt != nil || text.Width(text.Clean(said)) <= m.messageWidth() {
		return
	}
	whole := text.Wrap(said, width-2)
	whole = whole[:min(len(whole), len(lines))]
	at := len(lines) - len(whole)
	rule := at - 1
	if selected >= rule && selected > len(whole) {
		at, rule = 0, len(whole)
	}
	if rule >= 0 {
		lines[rule] = m.styles.In(themes.Border, strings.Repeat("─", width))
	}
	for i, line := range whole {
		lines[at+i] = m.styles.Line([]paint.Piece{paint.Plain(" "), paint.In(role, line)}, width, false)
	}
}

// emptyTree explains why there are no values, and what can be done.
func (m *Model) emptyTree(width int) []string {
	if m.view.Buffer.IsWrapper() && m.doc.Missing != nil {
		return nil // the reason is shown
	}
	say := "No values in here."
	if m.doc.Size() == 0 && !m.doc.IsModified() {
		say = "This file is empty: it has no bytes. A game that could not finish saving may leave one."
	}
	if m.view.Buffer.HasValues() && m.doc.CanEdit(m.view.Buffer) == nil {
		say += " The key a adds a value."
	}
	lines := []string{strings.Repeat(" ", width)}
	for _, line := range text.Wrap(say, width-4) {
		lines = append(lines, m.styles.Line([]paint.Piece{paint.Plain("  "), paint.In(themes.Dim, line)}, width, false))
	}
	return lines
}

// treeRow draws a row in exactly width columns.
func (m *Model) treeRow(r *model.Row, width int) string {
	if e := m.editor; e != nil && r.Selected && !e.isNew && !e.big {
		return m.editedRow(r, width)
	}
	var pieces []paint.Piece
	if r.Problem != "" {
		pieces = append(pieces, paint.In(paint.SeverityRoles[r.Severity], paint.SeverityMarks[r.Severity]))
	} else {
		pieces = append(pieces, paint.Plain(" "))
	}
	if r.Selected {
		pieces = append(pieces, paint.In(themes.Accent, "›"))
	} else {
		pieces = append(pieces, paint.Plain(" "))
	}
	pieces = append(pieces, m.indent(r.Indent, width))
	switch mark := foldMark(r); {
	case !r.Changed:
		pieces = append(pieces, paint.In(themes.Dim, mark))
	case r.Foldable:
		pieces = append(pieces, paint.In(themes.Dim, strings.TrimSpace(mark)), paint.In(themes.Changed, paint.Changed))
	default:
		pieces = append(pieces, paint.In(themes.Changed, paint.Changed+" "))
	}
	labelRole := themes.Dim
	if r.Named {
		labelRole = themes.Key
	}
	pieces = append(pieces, paint.In(labelRole, text.Head(r.Label, width)), paint.Plain("  "))
	if r.Type != "" {
		pieces = append(pieces, paint.In(themes.Dim, text.Head(r.Type, width)), paint.Plain(" "))
	}
	if r.Kind == model.RowReference { // the end of a path is its most useful part
		path := strings.TrimPrefix(r.Value, "→ ")
		pieces = append(pieces, paint.In(valueRole(r.Kind), "→ "+text.CutLeft(text.Clean(path), width-2-paint.Columns(pieces))))
	} else {
		pieces = append(pieces, paint.In(valueRole(r.Kind), text.Head(r.Value, width)))
	}
	if r.Number != "" {
		role := themes.Dim
		if r.Referred {
			role = themes.Ref
		}
		pieces = append(pieces, paint.In(role, "  "+r.Number))
	}
	if r.Preview != "" {
		pieces = append(pieces, paint.In(themes.Padding, "  "+text.Head(r.Preview, width)))
	}
	return m.styles.Line(pieces, width, r.Selected && m.focus == onTree)
}

// indent is drawn before a row of a level. Where it would take more than half of
// the width it is cut to ⋯.
func (m *Model) indent(level, width int) paint.Piece {
	indent := 2 * level
	if most := width / 2; indent > most {
		return paint.In(themes.Dim, text.Fit("⋯", most-indent%4))
	}
	return paint.Plain(strings.Repeat(" ", indent))
}

// foldMark shows whether a row is folded.
func foldMark(r *model.Row) string {
	switch {
	case r.Open:
		return "▾ "
	case r.Foldable:
		return "▸ "
	}
	return "  "
}

func valueRole(k model.RowKind) themes.Role {
	switch k {
	case model.RowText:
		return themes.String
	case model.RowNumber:
		return themes.Number
	case model.RowContainer:
		return themes.Dim
	case model.RowGap:
		return themes.Gap
	case model.RowReference:
		return themes.Ref
	case model.RowAside:
		return themes.Padding
	}
	return themes.Keyword
}
