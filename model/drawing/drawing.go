// Package drawing works out what can be drawn of a value: a colour, a matrix, points, a series of numbers.
package drawing

import (
	"context"
	"math"
	"slices"
	"strings"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/model/inspect"
)

// A Drawing is what can be drawn of a value, besides its text.
type Drawing struct {
	Form   tree.Form
	Number tree.Number
	Time   string // time that a number could stand for; "" if none
	Bits   []int  // numbers of the bits that are set in an integer

	Color  [4]float64 // FormColor: red, green, blue, alpha
	Matrix *Matrix
	Euler  *[3]float64 // angles of a rotation, in degrees
	Turn   string      // the same rotation, if it is a quaternion, as an axis and an angle
	Figure *Figure     // numbers or points drawn in space or in the plane; nil if they cannot be

	Colors      [][4]float64
	Series      *inspect.Series
	Points      [][2]float64 // points in space are seen from above: x and z
	InSpace     bool
	Count, Seen int64 // numbers of elements, and of those that were looked at

	Data     inspect.Data
	DataSpan span.Span
}

// IsEmpty reports whether there is nothing to draw.
func (d *Drawing) IsEmpty() bool {
	return d.Time == "" && len(d.Bits) < 2 && d.Form != tree.FormColor && d.Matrix == nil && d.Colors == nil && d.Series == nil && d.Points == nil && d.Form != tree.FormData
}

// A Matrix is numbers with names in columns and rows; the axes of a basis are columns.
type Matrix struct {
	Columns, Rows []string
	Cells         map[[2]string]string // by column and row
}

// maxDrawn is the number of elements that are looked at. Of more, it is elements at equal distances, or
// the first ones if others can only be found by reading on.
const maxDrawn = 1 << 18

// smallDrawing is the number of elements up to which a value can be drawn at once.
const smallDrawing = 256

// IsSmall reports whether a value can be drawn at once. Larger values need a job.
func IsSmall(n *tree.Node) bool {
	return n.Layout == tree.Leaf || n.Opaque || n.Layout != tree.Pairs && n.Count != tree.Unknown && n.Count <= smallDrawing
}

// HasSeries reports whether a value has elements that may be drawn.
func HasSeries(r *tree.Reader, n *tree.Node) bool {
	form := r.Look(&n.Value).Form
	return form == tree.FormList || form == tree.FormColors || form == tree.FormPoints
}

// Draw works out what can be drawn of a value of a tree. It may run in the background; for a small value it need
// not.
func Draw(ctx context.Context, t *tree.Tree, n *tree.Node) Drawing {
	r := t.NewReader()
	l := r.Look(&n.Value)
	d := Drawing{Form: l.Form, Number: l.Number, Count: n.Count}
	switch l.Form {
	case tree.FormNumber:
		d.drawNumber()
	case tree.FormColor:
		numbers := Numbers(r, n)
		if len(numbers) == 4 {
			d.Color = [4]float64(numbers)
		}
	case tree.FormVector, tree.FormQuaternion, tree.FormBasis:
		d.drawMatrix(r, n)
	case tree.FormHeld:
		d.DataSpan = l.Data
	case tree.FormData:
		head := make([]byte, min(l.Data.Length, inspect.SniffSize))
		k, _ := source.ReadAround(t.Source, head, l.Data.Offset)
		d.Data, d.DataSpan = inspect.Sniff(head[:k]), l.Data
		if d.Data.IsText && tree.MayHold(head[:k]) {
			d.Form = tree.FormHeld
		}
	case tree.FormList, tree.FormColors, tree.FormPoints:
		d.drawList(ctx, r, n)
	}
	return d
}

func (d *Drawing) drawNumber() {
	v := d.Number
	if v.Kind == tree.Bool {
		return
	}
	d.Time = inspect.Timestamp(v.Float())
	if !v.IsFloat() && int64(v.Bits) > 0 {
		d.Bits = inspect.Bits(v.Bits)
	}
}

// Numbers returns the numbers of which a value consists.
func Numbers(r *tree.Reader, n *tree.Node) []float64 {
	var numbers []float64
	if l := r.Look(&n.Value); l.Form == tree.FormColor && l.Text != nil {
		c := inspect.Unhex(string(l.Text))
		return c[:]
	}
	for i := range n.Count {
		c, err := r.Child(n, i)
		if err != nil {
			return nil
		}
		l := r.Look(&c.Value)
		if l.Form != tree.FormNumber {
			return nil
		}
		numbers = append(numbers, l.Number.Float())
	}
	return numbers
}

