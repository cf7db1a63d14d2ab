package table

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/internal/text"
	"varview/model"
	"varview/model/table"
	"varview/themes"
	"varview/ui/action"
	"varview/ui/dialog"
	"varview/ui/jobs"
	"varview/ui/paint"
)

const (
	cellWidth = 32 // largest width of a value in columns of the window, unless there is room
	mostWidth = 120
	keyWidth  = 24 // largest width of a key
)

// height returns the number of rows in view: between the border, below the names of the columns and above
// the two lines about the cell and the column.
func (s *sheet) height() int {
	_, height := s.Window()
	return max(1, height-6)
}

// Hosts implements dialog.Hosting.
func (s *sheet) Hosts() {}

// editor returns what is typed in a cell or in a new row; nil for nothing.
func (s *sheet) editor() *dialog.Editor {
	if e := dialog.Find[*dialog.Editor](s.Dialogs); e != nil && !e.Big {
		return e
	}
	return nil
}

// Hints implements dialog.Hinting.
func (s *sheet) Hints() []paint.Piece {
	hints := s.keys.Hints(action.Edit, action.SortColumn, action.FilterRows, action.SelectRows, action.FillDown, action.Frequencies, action.GoThere)
	width, _ := s.Window()
	return paint.BottomKeys(append(hints, s.keys.Hint("close", action.Cancel), s.keys.Hints(action.Help)[0]), width)
}

// View implements dialog.Dialog.
func (s *sheet) View() []string {
	s.follow()
	out, height := dialog.NewLines(s), s.height()
	s.Fit(height, s.view.Len())
	rows := s.visible(height)
	columns, widths := s.fit(rows, out.Width)
	out.Over(paint.Underline, s.header(columns, widths)...)
	from, to := s.chosen()
	for i, row := range rows {
		at := s.Top + int64(i)
		ground := out.Styles.Ground(at == s.At)
		if at < from || at >= to {
			ground = ""
		}
		out.Over(ground, s.line(row, columns, widths, out.Width, at == s.At, at >= from && at < to)...)
	}
	e := s.editor()
	if e != nil && s.adding {
		out.All = out.All[:min(len(out.All), height)]
		out.Put(true, e.NewRow(nil, out.Width)...)
	}
	out.Fill(height + 1)
	out.Rule()
	if e != nil {
		return append(out.All, out.Styles.Framed(e.View())...)
	}
	var about []paint.Piece
	if n := s.target(); n != nil {
		about = dialog.About(s.Explorer.Path(n), s.Explorer.Buffer.Tree().Reading.TypeName(&n.Value), out.Width)
	}
	out.Put(false, about...)
	out.Put(false, paint.In(themes.Dim, " "+s.sum()))
	return out.All
}

// typed draws what is typed in a cell, over the next ones where it needs their columns.
func typed(e *dialog.Editor, width, room int) []paint.Piece {
	width = max(2, min(max(width, text.Width(e.Text())+1), room))
	pieces := append([]paint.Piece{paint.In(themes.Accent, "[")}, e.Pieces(width)...)
	blanks := strings.Repeat(" ", max(0, width+1-paint.Columns(pieces)))
	return append(pieces, paint.In(themes.Accent, blanks+"]"))
}

// visible returns the rows in view, as far as they can be read quickly.
func (s *sheet) visible(height int) (all []drawn) {
	if s.failed != nil {
		return nil
	}
	s.rows.Begin()
	read := reading(s.Explorer.LookReader(), s.Explorer.Buffer, s.table, s.view)
	for i := s.Top; i < min(s.Top+int64(height), s.view.Len()); i++ {
		d, known := s.rows.Get(s.view.At(i), true, read)
		if !known {
			d.key = "…"
		}
		all = append(all, d)
	}
	return all
}

// measure makes the columns at least as wide as the rows in view want them, the key's too: they only grow, so that scrolling moves
// them rarely. Values stand at the right in a column that has only numbers in view.
func (s *sheet) measure(rows []drawn) {
	s.right = map[int]bool{table.KeyColumn: !s.table.Keyed}
	wider := func(column int, value string) { s.wanted[column] = max(s.wanted[column], text.Width(value)) }
	wider(table.KeyColumn, s.table.KeyName())
	for _, row := range rows {
		wider(table.KeyColumn, row.key)
	}
	for _, i := range s.shown() {
		wider(i, s.title(i))
		others := false
		for _, row := range rows {
			if c := row.cell(i); c.text != "" {
				wider(i, c.text)
				s.right[i] = s.right[i] || c.role == themes.Number
				others = others || c.role == themes.String || c.role == themes.Dim
			}
		}
		s.right[i] = s.right[i] && !others
	}
}

