package records

import (
	"context"
	"maps"
	"strconv"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/engine/format"
	"varview/decoder/engine/span"
	"varview/internal/text"
	"varview/model"
	"varview/model/records"
	"varview/themes"
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
	maxKept   = 1000 // rows that are kept as drawn
	leastLast = 24   // columns of the window for the last column
	roomyLast = 56   // the same if columns that are not always needed are shown
	maxLevel  = 4    // largest level of a column
	reading   = 4 * time.Millisecond
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
		selected := p.top+int64(i) == p.at
		out.Put(selected && (!p.away || out.Styles.InColour), p.line(r.cells, columns, shown, p.mark(r, selected), "")...)
	}
	out.Fill(p.height() + 1)
	out.Put(false, p.sum(rows)...)
	return out.All
}

// visible returns the rows in view, as far as they can be read quickly.
func (p *Pane) visible() (all []row) {
	began := time.Now()
	before := time.Time{}
	if p.top > 0 {
		before = p.read(p.view.At(p.top - 1)).When
	}
	for i := p.top; i < min(p.top+int64(p.height()), p.view.Len()); i++ {
		number := p.view.At(i)
		r, known := p.rows[number]
		if !known && time.Since(began) < reading {
			r, known = p.read(number), true
		}
		r.Number = number
		if delta := ""; known {
			if !r.When.IsZero() && !before.IsZero() {
				delta = "+" + p.seconds(r.When.Sub(before))
			}
			r.cells = append([]format.Cell{{Text: strconv.FormatInt(number, 10)}, {Text: p.since(r.When)}, {Text: delta}}, r.cells...)
		}
		before = r.When
		all = append(all, r)
	}
	return all
}

// load reads the rows in view for which a frame has no time.
func (p *Pane) load() tea.Cmd {
	p.follow()
	var missing []int64
	for i := max(0, p.top-1); i < min(p.top+int64(p.height()), p.view.Len()); i++ {
		if _, known := p.rows[p.view.At(i)]; !known {
			missing = append(missing, p.view.At(i))
		}
	}
	if len(missing) == 0 {
		return nil
	}
	list, limit := p.list, p.Width
	return p.Start(&p.loading, "reading messages", func(ctx context.Context, _ *model.Progress) func() tea.Cmd {
		r, found := list.Tree.NewReader(), map[int64]row{}
		for _, number := range missing {
			if x, err := list.Row(r, number, limit); err == nil && ctx.Err() == nil {
				found[number] = clean(x)
			}
		}
		return func() tea.Cmd {
			if p.list == list {
				maps.Copy(p.rows, found)
			}
			return nil
		}
	})
}

// read returns a row, which it reads if necessary.
func (p *Pane) read(number int64) row {
	r, known := p.rows[number]
	if known {
		return r
	}
	if len(p.rows) > maxKept {
		clear(p.rows)
	}
	x, err := p.list.Row(p.reader, number, p.Width)
	if err == nil {
		r = clean(x)
		p.rows[number] = r
	}
	return r
}

// clean returns a row as it is drawn.
func clean(x records.Row) row {
	r := row{Row: x}
	for _, c := range x.Cells {
		r.cells = append(r.cells, format.Cell{Text: text.Clean(c.Text), Short: text.Clean(c.Short)})
	}
	return r
}

// since formats a time as seconds since the first record.
func (p *Pane) since(at time.Time) string {
	if p.began.IsZero() {
		p.began = p.read(0).When
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
			p.widths[i] = max(p.widths[i], min(text.Width(c.Text), columns[i].Most, max(12, width/5)))
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
	pieces := []paint.Piece{paint.In(themes.Dim, " "+p.counted())}
	if q := p.view.Query; q != "" {
		pieces = append(pieces, paint.In(themes.Title, " · "+text.Clean(q)))
	}
	if i := int(p.at - p.top); i < len(rows) && rows[i].Problem != nil {
		x := rows[i].Problem
		return append(pieces, paint.In(paint.SeverityRoles[x.Severity], " · "+text.Clean(x.Message)))
	}
	file := p.Doc.Buffers[0]
	if x, ok := file.WorstIn(0, file.Size()+1); ok && x.Severity > span.Note {
		pieces = append(pieces, paint.Plain(" · "), paint.In(paint.SeverityRoles[x.Severity], paint.SeverityMarks[x.Severity]+" "+text.Clean(x.Message)))
	}
	return pieces
}
