package problems

// The smallest window in which the list of problems is drawn. It needs less room than the panes.
const (
	minWidth  = 40
	minHeight = 12
)

const (
	dockedHeight  = 32  // lines of a window from which the panes stay in view above the list
	dockedWidth   = 60  // columns of that window
	besideWidth   = 140 // columns of a window from which the details are to the right of the list
	leastDetails  = 5   // lines below the list
	leastList     = 3
	mostDocked    = 24 // largest number of lines of the list below the panes
	listShare     = 11 // twentieths of the width for the list, left of the details
	detailsShare  = 11 // twentieths of the height for the details, below the list
	wholeOfShares = 20
)

// A Layout is the arrangement of the list of problems and the details.
type Layout struct {
	Docked                  bool // below the panes, which stay in view
	beside                  bool // the details are to the right of the list
	Rows                    int  // lines in all, including the heading
	List, details           int  // lines
	listWidth, detailsWidth int
}

// newLayout divides a window for a number of problems.
func newLayout(width, height, count int) Layout {
	p := Layout{Docked: height >= dockedHeight && width >= dockedWidth, beside: width >= besideWidth}
	p.Rows = height - 2
	switch {
	case p.Docked && p.beside:
		p.Rows = min(mostDocked, p.Rows*2/5) - 1
	case p.Docked:
		p.Rows = p.Rows*3/5 - 1
	}
	inner, body := width-2, p.Rows-1
	if p.beside {
		p.List, p.details = body, body
		p.listWidth = inner * listShare / wholeOfShares
		p.detailsWidth = inner - 1 - p.listWidth
		return p
	}
	p.details = max(leastDetails, (body-1)*detailsShare/wholeOfShares, body-1-max(leastList, count))
	p.List = max(1, body-1-p.details)
	p.listWidth, p.detailsWidth = inner, inner
	return p
}

// Fits reports whether the list can be drawn in a window. It needs less room than the panes.
func (p *Pane) Fits(width, height int) bool {
	return width >= minWidth && height >= minHeight
}

// inList returns the row of the list that contains a point of the window.
func (p *Layout) inList(x, y, height int) (row int, ok bool) {
	row = y - (height - 1 - p.Rows) - 1
	return row, row >= 0 && row < p.List && x >= 1 && x <= p.listWidth
}
