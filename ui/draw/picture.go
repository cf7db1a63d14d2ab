// Package draw draws values in the whole window: plots, points, colours, images.
package draw

import (
	"fmt"
	"image"
	"math"
	"strconv"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
	"golang.org/x/image/draw"

	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/internal/text"
	"varview/model/drawing"
	"varview/model/inspect"
	"varview/themes"
	"varview/ui/action"
	"varview/ui/dialog"
	"varview/ui/paint"
)

// A Picture lies over the panes and shows a drawing. Any key closes it.
type Picture struct {
	dialog.Context
	KeyMap action.KeyMap
	Path   string // of the value
	Of     drawing.Drawing
	Image  image.Image // nil if it is not an image
}

// Place implements dialog.Dialog.
func (p *Picture) Place() dialog.Place { return dialog.OverPanes }

// Update implements dialog.Dialog.
func (p *Picture) Update(tea.KeyMsg) tea.Cmd {
	p.Close(p)
	return nil
}

// Mouse implements dialog.Pointed.
func (p *Picture) Mouse(tea.MouseMsg, int) (tea.Cmd, bool) { return nil, true }

// Hints implements dialog.Hinting.
func (p *Picture) Hints() []paint.Piece {
	return []paint.Piece{paint.In(themes.Dim, "any key closes this")}
}

// View implements dialog.Dialog.
func (p *Picture) View() []string {
	out := dialog.NewLines(p)
	_, height := p.Window()
	out.Put(false, paint.In(themes.Key, "  "+text.CutLeft(text.Clean(p.Path), out.Width/2)), paint.In(themes.Dim, "  "+p.about()))
	out.Put(false)
	for _, line := range Content(&p.Of, p.Image, out.Width-4, height-5, out.Styles) {
		out.Put(false, append([]paint.Piece{paint.Plain("  ")}, line...)...)
	}
	out.Fill(height - 2)
	return out.All
}

// about says what is drawn.
func (p *Picture) about() string {
	d := &p.Of
	switch {
	case p.Image != nil:
		return d.Data.What
	case d.Form == tree.FormColor:
		return inspect.Hex(d.Color)
	case d.Series != nil:
		return text.Join(Elements(d), "min "+Number(d.Series.Min), "max "+Number(d.Series.Max), "mean "+Number(d.Series.Mean))
	case d.Points != nil && d.InSpace:
		return text.Join(Elements(d), "seen from above: x to the right, z down")
	case d.Figure != nil && d.Points == nil && d.Figure.Axes[0] == "":
		return text.Join(d.Turn, "y up, x to the right, z to the left")
	case d.Figure != nil && d.Points == nil:
		return ""
	}
	return Elements(d)
}

// Elements says how many elements there are, and how many of them are drawn.
func Elements(d *drawing.Drawing) string {
	all := d.Count
	if all < 0 {
		all = d.Seen
	}
	if d.Seen < all {
		return fmt.Sprintf("%s, %s of them drawn", span.Counted(all, "element"), span.Grouped(d.Seen))
	}
	return span.Counted(all, "element")
}

// Content draws a value or an image in at most width columns and height lines.
func Content(d *drawing.Drawing, picture image.Image, width, height int, s *paint.Styles) [][]paint.Piece {
	switch {
	case picture != nil:
		return blocks(picture, width, height, s)
	case d.Form == tree.FormColor:
		return levels(d.Color, min(height, len(d.Color)), width, s)
	case d.Series != nil:
		c := newCanvas(width-axis, height)
		c.plot(d.Series)
		return framed(c, Number(d.Series.Max), Number(d.Series.Min))
	case d.Figure != nil:
		return figure(d.Figure, width, height)
	case d.Colors != nil:
		return swatches(d.Colors, width, height, s)
	}
	return nil
}

