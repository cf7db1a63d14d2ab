package ui

// The smallest window in which the list of problems is drawn. It needs less room
// than the panes.
const (
	minProblemsWidth  = 40
	minProblemsHeight = 12
)

const (
	dockedHeight  = 32  // lines of a window in which the panes stay in view above the list
	besideWidth   = 140 // columns of a window in which the details are to the right of the list
	mostDetails   = 12  // lines that the details take below the list
	leastDetails  = 5
	mostDocked    = 24 // lines that the list takes below the panes
	listShare     = 11 // twentieths of the width for the list, left of the details
	detailsShare  = 11 // twentieths of the height for the details, below the list
	wholeOfShares = 20
)

// A problemsLayout is the arrangement of the list of problems and the details.
type problemsLayout struct {
	docked                  bool // below the panes, which stay in view
	beside                  bool // the details are to the right of the list
	rows                    int  // lines of all of it, the heading too
	list, details           int  // lines
	listWidth, detailsWidth int
}

func newProblemsLayout(width, height int) problemsLayout {
	p := problemsLayout{docked: height >= dockedHeight && width >= minWidth, beside: width >= besideWidth}
	p.rows = height - 2
	switch {
	case p.docked && p.beside:
		p.rows = min(mostDocked, p.rows*2/5) - 1
	case p.docked:
		p.rows = p.rows*3/5 - 1
	}
	inner, body := width-2, p.rows-1
	if p.beside {
		p.list, p.details = body, body
		p.listWidth = inner * listShare / wholeOfShares
		p.detailsWidth = inner - 1 - p.listWidth
		return p
	}
	p.details = min(mostDetails, max(leastDetails, (body-1)*detailsShare/wholeOfShares))
	p.list = max(1, body-1-p.details)
	p.listWidth, p.detailsWidth = inner, inner
	return p
}

// aboveProblems divides the part of a window above the list of problems for the
// panes.
func (p *problemsLayout) aboveProblems(width, height int, size int64, buffers int) layout {
	l := newLayout(width, height-p.rows+infoLines, size, buffers) // the details are not drawn
	l.height = height
	return l
}

// fits reports whether the list of problems can be drawn in a window.
func fitsProblems(width, height int) bool {
	return width >= minProblemsWidth && height >= minProblemsHeight
}

// inList returns the row of the list that contains a point of the window.
func (p *problemsLayout) inList(x, y, height int) (row int, ok bool) {
	row = y - (height - 1 - p.rows) - 1
	return row, row >= 0 && row < p.list && x >= 1 && x <= p.listWidth
}
