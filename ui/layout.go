package ui

import "fmt"

// The smallest window that everything is drawn in.
const (
	minWidth  = 60
	minHeight = 16
)

// A layout is the arrangement of the panes in a window. Everything else takes a
// line at the top, two for the cursor and three for the frame.
type layout struct {
	width, height int
	stacked       bool // the tree above the bytes, in a narrow window
	treeWidth     int
	layerRows     int  // above the tree: one for each buffer, or one for all
	layerRule     bool // there is one for each buffer, and a rule below them
	treeHeight    int
	hexWidth      int
	hexHeight     int
	perRow        int // bytes in a row of the hex pane
	offsetDigits  int
}

const (
	narrowTree = 30 // columns below which the panes are stacked
	roomyTree  = 40 // least columns of the tree with 16 bytes a row
	wideTree   = 56 // least columns of the tree with 32 bytes a row
	infoLines  = 2
)

// newLayout divides a window for a buffer of the given size, one of a number of
// buffers.
func newLayout(width, height int, size int64, buffers int) layout {
	l := panes(width, height, size)
	switch {
	case buffers < 2:
	case buffers+1 <= l.treeHeight/3:
		l.layerRows, l.layerRule = buffers, true
	default:
		l.layerRows = 1
	}
	l.treeHeight -= l.aboveTree()
	return l
}

// aboveTree returns the number of lines of the tree's pane that list the buffers.
func (l *layout) aboveTree() int {
	if l.layerRule {
		return l.layerRows + 1
	}
	return l.layerRows
}

// panes divides a window for the tree and the bytes.
func panes(width, height int, size int64) layout {
	l := layout{width: width, height: height, offsetDigits: max(8, len(fmt.Sprintf("%x", size)))}
	inner := width - 2
	body := height - 3 - infoLines // top, separator and bottom lines
	beside := func(perRow int) int { return inner - 1 - l.hexColumns(perRow) }
	switch {
	case beside(32) >= wideTree:
		l.perRow = 32
	case beside(16) >= roomyTree:
		l.perRow = 16
	default:
		l.perRow = 8
	}
	if l.treeWidth = beside(l.perRow); l.treeWidth >= narrowTree {
		l.hexWidth = l.hexColumns(l.perRow)
		l.treeHeight, l.hexHeight = body, body
		return l
	}
	l.stacked = true
	if l.hexColumns(16) <= inner {
		l.perRow = 16
	}
	l.treeWidth, l.hexWidth = inner, inner
	l.treeHeight = (body - 1) / 2
	l.hexHeight = body - 1 - l.treeHeight
	return l
}

// hexColumns is the width of the hex pane: offset, a mark and two digits for
// each byte, the last bracket, text.
func (l *layout) hexColumns(perRow int) int { return l.offsetDigits + 1 + 3*perRow + 2 + perRow }

// tooSmall reports whether nothing useful fits.
func (l *layout) tooSmall() bool { return l.width < minWidth || l.height < minHeight }

// inLayers, inTree and inHex return the row of a pane that contains a point of the
// window.
func (l *layout) inLayers(x, y int) (row int, ok bool) {
	row = y - 1
	return row, row >= 0 && row < l.aboveTree() && x >= 1 && x <= l.treeWidth
}

func (l *layout) inTree(x, y int) (row int, ok bool) {
	row = y - 1 - l.aboveTree()
	return row, row >= 0 && row < l.treeHeight && x >= 1 && x <= l.treeWidth
}

func (l *layout) inHex(x, y int) (row, column int, ok bool) {
	if l.stacked {
		row, column = y-1-l.aboveTree()-l.treeHeight-1, x-1
	} else {
		row, column = y-1, x-1-l.treeWidth-1
	}
	return row, column, row >= 0 && row < l.hexHeight && column >= 0 && column < l.hexWidth
}
