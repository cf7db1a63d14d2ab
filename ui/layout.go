package ui

import (
	"cmp"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"varview/model/search"
	"varview/ui/desk"
	"varview/ui/dialog"
	"varview/ui/hex"
	"varview/ui/inspect"
	"varview/ui/tree"
)

// The smallest window in which something useful is drawn.
const (
	minWidth  = 40
	minHeight = 10
)

// The smallest window with both panes.
const (
	bothWidth  = 60
	bothHeight = 16
)

const (
	leastTree     = 20 // smallest width of the tree that the user can choose
	narrowTree    = 30 // width of the tree below which the panes are stacked
	roomyTree     = 36 // smallest width of the tree beside 16 bytes in a row
	comparing     = 64 // the same with the values of another file in it
	textComparing = 76 // the same beside a text
	wideTree      = 70 // smallest width of the tree beside 32 bytes in a row
)

// A wish is how the user wants the panes to be arranged.
type wish struct {
	perRow  int  // bytes in a row; 0 for what fits
	share   int  // the tree's percentage of the window; 0 for the default
	tree    int  // columns of the tree, or rows if it is above the bytes; 0 for the share
	alone   bool // only the pane with the focus is shown
	plain   bool // there are no values: the bytes take the width, below what is said of them
	text    bool // the bytes are shown as a text
	noticed int  // rows of a list of what is noticed in the bytes, which are below it
	low     bool // above the bytes the tree leaves the larger part to what takes their place
	least   int  // smallest width of the tree beside the bytes, with the values of another file in it
}

// A layout is the arrangement of the panes in a window. Besides, there is a line at the top, two for the
// cursor and three for the frame.
type layout struct {
	stacked               bool // the tree above the bytes, in a narrow window
	alone                 bool // one of the two takes all the room
	treeWidth, treeHeight int
	hex                   hex.Layout
}

// newLayout divides a window for the tree and the bytes of a buffer of the given size.
func newLayout(width, height int, size int64, w wish) layout {
	digits := max(4, len(fmt.Sprintf("%x", size)))
	l := layout{hex: hex.Layout{OffsetDigits: digits, IsText: w.text}}
	inner := width - 2
	body := height - 3 - inspect.AboutHeight // top, separator and bottom lines
	if l.alone = w.alone || width < bothWidth || height < bothHeight; l.alone {
		l.hex.PerRow = widest(inner, digits, w.perRow)
		l.treeWidth, l.hex.Width, l.treeHeight, l.hex.Height = inner, inner, body, body
		return l
	}
	if width >= besideWidth && !w.plain && l.besideEachOther(inner, digits, w) {
		l.treeHeight, l.hex.Height = body, body
		return l
	}
	l.stacked = true
	most := cmp.Or(w.perRow, 16)
	if w.plain {
		most = w.perRow
	}
	l.hex.PerRow = widest(inner, digits, most)
	l.treeWidth, l.hex.Width = inner, inner
	share := cmp.Or(w.share, stackedShare)
	if w.low || w.plain {
		share = 100 - stackedShare
	}
	rows := share * (body - 1) / 100
	if w.noticed > 0 {
		rows = min(w.noticed, noticedShare*(body-1)/100)
	}
	l.treeHeight = max(3, min(cmp.Or(w.tree, rows), body-1-3))
	l.hex.Height = body - 1 - l.treeHeight
	return l
}

// besideWidth is the width of a window from which the tree and the bytes are side by side. In a narrower one
// the tree has stackedShare percent of the rows: its previews need the width.
const (
	besideWidth  = 100
	stackedShare = 70
	noticedShare = 55 // most of the rows for what is noticed in a file that nobody knows
	textShare    = 48 // the tree's percentage of the columns beside a text
)

