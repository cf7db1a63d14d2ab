package hex

import (
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"varview/internal/state"
	"varview/internal/text"
	"varview/themes"
	"varview/ui/desk"
	"varview/ui/paint"
)

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