// figure draws lines and points. In the plane the axes have numbers, and an arrow shows where y goes.
func figure(f *drawing.Figure, width, height int) (lines [][]paint.Piece) {
	c := newCanvas(max(1, width-axis), max(1, height-1))
	if f.Axes[0] == "" {
		c = newCanvas(max(1, width-2), height)
	}
	placed := f.Place(2*c.width, 4*c.height)
	names := c.figure(&placed)
	if f.Axes[0] == "" {
		for row := range height {
			lines = append(lines, c.named(row, names))
		}
		return lines
	}
	x, arrow := placed.X, map[bool]string{true: "↓", false: "↑"}[f.IsDown]
	lines = framed(c, Number(placed.Top), Number(placed.Bottom))
	for row := range lines {
		if row == 1 && row < c.height-1 {
			lines[row][0].Text = text.Fit("", axis-2-text.Width(f.Axes[1])-2) + f.Axes[1] + " " + arrow + " "
		}
		lines[row] = append(lines[row][:2], c.named(row, names)...)
	}
	left, right := Number(x[0])+"  "+f.Axes[0]+" →", Number(x[1])
	between := strings.Repeat(" ", max(1, width-axis-text.Width(left)-len(right)))
	return append(lines, []paint.Piece{paint.In(themes.Dim, strings.Repeat(" ", axis)+left+between+right)})
}

// named returns a row of characters with the names in it.
func (c *canvas) named(row int, names map[[2]int]string) (pieces []paint.Piece) {
	for i, r := range []rune(c.line(row)) {
		piece := paint.In(themes.Value, string(r))
		if name, ok := names[[2]int{i, row}]; ok {
			piece = paint.In(themes.Accent, name)
		}
		pieces = append(pieces, piece)
	}
	return pieces
}

// Axes returns the coordinates of points as separate series.
func Axes(points [][2]float64) (x, y *inspect.Series) {
	x, y = &inspect.Series{}, &inspect.Series{}
	for _, p := range points {
		x.Add(p[0])
		y.Add(p[1])
	}
	return x, y
}

// axis is the number of columns for the numbers to the left of a plot.
const axis = 14

// framed returns the lines of a canvas, with numbers at its upper and lower end.
func framed(c *canvas, top, bottom string) [][]paint.Piece {
	var lines [][]paint.Piece
	for row := range c.height {
		label := ""
		switch row {
		case 0:
			label = top
		case c.height - 1:
			label = bottom
		}
		label = strings.Repeat(" ", max(0, axis-2-len(label))) + label
		lines = append(lines, []paint.Piece{paint.In(themes.Dim, label+" "), paint.In(themes.Border, "│"), paint.In(themes.Value, c.line(row))})
	}
	return lines
}

// swatches draws colours beside and below each other, as many as fit.
func swatches(colors [][4]float64, width, height int, s *paint.Styles) [][]paint.Piece {
	const each = 17
	var lines [][]paint.Piece
	perLine := max(1, width/each)
	for at := 0; at < len(colors) && len(lines) < height; at += perLine {
		var line []paint.Piece
		for _, c := range colors[at:min(at+perLine, len(colors))] {
			line = append(line, paint.Piece{Text: "    ", Paint: s.Swatch(inspect.RGB(c))}, paint.Plain(" "+text.Fit(inspect.Hex(c), each-5)))
		}
		lines = append(lines, line)
	}
	return lines
}

// blocks draws an image in at most width columns and height lines, two pixels per character. Without
// colours it draws the brightness.
func blocks(m image.Image, width, height int, s *paint.Styles) [][]paint.Piece {
	size := m.Bounds().Size()
	if size.X == 0 || size.Y == 0 {
		return nil
	}
	share := min(float64(width)/float64(size.X), float64(2*height)/float64(size.Y))
	if share > 1 {
		share = math.Floor(share)
	}
	w, h := max(1, int(float64(size.X)*share)), max(1, int(float64(size.Y)*share))
	small := image.NewRGBA(image.Rect(0, 0, w, h+h%2))
	scaler := draw.Interpolator(draw.NearestNeighbor)
	if share < 1 {
		scaler = draw.ApproxBiLinear
	}
	scaler.Scale(small, image.Rect(0, 0, w, h), m, m.Bounds(), draw.Src, nil)
	var lines [][]paint.Piece
	for y := 0; y < h; y += 2 {
		var line []paint.Piece
		for x := range w {
			up, down := small.RGBAAt(x, y), small.RGBAAt(x, y+1)
			if !s.InColour {
				light := (int(up.R) + int(up.G) + int(up.B) + int(down.R) + int(down.G) + int(down.B)) / 6
				line = append(line, paint.Plain(shades[light*len(shades)/256]))
				continue
			}
			line = append(line, paint.Piece{Text: "▀", Paint: s.Color([3]byte{up.R, up.G, up.B}) + s.Swatch([3]byte{down.R, down.G, down.B})})
		}
		lines = append(lines, line)
	}
	return lines
}

