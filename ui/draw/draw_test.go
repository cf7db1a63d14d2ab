package draw

import (
	"image"
	"image/color"
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"varview/decoder/engine/tree"
	"varview/model/drawing"
	"varview/model/inspect"
	"varview/themes"
	"varview/ui/paint"
)

func lines(c *canvas) string {
	var all []string
	for row := range c.height {
		all = append(all, c.line(row))
	}
	return strings.Join(all, "\n")
}

// Dots are in the corners that their numbers belong to.
func TestCanvas(t *testing.T) {
	c := newCanvas(2, 1)
	c.set(0, 0)
	c.set(3, 3)
	c.set(4, 0) // outside
	c.set(-1, 2)
	if got := lines(c); got != "⡀⠈" {
		t.Errorf("%q", got)
	}
}

func TestPlot(t *testing.T) {
	s := &inspect.Series{}
	for i := range 8 {
		s.Add(float64(i % 4))
	}
	c := newCanvas(4, 1)
	c.plot(s)
	if got := lines(c); got != "⣠⠞⣧⠞" { // each column from the number before to its own
		t.Errorf("%q", got)
	}
	flat := &inspect.Series{}
	flat.Add(1)
	flat.Add(1)
	c = newCanvas(1, 1)
	c.plot(flat)
	if got := lines(c); got != "⠤" {
		t.Errorf("%q", got)
	}
}

// Both axes have the same scale, and where y points down the least is at the top.
func TestFigure(t *testing.T) {
	draw := func(f *drawing.Figure) string {
		c := newCanvas(4, 2)
		p := f.Place(8, 8)
		c.figure(&p)
		return lines(c)
	}
	corners := [][2]float64{{0, 0}, {14, 7}} // seven dots apart, and three and a half: from 2 to 5 in the middle
	if got := draw(&drawing.Figure{Points: corners, IsDown: true}); got != "⠄   \n   ⠐" {
		t.Errorf("down: %q", got)
	}
	if got := draw(&drawing.Figure{Points: corners}); got != "   ⠠\n⠂   " {
		t.Errorf("up: %q", got)
	}
	line := drawing.Line{To: [2]float64{7, 7}}
	if got := draw(&drawing.Figure{Lines: []drawing.Line{line}}); got != "  ⡠⠊\n⡠⠊  " {
		t.Errorf("line: %q", got)
	}
}

func styles(t *testing.T, profile termenv.Profile) *paint.Styles {
	theme, err := themes.Load("dark")
	if err != nil {
		t.Fatal(err)
	}
	s := paint.New(theme, profile)
	return &s
}

// Two pixels are one character; without colours there are shades.
func TestBlocks(t *testing.T) {
	m := image.NewRGBA(image.Rect(0, 0, 1, 2))
	m.Set(0, 0, color.RGBA{255, 0, 0, 255})
	m.Set(0, 1, color.RGBA{0, 0, 255, 255})
	s := styles(t, termenv.TrueColor)
	got := blocks(m, 1, 1, s)
	if line := s.Line(got[0], 1); line != "\x1b[38;2;255;0;0m\x1b[48;2;0;0;255m▀\x1b[0m" {
		t.Errorf("%q", line)
	}
	plain := styles(t, termenv.Ascii)
	if line := plain.Line(blocks(m, 1, 1, plain)[0], 1); line != "░" {
		t.Errorf("%q", line)
	}
	big := blocks(image.NewRGBA(image.Rect(0, 0, 1000, 10)), 50, 20, s)
	if len(big) != 1 || len(big[0]) != 50 {
		t.Errorf("%d lines", len(big))
	}
	if small := blocks(m, 30, 30, s); len(small) != 30 || len(small[0]) != 30 {
		t.Errorf("%d × %d", len(small), len(small[0]))
	}
}

// Without colours a colour is drawn by how much there is of each.
func TestChannels(t *testing.T) {
	plain, of := styles(t, termenv.Ascii), drawing.Drawing{Form: tree.FormColor, Color: [4]float64{0.5, 0, 2, 1}}
	lines := Content(&of, nil, 30, 10, plain)
	if len(lines) != 4 {
		t.Fatalf("%d lines", len(lines))
	}
	for i, want := range []string{"        red        128  ", "        green      0    ", "        blue       510  ", "        alpha      255  "} {
		if got := plain.Line(lines[i], 30); !strings.HasPrefix(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	coloured := styles(t, termenv.TrueColor)
	if lines := Content(&of, nil, 30, 10, coloured); len(lines) != 4 {
		t.Errorf("%d lines of colour", len(lines))
	}
}
