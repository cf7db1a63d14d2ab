package ui

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"

	"varview/themes"
	"varview/ui/text"
)

// bottomLine draws the lower frame with the prompt, a message, or the keys.
func (m *Model) bottomLine() string {
	width := m.layout.width
	left := piece{"╰ ", themes.Border}
	switch {
	case m.question != nil:
		pieces, _ := m.question.pieces(m.messageWidth())
		return m.closeLine(append([]piece{left}, pieces...), width)
	case m.prompt != nil:
		return m.styles.roles[themes.Border].on("╰ ") + m.prompt.view(width-4) + m.styles.roles[themes.Border].on(" ╯")
	case m.typing != nil:
		return m.closeLine(append([]piece{left}, m.typingPieces()...), width)
	case m.message.text != "":
		return m.closeLine([]piece{left, m.message.piece(m.messageWidth())}, width)
	case m.editor != nil:
		return m.closeLine(append([]piece{left}, keyPieces(m.editorKeys())...), width)
	case m.changes != nil:
		return m.closeLine(append([]piece{left}, keyPieces(changesKeys)...), width)
	case m.problems != nil && m.help == nil:
		return m.closeLine(append([]piece{left}, keyPieces(m.problemHelp(width-5))...), width)
	case m.help != nil:
		what := "any other key closes this"
		if m.help.more(&m.layout) {
			what = "j/k scroll  " + what
		}
		return m.closeLine([]piece{left, {what, themes.Dim}}, width)
	}
	return m.closeLine(append([]piece{left}, keyPieces(m.shortHelp(width-5))...), width)
}

// keyPieces draw keys and what they do.
func keyPieces(keys []key.Help) []piece {
	var pieces []piece
	for _, h := range keys {
		pieces = append(pieces, piece{h.Key, themes.Accent}, piece{" " + h.Desc + "  ", themes.Dim})
	}
	return pieces
}

// piece is the message in at most width columns.
func (s message) piece(width int) piece { return piece{text.Head(s.text, width), s.role()} }

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
		width -= columns(m.typing.modePieces())
	}
	return width
}

// closeLine ends a bottom line with the frame's corner.
func (m *Model) closeLine(pieces []piece, width int) string {
	rest := width - columns(pieces) - 1
	if rest > 0 && !strings.HasSuffix(pieces[len(pieces)-1].text, " ") {
		pieces = append(pieces, piece{" ", ""})
		rest--
	}
	pieces = append(pieces, piece{strings.Repeat("─", max(0, rest)) + "╯", themes.Border})
	return m.line(pieces, width, false)
}
