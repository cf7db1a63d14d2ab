package dialog

import (
	"strings"

	"varview/internal/text"
	"varview/themes"
	"varview/ui/paint"
)

// Lines are the lines of a dialog over the panes, between the sides of its frame.
type Lines struct {
	Styles *paint.Styles
	Width  int // between the sides
	All    []string

	Focused bool // it receives the keys
	Framed  bool // it is a pane below others, whose sides show that
}

// NewLines returns empty lines of a dialog.
func NewLines(c Context) *Lines {
	width, _ := c.Across()
	return &Lines{Styles: c.Paints(), Width: width - 2, Focused: true}
}

// Put adds a line.
func (l *Lines) Put(selected bool, pieces ...paint.Piece) {
	if selected {
		l.Over(l.Styles.Ground(l.Focused), pieces...)
	} else {
		l.Over("", pieces...)
	}
}

// Over adds a line on a background.
func (l *Lines) Over(ground paint.Paint, pieces ...paint.Piece) {
	border := l.Styles.Frame(l.Framed && l.Focused, "│")
	l.All = append(l.All, border+l.Styles.LineOver(pieces, l.Width, ground)+border)
}

// Row adds a row of a list, with a mark if it is selected.
func (l *Lines) Row(selected bool, pieces ...paint.Piece) {
	l.Put(selected, append([]paint.Piece{Marked(selected)}, pieces...)...)
}

// Marked returns the mark of a row that may be selected.
func Marked(selected bool) paint.Piece {
	if selected {
		return paint.In(themes.Accent, "›")
	}
	return paint.Plain(" ")
}

// Fill adds blank lines up to a height.
func (l *Lines) Fill(height int) {
	for len(l.All) < height {
		l.Put(false)
	}
}

// Rule adds a rule from side to side.
func (l *Lines) Rule() {
	l.All = append(l.All, l.Styles.In(themes.Border, "├"+strings.Repeat("─", l.Width)+"┤"))
}

// Framing returns lines with the sides of the frame.
func (l *Lines) Framing(lines []string) []string {
	border := l.Styles.In(themes.Border, "│")
	for i, line := range lines {
		lines[i] = border + line + border
	}
	return lines
}

// About returns a line that says where a value is and, at its end, what it is.
func About(where, what string, width int) []paint.Piece {
	where = text.CutLeft(text.Clean(where), width-4-text.Width(what))
	return []paint.Piece{paint.Plain(" "), paint.In(themes.Key, text.Fit(where, width-2-text.Width(what))), paint.In(themes.Dim, what), paint.Plain(" ")}
}
