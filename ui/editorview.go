package ui

import (
	"errors"
	"fmt"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	"github.com/muesli/termenv"

	"varview/decoder/edit"
	"varview/model"
	"varview/themes"
	"varview/ui/text"
	"varview/ui/textbox"
)

// boxRoles are the theme's roles for the parts of the typed text.
var boxRoles = map[textbox.Role]themes.Role{textbox.Plain: themes.Title, textbox.Cursor: themes.Cursor, textbox.Fault: faultRole}

// pieces are the typed text in a row of at most width columns.
func (e *editor) pieces(width int) []piece { return boxPieces(e.box.Line(width)) }

func boxPieces(parts []textbox.Part) []piece {
	var pieces []piece
	for _, p := range parts {
		pieces = append(pieces, piece{p.Text, boxRoles[p.Role]})
	}
	return pieces
}

// editedRow draws the selected row with the typed text in place of its value or its
// name. The type is left out where there is little room.
func (m *Model) editedRow(r *model.Row, width int) string {
	e := m.editor
	pieces := []piece{{" ", ""}, {"✎", themes.Accent}, m.indent(r.Indent, width), {foldMark(r), themes.Dim}}
	label, kind := text.Head(r.Label, width), text.Head(r.Type, width)
	left := width - columns(pieces)
	if e.isKey {
		pieces = append(pieces, e.pieces(min(left, max(left/2, left-text.Width(kind)-4)))...)
		return m.line(append(pieces, piece{"  " + kind, themes.Dim}), width, m.inColour())
	}
	pieces = append(pieces, piece{text.Cut(label, left/3), themes.Key}, piece{"  ", ""})
	if left-text.Width(label)-text.Width(kind)-3 >= 24 {
		pieces = append(pieces, piece{kind + " ", themes.Dim})
	}
	return m.line(append(pieces, e.pieces(width-columns(pieces))...), width, m.inColour())
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
	pieces := []piece{{" ", ""}, {"+", themes.Accent}, m.indent(indent, width), {"  ", ""}}
	switch {
	case e.isKey:
		pieces = append(pieces, piece{e.what + "  ", themes.Dim})
	case e.key != "":
		pieces = append(pieces, piece{text.Cut(text.Clean(e.key), (width-columns(pieces))/3) + "  ", themes.Key})
	}
	return m.line(append(pieces, e.pieces(width-columns(pieces))...), width, m.inColour())
}

// inColour reports whether there are colours. Without colours a selected row is
// underlined, as an error in it would be.
func (m *Model) inColour() bool { return m.profile != termenv.Ascii }

// bigLines draw the editor in place of the panes.
func (m *Model) bigLines() []string {
	height := m.layout.height - 3 - infoLines
	width := m.layout.width - 2
	border := m.styles.roles[themes.Border].on("│")
	var lines []string
	for _, parts := range m.editor.box.Rows(width-2, height) {
		lines = append(lines, border+m.line(append([]piece{{" ", ""}}, boxPieces(parts)...), width, false)+border)
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
	first := []piece{{" ", ""}, {text.Fit(where, width-2-text.Width(what)), themes.Key}, {what, themes.Dim}, {" ", ""}}
	said, role := e.verdict()
	second := text.Head(said, width-2)
	if said = text.Clean(said); e.err != nil && text.Width(said) > width-2 { // both lines are needed
		lines := text.Wrap(said, width-2)
		first = []piece{{" ", ""}, {lines[0], role}}
		second = text.Head(strings.Join(lines[1:], " "), width-2)
	}
	return []string{m.line(first, width, false), m.line([]piece{{" ", ""}, {second, role}}, width, false)}
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
