package ui

import (
	"errors"
	"fmt"
	"strings"

	"github.com/charmbracelet/bubbles/key"

	"varview/decoder/edit"
	"varview/model"
	"varview/themes"
	"varview/ui/paint"
	"varview/ui/text"
	"varview/ui/textbox"
)

// boxRoles are the theme's roles for the parts of the typed text.
var boxRoles = map[textbox.Role]themes.Role{textbox.Plain: themes.Title, textbox.Cursor: themes.Cursor, textbox.Fault: paint.Fault}

// pieces are the typed text in a row of at most width columns.
func (e *editor) pieces(width int) []paint.Piece { return boxPieces(e.box.Line(width)) }

func boxPieces(parts []textbox.Part) []paint.Piece {
	var pieces []paint.Piece
	for _, p := range parts {
		pieces = append(pieces, paint.In(boxRoles[p.Role], p.Text))
	}
	return pieces
}

// editedRow draws the selected row with the typed text in place of its value or its
// name. The type is left out where there is little room.
func (m *Model) editedRow(r *model.Row, width int) string {
	e := m.editor
	pieces := []paint.Piece{paint.Plain(" "), paint.In(themes.Accent, "✎"), m.indent(r.Indent, width), paint.In(themes.Dim, foldMark(r))}
	label, kind := text.Head(r.Label, width), text.Head(r.Type, width)
	left := width - paint.Columns(pieces)
	if e.isKey {
		pieces = append(pieces, e.pieces(min(left, max(left/2, left-text.Width(kind)-4)))...)
		return m.styles.Line(append(pieces, paint.In(themes.Dim, "  "+kind)), width, m.styles.InColour)
	}
	pieces = append(pieces, paint.In(themes.Key, text.Cut(label, left/3)), paint.Plain("  "))
	if left-text.Width(label)-text.Width(kind)-3 >= 24 {
		pieces = append(pieces, paint.In(themes.Dim, kind+" "))
	}
	return m.styles.Line(append(pieces, e.pieces(width-paint.Columns(pieces))...), width, m.styles.InColour)
}

// newRow draws the row of a value that does not exist yet.
func (m *Model) newRow(selected *model.Row, width int) string {
	e, indent := m.editor, 0
	if selected != nil {
		indent = selected.Indent
	}
	if e.deep {
		indent++
	}
	pieces := []paint.Piece{paint.Plain(" "), paint.In(themes.Accent, "+"), m.indent(indent, width), paint.Plain("  ")}
	switch {
	case e.isKey:
		pieces = append(pieces, paint.In(themes.Dim, e.what+"  "))
	case e.key != "":
		pieces = append(pieces, paint.In(themes.Key, text.Cut(text.Clean(e.key), (width-paint.Columns(pieces))/3)+"  "))
	}
	return m.styles.Line(append(pieces, e.pieces(width-paint.Columns(pieces))...), width, m.styles.InColour)
}

// bigLines draw the editor in place of the panes.
func (m *Model) bigLines() []string {
	height := m.layout.height - 3 - infoLines
	width := m.layout.width - 2
	border := m.styles.In(themes.Border, "│")
	var lines []string
	for _, parts := range m.editor.box.Rows(width-2, height) {
		lines = append(lines, border+m.styles.Line(append([]paint.Piece{paint.Plain(" ")}, boxPieces(parts)...), width, false)+border)
	}
	for len(lines) < height {
		lines = append(lines, border+strings.Repeat(" ", width)+border)
	}
	return lines
}

// editorInfo names what is being typed, and its error.
func (m *Model) editorInfo(width int) []string {
	e := m.editor
	d := m.view.Describe(2 * width)
	where, what := d.Path, e.what
	switch {
	case e.isNew:
		where = ""
	case !e.isKey:
		what = text.Head(d.Type, width/2)
	}
	if e.text {
		what += " · text without quotes"
	}
	where = text.CutLeft(text.Clean(where), width-4-text.Width(what))
	first := []paint.Piece{paint.Plain(" "), paint.In(themes.Key, text.Fit(where, width-2-text.Width(what))), paint.In(themes.Dim, what), paint.Plain(" ")}
	said, role := e.verdict()
	second := text.Head(said, width-2)
	if said = text.Clean(said); e.err != nil && text.Width(said) > width-2 { // both lines are needed
		lines := text.Wrap(said, width-2)
		first = []paint.Piece{paint.Plain(" "), paint.In(role, lines[0])}
		second = text.Head(strings.Join(lines[1:], " "), width-2)
	}
	return []string{m.styles.Line(first, width, false), m.styles.Line([]paint.Piece{paint.Plain(" "), paint.In(role, second)}, width, false)}
}

// verdict is the error or hint for the typed text.
func (e *editor) verdict() (string, themes.Role) {
	var syntax *edit.SyntaxError
	var other *edit.TypeError
	switch {
	case e.err == nil:
		return e.hint, themes.Dim
	case errors.As(e.err, &syntax):
		return "✗ " + syntax.Error(), themes.Error
	case errors.As(e.err, &other) && e.retype:
		return fmt.Sprintf("! enter again changes the type from %s to %s", other.Was, other.Is), themes.Warning
	case errors.As(e.err, &other):
		return fmt.Sprintf("! the type is %s, this is %s: enter asks whether to change it", other.Was, other.Is), themes.Warning
	}
	return "✗ " + e.err.Error(), themes.Error
}

// editorKeys are the keys of the bottom line while something is typed.
func (m *Model) editorKeys() []key.Help {
	e := m.editor
	enter, does := "enter", "set"
	switch {
	case e.big:
		enter = "ctrl+s"
	case e.first:
		does = "next"
	case e.isNew:
		does = "insert"
	}
	if e.retype {
		does = "change the type"
	}
	keys := []key.Help{{Key: enter, Desc: does}, {Key: "esc", Desc: "leave"}}
	if e.big {
		keys = append(keys, key.Help{Key: "enter", Desc: "new line"})
	}
	switch typed := e.box.Text(); {
	case e.text:
		keys = append(keys, key.Help{Key: "ctrl+t", Desc: "as a literal"})
	case typed == "", strings.Contains("\"&^", typed[:1]):
		keys = append(keys, key.Help{Key: "ctrl+t", Desc: "as text"})
	}
	return keys
}
