// Package draw draws what values hold in the whole window: plots, points, colours, images.
package draw

import (
	"math"
	"strconv"

	"varview/model/inspect"
)

// A canvas is dots in characters of Braille, which have two columns and four rows of them.
// A chart library would bring its own styles and mouse zones; the dots are all that is
// needed of it.
type canvas struct {
	width, height int // in characters
	cells         []rune
}

func newCanvas(width, height int) *canvas {
	return &canvas{width, height, make([]rune, width*height)}
}

// dots are the bits of the dots of a character, by row and column.
var dots = [4][2]rune{{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}

// set puts a dot at a place counted from the lower left.
func (c *canvas) set(x, y int) {
	y = 4*c.height - 1 - y
	if x < 0 || y < 0 || x >= 2*c.width || y >= 4*c.height {
		return
	}
	c.cells[y/4*c.width+x/2] |= dots[y%4][x%2]
}

// line is a row of characters.
func (c *canvas) line(row int) string {
	line := make([]rune, c.width)
	for i, dots := range c.cells[row*c.width : (row+1)*c.width] {
		line[i] = 0x2800 + dots
		if dots == 0 {
			line[i] = ' '
		}
	}
	return string(line)
}

// scale returns where in [0, most] a number of [low, high] is.
func scale(v, low, high float64, most int) int {
	if high <= low {
		return most / 2
	}
	return int(math.Round((v - low) / (high - low) * float64(most)))
}

// plot draws a series as a line.
func (c *canvas) plot(s *inspect.Series) {
	values := s.Fit(2 * c.width)
	across, from, was := len(values)-1, 0, -1
	for i, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			was = -1
			continue
		}
		x, y := scale(float64(i), 0, float64(across), 2*c.width-1), scale(v, s.Min, s.Max, 4*c.height-1)
		if was < 0 {
			from, was = x-1, y
		}
		for column, before := from+1, was; column <= x; column++ {
			now := was + scale(float64(column-from), 0, float64(x-from), y-was)
			for at := min(before, now); at <= max(before, now); at++ { // a steep line has no holes
				c.set(column, at)
			}
			before = now
		}
		from, was = x, y
	}
}

// scatter draws points. The y axis points down, as it does in the engines' planes.
func (c *canvas) scatter(points [][2]float64, x, y *inspect.Series) {
	for _, p := range points {
		if !math.IsNaN(p[0]) && !math.IsNaN(p[1]) {
			c.set(scale(p[0], x.Min, x.Max, 2*c.width-1), 4*c.height-1-scale(p[1], y.Min, y.Max, 4*c.height-1))
		}
	}
}

// Number writes a number in few digits.
func Number(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }
