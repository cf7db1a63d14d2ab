package drawing

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"varview/decoder/engine/tree"
	"varview/model/inspect"
)

// A Figure is lines and points in the plane, to be drawn with the same scale on both axes.
type Figure struct {
	Lines  []Line
	Points [][2]float64
	Axes   [2]string // names of the axes; "" if space is drawn in the plane
	IsDown bool      // the second axis points down, as in the engines' planes; otherwise up
}

// A Line is a straight line from one place to another.
type Line struct {
	From, To [2]float64
	Name     string // name at its end; "" if it has none
	IsFaint  bool   // the line only helps to see the others
}

// mostJoined is the number of points up to which they are joined: more are hardly a polygon.
const mostJoined = 1000

// joined returns points as a polygon. Its last line is faint, since the points may be an open path.
func joined(points [][2]float64, inSpace bool) *Figure {
	f := &Figure{Points: points, Axes: [2]string{"x", "y"}, IsDown: true}
	if inSpace {
		f.Axes[1] = "z"
	}
	if len(points) > mostJoined || len(points) < 2 {
		return f
	}
	for i, p := range points {
		f.Lines = append(f.Lines, Line{From: p, To: points[(i+1)%len(points)], IsFaint: i == len(points)-1})
	}
	return f
}

// A vector is a place in space.
type vector = [3]float64

// flat returns how a place in space is drawn: x goes to the right and down, z to the left and down, y up.
func flat(v vector) [2]float64 {
	return [2]float64{(v[0] - v[2]) * math.Sqrt(3) / 2, v[1] - (v[0]+v[2])/2}
}

// space draws lines in space.
func (f *Figure) space(from, to vector, name string, faint bool) {
	f.Lines = append(f.Lines, Line{flat(from), flat(to), name, faint})
}

// axes draws vectors from the origin.
func (f *Figure) axes(all ...vector) {
	for i, v := range all {
		f.space(vector{}, v, "xyz"[i:i+1], false)
	}
}

// rectangle adds the lines around a rectangle.
func (f *Figure) rectangle(from, size vector) {
	corners := [][2]float64{{from[0], from[1]}, {from[0] + size[0], from[1]}, {from[0] + size[0], from[1] + size[1]}, {from[0], from[1] + size[1]}}
	for i, c := range corners {
		f.Lines = append(f.Lines, Line{From: c, To: corners[(i+1)%4]})
	}
}

// newFigure returns the figure of named numbers, by column and row; nil if there is none for the form, or
// if a number is not finite.
func newFigure(form tree.Form, names [][2]string, numbers []float64) *Figure {
	isOdd := func(v float64) bool { return v-v != 0 } // infinite or no number
	if len(names) != len(numbers) || slices.ContainsFunc(numbers, isOdd) {
		return nil
	}
	at := func(column, row string) float64 {
		if i := slices.Index(names, [2]string{column, row}); i >= 0 {
			return numbers[i]
		}
		return 0
	}
	all := func(column string) vector { return vector{at(column, "x"), at(column, "y"), at(column, "z")} }
	has := func(column, row string) bool { return slices.Contains(names, [2]string{column, row}) }
	f := &Figure{}
	plane := func() { f.Axes, f.IsDown = [2]string{"x", "y"}, true }
	switch {
	case form == tree.FormQuaternion:
		m := inspect.Rows(numbers[0], numbers[1], numbers[2], numbers[3])
		f.axes(vector{m[0][0], m[1][0], m[2][0]}, vector{m[0][1], m[1][1], m[2][1]}, vector{m[0][2], m[1][2], m[2][2]})
	case form == tree.FormBasis && has("x", "x"):
		f.axes(all("x"), all("y"), all("z"))
	case form == tree.FormBasis:
		f.axes(all("basis.x"), all("basis.y"), all("basis.z"))
	case has("size", "z"):
		f.box(all("position"), all("size"))
	case has("size", "y"):
		plane()
		f.rectangle(all("position"), all("size"))
	case has("origin", "y") && !has("origin", "z"):
		plane()
		x, y := all("x"), all("y")
		f.Lines = []Line{{To: [2]float64{x[0], x[1]}, Name: "x"}, {To: [2]float64{y[0], y[1]}, Name: "y"}}
	case has("normal", "x"):
		f.arrow(all("normal"))
	case len(numbers) == 3 && has("", "z"):
		f.arrow(all(""))
	case len(numbers) == 2 && has("", "y"):
		plane()
		v := all("")
		f.Lines = []Line{{To: [2]float64{v[0], 0}, IsFaint: true}, {From: [2]float64{v[0], 0}, To: [2]float64{v[0], v[1]}, IsFaint: true}, {To: [2]float64{v[0], v[1]}, Name: "●"}}
	default:
		return nil
	}
	return f
}

