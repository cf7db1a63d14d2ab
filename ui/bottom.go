package ui

import (
	"strings"

	"varview/themes"
	"varview/ui/paint"
	"varview/ui/text"
)

// bottomLine draws the lower frame with the prompt, a message, or the keys.
func (m *Model) bottomLine() string {
	width := m.layout.width
	left := paint.In(themes.Border, "╰ ")
	switch {
	case m.question != nil:
		pieces, _ := m.question.pieces(m.messageWidth())
		return m.closeLine(append([]paint.Piece{left}, pieces...), width)
	case m.prompt != nil:
		return m.styles.In(themes.Border, "╰ ") + m.prompt.view(width-4) + m.styles.In(themes.Border, " ╯")
	case m.typing != nil:
		return m.closeLine(append([]paint.Piece{left}, m.typingPieces()...), width)
	case m.message.text != "":
		return m.closeLine([]paint.Piece{left, m.message.piece(m.messageWidth())}, width)
	case m.editor != nil:
		return m.closeLine(append([]paint.Piece{left}, paint.Keys(m.editorKeys())...), width)
	case m.changes != nil:
		return m.closeLine(append([]paint.Piece{left}, paint.Keys(changesKeys)...), width)
	case m.problems != nil && m.help == nil:
		return m.closeLine(append([]paint.Piece{left}, paint.Keys(m.problemHelp(width-5))...), width)
	case m.help != nil:
		what := "any other key closes this"
		if m.help.more(&m.layout) {
			what = "j/k scroll  " + what
		}
		return m.closeLine([]paint.Piece{left, paint.In(themes.Dim, what)}, width)
	}
	return m.closeLine(append([]paint.Piece{left}, paint.Keys(m.shortHelp(width-5))...), width)
}

// piece is the message in at most width columns.
func (s message) piece(width int) paint.Piece { return paint.In(s.role(), text.Head(s.text, width)) }

func (s message) role() themes.Role {
	if s.error {
		return themes.Error
	}
	return themes.Accent
}

// messageWidth is the number of columns for a message in the bottom line.
func (m *Model) messageWidth() int {
	width := m.layout.width - 5
	if m.typing != nil {
		width -= paint.Columns(m.typing.modePieces())
	}
	return width
}

// closeLine ends a bottom line with the frame's corner.
func (m *Model) closeLine(pieces []paint.Piece, width int) string {
	rest := width - paint.Columns(pieces) - 1
	if rest > 0 && !strings.HasSuffix(pieces[len(pieces)-1].Text, " ") {
		pieces = append(pieces, paint.Plain(" "))
		rest--
	}
	pieces = append(pieces, paint.In(themes.Border, strings.Repeat("─", max(0, rest))+"╯"))
	return m.styles.Line(pieces, width, false)
}
