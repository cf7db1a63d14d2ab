package draw

import (
	"math"
	"strings"

	"varview/themes"
	"varview/ui/paint"
	"varview/ui/text"
)

// AreaWidth is the number of values that Areas draws in a width.
func AreaWidth(width int) int { return 2 * max(1, width-axis) }

// Areas draws a part of numbers in front of the whole, from 0 to most, with texts at the upper and
// lower end of the axis.
func Areas(whole, part []float64, most float64, top, bottom string, width, height int) [][]paint.Piece {
	behind, front := newCanvas(max(1, width-axis), height), newCanvas(max(1, width-axis), height)
	behind.fill(whole, most)
	front.fill(part, most)
	var lines [][]paint.Piece
	for row := range height {
		label := ""
		switch row {
		case 0:
			label = top
		case height - 1:
			label = bottom
		}
		label = strings.Repeat(" ", max(0, axis-2-text.Width(label))) + label
		line := []paint.Piece{paint.In(themes.Dim, label+" "), paint.In(themes.Border, "│")}
		lines = append(lines, append(line, behind.under(front, row)...))
	}
	return lines
}

// fill draws numbers as columns of dots from the lower end on.
func (c *canvas) fill(values []float64, most float64) {
	for x, v := range values {
		if v <= 0 || most <= 0 {
			continue
		}
		for y := range max(1, int(math.Round(v/most*float64(4*c.height)))) {
			c.set(x, y)
		}
	}
}

// under draws a row with that of another canvas in front of it.
func (c *canvas) under(front *canvas, row int) (pieces []paint.Piece) {
	behind, before := []rune(c.line(row)), []rune(front.line(row))
	for i := range behind {
		role, r := themes.Dim, behind[i]
		if before[i] != ' ' {
			role = themes.Accent
			if r == ' ' {
				r = before[i]
			}
		}
		if n := len(pieces); n > 0 && pieces[n-1].Role == role {
			pieces[n-1].Text += string(r)
		} else {
			pieces = append(pieces, paint.In(role, string(r)))
		}
	}
	return pieces
}
