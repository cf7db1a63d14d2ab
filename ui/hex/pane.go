// Package hex is the pane with the bytes.
package hex

import (
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/engine/span"
	"varview/internal/state"
	"varview/internal/text"
	"varview/model"
	"varview/model/explore"
	"varview/themes"
	"varview/ui/action"
	"varview/ui/desk"
	"varview/ui/edits"
	"varview/ui/jobs"
	"varview/ui/paint"
)

// How the marks of fields are drawn, as named in the configuration.
const (
	MarksAuto = "auto" // only in the selected value, if colours show the kinds
	MarksOn   = "on"
	MarksOff  = "off"
)

// A Pane is the bytes of the buffer on the desk.
type Pane struct {
	*desk.Desk
	Marks  string // how the marks of fields are drawn
	KeyMap action.KeyMap
	Layout Layout
	// Settle does what a document that an edit has opened again needs, after the typing of bytes has
	// ended.
	Settle func() tea.Cmd

	edits    *edits.Edits
	values   *edits.Values
	clip     []byte // what was last copied
	does     action.Does
	typing   *typing // the typing of bytes; nil if there is none
	typeKeys action.KeyMap
	followed followed
	over     overview
	lines    *text.Rows
	linesOf  model.Range  // all of that text
	shown    []int64      // where the rows of text in view begin
	lead     span.Span    // separators before the selected value of a text, which are not marked
	edited   *model.Tried // what is typed in place of a value of the text; nil for nothing
	end      int64        // the end of what is in view

	// Scratch space that is reused for each frame.
	bytes     []byte
	ground    paint.Paint // of the selection
	cellBuf   []cell
	marks     []explore.Mark
	holes     []span.Span
	changedIn []span.Span
	hits      []span.Span
}

// A Layout is the size of the pane and of its columns.
type Layout struct {
	Width, Height int
	PerRow        int // bytes in a row
	OffsetDigits  int
	IsText        bool // the bytes are shown as the lines of a text
}

// gapsBefore returns the number of columns between groups of bytes that the first i bytes of a row have
// before or among them: one after 4 bytes, another after 8.
func gapsBefore(i int) int { return i/4 + i/8 }

// digitColumns returns the width of the digits of a row with their marks.
func digitColumns(perRow int) int { return 3*perRow + gapsBefore(perRow-1) }

// Columns returns the width of the pane: offset, a mark and two digits for each byte, the last bracket,
// text, the overview.
func Columns(perRow, offsetDigits int) int {
	return offsetDigits + 1 + digitColumns(perRow) + 2 + perRow + 1
}

// followed is the position that the bytes in view last followed.
type followed struct {
	explorer *explore.Explorer
	at       int64
	layout   Layout
}

// New returns the pane of a desk.
func New(d *desk.Desk, v *edits.Values) *Pane {
	leave := func() tea.Cmd {
		if d.Explorer.Buffer.IsPlain() {
			return d.Program.Do(action.Toggle)
		}
		d.SetFocus(desk.OnTree)
		return nil
	}
	p := &Pane{Desk: d, KeyMap: d.Actions.KeyMap(action.Bytes), typeKeys: d.Actions.KeyMap(action.Typing), edits: v.Edits, values: v}
	p.does = action.Does{
		action.Right:          p.Reporting(func() error { return p.Explorer.MoveBytes(1) }),
		action.Left:           p.Reporting(func() error { return p.Explorer.MoveBytes(-1) }),
		action.First:          p.jumping(func() int64 { return 0 }),
		action.Last:           p.jumping(func() int64 { return p.Explorer.Buffer.Size() - 1 }),
		action.AlignTop:       p.aligning(0),
		action.AlignMiddle:    p.aligning(0.5),
		action.AlignBottom:    p.aligning(1),
		action.Toggle:         leave,
		action.Flip:           leave,
		action.InsertBytes:    func() tea.Cmd { return p.startTyping(true, 0) },
		action.AppendBytes:    func() tea.Cmd { return p.startTyping(true, 1) },
		action.OverwriteBytes: func() tea.Cmd { return p.startTyping(false, 0) },
		action.DeleteByte:     p.delete,
		action.SelectBytes:    action.Plainly(p.toggleSelection),
		action.SelectAround:   p.selectAround,
		action.Copy:           p.copy,
		action.FillBytes:      p.askFill,
		action.PasteAfter:     func() tea.Cmd { return p.paste(false) },
		action.PasteBefore:    func() tea.Cmd { return p.paste(true) },
		action.Cancel:         p.cancel,
	}
	return p
}

// jumping returns a jump that a number directs to a byte.
func (p *Pane) jumping(to func() int64) func() tea.Cmd {
	return p.Reporting(func() error {
		p.Explorer.Leap()
		if p.Count > 0 {
			return p.Explorer.GoTo(int64(p.Count))
		}
		return p.Explorer.GoTo(to())
	})
}

