package paint

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"

	"varview/internal/text"
	"varview/themes"
)

// BottomRoom returns the number of columns for text in the bottom line of a window.
func BottomRoom(width int) int { return width - 5 }

// Bottom draws the lower frame of a window with pieces in it.
func (s *Styles) Bottom(pieces []Piece, width int) string { return s.BottomWith(pieces, nil, width) }

// BottomWith is Bottom with other pieces at the right end.
func (s *Styles) BottomWith(pieces, end []Piece, width int) string {
	pieces = append([]Piece{In(themes.Border, "╰ ")}, pieces...)
	rest := width - Columns(pieces) - Columns(end) - 1
	if rest > 0 && !strings.HasSuffix(pieces[len(pieces)-1].Text, " ") {
		pieces = append(pieces, Plain(" "))
		rest--
	}
	line := strings.Repeat("─", max(0, rest))
	if end != nil {
		pieces = append(append(pieces, In(themes.Border, line)), end...)
		line = ""
	}
	pieces = append(pieces, In(themes.Border, line+"╯"))
	return s.Line(pieces, width, false)
}

// Keys draws keys and what they do.
func Keys(keys []key.Help) []Piece {
	var pieces []Piece
	for _, h := range keys {
		pieces = append(pieces, In(themes.Accent, h.Key), In(themes.Dim, " "+h.Desc+"  "))
	}
	return pieces
}

// FittingKeys returns the keys that fit into width columns: always the last two, and the first ones for
// which there is room.
func FittingKeys(keys []key.Help, width int) []key.Help {
	needed := func() (n int) {
		for _, h := range keys {
			n += text.Width(h.Key) + 1 + text.Width(h.Desc) + 2
		}
		return n
	}
	for len(keys) > 2 && needed() > width {
		keys = append(keys[:len(keys)-3], keys[len(keys)-2:]...)
	}
	return keys
}