// drawMatrix arranges numbers with names in columns and rows: basis.x.y is in the column basis.x and the
// row y.
func (d *Drawing) drawMatrix(r *tree.Reader, n *tree.Node) {
	m := &Matrix{Cells: map[[2]string]string{}}
	var names [][2]string
	for i := range n.Count {
		c, err := r.Child(n, i)
		if err != nil {
			return
		}
		name := strings.TrimPrefix(r.Step(c), ".")
		column, row := "", name
		if at := strings.LastIndexByte(name, '.'); at >= 0 {
			column, row = name[:at], name[at+1:]
		}
		names = append(names, [2]string{column, row})
		if !slices.Contains(m.Columns, column) {
			m.Columns = append(m.Columns, column)
		}
		if !slices.Contains(m.Rows, row) {
			m.Rows = append(m.Rows, row)
		}
		m.Cells[[2]string{column, row}] = string(r.AppendLiteral(nil, &c.Value, 32))
	}
	d.Matrix = m
	numbers := Numbers(r, n)
	d.Figure = newFigure(d.Form, names, numbers)
	var e [3]float64
	switch {
	case d.Form == tree.FormQuaternion && len(numbers) == 4:
		d.Turn = turn(numbers[0], numbers[1], numbers[2], numbers[3])
		e = inspect.Euler(inspect.Rows(numbers[0], numbers[1], numbers[2], numbers[3]))
	case d.Form == tree.FormBasis && len(numbers) >= 9:
		e = inspect.Euler([3][3]float64{[3]float64(numbers[0:3]), [3]float64(numbers[3:6]), [3]float64(numbers[6:9])})
	default:
		return
	}
	if !math.IsNaN(e[0] + e[1] + e[2]) {
		d.Euler = &e
	}
}

// drawList collects the elements of a list up to the first that cannot be drawn.
func (d *Drawing) drawList(ctx context.Context, r *tree.Reader, n *tree.Node) {
	step := int64(1)
	if n.Layout == tree.Fixed {
		step = (n.Count + maxDrawn - 1) / maxDrawn
	}
	series := &inspect.Series{}
	take := func(c *tree.Node) bool {
		switch l := r.Look(&c.Value); {
		case d.Form == tree.FormColors:
			numbers := Numbers(r, c)
			if len(numbers) != 4 {
				return false
			}
			d.Colors = append(d.Colors, [4]float64(numbers))
		case d.Form == tree.FormPoints:
			numbers := Numbers(r, c)
			if len(numbers) < 2 {
				return false
			}
			d.Points, d.InSpace = append(d.Points, [2]float64{numbers[0], numbers[len(numbers)-1]}), len(numbers) == 3
		case l.Form == tree.FormNumber && l.Number.Kind != tree.Bool:
			series.Add(l.Number.Float())
		default:
			return false
		}
		d.Seen++
		return d.Seen < maxDrawn
	}
	all := eachChild(ctx, r, n, step, take)
	if d.Points != nil {
		d.Figure = joined(d.Points, d.InSpace)
	}
	if d.Form == tree.FormList && len(series.Values) > 1 && (all || d.Seen == maxDrawn) {
		d.Series = series
	}
}

// eachChild calls take for every step-th child of n until it returns false. It reports whether take never
// did.
func eachChild(ctx context.Context, r *tree.Reader, n *tree.Node, step int64, take func(*tree.Node) bool) bool {
	c, err := r.Child(n, 0)
	for err == nil {
		if ctx.Err() != nil || !take(c) {
			return false
		}
		if n.Layout == tree.Fixed {
			c, err = r.Child(n, c.Slot.Index+step)
		} else {
			c, err = r.Next(c)
		}
	}
	return true
}

// Colors returns the colour of a value that is one, or at most a number of those of a value with many.
func Colors(r *tree.Reader, n *tree.Node, most int64) (colors [][4]float64) {
	add := func(n *tree.Node) {
		if c := Numbers(r, n); len(c) == 4 {
			colors = append(colors, [4]float64(c))
		}
	}
	switch r.Look(&n.Value).Form {
	case tree.FormColor:
		add(n)
	case tree.FormColors:
		for i := range min(n.Count, most) {
			if c, err := r.Child(n, i); err == nil {
				add(c)
			}
		}
	}
	return colors
}