// aligning returns a function that scrolls the cursor to a fraction of the pane's height.
func (p *Pane) aligning(share float64) func() tea.Cmd {
	return action.Plainly(func() { p.Top = p.moved(p.rowOf(p.Cursor()), -int(share*float64(p.Layout.Height-1)+0.5)) })
}

// Update handles a key.
func (p *Pane) Update(msg tea.KeyMsg) tea.Cmd {
	if p.typing != nil {
		return p.press(msg)
	}
	return p.Press(p.KeyMap, msg, p.Do)
}

// Do does an action in the bytes, or what means the same in all panes.
func (p *Pane) Do(a action.Action) tea.Cmd {
	page := p.Layout.Height
	if a == action.HalfPageDown || a == action.HalfPageUp {
		page-- // half of a whole page
	}
	return p.DoIn(p.does, a, page, 0, func(by int) tea.Cmd { return p.Report(p.Explorer.GoTo(p.vertical(p.Explorer.Offset(), by))) })
}

// Follow scrolls so that the byte under the cursor is in view, after a jump with most of the window below
// it. Unless always is set, it does so only if the cursor has moved.
func (p *Pane) Follow(always bool) {
	now := followed{p.Explorer, p.Cursor(), p.Layout}
	if now == p.followed && !always {
		return
	}
	if now.layout != p.followed.layout {
		p.Top = min(p.Top, p.lastTop()) // a taller window is filled
	}
	p.followed = now
	p.Top = p.rowOf(p.Top)
	last := p.moved(p.Top, p.Layout.Height-1)
	at := p.rowOf(now.at)
	switch {
	case at >= p.Top && at <= last:
	case at == p.moved(p.Top, -1):
		p.Top = at
	case at == p.moved(last, 1):
		p.Top = p.moved(p.Top, 1)
	default:
		before := min(p.Layout.Height/3, 4)
		if at < p.Top && p.moved(at, p.Layout.Height-1) >= p.Top { // back, a little
			before = p.Layout.Height - 1 - before
		}
		p.Top = min(p.moved(at, -before), max(p.lastTop(), p.moved(at, 1-p.Layout.Height)))
	}
}

// lastTop returns the top offset at which the end of the buffer is at the bottom of the window.
func (p *Pane) lastTop() int64 {
	return p.moved(p.rowOf(p.Explorer.Buffer.Size()-1), 1-p.Layout.Height)
}

// Cursor returns the offset of the byte under the cursor, or of the byte that is typed next. While the inspector is shown,
// the cursor is on the bytes that it reads.
func (p *Pane) Cursor() int64 {
	switch {
	case p.typing != nil:
		return p.typing.at
	case p.Inspecting:
		return p.Explorer.Inspected()
	}
	return p.Explorer.Offset()
}

// byteAt returns the offset of the byte drawn at a place in the pane; ok is false left or right of the
// bytes.
func (p *Pane) byteAt(row, column int) (int64, bool) {
	if p.Layout.IsText {
		return p.charAt(row, column)
	}
	digits := column - p.Layout.OffsetDigits - 1
	i := 0
	for i < p.Layout.PerRow-1 && digits >= 3*(i+1)+gapsBefore(i+1) {
		i++
	}
	if chars := digits - digitColumns(p.Layout.PerRow) - 2; chars >= 0 {
		i = chars
	}
	if digits < 0 || i >= p.Layout.PerRow {
		return 0, false
	}
	return p.Top + int64(row*p.Layout.PerRow+i), true
}

// Mouse handles a click or a turn of the wheel, by rows down, at a place of the pane.
func (p *Pane) Mouse(row, column, by int, clicked bool) {
	switch {
	case by != 0:
		p.Top = min(p.moved(p.Top, by), p.lastTop())
	case clicked:
		p.click(row, column)
	}
}

// click moves the cursor to a byte.
func (p *Pane) click(row, column int) {
	if column == p.Layout.Width-1 {
		if from, _ := p.part(row); !p.isWhole() {
			p.Explorer.Leap()
			p.GoToByte(from)
		}
		return
	}
	off, ok := p.byteAt(row, column)
	if !ok {
		return
	}
	p.Focus, p.Selection = desk.OnBytes, desk.Selection{}
	p.GoToByte(off)
	if p.typing != nil {
		p.typing.half = ""
		p.typing.at = p.Explorer.Offset()
	}
}

// An overview is the bar at the right edge, which represents the whole buffer from top to bottom.
type overview struct {
	entropy bool        // entropy is shown
	of      model.Range // the range to which parts belong
	parts   []float64   // bits per byte in parts of equal length; nil while unknown
	job     jobs.Job
	marks   []int64 // offsets that the user has marked
}

