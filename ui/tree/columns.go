package tree

import (
	"strings"

	"varview/internal/text"
	"varview/model"
	"varview/model/explore"
	"varview/themes"
	"varview/ui/paint"
)

// Widths of columns, and what is between two.
const (
	widestColumn   = 24 // unless there is room
	widestFraction = 10 // of a number with a point: one with more digits behind it moves no columns, but is cut or, in the last column, continued
	mostColumn     = 120
	leastColumn    = 8 // of one that is cut at the end of the row
	leastSecond    = 6 // of the second one, if it is cut; with less a row shows its value in one piece
	betweenColumns = 2
)

// A grid is where the columns of a list are in the tree.
type grid struct {
	names  []paint.Piece
	start  int
	wanted []int
	widths []int
	after  int    // columns that are free behind the last one
	isText []bool // else its values stand at the right
}

// shapes are the widths that columns had so far, by their names: they only grow, so that no row that comes into view
// moves them often.
type shapes struct {
	of     *model.Document
	widths map[string][]int
}

// setColumns adds to rows of records the values under their names, and the names to the row of the list.
func (p *Pane) setColumns(lines []line, width int) {
	if p.shapes.of != p.Doc {
		p.shapes = shapes{of: p.Doc, widths: map[string][]int{}}
	}
	grids := map[*explore.Columns]*grid{}
	for i := range lines {
		if l := &lines[i]; l.list != nil {
			g := grids[l.list]
			if g == nil {
				g = newGrid(l.list, p.shapes.widths)
				grids[l.list] = g
			}
			g.measure(l)
		}
	}
	for i := range lines {
		if g := grids[lines[i].heads]; g != nil {
			g.start = max(g.start, min(paint.Columns(lines[i].pieces)+betweenColumns-g.unnamed(g.wanted), width*3/5))
		}
	}
	for list, g := range grids {
		if g.fit(width); len(g.widths) < min(2, len(g.names)) || len(g.widths) > 1 && g.widths[1] < min(g.wanted[1], leastSecond) {
			delete(grids, list)
		}
	}
	for i := range lines {
		l := &lines[i]
		if g := grids[l.list]; g != nil {
			l.pieces, l.kind = append(l.pieces, g.place(l, l.drawn)...), ""
		} else if g = grids[l.heads]; g != nil {
			cutWidest(l.pieces, g.start-betweenColumns+g.unnamed(g.widths))
			l.pieces, l.kind = append(l.pieces, g.place(l, g.names)...), ""
			if len(g.widths) < len(g.names) {
				l.pieces = append(l.pieces, paint.In(themes.Dim, " …"))
			}
		} else {
			l.pieces = append(l.pieces, l.keys...)
		}
	}
}

// newGrid returns the columns of a list, as wide as those of the same names were.
func newGrid(list *explore.Columns, widths map[string][]int) *grid {
	g, shape := &grid{isText: make([]bool, len(list.Names))}, strings.Join(list.Names, "\x00")
	g.wanted = widths[shape]
	for _, name := range list.Names {
		g.names = append(g.names, paint.In(themes.Key, text.Head(name, widestColumn)))
		if widths[shape] == nil {
			g.wanted = append(g.wanted, text.Width(name))
		}
	}
	widths[shape] = g.wanted
	return g
}

// unnamed returns the columns over which there is no name, as that of titles has none: the name of the list may go on there.
func (g *grid) unnamed(widths []int) int {
	if g.names[0].Text != "" {
		return 0
	}
	return widths[0] + betweenColumns
}

// measure makes room for a row.
func (g *grid) measure(l *line) {
	g.start = max(g.start, paint.Columns(l.pieces))
	for i, c := range l.cells {
		p := cellPiece(&c, l.was != nil)
		l.drawn = append(l.drawn, p)
		width := text.Width(p.Text)
		isFraction := c.Before == "" && c.Kind == explore.RowNumber && strings.Contains(c.Value, ".") && !strings.ContainsAny(c.Value, "(e")
		if isFraction { // which may have many digits
			width = min(width, max(widestFraction, strings.IndexByte(p.Text, '.')+len(".0")))
		}
		g.wanted[i] = max(g.wanted[i], width)
		g.isText[i] = g.isText[i] || c.Value != "" && c.Kind != explore.RowNumber && c.Kind != explore.RowGap
	}
}

// fit leaves out the columns that do not fit, and cuts the last one that does. What is left goes to those that were cut.
func (g *grid) fit(width int) {
	at := g.start
	for i, w := range g.wanted {
		if i == 0 && len(g.wanted) > 1 { // the second one has room too
			w = min(w, max(leastColumn, width-at-betweenColumns-min(g.wanted[1], leastColumn)))
		}
		if w = min(w, widestColumn, width-at); w < leastColumn && w < g.wanted[len(g.widths)] {
			break
		}
		g.widths = append(g.widths, w)
		at += w + betweenColumns
	}
	for i, w := range g.widths {
		more := max(0, min(g.wanted[i]-w, width-at+betweenColumns))
		g.widths[i] += more
		at += more
	}
	if len(g.widths) == len(g.wanted) {
		g.after = max(0, width-at+betweenColumns)
	}
}

// cellPiece returns what is drawn of a cell, however wide. What another file has is in the cell if it is not beside the row.
func cellPiece(c *explore.Cell, beside bool) paint.Piece {
	switch {
	case c.Before != "" && beside:
		return paint.In(themes.Changed, text.Head(c.Value, widestColumn))
	case c.Before != "":
		return paint.In(themes.Changed, text.Head(c.Before, widestColumn)+"→"+text.Head(c.Value, widestColumn))
	case c.Hit:
		return paint.In(themes.Match, text.Head(c.Value, mostColumn))
	}
	return paint.In(valueRoles[c.Kind], text.Head(c.Value, mostColumn))
}

// place puts pieces into the columns after the label of a row.
func (g *grid) place(l *line, cells []paint.Piece) (pieces []paint.Piece) {
	at, column := paint.Columns(l.pieces), g.start
	if len(cells) == 0 { // an empty record
		return append([]paint.Piece{paint.Plain(strings.Repeat(" ", max(0, column-at)))}, l.keys...)
	}
	for i, w := range g.widths {
		p, from := cells[i], column
		if i == len(g.widths)-1 && text.Width(p.Text) > w {
			w = min(text.Width(p.Text), w+g.after)
		}
		p.Text = text.Cut(p.Text, w)
		if !g.isText[i] {
			from += w - text.Width(p.Text)
		}
		pieces = append(pieces, paint.Plain(strings.Repeat(" ", max(0, from-at))), p)
		at, column = max(at, from)+text.Width(p.Text), column+w+betweenColumns
	}
	return pieces
}

// cutWidest cuts the widest of pieces, so that all take at most width columns: a name rather than a number.
func cutWidest(pieces []paint.Piece, width int) {
	widest := 0
	for i, p := range pieces {
		if strings.TrimSpace(p.Text) != "" && text.Width(p.Text) >= text.Width(pieces[widest].Text) {
			widest = i
		}
	}
	p := &pieces[widest]
	p.Text = text.Cut(p.Text, min(text.Width(p.Text), max(1, text.Width(p.Text)+width-paint.Columns(pieces))))
}
