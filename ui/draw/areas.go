package draw

import (
	"math"

	"varview/themes"
	"varview/ui/paint"
)

// AreaWidth returns the number of values that Areas draws in a width.
func AreaWidth(width int) int { return 2 * max(1, width-axis) }

// Areas draws some numbers in front of their totals, from 0 to most, with labels at the upper and lower
// end of the axis.
func Areas(whole, part []float64, most float64, top, bottom string, width, height int) [][]paint.Piece {
	behind, front := newCanvas(max(1, width-axis), height), newCanvas(max(1, width-axis), height)
	behind.fill(whole, most)
	front.fill(part, most)
	lines := framed(behind, top, bottom)
	for row := range lines {
		lines[row] = append(lines[row][:2], behind.under(front, row)...)
	}
	return lines
}

// fill draws numbers as columns of dots from the bottom.
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

// under draws a row with a row of another canvas in front of it.
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
		pieces = append(pieces, paint.In(role, string(r)))
	}
	return pieces
}
