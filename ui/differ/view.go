package differ

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"

	"varview/decoder/span"
	"varview/decoder/tree"
	"varview/model/compare"
	"varview/model/literals"
	"varview/themes"
	"varview/ui/action"
	"varview/ui/dialog"
	"varview/ui/paint"
	"varview/ui/text"
)

// signs are the signs and colours of the kinds of changes.
var signs = map[compare.Kind]struct {
	sign string
	role themes.Role
}{
	compare.Added: {"+", themes.Added}, compare.Removed: {"-", themes.Removed}, compare.Changed: {"~", themes.Changed},
	compare.Moved: {">", themes.Accent}, compare.Renamed: {"=", themes.Accent}, compare.Retyped: {"·", themes.Dim},
}

// bytesRows returns the number of lines with bytes for each side: one in a low window.
func (l *List) bytesRows() int {
	if _, height := l.Window(); height < 20 {
		return 1
	}
	return 2
}

// heading returns the number of lines above the changes: what is compared, and the names of the columns.
func (l *List) heading() int {
	if width, _ := l.Across(); width-2 >= sideBySide {
		return 2
	}
	return 1
}

// height returns the number of changes in view, between the heading and the bytes.
func (l *List) height() int {
	_, height := l.Window()
	return max(1, height-3-l.heading()-2*l.bytesRows())
}

// Hints implements dialog.Hinting.
func (l *List) Hints() []paint.Piece {
	hints := []key.Help{l.keys.Hint("change", action.NextDifference, action.PreviousDifference)}
	hints = append(hints, l.keys.Hints(action.TakeDifference, action.GiveDifference, action.OnlyChanges, action.GoThere, action.Undo)...)
	return paint.Keys(paint.FittingKeys(append(hints, l.keys.Hint("close", action.Cancel), l.keys.Hints(action.Help)[0]), paint.BottomRoom(l.Width)))
}

// sideBySide is the width from which the values of both files have a column each.
const sideBySide = 90

// View implements dialog.Dialog.
func (l *List) View() []string {
	out, height := dialog.NewLines(l), l.height()
	width, rows := out.Width, l.rows()
	l.Fit(height, len(rows))
	out.Put(false, paint.In(themes.Title, " "+l.sum()))
	shown, path, before := rows[l.Top:min(len(rows), l.Top+height)], 4, ""
	for _, c := range shown {
		path = max(path, min(width/3, text.Width(text.Clean(c.Path))))
	}
	if width >= sideBySide {
		each := (width - path - 7) / 2
		there := text.Fit(text.Head(text.Clean(l.diff.Name), each), each)
		out.Over("\x1b[4m", paint.In(themes.Dim, "   "+text.Fit("path", path)), paint.In(themes.Title, "  "+there+"  "+thisFile))
	}
	for i, c := range shown {
		x := signs[c.Kind]
		line := []paint.Piece{paint.In(x.role, x.sign+" ")}
		if width >= sideBySide && c.Kind != compare.Moved && c.Kind != compare.Renamed {
			line = append(line, l.columns(c, before, path, width)...)
		} else {
			line = append(line, l.pieces(c, before, width)...)
		}
		out.Row(l.Top+i == l.At, line...)
		before = c.Path
	}
	out.Fill(height + l.heading())
	out.Rule()
	for _, line := range l.bytes(rows) {
		out.Put(false, line...)
	}
	out.Fill(height + l.heading() + 1 + 2*l.bytesRows())
	return out.All
}

// thisFile names the document that is open.
const thisFile = "this file"

// pathPieces returns the path of a change; a beginning that is the same as in the row above is dim.
func pathPieces(path, before string, width int) []paint.Piece {
	same := 0
	for i := range min(len(path), len(before)) {
		if path[i] != before[i] {
			break
		}
		if path[i] == '.' || path[i] == '[' {
			same = i
		}
	}
	path, head := text.CutLeft(text.Clean(path), width), path[:same]
	if rest, whole := strings.CutPrefix(path, head); whole {
		return []paint.Piece{paint.In(themes.Dim, head), paint.In(themes.Key, rest)}
	}
	return []paint.Piece{paint.In(themes.Key, path)}
}

// columns returns a change with both values beside each other.
func (l *List) columns(c *compare.Change, before string, path, width int) []paint.Piece {
	line := pathPieces(c.Path, before, path)
	at, each := path+2, (width-path-7)/2
	was, is := l.values(c, each)
	for _, side := range [][]paint.Piece{was, is} {
		line = append(line, paint.Plain(strings.Repeat(" ", max(1, at-paint.Columns(line)))))
		line, at = append(line, side...), at+each+2
	}
	return line
}

