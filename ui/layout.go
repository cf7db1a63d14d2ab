package ui

import (
	"fmt"

	"varview/ui/hex"
	"varview/ui/info"
	"varview/ui/tree"
)

// The smallest window that everything is drawn in.
const (
	minWidth  = 60
	minHeight = 16
)

const (
	narrowTree = 30 // columns below which the panes are stacked
	roomyTree  = 40 // least columns of the tree with 16 bytes a row
	wideTree   = 56 // least columns of the tree with 32 bytes a row
)

// A layout is the arrangement of the panes in a window. Everything else takes a
// line at the top, two for the cursor and three for the frame.
type layout struct {
	stacked               bool // the tree above the bytes, in a narrow window
	treeWidth, treeHeight int
	hex                   hex.Layout
}

// newLayout divides a window for the tree and the bytes of a buffer of the given size. The
// user may have chosen the number of bytes in a row, which is 0 otherwise.
func newLayout(width, height int, size int64, chosen int) layout {
	digits := max(8, len(fmt.Sprintf("%x", size)))
	l := layout{hex: hex.Layout{OffsetDigits: digits}}
	inner := width - 2
	body := height - 3 - info.Height // top, separator and bottom lines
	beside := func(perRow int) int { return inner - 1 - hex.Columns(perRow, digits) }
	switch {
	case chosen > 0 && hex.Columns(chosen, digits) <= inner:
		l.hex.PerRow = chosen
	case beside(32) >= wideTree:
		l.hex.PerRow = 32
	case beside(16) >= roomyTree:
		l.hex.PerRow = 16
	default:
		l.hex.PerRow = 8
	}
	if l.treeWidth = beside(l.hex.PerRow); l.treeWidth >= narrowTree {
		l.hex.Width = hex.Columns(l.hex.PerRow, digits)
		l.treeHeight, l.hex.Height = body, body
		return l
	}
	l.stacked = true
	if chosen == 0 && hex.Columns(16, digits) <= inner {
		l.hex.PerRow = 16
	}
	l.treeWidth, l.hex.Width = inner, inner
	l.treeHeight = (body - 1) / 2
	l.hex.Height = body - 1 - l.treeHeight
	return l
}

// tooSmall reports whether nothing useful fits.
func tooSmall(width, height int) bool { return width < minWidth || height < minHeight }

// inTree and inHex return the place in a pane that contains a point of the window.
func (l *layout) inTree(x, y int) (row, column int, ok bool) {
	row, column = y-1, x
	return row, column, row >= 0 && row < l.treeHeight && x >= 1 && x <= l.treeWidth
}

func (l *layout) inHex(x, y int) (row, column int, ok bool) {
	if l.stacked {
		row, column = y-1-l.treeHeight-1, x-1
	} else {
		row, column = y-1, x-1-l.treeWidth-1
	}
	return row, column, row >= 0 && row < l.hex.Height && column >= 0 && column < l.hex.Width
}

// Arrange implements desk.Program.
func (m *Model) Arrange() {
	d, height := m.desk, m.desk.Height
	if p := m.problems.Pane(); p != nil {
		p.Arrange()
		if p.Layout.Docked {
			height -= p.Layout.Rows - info.Height // in place of the lines about the cursor
		}
	}
	m.layout = newLayout(d.Width-m.inspect.Columns(), height, d.Explorer.Buffer.Size(), m.perRow)
	m.arrangeInspector()
	m.hex.Layout = m.layout.hex
	m.tree.Layout = tree.NewLayout(m.layout.treeWidth, m.layout.treeHeight, len(d.Doc.Buffers))
	d.Explorer.SetHeight(m.tree.Layout.Height)
}
