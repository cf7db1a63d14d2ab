package paint

import (
	"strings"

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
