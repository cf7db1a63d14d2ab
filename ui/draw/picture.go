package draw

import (
	"fmt"
	"image"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

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
	}
	switch {
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
