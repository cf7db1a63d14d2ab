package records

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/engine/format"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/internal/text"
	"varview/model/bytesize"
	"varview/model/inspect"
	"varview/model/records"
	"varview/themes"
	"varview/ui/action"
	"varview/ui/dialog"
	"varview/ui/paint"
)

// A row is what is drawn of a record.
type row struct {
	records.Row
	cells []format.Cell // clean
}

// Columns of the list, before those of the records.
var own = []format.Column{{Name: "#", Right: true, Most: 9, Level: 2}, {Name: "time", Right: true, Most: 12}, {Name: "delta", Right: true, Most: 11, Level: 2}}

const (
	leastLast = 24 // columns of the window for the last column
	roomyLast = 56 // the same if columns that are not always needed are shown
	maxLevel  = 4  // largest level of a column
)

// View implements dialog.Dialog.
func (p *Pane) View() []string {
	p.follow()
	out := dialog.NewLines(p)
	out.Framed, out.Focused = true, !p.away
	rows := p.visible()
	columns, shown := p.fit(rows, out.Width)
	var names []format.Cell
	for _, c := range columns {
		names = append(names, format.Cell{Text: c.Name})
	}
	out.Put(false, p.line(names, columns, shown, paint.Plain("  "), themes.Title)...)
	for i, r := range rows {
		selected := p.Top+int64(i) == p.At
		pieces := p.line(r.cells, columns, shown, p.mark(r, selected), "")
		if r.isRemark() {
			pieces = append(pieces, paint.In(remarkRole(r.Problem), text.Head(text.Clean(r.Problem.Message), p.Width)))
		}
		out.Put(selected && (!p.away || out.Styles.InColour), pieces...)
	}
	out.Fill(p.height() + 1)
	out.Put(false, p.sum(rows)...)
	return out.All
}

// isRemark reports whether a row is of a remark.
func (r *row) isRemark() bool { return r.Number < 0 }

// remarkRole returns the role of the text of a remark: that something happens is no problem.
func remarkRole(p *span.Problem) themes.Role {
	if p.Code == "" {
		return ""
	}
	return paint.SeverityRoles[p.Severity]
}

// visible returns the rows in view, as far as they can be read quickly.
func (p *Pane) visible() (all []row) {
	p.rows.Begin()
	before := time.Time{}
	if p.Top > 0 {
		before = p.read(p.view.At(p.Top - 1)).When
	}
	for i := p.Top; i < min(p.Top+int64(p.height()), p.view.Len()); i++ {
		number := p.view.At(i)
		r, known := p.get(number, true)
		r.Number = number
		if delta := ""; known {
			if !r.When.IsZero() && !before.IsZero() {
				delta = "+" + p.seconds(r.When.Sub(before))
			}
			name := strconv.FormatInt(number, 10)
			if r.isRemark() {
				name = ""
			}
			r.cells = append([]format.Cell{{Text: name}, {Text: p.since(r.When)}, {Text: delta}}, r.cells...)
		}
		before = r.When
		all = append(all, r)
	}
	return all
}

// load reads the rows in view for which a frame has no time.
func (p *Pane) load() tea.Cmd {
	p.follow()
	var inView []int64
	for i := max(0, p.Top-1); i < min(p.Top+int64(p.height()), p.view.Len()); i++ {
		inView = append(inView, p.view.At(i))
	}
	list, width := p.list, p.Width
	return p.rows.Load(p, inView, func() func(int64) (row, bool) { return reading(list, list.Tree.NewReader(), width) })
}

// read returns a row, which it reads if necessary.
func (p *Pane) read(number int64) row {
	r, _ := p.get(number, false)
	return r
}

// get returns a row, which it reads if necessary; quickly, only while the frame has time. That of a remark is not kept: it costs nothing.
func (p *Pane) get(number int64, quickly bool) (row, bool) {
	read := reading(p.list, p.reader, p.Width)
	if p.list.Remark(number) != nil {
		return read(number)
	}
	return p.rows.Get(number, quickly, read)
}

// reading returns what reads a row.
func reading(l *records.List, r *tree.Reader, width int) func(int64) (row, bool) {
	return func(number int64) (row, bool) {
		x, err := l.Row(r, number, width)
		return clean(x), err == nil
	}
}

// clean returns a row as it is drawn.
func clean(x records.Row) row {
	r := row{Row: x}
	for _, c := range x.Cells {
		is := format.Cell{Text: text.Clean(c.Text), Short: text.Clean(c.Short)}
		for _, before := range r.cells { // its size stands there already
			is.Text = strings.TrimPrefix(strings.TrimPrefix(is.Text, before.Text+": "), before.Text+" bytes: ")
		}
		r.cells = append(r.cells, is)
	}
	return r
}