// besideEachOther puts the bytes to the right of the tree, and reports whether they fit. Beside a tree
// that the user has widened, there are fewer bytes in a row.
func (l *layout) besideEachOther(inner, digits int, w wish) bool {
	beside := func(perRow int) int { return inner - 1 - hex.Columns(perRow, digits) }
	if w.tree == 0 {
		w.tree = w.share * inner / 100
	}
	if w.tree == 0 && w.text {
		w.tree = max(textShare*inner/100, w.least)
	}
	switch {
	case w.tree > 0:
		most := beside(4)
		if most < narrowTree {
			return false
		}
		l.treeWidth = max(leastTree, min(w.tree, most))
		l.hex.Width = inner - 1 - l.treeWidth
		l.hex.PerRow = widest(l.hex.Width, digits, w.perRow)
		return true
	case w.perRow > 0 && beside(w.perRow) >= narrowTree:
		l.hex.PerRow = w.perRow
	case beside(32) >= wideTree:
		l.hex.PerRow = 32
	case beside(16) >= max(roomyTree, w.least):
		l.hex.PerRow = 16
	case w.least == 0 && beside(8) >= narrowTree:
		l.hex.PerRow = 8
	default:
		return false
	}
	l.treeWidth, l.hex.Width = beside(l.hex.PerRow), hex.Columns(l.hex.PerRow, digits)
	return true
}

// widest returns the number of bytes in a row that fit into width columns: the chosen number, or the
// largest.
func widest(width, digits, chosen int) int {
	for _, n := range []int{chosen, 32, 16, 8} {
		if n > 0 && hex.Columns(n, digits) <= width {
			return n
		}
	}
	return 4
}

// tooSmall reports whether nothing useful fits.
func tooSmall(width, height int) bool { return width < minWidth || height < minHeight }

// A place is where a pane is drawn in the window; the zero value if it is not drawn.
type place struct{ x, y, width, height int }

// at returns the row and column of the pane at a point of the window.
func (p place) at(x, y int) (row, column int, ok bool) {
	row, column = y-p.y, x-p.x
	return row, column, row >= 0 && row < p.height && column >= 0 && column < p.width
}

// places returns where the panes are drawn.
func (m *Model) places() (tree, hex, inspector place) {
	l, d, columns := &m.layout, m.desk, m.inspect.Columns()
	tree, hex = place{1, 1, l.treeWidth, l.treeHeight}, place{2 + l.treeWidth, 1, l.hex.Width, l.hex.Height}
	if l.stacked {
		hex.x, hex.y = 1, 2+l.treeHeight
	}
	at := map[desk.Focus]place{}
	if d.Inspecting && columns > 0 {
		height := l.treeHeight
		if l.stacked {
			height += 1 + l.hex.Height
		}
		at[desk.OnInspector] = place{d.Width - columns, 1, columns - 1, height}
	}
	first, second := m.shown()
	at[second] = hex
	at[first] = tree
	return at[desk.OnTree], at[desk.OnBytes], at[desk.OnInspector]
}

// Arrange implements desk.Program.
func (m *Model) Arrange() {
	d, height := m.desk, m.desk.Height
	if p := m.records.Pane(); p != nil {
		p.Arrange()
	}
	if p := m.problems.Pane(); p != nil {
		p.Arrange()
	}
	if m.low = m.taken(); m.low > 0 {
		height -= m.low - inspect.AboutHeight // instead of the lines about the cursor
	}
	compared, _ := d.Explorer.Differing()
	m.wish.low, m.wish.plain, m.wish.text = d.Inspecting, d.Explorer.Buffer.IsPlain(), m.hex.ShowsText()
	if m.wish.noticed = 0; m.wish.plain {
		m.wish.noticed = m.tree.Noticed() + m.tree.ProblemLines()
	}
	m.wish.least = 0
	if compared != nil && m.wish.text {
		m.wish.least = textComparing
	} else if compared != nil {
		m.wish.least = comparing
	}
	m.layout = newLayout(d.Width-m.inspect.Columns(), height, d.Explorer.Buffer.Size(), m.wish)
	m.arrangeInspector()
	m.hex.Layout = m.layout.hex
	m.tree.Layout = tree.NewLayout(m.layout.treeWidth, m.layout.treeHeight, len(d.Doc.Buffers), compared != nil, m.tree.ProblemLines())
	if m.beside > 0 {
		m.arrangeBeside(compared != nil)
	}
	d.Explorer.SetHeight(m.tree.Layout.Height)
}