// shades are characters from dark to light.
var shades = strings.Split(" ░▒▓█", "")

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

// Sliders change a colour beside its swatch.
type Sliders struct {
	dialog.Context
	Path  string
	Color [4]float64 // red, green, blue, alpha
	Set   func([4]float64) tea.Cmd

	at       int
	isBright bool // the colour has been brighter than a screen shows
}

// Place implements dialog.Dialog.
func (s *Sliders) Place() dialog.Place { return dialog.BelowPanes }

// Taken implements dialog.Low. In a low window there is no room for the path.
func (s *Sliders) Taken() int {
	_, height := s.Window()
	return min(len(inspect.Levels)+1, height-3)
}

// Binds implements dialog.Bound.
func (s *Sliders) Binds() {}

// Mouse implements dialog.Pointed.
func (s *Sliders) Mouse(tea.MouseMsg, int) (tea.Cmd, bool) { return nil, true }

// Update implements dialog.Dialog.
func (s *Sliders) Update(msg tea.KeyMsg) tea.Cmd {
	by := map[string]float64{"left": -1, "h": -1, "right": 1, "l": 1, "shift+left": -10, "H": -10, "shift+right": 10, "L": 10}[action.NameOf(msg)]
	switch action.NameOf(msg) {
	case "down", "j":
		s.at = min(s.at+1, len(inspect.Levels)-1)
	case "up", "k":
		s.at = max(s.at-1, 0)
	case "enter", "ctrl+s":
		s.Close(s)
		return s.Set(s.Color)
	case "esc", "q":
		s.Close(s)
	}
	if s.isBright = s.isBright || inspect.Brightness(s.Color) > 1; by != 0 {
		s.Color = inspect.WithLevel(s.Color, s.at, inspect.Level(s.Color, s.at)+by/inspect.Levels[s.at].Most, s.isBright)
	}
	return nil
}

// Hints implements dialog.Hinting.
func (s *Sliders) Hints() []paint.Piece {
	return paint.Keys([]key.Help{{Key: "h/l", Desc: "less, more"}, {Key: "H/L", Desc: "by 10"}, {Key: "j/k", Desc: "choose"}, {Key: "enter", Desc: "set"}, {Key: "esc", Desc: "leave"}})
}

// View implements dialog.Dialog.
func (s *Sliders) View() []string {
	out := dialog.NewLines(s)
	out.Put(false, paint.In(themes.Key, " "+text.CutLeft(text.Clean(s.Path), out.Width/2)), paint.In(themes.Dim, "  "+inspect.Hex(s.Color)))
	for i, line := range levels(s.Color, len(inspect.Levels), out.Width-2, out.Styles) {
		out.Row(i == s.at, line...)
	}
	return out.All[len(out.All)-s.Taken():]
}

// levels draws how much of each a colour has, beside its swatch if there are colours.
func levels(c [4]float64, count, width int, s *paint.Styles) (lines [][]paint.Piece) {
	swatch := paint.Piece{Text: text.Fit("", min(14, width/4))}
	if s.InColour {
		swatch.Paint = s.Swatch(inspect.RGB(c))
	}
	for i, x := range inspect.Levels[:count] {
		room, part := max(1, width-len(swatch.Text)-25), inspect.Level(c, i)
		if x.IsLight { // the bar is full at the brightest
			part /= max(1, inspect.Brightness(c))
		}
		full := int(max(0, min(part, 1))*float64(room) + 0.5)
		lines = append(lines, []paint.Piece{swatch, paint.In(themes.Dim, " "+text.Fit(x.Name, 11)),
			paint.Plain(text.Fit(fmt.Sprintf("%.0f%s", inspect.Level(c, i)*x.Most, x.Unit), 6)), paint.In(themes.Accent, strings.Repeat("█", full)), paint.In(themes.Border, strings.Repeat("─", room-full))})
	}
	return lines
}
