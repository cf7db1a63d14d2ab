package hex

import (
	"bytes"
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/engine/span"
	"varview/internal/state"
	"varview/internal/text"
	"varview/model"
	"varview/model/explore"
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
	b := p.text().read(row, p.endOf(row))
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

// charPaint returns the paint of a character. Unlike a byte's, it is as bright outside of the selected value.
func (p *Pane) charPaint(c *cell, cursor bool, value byte) paint.Paint {
	if !cursor && !c.match && !c.wrong && !c.changed && c.known && c.kind.IsContent() {
		return p.contentPaint(c)
	}
	return p.cellPaint(c, cursor, value)
}

// putNumber draws the number of a line beside its first row.
func (p *Pane) putNumber(out *paint.Painter, row int64) {
	n, isFirst := p.text().number(row)
	s := ""
	switch {
	case n == 0:
		s = fmt.Sprintf("%x", row)
	case isFirst:
		s = fmt.Sprint(n)
	}
	out.Put(p.Styles.Role(themes.Dim), fmt.Sprintf("%*s", numberColumns, text.CutLeft(s, numberColumns-1)+" "))
}

// maxLine is the number of bytes from which a line is broken, at multiples of that number, so that where its
// rows begin can be told without reading all of it.
const maxLine = 32 << 10

// A breaker tells where the rows of a text begin: at its lines, and where these are wider than the pane.
type breaker struct {
	explorer *explore.Explorer
	width    int
	text     model.Range // all of the text, as it was edited

	rows []int64 // offsets at which the rows of a line, or of a part of it, begin; none if no line is known
	end  int64   // the end of the line or part
	buf  []byte

	counted, before int64 // a place, and the number of lines before it
}

// set chooses the text and the width of the rows.
func (l *breaker) set(x *explore.Explorer, width int) {
	all := x.Buffer.Range(span.Between(0, x.Buffer.Size()))
	if all != l.text || x != l.explorer {
		l.counted, l.before = 0, 0
	}
	if all != l.text || x != l.explorer || width != l.width {
		l.explorer, l.text, l.width, l.rows = x, all, max(1, width), l.rows[:0]
	}
}

// read returns the bytes of [from, to), or the first of them that there are.
func (l *breaker) read(from, to int64) []byte {
	if n := int(to - from); cap(l.buf) < n {
		l.buf = make([]byte, n)
	}
	n, _ := l.explorer.Bytes(l.buf[:to-from], from)
	return l.buf[:n]
}

// firstLook is the number of bytes in which the end of a line is looked for first.
const firstLook = 512

// line returns the start and the end of the line that has a byte, or of the part of it in which rows begin
// anew.
func (l *breaker) line(at int64) (start, end int64) {
	start = at - at%maxLine
	end = start + maxLine
	if begin, ok := l.lineStart(at); ok {
		if first := (begin/maxLine + 2) * maxLine; at < first { // the first part is one to two times as long
			start, end = begin, first
		}
	}
	end = min(end, l.explorer.Buffer.Size())
	for from, n := at, int64(firstLook); from < end; from, n = from+n, 8*n {
		if i := bytes.IndexByte(l.read(from, min(end, from+n)), '\n'); i >= 0 {
			return start, from + int64(i) + 1
		}
	}
	return start, end
}

// lineStart returns where the line with a byte begins; ok is false if that is more than two parts before.
func (l *breaker) lineStart(at int64) (start int64, ok bool) {
	low := max(0, at-2*maxLine)
	for to, n := at, int64(firstLook); to > low; to, n = to-n, 8*n {
		from := max(low, to-n)
		if i := bytes.LastIndexByte(l.read(from, to), '\n'); i >= 0 {
			return from + int64(i) + 1, true
		}
	}
	return 0, low == 0
}

// find breaks the line with a byte into rows.
func (l *breaker) find(at int64) {
	if len(l.rows) > 0 && at >= l.rows[0] && at < l.end {
		return
	}
	start, end := l.line(at)
	l.end, l.rows = end, append(l.rows[:0], start)
	s, columns := string(l.read(start, end)), 0
	isWide := func(c rune) bool { return c >= utf8.RuneSelf }
	for i := 0; i < len(s); {
		if columns == 0 && len(s)-i <= l.width && !strings.ContainsFunc(s[i:], isWide) {
			break
		}
		_, n, w := text.Next(s[i:])
		if columns += w; columns > l.width && s[i] != '\n' {
			l.rows, columns = append(l.rows, start+int64(i)), w
		}
		i += n
	}
}

// row returns where the row with a byte begins and ends.
func (l *breaker) row(at int64) (start, end int64) {
	if size := l.explorer.Buffer.Size(); at >= size {
		if at = max(0, size-1); size == 0 {
			return 0, 0
		}
	}
	l.find(at)
	i := sort.Search(len(l.rows), func(i int) bool { return l.rows[i] > at }) - 1
	if end = l.end; i+1 < len(l.rows) {
		end = l.rows[i+1]
	}
	return l.rows[i], end
}

// moved returns the start of the row that is by rows below another one, or the last or first there is.
func (l *breaker) moved(row int64, by int) int64 {
	for ; by > 0; by-- {
		_, end := l.row(row)
		if end >= l.explorer.Buffer.Size() {
			break
		}
		row = end
	}
	for ; by < 0 && row > 0; by++ {
		row, _ = l.row(row - 1)
	}
	return row
}

// maxCounted is the largest number of bytes between two places whose lines are counted from one another.
const maxCounted = 16 << 20

// number returns the number of the line in which a row begins, from 1, and whether it is the line's first
// row; 0 if it is too far from the lines that were counted.
func (l *breaker) number(row int64) (n int64, isFirst bool) {
	isFirst = row == 0 || bytes.HasSuffix(l.read(row-1, row), []byte("\n"))
	if row < l.counted/2 {
		l.counted, l.before = 0, 0
	}
	from, to := min(l.counted, row), max(l.counted, row)
	if to-from > maxCounted {
		return 0, isFirst
	}
	lines := int64(0)
	for at := from; at < to; at += maxLine {
		lines += int64(bytes.Count(l.read(at, min(to, at+maxLine)), []byte("\n")))
	}
	if row < l.counted {
		lines = -lines
	}
	l.counted, l.before = row, l.before+lines
	return l.before + 1, isFirst
}