// taken returns the number of lines of the dialog below the panes.
func (m *Model) taken() int {
	if below, ok := m.desk.Dialogs.At(dialog.BelowPanes).(dialog.Low); ok {
		return below.Taken()
	}
	return 0
}

// arrangeBeside puts the tree beside a dialog and, in a high window, the bytes below it.
func (m *Model) arrangeBeside(compares bool) {
	width, height := m.beside-1, m.desk.Height-2
	m.hex.Layout.Height = 0
	if rows := besideBytes; height >= 2*rows {
		if m.wish.plain {
			rows = height - besideBytes
		}
		m.hex.Layout.Width, m.hex.Layout.Height = width, rows
		m.hex.Layout.PerRow = widest(width, m.hex.Layout.OffsetDigits, m.wish.perRow)
		height -= 1 + rows
	}
	m.tree.Layout = tree.NewLayout(width, height, len(m.desk.Doc.Buffers), compares, 0)
	m.tree.Layout.Follows = true
}

// besideBytes is the number of rows of bytes beside a dialog.
const besideBytes = 12

// accompany lets the tree follow the dialog that it is beside or above.
func (m *Model) accompany() {
	if columns := m.desk.BesideColumns(); columns != m.beside || m.taken() != m.low {
		m.beside = columns
		m.Arrange()
	}
	shown, leads := m.desk.Dialogs.Over().(dialog.Leading)
	if m.low > 0 {
		shown, leads = m.desk.Dialogs.At(dialog.BelowPanes).(dialog.Leading)
	}
	if m.beside == 0 && m.low == 0 || !leads {
		return
	}
	n := shown.Led()
	if x := m.desk.Explorer; n != nil && (x.Subject() == nil || !n.Same(x.Subject())) {
		m.desk.Report(x.GoToHit(search.Hit{Node: n, IsValue: true}))
	}
}

// arrangeInspector lays out the inspector: in a column of its own in a wide window, otherwise in place of
// the pane without the focus.
func (m *Model) arrangeInspector() {
	d := m.desk
	d.Inspecting = m.inspect.Shown()
	if !d.Inspecting && d.Focus == desk.OnInspector {
		d.SetFocus(d.Under)
	}
	_, _, at := m.places()
	m.inspect.Layout = inspect.Layout{Width: at.width, Height: at.height}
}

// toggleInspector shows or hides the inspector, which is remembered. If only one pane is shown, the
// inspector replaces it.
func (m *Model) toggleInspector() tea.Cmd {
	m.inspect.Toggle()
	m.Arrange()
	if m.desk.Inspecting && m.layout.alone && m.inspect.Columns() == 0 {
		m.desk.SetFocus(desk.OnInspector)
	}
	return m.keepLayout()
}

// shown returns the panes in the places of the tree and of the bytes: the inspector may replace one of them.
// If there is one place, both are the pane in it.
func (m *Model) shown() (first, second desk.Focus) {
	d := m.desk
	switch over := d.Inspecting && m.inspect.Columns() == 0; {
	case m.layout.alone && over && d.Focus == desk.OnInspector:
		return desk.OnInspector, desk.OnInspector
	case m.layout.alone:
		return d.Under, d.Under
	case over && d.Under == desk.OnTree:
		return desk.OnTree, desk.OnInspector
	case over:
		return desk.OnInspector, desk.OnBytes
	}
	return desk.OnTree, desk.OnBytes
}

// drawn returns the lines of the shown panes.
func (m *Model) drawn() (first, second []string) {
	views := map[desk.Focus]func() []string{desk.OnTree: m.tree.View, desk.OnBytes: m.hex.View, desk.OnInspector: m.inspect.View}
	one, other := m.shown()
	if m.layout.alone {
		return views[one](), nil
	}
	return views[one](), views[other]()
}
