package tree

// A Layout is the size of the pane.
type Layout struct {
	Width, Height int // of the tree alone

	Follows  bool // it is beside a dialog, which has the focus
	Compares bool // it shows what differs from another file

	layerRows int  // lines above the tree: one for each buffer, or one for all
	problem   int  // lines below the tree, about what is wrong with the description
	layerRule bool // there is one for each buffer, and a rule below them
}

// NewLayout divides a pane for a document with a number of buffers. Below the tree are lines about what is wrong with its
// description, if there is room.
func NewLayout(width, height, buffers int, compares bool, problem int) Layout {
	l := Layout{Width: width, Height: height, Compares: compares}
	switch {
	case buffers < 2:
	case buffers+1 <= height/3:
		l.layerRows, l.layerRule = buffers, true
	default:
		l.layerRows = 1
	}
	l.Height -= l.above()
	if problem < l.Height {
		l.problem = problem
		l.Height -= problem
	}
	return l
}

// around returns the largest number of rows that show what is around the rows in view.
func (l *Layout) around() int { return min(3, l.Height/6) }

// above returns the number of lines that list the buffers, and say what is compared.
func (l *Layout) above() int {
	above := l.layerRows
	if l.layerRule {
		above++
	}
	if l.Compares {
		above++
	}
	return above
}
