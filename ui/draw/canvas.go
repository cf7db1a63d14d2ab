// Package draw draws values in the whole window: plots, points, colours, images.
package draw

import (
	"math"
	"strconv"

	"varview/model/drawing"
	"varview/model/inspect"
)

// A canvas is dots in Braille characters, which have two columns and four rows of them. A chart library
// would bring its own styles and mouse zones; only the dots are needed.
type canvas struct {
	width, height int // in characters
	cells         []rune
}

func newCanvas(width, height int) *canvas {
	return &canvas{width, height, make([]rune, width*height)}
}

// dots are the bits of the dots of a character, by row and column.
var dots = [4][2]rune{{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}

// set sets a dot at a place counted from the lower left.
func (c *canvas) set(x, y int) {
	y = 4*c.height - 1 - y
	if x < 0 || y < 0 || x >= 2*c.width || y >= 4*c.height {
		return
	}
	c.cells[y/4*c.width+x/2] |= dots[y%4][x%2]
}

// line returns a row of characters.
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

// scale maps a number from [low, high] to [0, most].
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
			for at := min(before, now); at <= max(before, now); at++ { // so that a steep line has no gaps
				c.set(column, at)
			}
			before = now
		}
		from, was = x, y
	}
}

// segment draws a straight line between dots; of a faint one, every third dot.
func (c *canvas) segment(x0, y0, x1, y1 int, faint bool) {
	steps := max(x1-x0, x0-x1, y1-y0, y0-y1, 1)
	for i := 0; i <= steps; i++ {
		if !faint || i%3 == 0 {
			c.set(x0+scale(float64(i), 0, float64(steps), x1-x0), y0+scale(float64(i), 0, float64(steps), y1-y0))
		}
	}
}

// figure draws lines and points. It returns the names at the ends of lines by character position.
func (c *canvas) figure(f *drawing.Placed) (names map[[2]int]string) {
	names = map[[2]int]string{}
	for _, l := range f.Lines {
		c.segment(l.From[0], l.From[1], l.To[0], l.To[1], l.IsFaint)
		if l.Name != "" && l.From != l.To {
			names[[2]int{l.To[0] / 2, c.height - 1 - l.To[1]/4}] = l.Name
		}
	}
	for _, p := range f.Points {
		c.set(p[0], p[1])
	}
	return names
}

// Number formats a number in few digits.
func Number(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }
