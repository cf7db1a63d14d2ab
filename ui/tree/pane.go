// Package tree is the pane with the tree of values.
package tree

import (
	"cmp"
	"fmt"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/model/explore"
	"varview/ui/action"
	"varview/ui/desk"
	"varview/ui/edits"
)

// A Pane is the tree of the buffer on the desk, with a row for each buffer above it.
type Pane struct {
	*desk.Desk
	KeyMap action.KeyMap
	Layout Layout

	values *edits.Values
	does   action.Does

	clicked time.Time // time of the last click
	noticed noticed

	division division
	shapes   shapes
}

// New returns the pane of a desk.
func New(d *desk.Desk, v *edits.Values) *Pane {
	p := &Pane{Desk: d, KeyMap: d.Actions.KeyMap(action.Tree), values: v}
	p.does = action.Does{
		action.Right:           p.Reporting(func() error { return p.Explorer.Unfold() }),
		action.Left:            p.Reporting(func() error { return p.Explorer.Fold() }),
		action.First:           p.jumping(func() error { return p.Explorer.First() }),
		action.Last:            p.jumping(func() error { return p.Explorer.Last() }),
		action.FoldAll:         p.Reporting(func() error { return p.Explorer.FoldAll() }),
		action.UnfoldAll:       p.Reporting(func() error { return p.Explorer.UnfoldTo(cmp.Or(p.Count, tree.MaxDepth)) }),
		action.FoldSiblings:    p.Reporting(func() error { return p.Explorer.FoldSiblings() }),
		action.NextSibling:     p.Reporting(func() error { return p.Explorer.MoveSiblings(p.Times()) }),
		action.PreviousSibling: p.Reporting(func() error { return p.Explorer.MoveSiblings(-p.Times()) }),
		action.Parent:          p.Reporting(func() error { return p.Explorer.Parent(p.Times()) }),
		action.AlignTop:        p.aligning(0),
		action.AlignMiddle:     p.aligning(0.5),
		action.AlignBottom:     p.aligning(1),
		action.Toggle:          p.toggle,
		action.Flip:            p.flip,
		action.Repeat:          p.values.Repeat,
		action.EditOutside:     v.EditOutside,
		action.Rename:          v.EditKey,
		action.AddBefore:       func() tea.Cmd { return v.Add(true) },
		action.AddAfter:        func() tea.Cmd { return v.Add(false) },
		action.AddInside:       v.AddInside,
		action.Delete:          v.Delete,
		action.Duplicate:       v.Duplicate,
		action.CopyAs:          v.CopyAs,
		action.SelectRows:      func() tea.Cmd { return p.choose(!p.Explorer.IsChoosing()) },
		action.ExtendDown:      func() tea.Cmd { return p.extend(1) },
		action.ExtendUp:        func() tea.Cmd { return p.extend(-1) },
		action.Increase:        func() tea.Cmd { return p.step(1, action.NextSame) },
		action.Decrease:        func() tea.Cmd { return p.step(-1, action.FoldAll) },
		action.Cancel:          p.cancel,
		action.MoveDown:        func() tea.Cmd { return v.Move(1) },
		action.MoveUp:          func() tea.Cmd { return v.Move(-1) },
		action.Copy:            v.Copy,
		action.Cut:             v.Cut,
		action.PasteAfter:      func() tea.Cmd { return v.Paste(false) },
		action.PasteBefore:     func() tea.Cmd { return v.Paste(true) },
	}
	return p
}

// choose begins to select siblings, or ends that.
func (p *Pane) choose(on bool) tea.Cmd {
	if p.Explorer.Choose(on); on {
		p.Say("moving selects values beside this one: e sets them, d deletes, J and K move, y copies")
	}
	return nil
}

// extend selects the next sibling too.
func (p *Pane) extend(by int64) tea.Cmd {
	if !p.Explorer.IsChoosing() {
		p.Explorer.Choose(true)
	}
	return p.Report(p.Explorer.MoveSiblings(int(by) * p.Times()))
}

// cancel ends the selection, or else stops work in progress.
func (p *Pane) cancel() tea.Cmd {
	if p.Explorer.IsChoosing() {
		return p.choose(false)
	}
	return p.Program.Do(action.Cancel)
}

// step adds to the selected number; if it is not a number, it does otherwise.
func (p *Pane) step(by int, otherwise action.Action) tea.Cmd {
	if p.Explorer.IsNumber() {
		return p.values.Step(by * max(1, p.Count))
	}
	return p.Do(otherwise)
}

