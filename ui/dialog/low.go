package dialog

// Low is a dialog that may be below the panes, in place of the lines about the cursor.
type Low interface {
	// Taken returns the number of its lines there; 0 if it is over the panes.
	Taken() int
}

// The smallest window in which lists and editors are below the panes, and their lines there.
const (
	lowWidth  = 60
	lowHeight = 30
	leastLow  = 6
)

// BesideWidth is the width of a window from which they are beside the tree and the bytes.
const BesideWidth = 160

// LinesBelow returns the number of lines below the panes for a dialog that wants some; 0 if the window is too low, so
// that it is over them, or so wide that it is beside them.
func LinesBelow(c Context, wants int) int {
	width, height := c.Window()
	if height < lowHeight || width < lowWidth || width >= BesideWidth {
		return 0
	}
	return max(leastLow, min(wants, height*2/5))
}

// lines returns where a dialog is that wants some lines, how many it gets, and the line of the window that is its
// first.
func lines(c Context, wants int) (place Place, lines, first int) {
	_, height := c.Window()
	if lines = LinesBelow(c, wants); lines > 0 {
		return BelowPanes, lines, height - 1 - lines
	}
	return OverPanes, height - 2, 1
}
