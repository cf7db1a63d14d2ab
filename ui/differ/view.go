package differ

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/bubbles/key"

	"varview/decoder/span"
	"varview/decoder/tree"
	"varview/model/compare"
	"varview/themes"
	"varview/ui/action"
	"varview/ui/paint"
	"varview/ui/text"
)

// signs are those of the kinds of changes, with their colours.
var signs = map[compare.Kind]struct {
	sign string
	role themes.Role
}{
	compare.Added: {"+", themes.Added}, compare.Removed: {"-", themes.Removed}, compare.Changed: {"~", themes.Changed},
	compare.Moved: {">", themes.Accent}, compare.Renamed: {"=", themes.Accent}, compare.Retyped: {"·", themes.Dim},
}

// bytesRows is the number of lines with bytes of each side: one in a low window.
func (l *List) bytesRows() int {
	if _, height := l.Window(); height < 20 {
		return 1
	}
	return 2
}

// height is the number of changes in view, between the heading and the bytes.
func (l *List) height() int {
	_, height := l.Window()
	return max(1, height-4-2*l.bytesRows())
}

// Hints implements dialog.Hinting.
func (l *List) Hints() []paint.Piece {
	hints := []key.Help{l.keys.Hint("change", action.NextDifference, action.PreviousDifference)}
	hints = append(hints, l.keys.Hints(action.TakeDifference, action.GiveDifference, action.OnlyChanges, action.GoThere, action.Undo)...)
	return paint.Keys(append(hints, l.keys.Hint("close", action.Cancel)))
}

// View implements dialog.Dialog.
func (l *List) View() []string {
	window, _ := l.Window()
	width, height, s := window-2, l.height(), l.Paints()
	rows := l.rows()
	l.Fit(height, len(rows))
	border := s.In(themes.Border, "│")
	var lines []string
	put := func(pieces []paint.Piece, selected bool) {
		lines = append(lines, border+s.Line(pieces, width, selected)+border)
	}
	put([]paint.Piece{paint.In(themes.Title, " "+l.sum())}, false)
	there, here := l.diff.There(), l.diff.Here()
	for i := l.Top; i < min(len(rows), l.Top+height); i++ {
		mark := " "
		if i == l.At {
			mark = "›"
		}
		put(append([]paint.Piece{paint.In(themes.Accent, mark)}, pieces(rows[i], there, here, width)...), i == l.At)
	}
	for len(lines) < height+1 {
		put(nil, false)
	}
	put([]paint.Piece{paint.In(themes.Border, strings.Repeat("─", width))}, false)
	for _, line := range l.bytes(rows, there, here, width) {
		put(line, false)
	}
	return lines
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
	return sum + " from " + text.Clean(l.diff.Name) + " (-) to " + text.Clean(l.Doc.Name) + " (+)"
}

// pieces are a change in one line: sign, path, what was and what is.
func pieces(c *compare.Change, there, here *tree.Reader, width int) []paint.Piece {
	x := signs[c.Kind]
	path := text.CutLeft(text.Clean(c.Path), width/2)
	if c.NewPath != "" && (c.Kind == compare.Moved || c.Kind == compare.Renamed) {
		path += " → " + text.CutLeft(text.Clean(c.NewPath), width/2)
	}
	all := []paint.Piece{paint.In(x.role, x.sign+" "), paint.In(themes.Key, path+"  ")}
	if c.Kind == compare.Moved {
		if c.Note {
			return append(all, paint.In(themes.Dim, "the keys have another order"))
		}
		return all
	}
	left := max(8, (width-paint.Columns(all))/2-3)
	if c.A != nil && c.Kind != compare.Renamed {
		all = append(all, paint.In(themes.Removed, literal(there, c.A, left)))
	}
	if c.A != nil && c.B != nil && c.Kind != compare.Renamed {
		all = append(all, paint.In(themes.Dim, " → "))
	}
	if c.B != nil {
		all = append(all, paint.In(themes.Added, literal(here, c.B, left)))
	}
	return all
}

func literal(r *tree.Reader, n *tree.Node, width int) string {
	return text.Head(string(r.AppendLiteral(nil, &n.Value, 4*width)), width)
}

// perLine is the number of bytes in a line.
const perLine = 16

// bytes are the bytes of the selected value on both sides.
func (l *List) bytes(rows []*compare.Change, there, here *tree.Reader, width int) (lines [][]paint.Piece) {
	var c *compare.Change
	if l.At < len(rows) {
		c = rows[l.At]
	}
	for side, r := range []*tree.Reader{there, here} {
		var n *tree.Node
		if c != nil {
			n = []*tree.Node{c.A, c.B}[side]
		}
		role := []themes.Role{themes.Removed, themes.Added}[side]
		for row := range l.bytesRows() {
			lines = append(lines, append([]paint.Piece{paint.In(role, " "+[]string{"-", "+"}[side]+" ")}, byteRow(r, n, row)...))
		}
	}
	return lines
}

// byteRow are the bytes of a value in one line: offset, digits and text.
func byteRow(r *tree.Reader, n *tree.Node, row int) []paint.Piece {
	if n == nil {
		return nil
	}
	at := n.Start + int64(row*perLine)
	end := n.End
	if end == tree.Unknown {
		end = at + perLine
	}
	b := r.Window().View(at, max(0, min(perLine, end-at)))
	if len(b) == 0 {
		return nil
	}
	var digits, shown strings.Builder
	for i := range perLine {
		if i < len(b) {
			fmt.Fprintf(&digits, "%02x ", b[i])
		} else {
			digits.WriteString("   ")
		}
	}
	for _, c := range b {
		if c < 0x20 || c > 0x7e {
			shown.WriteString("·")
		} else {
			shown.WriteByte(c)
		}
	}
	return []paint.Piece{paint.In(themes.Dim, fmt.Sprintf("%08x  ", at)), paint.In(themes.Value, digits.String()), paint.In(themes.Text, " "+shown.String())}
}