// fit chooses the columns that are drawn, from the first that keeps the selected one in view, and their widths: what is
// left goes to those that are cut. The key comes first and stays.
func (s *sheet) fit(rows []drawn, width int) (columns []int, widths map[int]int) {
	s.measure(rows)
	widths = map[int]int{}
	for c, wanted := range s.wanted {
		widths[c] = min(cellWidth, wanted)
	}
	maps.Copy(widths, s.wide)
	shown := s.shown()
	at := max(0, slices.Index(shown, s.column))
	for s.left = max(0, min(s.left, at)); ; s.left++ {
		left := width - 4 - widths[table.KeyColumn]
		columns = nil
		for _, c := range shown[s.left:] {
			if left < widths[c]+2 && len(columns) > 0 {
				break
			}
			left -= widths[c] + 2
			columns = append(columns, c)
		}
		if s.left+len(columns) <= at && s.left < len(shown)-1 {
			continue
		}
		for _, c := range columns {
			if more := max(0, min(s.wanted[c]-widths[c], left)); s.wide[c] == 0 {
				widths[c] += more
				left -= more
			}
		}
		s.beyond = len(shown) - s.left - len(columns)
		return columns, widths
	}
}

// title returns the name of a column, with a sign if the rows are sorted by it.
func (s *sheet) title(column int) string {
	name := s.table.KeyName()
	if column >= 0 {
		name = text.Head(text.Clean(s.table.Columns[column].Name), cellWidth-2)
	}
	switch {
	case s.view.Column != column:
	case s.view.Descending:
		name += " ▼"
	default:
		name += " ▲"
	}
	return name
}

// rule is drawn beside the keys, which stay in place.
var rule = paint.In(themes.Border, "│")

// header returns the names of the columns, right-aligned above numbers.
func (s *sheet) header(columns []int, widths map[int]int) []paint.Piece {
	pieces := []paint.Piece{paint.Plain(" ")}
	for _, c := range append([]int{table.KeyColumn}, columns...) {
		role := themes.Title
		if c == s.column {
			role = themes.Accent
		}
		pieces = append(pieces, paint.In(role, " "+padded(s.title(c), widths[c], s.right[c])+" "))
		if c < 0 {
			pieces = append(pieces, rule)
		}
	}
	return pieces
}

// line returns the values of a row. The cell with the cursor is in brackets.
func (s *sheet) line(row drawn, columns []int, widths map[int]int, width int, selected, chosen bool) []paint.Piece {
	pieces := []paint.Piece{dialog.Marked(selected)}
	if chosen && !selected {
		pieces[0] = paint.In(themes.Accent, "│")
	}
	start, e := 1, s.editor() // the column where the next cell begins
	for _, c := range append([]int{table.KeyColumn}, columns...) {
		at, drawn := start, paint.Columns(pieces)
		if start += widths[c] + 2; c < 0 {
			start++ // the rule beside the key
		}
		if drawn > at { // what is typed hides it
			continue
		}
		pieces = append(pieces, paint.Plain(strings.Repeat(" ", at-drawn)))
		if selected && c == s.column && e != nil && !s.adding {
			pieces = append(pieces, typed(e, widths[c], width-at-2)...)
			continue
		}
		before, after, cell := " ", " ", row.cell(c)
		if cell.edited {
			cell.role = themes.Changed
		}
		if selected && c == s.column {
			before, after, cell.role = "[", "]", themes.Cursor
		}
		shown := paint.In(cell.role, padded(cell.text, widths[c], s.right[c]))
		pieces = append(pieces, paint.In(themes.Accent, before), shown, paint.In(themes.Accent, after))
		if c < 0 {
			pieces = append(pieces, rule)
		}
	}
	return pieces
}

// padded pads text to a width.
func padded(s string, width int, right bool) string {
	s = text.Head(s, width)
	blanks := strings.Repeat(" ", max(0, width-text.Width(s)))
	if right {
		return blanks + s
	}
	return s + blanks
}

