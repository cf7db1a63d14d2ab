package ui

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/guess"
	"varview/internal/text"
	"varview/themes"
	"varview/ui/action"
	"varview/ui/dialog"
	"varview/ui/edits"
	"varview/ui/paint"
)

// beside are the bytes of two files, below the list of where they differ.
type beside struct {
	list *dialog.List
	all  []*guess.Row
}

// besideEachOther adds to a list of the places where two files differ the bytes of both, and the key that takes those of the other one.
func (m *Model) besideEachOther(l *dialog.List, rows []guessed) {
	p := &beside{list: l}
	for _, r := range rows {
		p.all = append(p.all, r.row)
	}
	does := func(a action.Action) func() tea.Cmd { return func() tea.Cmd { return m.Do(a) } }
	move := func(by int) func() tea.Cmd { return action.Plainly(func() { l.Move(by, len(rows)) }) }
	l.In |= action.Differences
	l.KeyMap, l.OverPanes, l.Foot, l.Turn = m.desk.Actions.KeyMap(l.In), true, p.sides, nil
	l.Head = func() int { // the bytes get half of the window, or what the list leaves
		_, height := m.desk.Window()
		l.FootLines = max(2, (height-4)/2, height-4-len(rows))
		return 1
	}
	l.Keys = append(l.KeyMap.Hints(action.TakeDifference), l.KeyMap.Hint("move", action.Down, action.Up), l.KeyMap.Hint("go there", action.GoThere))
	maps.Copy(l.Does, action.Does{action.Undo: does(action.Undo), action.Redo: does(action.Redo), action.NextChange: move(1), action.PreviousChange: move(-1),
		action.TakeDifference: func() tea.Cmd {
			if p.all[l.At].IsInStream() {
				return m.desk.Report(errors.New("this is unpacked from a stream: a description is needed, which says how it is packed"))
			}
			m.listed.at = rows[l.At].at.Offset
			_, here, there := m.goToGuessed(nil, &rows[l.At]), rows[l.At].at, theirs(p.all[l.At])
			return m.edits.Make(edits.Request{Intention: m.desk.Explorer.PutBytes(here.Offset, here.Length, there, here.Offset)})
		}})
}

// theirs returns the bytes of the other file at a place.
func theirs(r *guess.Row) []byte {
	at, data := r.In(1)
	return data[at.Offset:at.End()]
}

// offsetColumns is the width of the offset of a line, with a blank on both sides.
const offsetColumns = 8

// sides draws the bytes of both files around the selected place, those that are the same beside each other.
func (p *beside) sides(width int) (lines [][]paint.Piece) {
	side, n, columns := (width-3)/2, 4, 0
	for _, k := range []int{4, 8, 16, 32} {
		if with := offsetColumns + 3*k + k/8; with <= side {
			n, columns = k, with
		}
	}
	r, chars := p.all[p.list.At], columns+n <= side
	cells := guess.Aligned(p.all, r, max(0, int(r.Offsets[0])/n-p.list.FootLines/3)*n, p.list.FootLines*n)
	for ; len(cells) > 0; cells = cells[n:] {
		line := half(r, cells[:n], 0, chars)
		line = append(line, paint.Plain(strings.Repeat(" ", side-paint.Columns(line))), paint.In(themes.Border, " │ "))
		lines = append(lines, append(line, half(r, cells[:n], 1, chars)...))
	}
	return lines
}

// half draws the bytes of one of the files at some offsets: those that differ from the other one in its colour, and those of a place marked.
func half(r *guess.Row, cells [][2]int, file int, hasChars bool) []paint.Piece {
	at, data := r.In(file)
	_, other := r.In(1 - file)
	offset, line, chars := "", make([]paint.Piece, 1), []paint.Piece(nil)
	for i, c := range cells {
		digits, char := paint.Plain("  "), " "
		if here, there := c[file], c[1-file]; here >= 0 {
			if digits = paint.In(themes.Dim, fmt.Sprintf("%02x", data[here])); there < 0 || data[here] != other[there] {
				digits.Role, digits.Differs = []themes.Role{themes.Added, themes.Removed}[file], true
			}
			if at.Contains(int64(here)) {
				digits.Role = themes.Match
			}
			if char = "·"; data[here] >= ' ' && data[here] < 0x7f {
				char = string(rune(data[here]))
			}
			offset = cmp.Or(offset, fmt.Sprintf("%06x", here))
		}
		line = append(line, digits, paint.Plain("  "[:1+i%8/7]))
		chars = append(chars, paint.In(digits.Role, char))
	}
	line[0] = paint.In(themes.Dim, text.Fit(" "+offset, offsetColumns))
	if hasChars {
		line = append(line, chars...)
	}
	return line
}
