package table

import (
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/key"

	"varview/decoder/span"
	"varview/model/table"
	"varview/themes"
	"varview/ui/action"
	"varview/ui/paint"
	"varview/ui/text"
)

const (
	cellWidth = 32  // columns of the window that a value takes at most
	keyWidth  = 24  // and a key
	maxKept   = 500 // rows that are kept as they are drawn
)

// height is the number of rows in view: between the border, below the names of the columns
// and above the line with the summary.
func (s *sheet) height() int {
	_, height := s.Window()
	return max(1, height-4)
}

// Hints implements dialog.Hinting.
func (s *sheet) Hints() []paint.Piece {
	hints := []key.Help{s.keys.Hint("move", action.Down, action.Up, action.Left, action.Right)}
	hints = append(hints, s.keys.Hints(action.Edit, action.SortColumn, action.FilterRows, action.HideColumn, action.FillDown, action.GoThere)...)
	return paint.Keys(append(hints, s.keys.Hint("close", action.Cancel)))
}

// View implements dialog.Dialog.
func (s *sheet) View() []string {
	s.follow()
	window, _ := s.Window()
	width, height, styles := window-2, s.height(), s.Paints()
	s.at = max(0, min(s.at, s.view.Len()-1))
	s.top = max(s.at-int64(height)+1, min(s.top, s.at), 0)
	border := styles.In(themes.Border, "│")
	var lines []string
	put := func(pieces []paint.Piece, selected bool) {
		lines = append(lines, border+styles.Line(pieces, width, selected)+border)
	}
	rows := s.visible(height)
	first, widths := s.fit(rows, width)
	put(s.header(first, widths), false)
	for i, row := range rows {
		put(s.line(row, first, widths, s.top+int64(i) == s.at), s.top+int64(i) == s.at)
	}
	for len(lines) < height+1 {
		put(nil, false)
	}
	put([]paint.Piece{paint.In(themes.Dim, " "+s.sum())}, false)
	return lines
}

// drawing is how long the rows in view may be read for a frame. What is left is read in the
// background.
const drawing = 4 * time.Millisecond

// visible are the rows in view, as far as they are quickly read.
func (s *sheet) visible(height int) (all []drawn) {
	if s.failed != nil {
		return nil
	}
	if len(s.rows) > maxKept {
		clear(s.rows)
	}
	began := time.Now()
	x := reading{s.table, s.Explorer.LookReader(), table.Row{Index: -2}}
	for i := s.top; i < min(s.top+int64(height), s.view.Len()); i++ {
		d, known := s.rows[s.view.At(i)]
		if !known && time.Since(began) < drawing {
			if d, known = x.drawn(s.view.At(i)); known {
				s.rows[s.view.At(i)] = d
			}
		}
		if !known {
			d.key = "…"
		}
		all = append(all, d)
	}
	return all
}

// fit chooses the columns that are drawn, from the first that keeps the selected one in
// view, and how wide they are. The key comes first and stays.
func (s *sheet) fit(rows []drawn, width int) (columns []int, widths map[int]int) {
	widths = map[int]int{-1: text.Width(s.table.KeyName())}
	for _, row := range rows {
		widths[-1] = max(widths[-1], text.Width(row.key))
	}
	shown := s.shown()
	for _, i := range shown {
		widths[i] = min(cellWidth, text.Width(s.title(i)))
		for _, row := range rows {
			if i < len(row.cells) {
				widths[i] = max(widths[i], text.Width(row.cells[i]))
			}
		}
	}
	at := 0
	for i, c := range shown {
		if c == s.column {
			at = i
		}
	}
	s.left = max(0, min(s.left, at))
	for {
		room := width - 2 - widths[-1]
		columns = nil
		for _, c := range shown[s.left:] {
			if room -= widths[c] + 2; room < 0 && len(columns) > 0 {
				break
			}
			columns = append(columns, c)
		}
		if s.left+len(columns) > at || s.left >= len(shown)-1 {
			return columns, widths
		}
		s.left++
	}
}

// title is the name of a column, with the sign of the one that the rows are sorted by.
func (s *sheet) title(column int) string {
	name := s.table.KeyName()
	if column >= 0 {
		name = text.Head(text.Clean(s.table.Columns[column].Name), cellWidth-2)
	} else {
		column = table.KeyColumn
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

// header are the names of the columns.
func (s *sheet) header(columns []int, widths map[int]int) []paint.Piece {
	pieces := []paint.Piece{paint.Plain("  ")}
	for _, c := range append([]int{-1}, columns...) {
		role := themes.Dim
		if c == s.column {
			role = themes.Accent
		}
		pieces = append(pieces, paint.In(role, padded(s.title(c), widths[c], false)), paint.Plain("  "))
	}
	return pieces
}

// line are the values of a row. The selected one has a sign besides its colour.
func (s *sheet) line(row drawn, columns []int, widths map[int]int, selected bool) []paint.Piece {
	mark := "  "
	if selected {
		mark = "› "
	}
	pieces := []paint.Piece{paint.In(themes.Accent, mark)}
	for _, c := range append([]int{-1}, columns...) {
		cell, right, role := row.key, false, themes.Key
		if c >= 0 {
			cell, role = "", themes.Role("")
			if c < len(row.cells) {
				cell, right = row.cells[c], row.right[c]
			}
		}
		cell = padded(cell, widths[c], right)
		after := "  "
		if selected && c == s.column {
			role, after = themes.Accent, "‹ "
		}
		pieces = append(pieces, paint.In(role, cell), paint.In(themes.Accent, after))
	}
	return pieces
}

// padded is text in a width.
func padded(s string, width int, right bool) string {
	s = text.Head(s, width)
	blanks := strings.Repeat(" ", max(0, width-text.Width(s)))
	if right {
		return blanks + s
	}
	return s + blanks
}

// sum says what is shown, and what the selected column holds.
func (s *sheet) sum() string {
	if s.failed != nil {
		return "the container is no longer there"
	}
	said := span.Counted(s.view.Len(), "row")
	if s.view.Filter != "" {
		said += " of " + span.Grouped(s.count()) + " with " + s.view.Filter
	}
	if s.looking.Runs() {
		said += " · sorting and filtering …"
	}
	if n := len(s.hidden); n > 0 {
		said += " · " + span.Counted(int64(n), "hidden column")
	}
	switch {
	case s.column < 0:
	case s.summarizing.Runs():
		said += " · summing up …"
	case s.column >= len(s.summaries):
	default:
		said += " · " + s.title(s.column) + ": " + summary(&s.summaries[s.column])
	}
	return text.Clean(said)
}

// summary describes a column of all rows.
func summary(s *table.Summary) string {
	different := span.Grouped(int64(s.Distinct))
	if s.More {
		different += "+"
	}
	said := span.Counted(s.Count, "value") + ", " + different + " different"
	if s.Numbers > 0 {
		said += fmt.Sprintf(", min %.10g, max %.10g, sum %.10g, mean %.7g", s.Min, s.Max, s.Sum, s.Mean())
	}
	return said
}