// sum says what is shown, and describes the selected column: what was typed, and may be long, is last.
func (s *sheet) sum() string {
	if s.failed != nil {
		return "the container is no longer there"
	}
	said, filter := []string{span.Counted(s.view.Len(), "row")}, ""
	if s.view.Filter != "" {
		said[0] = fmt.Sprintf("%s of %s", span.Grouped(s.view.Len()), span.Counted(s.view.All(), "row"))
		filter = "with " + s.view.Filter
	}
	add := func(isSo bool, text string) {
		if isSo {
			said = append(said, text)
		}
	}
	from, to := s.chosen()
	add(s.anchor >= 0, span.Counted(to-from, "selected row"))
	add(len(s.hidden) > 0, span.Counted(int64(len(s.hidden)), "hidden column"))
	add(s.looking.Runs(), "sorting and filtering …")
	add(s.column >= 0 && s.summarizing.Runs(), "summing up …")
	if s.column >= 0 && s.column < len(s.summaries) && !s.summarizing.Runs() {
		add(true, s.title(s.column)+": "+summary(&s.summaries[s.column]))
	}
	add(s.beyond > 0, span.Counted(int64(s.beyond), "more column")+" ›")
	add(filter != "", filter)
	return text.Clean(strings.Join(said, " · "))
}

// summary describes a column over all rows.
func summary(s *table.Summary) string {
	different := span.Grouped(int64(s.Distinct))
	if s.More {
		different += "+"
	}
	said := span.Counted(s.Count, "value") + ", " + different + " different"
	if s.NaNs > 0 {
		said += fmt.Sprintf(", %s NaN", span.Grouped(s.NaNs))
	}
	if s.Numbers > 0 {
		said = fmt.Sprintf("min %.10g, max %.10g, sum %.10g, mean %.7g, ", s.Min, s.Max, s.Sum, s.Mean()) + said
	}
	return said
}

// drawn is a row as it is drawn.
type drawn struct {
	key   string
	cells []cell
}

// A cell is a value as it is drawn.
type cell struct {
	text   string
	role   themes.Role
	edited bool // it differs from the file
}

// cell returns what a row has in a column.
func (d *drawn) cell(column int) cell {
	switch {
	case column < 0:
		return cell{text: d.key, role: themes.Key}
	case column < len(d.cells):
		return d.cells[column]
	}
	return cell{}
}

// load reads the rows in view for which a frame has no time.
func (s *sheet) load() tea.Cmd {
	if s.failed != nil {
		return nil
	}
	var inView []int64
	s.Fit(s.height(), s.view.Len())
	for i := s.Top; i < min(s.Top+int64(s.height()), s.view.Len()); i++ {
		inView = append(inView, s.view.At(i))
	}
	t, v, b := s.table, s.view, s.Explorer.Buffer
	return s.rows.Load(s, inView, func() func(int64) (drawn, bool) { return reading(t.NewReader(), b, t, v) })
}

// reading returns what reads a row of a view.
func reading(r *tree.Reader, b *model.Buffer, t *table.Table, v *table.View) func(int64) (drawn, bool) {
	before := model.NewBefore(b)
	return func(at int64) (d drawn, ok bool) {
		row, err := t.Row(r, v, at)
		if row.Node == nil {
			return d, false
		}
		return draw(r, before, &row), err == nil
	}
}

// draw returns a row as it is drawn.
func draw(r *tree.Reader, before *model.Before, row *table.Row) drawn {
	d := drawn{key: fmt.Sprint(row.Index), cells: make([]cell, len(row.Cells))}
	if name, ok := strings.CutPrefix(r.Step(row.Node), "."); ok && row.Key == nil { // a member of a struct
		d.key = text.Head(text.Clean(name), keyWidth)
	} else if row.Key != nil {
		d.key = text.Head(text.Clean(string(r.AppendLiteral(nil, &row.Key.Value, 4*keyWidth))), keyWidth)
	}
	for i, c := range row.Cells {
		if c == nil {
			continue
		}
		name := r.Tree.Reading.TypeName(&c.Value)
		short := func(literal string) string { // Vector2(1, 2) as in the tree: (1, 2)
			if parts, ok := strings.CutPrefix(literal, name+"("); ok && c.Layout == tree.Fixed {
				literal = "(" + parts
			}
			return text.Clean(literal)
		}
		is := cell{text: text.Head(short(string(r.AppendLiteral(nil, &c.Value, 4*mostWidth))), mostWidth), role: themes.Keyword}
		if was := before.Of(c, cellWidth); was != "" {
			is.text, is.edited = text.Head(short(was), cellWidth)+"→"+is.text, true
		}
		switch r.Plain(&c.Value).Kind {
		case tree.Int, tree.Uint, tree.Float64:
			is.role = themes.Number
		case tree.Text:
			is.role = themes.String
		}
		if c.Layout != tree.Leaf {
			is.role = themes.Dim
		}
		d.cells[i] = is
	}
	return d
}