// Drag selects siblings from where the mouse button was pressed to a row.
func (p *Pane) Drag(row int) {
	rows, _ := p.Explorer.Rows(0)
	if row -= p.Layout.above(); row < 0 || row >= len(rows) || rows[row].Selected || p.Focus != desk.OnTree {
		return
	}
	if !p.Explorer.IsChoosing() {
		p.Explorer.Choose(true)
	}
	p.Report(p.Explorer.SelectRow(row))
}

// mostRows is the number of rows that a jump counts.
const mostRows = 100_000

// jumping returns a jump that a number directs to a row.
func (p *Pane) jumping(jump func() error) func() tea.Cmd {
	return p.Reporting(func() error {
		p.Explorer.Leap()
		if p.Count > mostRows {
			return fmt.Errorf("a number goes to one of the first %s rows", span.Grouped(mostRows))
		}
		if p.Count > 0 {
			return p.Explorer.GoToRow(p.Count)
		}
		return jump()
	})
}

// aligning returns a function that scrolls the cursor to a fraction of the pane's height.
func (p *Pane) aligning(share float64) func() tea.Cmd {
	return func() tea.Cmd {
		p.Explorer.Align(share)
		return nil
	}
}

// Update handles a key.
func (p *Pane) Update(msg tea.KeyMsg) tea.Cmd { return p.Press(p.KeyMap, msg, p.Do) }

// Do does an action in the tree, or what means the same in all panes.
func (p *Pane) Do(a action.Action) tea.Cmd {
	return p.DoIn(p.does, a, p.Layout.Height, 0, func(by int) tea.Cmd { return p.Report(p.Explorer.MoveRows(by)) })
}

// toggle follows a reference, edits a value without children, or folds or unfolds any other one.
func (p *Pane) toggle() tea.Cmd {
	if ok, err := p.Explorer.Follow(); ok {
		return p.Report(err)
	}
	if cmd, ok := p.FollowLink(); ok {
		return cmd
	}
	if p.Explorer.IsEntrance() {
		return p.StepBuffer(1)
	}
	n := p.Explorer.Subject()
	if n == nil || n.Depth == 0 || explore.CanOpen(n) {
		p.Explorer.Toggle()
		return nil
	}
	return p.values.EditValue()
}

// flip switches between true and false, or folds or unfolds.
func (p *Pane) flip() tea.Cmd {
	if n := p.values.Value(); n != nil && n.Layout == tree.Leaf && !p.Explorer.Refers() {
		return p.values.Flip(n)
	}
	if n := p.Explorer.Subject(); n != nil && !explore.CanOpen(n) && p.Explorer.IsEntrance() {
		return p.StepBuffer(1)
	}
	p.Explorer.Toggle()
	return nil
}

// Mouse handles a click or a turn of the wheel, by rows down, at a place of the pane.
func (p *Pane) Mouse(row, column, by int, clicked bool) tea.Cmd {
	switch above := p.Layout.above(); {
	case row < p.Layout.layerRows && clicked:
		p.clickLayer(row, column)
	case p.Explorer.Buffer.IsPlain():
	case row < above:
	case by != 0:
		p.Explorer.Scroll(by)
	case clicked:
		return p.click(row-above, column)
	}
	return nil
}

// doubleClick is the time within which two clicks are one.
const doubleClick = 400 * time.Millisecond

// click selects a row; a click on its fold mark, or on the row that is already selected, folds or unfolds
// it. A double click edits what has nothing to unfold.
func (p *Pane) click(row, x int) tea.Cmd {
	rows, _ := p.Explorer.Rows(0)
	if row >= len(rows) {
		return nil
	}
	before := p.clicked
	p.clicked = time.Now()
	p.SetFocus(desk.OnTree)
	if around := p.Explorer.RowsAround(p.Layout.around(), 0); row < len(around) {
		p.Explorer.Leap()
		return p.Report(p.Explorer.SelectAround(p.Layout.around(), row))
	}
	mark := 1 + 2 + 2*rows[row].Indent
	again := rows[row].Selected
	p.Explorer.Choose(false)
	p.Report(p.Explorer.SelectRow(row))
	if again || x == mark || x == mark+1 {
		if !rows[row].Foldable && again && p.clicked.Sub(before) < doubleClick {
			return p.values.EditValue()
		}
		p.Explorer.Toggle()
	}
	return nil
}

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

// IsRule reports whether a line of the pane is a rule, which joins the frame.
func (l *Layout) IsRule(line int) bool { return l.layerRule && line == l.layerRows }

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
