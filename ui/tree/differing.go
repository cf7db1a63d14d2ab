package tree

import (
	"varview/decoder/engine/span"
	"varview/internal/text"
	"varview/model/explore"
	"varview/model/literals"
	"varview/themes"
	"varview/ui/paint"
)

// Comparing is the number of columns from which on the values of another file are beside those of this
// one.
const Comparing = 64

// divide returns the columns of the rows, and of what another file has in their place: 0 where that is
// in the rows.
func (p *Pane) divide() (rows, other int) {
	if width := p.Layout.Width; p.Layout.Compares && width >= Comparing {
		return width - width*2/5, width * 2 / 5
	}
	return p.Layout.Width, 0
}

// signs are drawn beside rows that differ from another file, in these roles.
var signs = map[explore.Differs]paint.Piece{
	explore.DiffersNoted: paint.In(themes.Dim, "·"), explore.DiffersMeans: paint.In(themes.Changed, paint.Changed),
	explore.DiffersAdded: paint.In(themes.Added, "+"), explore.DiffersGone: paint.In(themes.Removed, "-"),
}

// heading says what is compared, and names the columns.
func (p *Pane) heading() []string {
	if !p.Layout.Compares {
		return nil
	}
	d, stale := p.Explorer.Differing()
	sum := "no changes"
	if d.Apart >= 0 {
		sum = "no changes of values"
	}
	if changes := len(d.Changes) - d.Notes; changes > 0 {
		sum = span.Counted(int64(changes), "change")
	}
	if d.More {
		sum = "the first " + sum
	}
	if d.Notes > 0 {
		sum += ", " + span.Counted(int64(d.Notes), "note")
	}
	if stale {
		sum = "comparing"
	}
	rows, other := p.divide()
	name := text.Clean(d.Name)
	if other == 0 {
		return []string{p.Styles.Line([]paint.Piece{paint.In(themes.Title, " "+sum), paint.In(themes.Dim, " from "+name)}, rows, false)}
	}
	const here = "this file"
	title := paint.In(themes.Title, text.Fit(" "+sum, max(0, rows-2-len(here))))
	return []string{p.Styles.Line([]paint.Piece{title, paint.In(themes.Added, here)}, rows, false) +
		p.Styles.Line([]paint.Piece{divider, paint.In(themes.Removed, name)}, other, false)}
}

// divider is between both files.
var divider = paint.In(themes.Border, "│ ")

// compared returns a value of this file and what the other one has in its place, cut to as many columns,
// with what is different in them marked.
func compared(r *explore.Row, isWidth, wasWidth int) (is, was []paint.Piece) {
	from, to := 0, 0
	if r.Differs == explore.DiffersMeans && r.Value != "" {
		from, to = literals.Alike(r.Was, r.Value)
	}
	role := signs[r.Differs].Role
	if r.Differs == explore.DiffersMeans {
		role = themes.Added
	}
	side := func(s string, role themes.Role, width int) []paint.Piece {
		from := from
		if from > width/2 && text.Width(text.Clean(s)) > width { // the beginning that is the same leaves room for what is not
			head := text.CutLeft(text.Clean(s[:from]), width/4)
			s, from = head+s[from:], len(head)
		}
		head := text.Head(text.Clean(s), width)
		if len(head) <= from || from == 0 && to == 0 {
			return []paint.Piece{paint.In(role, head)}
		}
		end := max(from, min(len(head), len(s)-to))
		return []paint.Piece{paint.In(role, head[:from]), {Text: head[from:end], Role: role, Differs: true}, paint.In(role, head[end:])}
	}
	if r.Value != "" {
		is = side(r.Value, role, isWidth)
	}
	if role = themes.Removed; r.Differs == explore.DiffersNoted {
		role = themes.Dim
	}
	if r.Was != "" {
		was = side(r.Was, role, wasWidth)
	}
	return is, was
}

// comparedRow draws a row, of which the beginning is there, with what another file has in its place.
func (p *Pane) comparedRow(r *explore.Row, pieces []paint.Piece) line {
	width, other := p.divide()
	room := max(8, width-paint.Columns(pieces))
	if other > 0 {
		is, was := compared(r, max(8, contentRoom(r.Type, width)-paint.Columns(pieces)), other-2)
		return line{pieces: append(pieces, is...), kind: r.Type, ground: p.rowGround(r), was: was}
	}
	half, isWidth, wasWidth := (room-3)/2, text.Width(text.Clean(r.Value)), text.Width(text.Clean(r.Was))
	isWidth, wasWidth = min(isWidth, max(half, room-3-wasWidth)), min(wasWidth, max(half, room-3-isWidth))
	return line{pieces: append(pieces, between(compared(r, isWidth, wasWidth))...), ground: p.rowGround(r)}
}

// otherCells returns what another file has under the names of a record's columns where it differs.
func otherCells(r *explore.Row) (was []paint.Piece) {
	for i, c := range r.Cells {
		if c.Before != "" {
			was = append(was, paint.In(themes.Dim, text.Head(r.List.Names[i], widestColumn)+" "), paint.In(themes.Removed, text.Head(c.Before, widestColumn)+"  "))
		}
	}
	return was
}

// between returns what is drawn between two values in one row.
func between(is, was []paint.Piece) []paint.Piece {
	if len(was) == 0 || len(is) == 0 {
		return append(was, is...)
	}
	return append(append(was, paint.In(themes.Dim, " → ")), is...)
}

// besideRow draws what another file has in place of a row.
func (p *Pane) besideRow(was []paint.Piece, ground paint.Paint, width int) string {
	if width == 0 {
		return ""
	}
	return p.Styles.LineOver(append([]paint.Piece{divider}, was...), width, ground)
}