// values returns both values of a change, with the differences underlined.
func (l *List) values(c *compare.Change, width int) (was, is []paint.Piece) {
	a, b := "", ""
	if c.A != nil {
		a = string(l.diff.There().AppendLiteral(nil, &c.A.Value, 4*width))
	}
	if c.B != nil {
		b = string(l.diff.Here().AppendLiteral(nil, &c.B.Value, 4*width))
	}
	from, to := 0, 0
	if a != "" && b != "" {
		from, to = literals.Alike(a, b)
	}
	side := func(s string, role themes.Role) []paint.Piece {
		if s == "" {
			return nil
		}
		from := from
		if from > width/2 { // an equal beginning makes room for the difference
			head := text.CutLeft(text.Clean(s[:from]), width/4)
			s, from = head+s[from:], len(head)
		}
		head := text.Head(text.Clean(s), width)
		if len(head) <= from || from == 0 && to == 0 {
			return []paint.Piece{paint.In(role, head)}
		}
		end := max(from, min(len(head), len(s)-to))
		return []paint.Piece{paint.In(role, head[:from]), {Text: head[from:end], Paint: l.Styles.Role(role) + "\x1b[1;4m"}, paint.In(role, head[end:])}
	}
	return side(a, themes.Removed), side(b, themes.Added)
}

// sum says what is compared, and how many changes there are.
func (l *List) sum() string {
	var changes, notes int64
	for _, c := range l.diff.Changes {
		if c.Note {
			notes++
		} else {
			changes++
		}
	}
	sum := span.Counted(changes, "change")
	if changes+notes == 0 {
		sum = "no changes"
	}
	if l.diff.More {
		sum = "the first " + sum
	}
	if notes > 0 {
		sum += ", " + span.Counted(notes, "note")
		if l.only {
			sum += " hidden"
		}
	}
	if l.stale {
		sum += ", comparing"
	}
	return sum + " from " + text.Clean(l.diff.Name) + " to " + thisFile
}

// pieces returns a change in one line: path, old and new value. before is the path in the row above.
func (l *List) pieces(c *compare.Change, before string, width int) []paint.Piece {
	all := pathPieces(c.Path, before, width/2)
	if c.NewPath != "" && (c.Kind == compare.Moved || c.Kind == compare.Renamed) {
		all = append(all, paint.In(themes.Key, " → "+text.CutLeft(text.Clean(c.NewPath), width/2)))
	}
	all = append(all, paint.Plain("  "))
	if c.Kind == compare.Moved {
		if c.Note {
			return append(all, paint.In(themes.Dim, "the keys have another order"))
		}
		return all
	}
	was, is := l.values(c, max(8, (width-paint.Columns(all))/2-3))
	if c.Kind == compare.Renamed {
		return append(all, is...)
	}
	if all = append(all, was...); was != nil && is != nil {
		all = append(all, paint.In(themes.Dim, " → "))
	}
	return append(all, is...)
}

// perLine returns the number of bytes in a line.
func (l *List) perLine() int {
	if width, _ := l.Across(); width < sideBySide {
		return 8
	}
	return 16
}

// bytes returns the bytes of the selected value on both sides, with the differences underlined.
func (l *List) bytes(rows []*compare.Change) (lines [][]paint.Piece) {
	if l.At >= len(rows) {
		return nil
	}
	c := rows[l.At]
	perLine, name := l.perLine(), min(20, max(len(thisFile), text.Width(text.Clean(l.diff.Name))))
	sides := []struct {
		name string
		role themes.Role
		r    *tree.Reader
		n    *tree.Node
	}{{text.Clean(l.diff.Name), themes.Removed, l.diff.There(), c.A}, {thisFile, themes.Added, l.diff.Here(), c.B}}
	for i, x := range sides {
		label := text.Fit(text.CutLeft(x.name, name), name)
		if x.n == nil {
			lines = append(lines, []paint.Piece{paint.In(x.role, " "+label), paint.In(themes.Dim, "  not there")})
			continue
		}
		for row := range l.bytesRows() {
			b, other := rowOf(x.r, x.n, row, perLine), rowOf(sides[1-i].r, sides[1-i].n, row, perLine)
			if len(b) == 0 {
				break
			}
			line := []paint.Piece{paint.In(x.role, " "+label), paint.In(themes.Dim, fmt.Sprintf("  %08x  ", x.n.Start+int64(row*perLine)))}
			for k, v := range b {
				digits := paint.In(themes.Dim, fmt.Sprintf("%02x", v))
				if other != nil && (k >= len(other) || other[k] != v) {
					digits.Paint = l.Styles.Role(x.role) + "\x1b[1;4m"
				}
				line = append(line, digits, paint.Plain(" "))
			}
			lines, label = append(lines, append(line, paint.Plain(strings.Repeat("   ", perLine-len(b))+"  "+printable(b)))), strings.Repeat(" ", name)
		}
	}
	return lines
}

// rowOf returns the bytes of a value in one line; nil for none.
func rowOf(r *tree.Reader, n *tree.Node, row, perLine int) []byte {
	if n == nil {
		return nil
	}
	at := n.Start + int64(row*perLine)
	end := n.End
	if end == tree.Unknown {
		end = at + int64(perLine)
	}
	return slices.Clone(r.Window().View(at, max(0, min(int64(perLine), end-at))))
}

// printable returns bytes as text.
func printable(b []byte) string {
	var s strings.Builder
	for _, c := range b {
		if c < 0x20 || c > 0x7e {
			s.WriteString("·")
		} else {
			s.WriteByte(c)
		}
	}
	return s.String()
}