// Mouse implements dialog.Pointed.
func (s *sheet) Mouse(msg tea.MouseMsg, by int) (tea.Cmd, bool) {
	row := s.Top + int64(msg.Y-2)
	switch {
	case by != 0:
		s.Move(int64(by), s.view.Len())
		return s.load(), true
	case msg.Button != tea.MouseButtonLeft || s.failed != nil:
	case msg.Y == 1:
		if s.point(msg.X) {
			return s.sort(), true
		}
	case row >= s.Top && row < min(s.Top+int64(s.height()), s.view.Len()):
		before, column, last := s.At, s.column, s.clicked
		s.At, s.clicked = row, time.Now()
		if s.point(msg.X) && row == before && s.column == column && s.clicked.Sub(last) < doubleClick {
			return s.edit(), true
		}
	}
	return nil, true
}

// doubleClick is the time within which two clicks are one.
const doubleClick = 400 * time.Millisecond

// Drag implements dialog.Dragged: it extends the selected rows.
func (s *sheet) Drag(_, y int) {
	if row := s.Top + int64(y-2); y > 1 && row < s.view.Len() && row != s.At {
		if s.anchor < 0 {
			s.anchor = s.At
		}
		s.At = row
	}
}

// resize gives a column a width.
func (s *sheet) resize(column, width int) { s.wide[column] = max(2, min(width, 4*cellWidth)) }

// layout returns the columns that are drawn, and their widths.
func (s *sheet) layout() (columns []int, widths map[int]int) {
	width, _ := s.Across()
	return s.fit(s.visible(s.height()), width-2)
}

// point selects the table column at a column of the window, and reports whether there is one.
func (s *sheet) point(x int) bool {
	columns, widths := s.layout()
	from := 2 // after the frame and the mark of the selected row
	for _, c := range append([]int{table.KeyColumn}, columns...) {
		end := from + widths[c] + 2
		if c < 0 {
			end++ // the rule beside the key
		}
		if x >= from && x <= end { // with the blank before the next one
			s.column = c
			return true
		}
		from = end
	}
	return false
}

// Accompanied implements dialog.Accompanied.
func (s *sheet) Accompanied() bool { return true }

// Led implements dialog.Leading.
func (s *sheet) Led() *tree.Node {
	if s.failed != nil || s.tree != s.Explorer.Buffer.Tree() {
		return nil
	}
	return s.target()
}

// shown returns the columns that are not hidden.
func (s *sheet) shown() (all []int) {
	for i := range s.table.Columns {
		if !s.hidden[i] {
			all = append(all, i)
		}
	}
	return all
}

// frequencies lists how often the column has each of its values in the rows that are shown. Choosing a
// value leaves only its rows.
func (s *sheet) frequencies() tea.Cmd {
	if s.column < 0 {
		return s.Say("each key occurs once")
	}
	t, v, column := s.table, s.view, s.column
	more := false
	count := func(ctx context.Context, _ *model.Progress) (found []table.Frequency, err error) {
		found, more, err = t.Frequencies(ctx, v, column)
		return found, err
	}
	open := func(found []table.Frequency) tea.Cmd { return s.openFrequencies(t.Columns[column].Name, found, more) }
	return s.Start(&s.looking, "counting the values", jobs.Then(s.Report, count, open))
}

// barWidth is the width of the longest bar.
const barWidth = 40

func (s *sheet) openFrequencies(name string, found []table.Frequency, more bool) tea.Cmd {
	p := dialog.NewPrompt(s, text.Clean(name)+"=", nil)
	p.Aside = func() (string, bool) {
		said := span.Counted(int64(len(found)), "value")
		if more {
			said = "the first " + said
		}
		return said + "; enter shows only the rows with it", false
	}
	p.Complete = func(typed string) dialog.Offer {
		return func(context.Context) (c dialog.Completion) {
			for _, f := range found {
				if len(c.All) < maxCounted && strings.Contains(strings.ToLower(f.Literal), strings.ToLower(typed)) {
					bar := strings.Repeat("█", int(max(1, f.Count*barWidth/found[0].Count)))
					c.All = append(c.All, dialog.Candidate{Text: f.Literal, Args: fmt.Sprintf("%7s", span.Grouped(f.Count)), Help: bar})
				}
			}
			return c
		}
	}
	p.Take = func(c dialog.Candidate) tea.Cmd { return s.look(s.view.Column, s.view.Descending, name+"="+c.Text) }
	return s.Open(p)
}

// maxCounted is the largest number of values that are listed.
const maxCounted = 1000
