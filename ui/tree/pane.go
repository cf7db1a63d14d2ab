// Package tree is the pane with the tree of values.
package tree

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/guess"
	"varview/internal/text"
	"varview/model"
	"varview/model/bytesize"
	"varview/model/explore"
	"varview/themes"
	"varview/ui/action"
	"varview/ui/desk"
	"varview/ui/edits"
	"varview/ui/jobs"
	"varview/ui/paint"
)

// A Pane is the tree of the buffer on the desk, with a row for each buffer above it.
type Pane struct {
	*desk.Desk
	KeyMap action.KeyMap
	Layout Layout
	Copy   func() string // says which intact copy of a damaged file there is; "" if none is known

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
		action.ExtendDown:      func() tea.Cmd { return p.extend(action.Down) },
		action.ExtendUp:        func() tea.Cmd { return p.extend(action.Up) },
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
func (p *Pane) extend(way action.Action) tea.Cmd {
	if !p.Explorer.IsChoosing() {
		p.Explorer.Choose(true)
	}
	return p.Do(way)
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
	return action.Plainly(func() { p.Explorer.Align(share) })
}

// Update handles a key.
func (p *Pane) Update(msg tea.KeyMsg) tea.Cmd { return p.Press(p.KeyMap, msg, p.Do) }

// Do does an action in the tree, or what means the same in all panes. While values are selected, moving goes to those beside
// them.
func (p *Pane) Do(a action.Action) tea.Cmd {
	move := p.Explorer.MoveRows
	if p.Explorer.IsChoosing() {
		move = p.Explorer.MoveSiblings
	}
	return p.DoIn(p.does, a, p.Layout.Height, 0, func(by int) tea.Cmd { return p.Report(move(by)) })
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
	l.Height = max(0, l.Height)
	return l
}

// IsRule reports whether a line of the pane is a rule, which joins the frame.
func (l *Layout) IsRule(line int) bool {
	return l.layerRule && line == l.layerRows || l.problem > 0 && line == l.above()+l.Height
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

// noticed is what is noticed in a document that nothing explains.
type noticed struct {
	in  *model.Document
	of  *tree.Tree // its bytes
	all []guess.Notice
	job jobs.Job
}

// Notice looks in the background for what can be noticed in a document that nothing explains.
func (p *Pane) Notice() tea.Cmd {
	doc, now := p.Doc, p.Doc.Innermost().Tree()
	if !doc.IsUnexplained() || p.noticed.of == now {
		return nil
	}
	if p.noticed.in != doc { // else what was noticed before an edit stays until it is known what is noticed after it
		p.noticed.all = nil
	}
	p.noticed.in, p.noticed.of = doc, now
	return p.Start(&p.noticed.job, "guessing", func(context.Context, *model.Progress) func() tea.Cmd {
		all, err := doc.Noticed()
		return func() tea.Cmd {
			p.noticed.all = all
			p.Program.Arrange()
			return p.Report(err)
		}
	})
}

// Noticed returns the number of rows that say what was noticed in the shown document, which nothing explains, or what leads on.
func (p *Pane) Noticed() int {
	if p.noticed.in != p.Doc || len(p.noticed.all) == 0 {
		return len(p.steps()) + around
	}
	return len(p.noticed.all) + around
}

// around are the lines around what is noticed, or what leads on: two blank ones and a heading.
const around = 3

// noticedRows lists what is noticed, a row each: where, what, and the command that goes on.
func (p *Pane) noticedRows(width int) (lines []string) {
	if p.noticed.in != p.Doc || len(p.noticed.all) == 0 {
		return nil
	}
	lines = append(lines, p.Styles.Line([]paint.Piece{paint.In(themes.Title, " noticed"), paint.In(themes.Dim, "  enter lists it all and goes there, :guess gold=120 finds a value")}, width))
	before := ""
	for i := range p.noticed.all {
		pieces := NoticePieces(p.noticed.all, i, width)
		command := p.noticed.all[i].Command(filepath.Base(p.Doc.Named()))
		if gap := width - 1 - paint.Columns(pieces) - text.Width("$ "+command); command != before && gap > 1 {
			pieces, before = append(pieces, paint.In(themes.Dim, strings.Repeat(" ", gap)+"$ "+command)), command
		}
		lines = append(lines, p.Styles.Line(pieces, width))
	}
	return lines
}

// NoticePieces draws one of the things that are noticed, in columns: where, what, and how it reads.
func NoticePieces(all []guess.Notice, at, width int) []paint.Piece {
	where, what := 0, 0
	for i := range all {
		where, what = max(where, text.Width(all[i].Where())), max(what, text.Width(all[i].What))
	}
	n := &all[at]
	return []paint.Piece{paint.In(themes.Accent, " "+text.Fit(n.Where(), where)), paint.Plain("  " + text.Fit(n.What, min(what, width/2))), paint.In(themes.String, "  "+text.Head(n.Value, width))}
}

// problemLines are a rule, two lines of what is wrong, the line of the description, and a mark below that.
const problemLines = 5

// ProblemLines returns the number of lines for what is wrong with the description; 0 for nothing.
func (p *Pane) ProblemLines() int {
	if len(p.Described.Problems) == 0 {
		return 0
	}
	return problemLines
}

// problem draws the first problem of the description: where, what, and its line.
func (p *Pane) problem(width int) []string {
	if p.Layout.problem == 0 {
		return nil
	}
	first := p.Described.Problems[0]
	where := fmt.Sprintf("─ %s:%d:%d ", first.File, first.Line, first.Column)
	if more := len(p.Described.Problems) - 1; more > 0 {
		where += fmt.Sprintf("· %s more: varview ksy check ", span.Counted(int64(more), "problem"))
	}
	where = text.Head(where, width)
	lines := []string{p.Styles.In(themes.Border, where+strings.Repeat("─", max(0, width-text.Width(where))))}
	what := p.Styles.Paragraph(themes.Error, first.Text, width)
	lines = append(lines, what[:min(2, len(what))]...)
	source, mark, _ := strings.Cut(first.Mark(), "\n")
	lines = append(lines, p.Styles.Line([]paint.Piece{paint.Plain(text.Head(text.Clean(source), width))}, width))
	lines = append(lines, p.Styles.Line([]paint.Piece{paint.In(themes.Accent, text.Head(mark, width))}, width))
	return text.Fill(lines, width, p.Layout.problem)
}

// dim draws rows as those of a tree that is out of date.
func dim(rows []line) {
	for i := range rows {
		for _, pieces := range [][]paint.Piece{rows[i].pieces, rows[i].drawn} {
			for j := range pieces {
				pieces[j].Role = themes.Dim
			}
		}
	}
}

// layers draws the lines above the tree if there are several buffers: a row for each and a rule, or one
// row that names the one shown.
func (p *Pane) layers() []string {
	l := &p.Layout
	switch {
	case l.layerRows == 0:
		return nil
	case !l.layerRule:
		b := p.Explorer.Buffer
		which := fmt.Sprintf("buffer %d (of 0–%d)", b.Number, len(p.Doc.Buffers)-1)
		return []string{p.Styles.Line([]paint.Piece{p.worst(b), paint.In(themes.Accent, "● "), paint.In(themes.Title, which), paint.In(themes.Accent, "  < >"), paint.In(themes.Dim, " · "+b.Title()+" · "+bytesize.Format(b.Size()))}, l.Width)}
	}
	var lines []string
	for _, b := range p.Doc.Buffers {
		pieces := []paint.Piece{p.worst(b), paint.Plain("  "), paint.In(themes.Dim, fmt.Sprint(b.Number, " ")), paint.Plain(b.Title()), paint.In(themes.Dim, " · "+bytesize.Format(b.Size()))}
		if b == p.Explorer.Buffer {
			pieces[1], pieces[3].Role = paint.In(themes.Accent, "● "), themes.Title
		}
		lines = append(lines, p.Styles.Line(pieces, l.Width))
	}
	return append(lines, p.Styles.In(themes.Border, strings.Repeat("─", l.Width)))
}

// worst returns the mark of a buffer's worst problem that is more than a note.
func (p *Pane) worst(b *model.Buffer) paint.Piece {
	for _, s := range []span.Severity{span.Error, span.Warning} {
		if b.ProblemCount(s) > 0 {
			return paint.In(paint.SeverityRoles[s], paint.SeverityMarks[s])
		}
	}
	return paint.Plain(" ")
}

// clickLayer shows the buffer of a row; if there is one row for all, a click goes outward on its left
// half and inward on its right.
func (p *Pane) clickLayer(row, x int) {
	number := row
	if !p.Layout.layerRule {
		number = p.Explorer.Buffer.Number + 1
		if x <= p.Layout.Width/2 {
			number -= 2
		}
	}
	if number >= 0 && number < len(p.Doc.Buffers) {
		p.LeapTo(p.Doc.Buffers[number])
	}
}

// missing explains why there are no values, and what to do.
func (p *Pane) missing(width int) []string {
	if p.Doc.Missing == nil || p.Explorer.Buffer != p.Doc.Innermost() {
		return nil
	}
	role := themes.Note
	hint := ""
	switch {
	case p.Doc.IsLocked():
		role, hint = themes.Warning, ":password asks for it, :key for 64 hex digits."
	case p.Doc.IsDeferred() && !p.Opening.Runs():
		hint = ":unpack does that."
	case p.Doc.IsCut():
		role, hint = themes.Error, ":unpack 2G allows it more room."
	case !p.Doc.IsDeferred():
		role = themes.Error
	}
	lines := append([]string{strings.Repeat(" ", width)}, p.Styles.Paragraph(role, text.Sentence(p.Doc.WhyMissing().Message), width)...)
	return append(lines, p.Styles.Paragraph(themes.Dim, hint, width)...)
}