// since formats a time as seconds since the first record, or the first line if there are no records.
func (p *Pane) since(at time.Time) string {
	if p.began.IsZero() {
		first := int64(0)
		if p.list.Count() == 0 {
			first = p.view.At(0)
		}
		p.began = p.read(first).When
	}
	if at.IsZero() || p.began.IsZero() {
		return "-"
	}
	return p.seconds(at.Sub(p.began))
}

// narrow is the width of a window up to which times have fewer digits.
const narrow = 100

func (p *Pane) seconds(d time.Duration) string {
	digits := 6
	if p.Width < narrow {
		digits = 3
	}
	return strconv.FormatFloat(d.Seconds(), 'f', digits, 64)
}

// fit returns the columns of a row, and which of them are shown in a window.
func (p *Pane) fit(rows []row, width int) (columns []format.Column, shown []bool) {
	columns = append(columns, own...)
	columns = append(columns, p.list.Columns...)
	last := len(columns) - 1
	if p.widths == nil {
		for _, c := range columns {
			p.widths = append(p.widths, text.Width(c.Name))
		}
	}
	for _, r := range rows {
		for i, c := range r.cells {
			p.widths[i] = max(p.widths[i], min(text.Width(c.Text), columns[i].Most, max(16, width/5)))
		}
	}
	shown = make([]bool, len(columns))
	for level := maxLevel; level >= 0; level-- {
		left := width - 2
		for i, c := range columns {
			if shown[i] = c.Level <= level; shown[i] && i < last {
				left -= p.widths[i] + 1
			}
		}
		if level <= 1 && left >= leastLast || left >= roomyLast {
			break
		}
	}
	return columns, shown
}

// line draws cells of a row.
func (p *Pane) line(cells []format.Cell, columns []format.Column, shown []bool, mark paint.Piece, role themes.Role) []paint.Piece {
	pieces := []paint.Piece{mark}
	for i, cell := range cells {
		if i >= len(shown) || !shown[i] {
			continue
		}
		c := cell.Text
		if i == len(columns)-1 {
			return append(pieces, paint.In(role, text.Head(c, p.Width)))
		}
		width := p.widths[i]
		if cell.Short != "" && text.Width(c) > width {
			c = cell.Short
		}
		c = text.Fit(c, width)
		if columns[i].Right {
			bare := strings.TrimRight(c, " ")
			c = strings.Repeat(" ", len(c)-len(bare)) + bare
		}
		pieces = append(pieces, paint.In(p.roleOf(i, role), c+" "))
	}
	return pieces
}

// roleOf returns the role of a column: its own, or the heading's.
func (p *Pane) roleOf(column int, heading themes.Role) themes.Role {
	switch {
	case heading != "":
		return heading
	case column < len(own):
		return themes.Dim
	case p.list.Columns[column-len(own)].Right:
		return themes.Number
	case column == len(own)+len(p.list.Columns)-2:
		return themes.Keyword
	}
	return themes.Key
}

// mark returns what is drawn before a row: its problem, and whether it is selected.
func (p *Pane) mark(r row, selected bool) paint.Piece {
	mark, role := " ", themes.Accent
	if r.Problem != nil {
		mark, role = paint.SeverityMarks[r.Problem.Severity], paint.SeverityRoles[r.Problem.Severity]
	}
	if selected {
		return paint.In(role, mark+"›")
	}
	return paint.In(role, mark+" ")
}

// sum returns the last line: which of how many, and the problem of the selected one or else the worst of the packets and
// connections.
func (p *Pane) sum(rows []row) []paint.Piece {
	said := "no " + p.list.Name + "s"
	if p.view.Len() > 0 {
		said = p.view.Place(p.At)
	}
	pieces := []paint.Piece{paint.In(themes.Dim, " "+said)}
	if q := p.view.Query; q != "" {
		pieces = append(pieces, paint.In(themes.Title, " · "+text.Clean(q)))
	}
	if i := int(p.At - p.Top); i < len(rows) && rows[i].Problem != nil {
		x := rows[i].Problem
		if rows[i].isRemark() { // its beginning is in the row
			return append(pieces, paint.In(remarkRole(x), " · "+text.CutLeft(text.Clean(x.Message), p.Width-paint.Columns(pieces)-6)))
		}
		return append(pieces, paint.In(paint.SeverityRoles[x.Severity], " · "+text.Clean(x.Message)))
	}
	file := p.Doc.Buffers[0]
	if x, ok := file.WorstIn(0, file.Size()+1); ok && x.Severity > span.Note {
		pieces = append(pieces, paint.Plain(" · "), paint.In(paint.SeverityRoles[x.Severity], paint.SeverityMarks[x.Severity]+" "+text.Clean(x.Message)))
	}
	return pieces
}