// arrow draws a vector and, faintly, how far it goes along each axis.
func (f *Figure) arrow(v vector) {
	f.space(vector{}, vector{v[0], 0, 0}, "x", true)
	f.space(vector{v[0], 0, 0}, vector{v[0], 0, v[2]}, "z", true)
	f.space(vector{v[0], 0, v[2]}, v, "y", true)
	f.space(vector{}, v, "●", false)
}

// box draws the edges of a box; hidden edges are faint.
func (f *Figure) box(at, size vector) {
	corner := func(bits int) (v vector) {
		for i := range v {
			v[i] = at[i] + size[i]*float64(bits>>i&1)
		}
		return v
	}
	for bits := range 8 {
		for axis := range 3 {
			if bits>>axis&1 == 0 {
				f.space(corner(bits), corner(bits|1<<axis), "", bits == 0)
			}
		}
	}
}

// turn describes the axis about which a quaternion turns, and the angle.
func turn(x, y, z, w float64) string {
	length := math.Hypot(math.Hypot(x, y), z)
	angle := 2 * math.Atan2(length, w) * 180 / math.Pi
	if math.IsNaN(angle) || length == 0 {
		return ""
	}
	number := func(v float64) string { return strconv.FormatFloat(math.Round(v*1000)/1000, 'g', -1, 64) }
	return fmt.Sprintf("%s° about (%s, %s, %s)", number(angle), number(x/length), number(y/length), number(z/length))
}

// A Placed is a figure as dots, from the lower left.
type Placed struct {
	Lines       []PlacedLine
	Points      [][2]int
	X           [2]float64 // positions of the first and the last column
	Top, Bottom float64    // positions of the top and the bottom row
}

// A PlacedLine is a line between dots.
type PlacedLine struct {
	From, To [2]int
	Name     string
	IsFaint  bool
}

// Place places a figure in the middle of columns and rows of dots, as large as possible. Points that are
// not finite are left out.
func (f *Figure) Place(width, height int) (p Placed) {
	x, y := &inspect.Series{}, &inspect.Series{}
	add := func(at [2]float64) {
		x.Add(at[0])
		y.Add(at[1])
	}
	for _, l := range f.Lines {
		add(l.From)
		add(l.To)
	}
	for _, at := range f.Points {
		add(at)
	}
	across, up := float64(width-1), float64(height-1)
	unit := max((x.Max-x.Min)/across, (y.Max-y.Min)/up) // size of a dot
	if !(unit > 0) || math.IsInf(unit, 0) {
		unit = 1
	}
	left, low := (x.Min+x.Max-unit*across)/2, (y.Min+y.Max-unit*up)/2
	p.X, p.Top, p.Bottom = [2]float64{left, left + unit*across}, low+unit*up, low
	if f.IsDown {
		p.Top, p.Bottom = p.Bottom, p.Top
	}
	dot := func(at [2]float64) [2]int {
		row := int(math.Round((at[1] - low) / unit))
		if f.IsDown {
			row = height - 1 - row
		}
		return [2]int{int(math.Round((at[0] - left) / unit)), row}
	}
	isFinite := func(all ...[2]float64) bool {
		return !slices.ContainsFunc(all, func(at [2]float64) bool { return math.IsNaN(at[0]+at[1]) || math.IsInf(at[0]+at[1], 0) })
	}
	for _, l := range f.Lines {
		if isFinite(l.From, l.To) {
			p.Lines = append(p.Lines, PlacedLine{dot(l.From), dot(l.To), l.Name, l.IsFaint})
		}
	}
	for _, at := range f.Points {
		if isFinite(at) {
			p.Points = append(p.Points, dot(at))
		}
	}
	return p
}