const (
	inView = "▐"
	hitBar = "+"
	marked = "'"
)

var levels = []string{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}

// isWhole reports whether the whole buffer is in view, so that no overview is needed.
func (p *Pane) isWhole() bool {
	return p.Top == 0 && p.end >= p.Explorer.Buffer.Size()
}

// part returns the range of the buffer that a row of the bar represents.
func (p *Pane) part(row int) (from, to int64) {
	size, rows := p.Explorer.Buffer.Size(), int64(p.Layout.Height)
	from, to = share(int64(row), size, rows), share(int64(row+1), size, rows)
	return from, max(to, from+1)
}

// share returns i/n of size without overflow.
func share(i, size, n int64) int64 { return size/n*i + size%n*i/n }

// beginOverview prepares what all rows of a frame need.
func (p *Pane) beginOverview() {
	p.over.marks = p.over.marks[:0]
	if p.isWhole() {
		return
	}
	for _, m := range p.State.Data().MarksOf(p.Doc.Path()) {
		if m.Buffer == p.Explorer.Buffer.Number {
			p.over.marks = append(p.over.marks, m.Offset)
		}
	}
}

// bar draws a row of the overview.
func (p *Pane) bar(out *paint.Painter, row int) {
	if p.isWhole() && !p.over.entropy {
		out.Put("", " ")
		return
	}
	from, to := p.part(row)
	isInView := from < p.end && to > p.Top && !p.isWhole()
	text, role := " ", themes.Role("")
	if isInView {
		text, role = inView, themes.Accent
	}
	if p.over.entropy {
		if level := p.entropyIn(row); level != "" {
			text, role = level, themes.Border
			if isInView {
				role = themes.Accent
			}
		}
	}
	if mark, of := p.markIn(from, to); mark != "" && !p.isWhole() {
		text, role = mark, of
	}
	style := p.Styles.Role(role)
	if isInView && role != themes.Accent {
		style += p.Styles.Ground(true)
	}
	out.Put(style, text)
}

// markIn returns the mark for what is in a range of the buffer, worst first.
func (p *Pane) markIn(from, to int64) (mark string, role themes.Role) {
	if x, ok := p.Explorer.Buffer.WorstIn(from, to); ok && x.Severity > span.Note {
		return paint.SeverityMarks[x.Severity], paint.SeverityRoles[x.Severity]
	}
	switch {
	case p.Explorer.Buffer.ChangedIn(from, to):
		return paint.Changed, themes.Changed
	case p.Explorer.Hits != nil && p.Explorer.Hits.AnyIn(from, to):
		return hitBar, themes.Warning
	}
	for _, at := range p.over.marks {
		if at >= from && at < to {
			return marked, themes.Key
		}
	}
	return "", ""
}

