package ui

import (
	"slices"
	"strings"

	"varview/decoder/span"
	"varview/model"
	"varview/themes"
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
	if len(rows) == 0 && !pending {
		lines = append(lines, m.emptyTree(width)...)
	}
	if pending && len(lines) < height {
		lines = append(lines, m.styles.roles[themes.Dim].on(text.Fit("  reading…", width)))
	}
	lines = append(lines, m.missingLines(width)...)
	for len(lines) < height {
		lines = append(lines, strings.Repeat(" ", width))
	}
	lines = lines[:height]
	selected := slices.IndexFunc(rows, func(r model.Row) bool { return r.Selected })
	m.overlay(lines, width, m.layout.aboveTree()+selected)
	return lines
}

// overlay writes a message over the lower rows that is too long for the bottom
// line; over the upper ones where that leaves the selected row to be seen.
func (m *Model) overlay(lines []string, width, selected int) {
	if m.prompt != nil || text.Width(text.Clean(m.message.text)) <= m.messageWidth() {
		return
	}
	role := themes.Accent
	if m.message.error {
		role = themes.Error
	}
	whole := text.Wrap(m.message.text, width-2)
	whole = whole[:min(len(whole), len(lines))]
	at := len(lines) - len(whole)
	rule := at - 1
	if selected >= rule && selected > len(whole) {
		at, rule = 0, len(whole)
	}
	if rule >= 0 {
		lines[rule] = m.styles.roles[themes.Border].on(strings.Repeat("─", width))
	}
	for i, line := range whole {
		lines[at+i] = m.line([]piece{{" ", ""}, {line, role}}, width, false)
	}
}

func (m *Model) emptyTree(width int) []string {
	say := []string{"", "  No values in here."}
	if m.view.Buffer.IsWrapper() && m.doc.Missing != nil {
		return nil // which is explained
	}
	if m.doc.Size() == 0 {
		say = []string{"", "  This file is empty: it has no bytes.", "  A game that could not finish saving may leave one."}
	}
	for i := range say {
		say[i] = m.styles.roles[themes.Dim].on(text.Fit(say[i], width))
	}
	return say
}

// severityMarks stand in the first column of a row with a problem.
var severityMarks = map[span.Severity]string{span.Note: "·", span.Warning: "!", span.Error: "✗"}

var severityRoles = map[span.Severity]themes.Role{span.Note: themes.Note, span.Warning: themes.Warning, span.Error: themes.Error}

// A piece is text of one role.
type piece struct {
	text string
	role themes.Role
}

// treeRow draws a row in exactly width columns.
func (m *Model) treeRow(r *model.Row, width int) string {
	var pieces []piece
	if r.Problem != "" {
		pieces = append(pieces, piece{severityMarks[r.Severity], severityRoles[r.Severity]})
	} else {
		pieces = append(pieces, piece{" ", ""})
	}
	if r.Selected {
		pieces = append(pieces, piece{"›", themes.Accent})
	} else {
		pieces = append(pieces, piece{" ", ""})
	}
	indent := 2 * r.Indent
	if most := width / 2; indent > most { // deep down only the difference counts
		pieces = append(pieces, piece{text.Fit("⋯", most-indent%4), themes.Dim})
	} else {
		pieces = append(pieces, piece{strings.Repeat(" ", indent), ""})
	}
	switch {
	case r.Open:
		pieces = append(pieces, piece{"▾ ", themes.Dim})
	case r.Foldable:
		pieces = append(pieces, piece{"▸ ", themes.Dim})
	default:
		pieces = append(pieces, piece{"  ", ""})
	}
	labelRole := themes.Dim
	if r.Named {
		labelRole = themes.Key
	}
	pieces = append(pieces, piece{text.Head(r.Label, width), labelRole}, piece{"  ", ""})
	if r.Type != "" {
		pieces = append(pieces, piece{text.Head(r.Type, width), themes.Dim}, piece{" ", ""})
	}
	if r.Kind == model.RowReference { // of a path the end tells most
		path := strings.TrimPrefix(r.Value, "→ ")
		pieces = append(pieces, piece{"→ " + text.CutLeft(text.Clean(path), width-2-columns(pieces)), valueRole(r.Kind)})
	} else {
		pieces = append(pieces, piece{text.Head(r.Value, width), valueRole(r.Kind)})
	}
	if r.Number != "" {
		role := themes.Dim
		if r.Referred {
			role = themes.Ref
		}
		pieces = append(pieces, piece{"  " + r.Number, role})
	}
	if r.Preview != "" {
		pieces = append(pieces, piece{"  " + text.Head(r.Preview, width), themes.Padding})
	}
	return m.line(pieces, width, r.Selected && m.focus == onTree)
}

// columns is how many columns pieces take.
func columns(pieces []piece) int {
	n := 0
	for _, p := range pieces {
		n += text.Width(p.text)
	}
	return n
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

// line draws pieces one behind the other in exactly width columns, cut with …
// where they are longer; a selected line has the selection behind it.
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
		if selected {
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