// A sums is the summary of the records of a view, with the selected group over time.
type sums struct {
	dialog.List
	p      *Pane
	stats  *records.Stats
	groups []*records.Group
}

// addUp sums up the records that match a query, and shows the result.
func (p *Pane) addUp(query string) tea.Cmd {
	return p.seek("adding up the messages", query, p.addUp, func(v *records.View) tea.Cmd {
		if p.view.Query != query { // all are listed, since the file was opened again
			p.view, p.At = v, v.Find(p.view.At(p.At))
		}
		if s := dialog.Find[*sums](p.Dialogs); s != nil {
			s.stats, s.groups = &v.Stats, v.Stats.Groups()
			return nil
		}
		return p.openSums(&v.Stats)
	})
}

func (p *Pane) openSums(stats *records.Stats) tea.Cmd {
	s := &sums{p: p, stats: stats, groups: stats.Groups()}
	s.List = dialog.List{On: p, Of: s, KeyMap: p.keys, In: action.Records, Goes: "only these", OverPanes: true, Heading: s.heading, Head: func() int { return 4 },
		Count: func() int { return len(s.groups) }, Draw: s.line, Sum: func() string { return span.Counted(int64(len(s.groups)), "kind") }, GoThere: s.narrow}
	s.Does = action.Does{action.ShowStats: action.Plainly(func() { p.Close(s) })}
	return p.Open(s)
}

// narrow lists the records of a group.
func (s *sums) narrow(row int) tea.Cmd {
	g := s.groups[row]
	if g.Kind == records.Others {
		return nil
	}
	query := s.p.read(int64(g.Where)).Alike[format.SameDeed]
	if was := s.p.view.Query; was != "" {
		query = "(" + was + ") " + query
	}
	return s.p.look(query)
}

// heading returns the sum over all records, the plot, and the names of the columns.
func (s *sums) heading(width int) [][]paint.Piece {
	said := span.Counted(s.stats.Records, s.p.list.Name) + ", " + span.Bytes(s.stats.Bytes)
	if seconds := s.stats.Last.Sub(s.stats.First).Seconds(); seconds > 0 {
		said += fmt.Sprintf(" in %.3f s, %s a second", seconds, span.Bytes(int64(s.stats.Rate(s.stats.Bytes))))
	}
	pieces := []paint.Piece{paint.In(themes.Title, " "+said)}
	if q := s.p.view.Query; q != "" {
		pieces = append(pieces, paint.In(themes.Dim, "  only "+text.Clean(q)))
	}
	names := "    count     bytes  share   bytes/s  largest (message)  kind                 method"
	if width < narrowSums {
		names = "    count     bytes  share  largest  kind           method"
	}
	all, own := s.sparks(width)
	return [][]paint.Piece{pieces, {paint.In(themes.Dim, all)}, {paint.In(themes.Accent, own)}, {paint.In(themes.Title, names)}}
}

// sparks returns the bytes per second of all messages over their time and, to the same scale, those of the selected row.
func (s *sums) sparks(width int) (all, own string) {
	first, last := s.stats.First, s.stats.Last
	if len(s.groups) == 0 || !last.After(first) {
		return " the messages have no times, or all have the same: there is nothing to draw", ""
	}
	n := max(1, width-sparkRoom)
	var whole, part inspect.Series
	rates := s.groups[s.At].Time.Rates(first, last, n)
	for i, rate := range s.stats.Time.Rates(first, last, n) {
		whole.Add(rate)
		part.Add(rates[i])
	}
	whole.Min, part.Min, part.Max = 0, 0, whole.Max
	return " all       " + whole.Spark(n) + "  up to " + bytesize.Format(int64(whole.Max)) + "/s", " this row  " + part.Spark(n)
}

// sparkRoom is the number of columns beside the sparks.
const sparkRoom = 32

// narrowSums is the width of a window up to which the table has fewer columns.
const narrowSums = 90

// line draws a group.
func (s *sums) line(row, width int) []paint.Piece {
	g, share := s.groups[row], 0.0
	if s.stats.Bytes > 0 {
		share = 100 * float64(g.Bytes) / float64(s.stats.Bytes)
	}
	numbers := fmt.Sprintf(" %7d %9d %5.1f%% ", g.Count, g.Bytes, share)
	kind := 15
	if width < narrowSums {
		numbers += fmt.Sprintf("%8d  ", g.Largest)
	} else {
		numbers += fmt.Sprintf("%9.0f %8d %9s  ", g.Rate, g.Largest, "("+strconv.Itoa(g.Where)+")")
		kind = 21
	}
	return []paint.Piece{paint.In(themes.Number, numbers), paint.In(themes.Keyword, text.Fit(g.Kind, kind)),
		paint.In(themes.Key, text.Clean(g.Title()))}
}