// entropyIn returns the shade for the entropy in the range of a row; "" if it is unknown.
func (p *Pane) entropyIn(row int) string {
	parts, rows := p.over.parts, p.Layout.Height
	if len(parts) == 0 {
		return ""
	}
	first := min(row*len(parts)/rows, len(parts)-1)
	last := max(first+1, (row+1)*len(parts)/rows)
	sum, n := 0.0, 0
	for _, bits := range parts[first:last] {
		if bits >= 0 {
			sum += bits
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return levels[min(len(levels)-1, int(sum/float64(n)))]
}

// ShowEntropy is :entropy: it shows or hides the entropy of the bytes.
func (p *Pane) ShowEntropy() tea.Cmd {
	p.over.entropy = !p.over.entropy
	if p.over.entropy {
		p.Say("the bar at the right shows the entropy: low in tables, high in packed or encrypted bytes")
		return p.Overview()
	}
	p.over.job.Stop()
	p.over.of, p.over.parts = model.Range{}, nil
	return nil
}

// Overview computes the entropy in the background, if it is shown and unknown.
func (p *Pane) Overview() tea.Cmd {
	r := p.Explorer.Buffer.Range(span.Between(0, p.Explorer.Buffer.Size()))
	if !p.over.entropy || p.over.of == r {
		return nil
	}
	p.over.of = r
	return p.Start(&p.over.job, "entropy", jobs.Then(p.Report, r.Entropies, func(parts []float64) tea.Cmd {
		p.over.parts = parts
		return nil
	}))
}

// numberColumns is the width of the numbers of lines.
const numberColumns = 6

// ChangeOver is :bytes: it shows the bytes of a text in place of its lines, or its lines again.
func (p *Pane) ChangeOver() tea.Cmd {
	if !p.Explorer.Buffer.IsText() {
		return p.Say("this is no text: it is shown as bytes")
	}
	shows, family := p.ShowsText(), p.Doc.Hints().Title
	p.Selection = desk.Selection{}
	cmd := p.RememberAlways(func(s *state.Data) {
		s.AsBytes = slices.DeleteFunc(s.AsBytes, func(f string) bool { return f == family })
		if shows {
			s.AsBytes = append(s.AsBytes, family)
		}
	})
	p.Program.Arrange()
	p.Follow(true)
	if shows {
		p.Say(family + " is shown as bytes from now on, in other files too; X shows the text again")
	}
	return cmd
}

// eachChar calls f with the characters of a row of text: the first byte, how it is drawn, the columns before
// it and its own; until f returns false. The end of a line is a character that is not drawn.
func (p *Pane) eachChar(row int64, f func(at int64, shown string, column, columns int) bool) {
	b := p.text().Read(row, p.endOf(row))
	column := 0
	for s, at := string(b), row; s != ""; {
		shown, n, columns := text.Next(s)
		if s[0] == '\n' || strings.HasPrefix(s, "\r\n") {
			shown = " "
		}
		if !f(at, shown, column, columns) {
			return
		}
		s, at, column = s[n:], at+int64(n), column+columns
	}
}

// columnOf returns the column of a byte in its row.
func (p *Pane) columnOf(row, at int64) (column int) {
	p.eachChar(row, func(off int64, _ string, before, _ int) bool {
		if off <= at {
			column = before
		}
		return off < at
	})
	return column
}

// inColumn returns the byte of a row in a column, or the last one.
func (p *Pane) inColumn(row int64, column int) (at int64) {
	at = row
	p.eachChar(row, func(off int64, _ string, before, _ int) bool {
		if before <= column {
			at = off
		}
		return before < column
	})
	return at
}

// charAt returns the byte of the text drawn at a place of the pane.
func (p *Pane) charAt(row, column int) (int64, bool) {
	if column -= numberColumns + 1; row < 0 || row >= len(p.shown) || column < 0 {
		return 0, false
	}
	return p.inColumn(p.shown[row], column), true
}

// textRow draws a row of the text in view, whose bytes and cells are given: the number of its line, and the
// characters. The bytes [from, to) are selected.
func (p *Pane) textRow(b *strings.Builder, r int, bytes []byte, cells []cell, from, to int64) {
	out := paint.Painter{Into: b}
	defer out.End()
	if r >= len(p.shown) {
		out.Put("", strings.Repeat(" ", p.Layout.Width-1))
		return
	}
	row := p.shown[r]
	p.putNumber(&out, row)
	out.Put(p.Styles.Role(themes.Accent), gutter(row, p.endOf(row), from, to))
	cursor, insertion := p.places()
	if cursor == p.lead.Offset {
		cursor = p.lead.End()
	}
	left := p.Layout.Width - 1 - numberColumns - 1
	p.eachChar(row, func(at int64, shown string, _, columns int) bool {
		i := int(at - p.Top)
		if i >= len(bytes) || columns > left {
			return false
		}
		if t := p.edited; t != nil && at >= t.At && at < t.At+t.Size-t.By {
			if at == t.At {
				shown := text.Head(strings.TrimRight(string(t.Bytes), "\r\n"), left)
				out.Put(p.Styles.Role(themes.Changed), shown)
				left -= text.Width(shown)
			}
			return true
		}
		c := &cells[i]
		isHere := at == cursor || cursor > at && cursor < at+int64(len(shown)) && columns > 0 && len(shown) > 1
		switch {
		case at == insertion:
			out.Put(p.Styles.Role(themes.Match), shown)
		case isHere && p.typing != nil:
			out.Put(p.typingPaint(true), shown)
		default:
			out.Put(p.charPaint(c, isHere, bytes[i]), shown)
		}
		left -= columns
		return true
	})
	out.Put("", strings.Repeat(" ", max(0, left)))
}

// charPaint returns the paint of a character. Unlike a byte's, it is as bright outside of the selected value; problems are
// underlined.
func (p *Pane) charPaint(c *cell, cursor bool, value byte) paint.Paint {
	switch {
	case cursor || c.match:
	case c.wrong:
		return p.problemPaint(c) + paint.Underline
	case !c.changed && c.known && c.kind.IsContent():
		return p.contentPaint(c)
	}
	return p.cellPaint(c, cursor, value)
}

// putNumber draws the number of a line beside its first row.
func (p *Pane) putNumber(out *paint.Painter, row int64) {
	n, isFirst := p.text().Number(row)
	s := ""
	switch {
	case n == 0:
		s = fmt.Sprintf("%x", row)
	case isFirst:
		s = fmt.Sprint(n)
	}
	out.Put(p.Styles.Role(themes.Dim), fmt.Sprintf("%*s", numberColumns, text.CutLeft(s, numberColumns-1)+" "))
}
