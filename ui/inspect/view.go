package inspect

import (
	"strings"

	"varview/decoder/engine/span"
	"varview/internal/text"
	"varview/themes"
	"varview/ui/action"
	"varview/ui/desk"
	"varview/ui/dialog"
	"varview/ui/paint"
)

const (
	gutter     = 2  // columns before the label, for the mark of the selected row or a letter
	labelWidth = 13 // columns up to the text of the first cell
	leastSign  = 3  // lines from which the last one says that there are more rows
)

// cellWidth returns the width of each cell, a mark and a text, in a row of a number of cells.
func (p *Pane) cellWidth(cells int) int { return max(4, (p.Layout.Width-labelWidth+1)/cells) }

// View draws the pane.
func (p *Pane) View() []string {
	rows, width, height := p.rows(), p.Layout.Width, p.Layout.Height
	p.scroll(rows)
	selected := p.selected(rows)
	lines := make([]string, 0, height)
	for at := p.top; at < len(rows) && len(lines) < height; at++ {
		lines = append(lines, p.line(&rows[at], at == selected && p.Focus == desk.OnInspector))
	}
	if drawn := p.drawingLines(height - len(lines)); drawn != nil {
		lines = append(lines, strings.Repeat(" ", width))
		for _, line := range drawn {
			lines = append(lines, p.Styles.Line(append([]paint.Piece{paint.Plain("  ")}, line...), width, false))
		}
	}
	for len(lines) < height {
		lines = append(lines, strings.Repeat(" ", width))
	}
	if below := len(rows) - p.top - height; below > 0 && height > leastSign {
		more := paint.In(themes.Accent, "▾ "+span.Counted(int64(below+1), "more row"))
		lines[height-1] = p.Styles.Line([]paint.Piece{paint.Plain("  "), more, paint.In(themes.Dim, "  shift+tab and j go there, or the wheel")}, width, false)
	}
	return lines
}

// line draws a row.
func (p *Pane) line(r *row, selected bool) string {
	if r.note != nil {
		return p.Styles.Line(append([]paint.Piece{paint.Plain(" ")}, r.note...), p.Layout.Width, false)
	}
	asked := dialog.Find[*dialog.Strokes](p.Dialogs)
	choosing := asked != nil && asked.Typed == copying
	mark := paint.Plain("  ")
	switch {
	case selected:
		mark = paint.In(themes.Accent, "› ")
	case len(r.cells) == 0:
		mark = paint.Plain(" ")
	}
	pieces := []paint.Piece{mark, paint.In(r.role, text.Fit(text.Clean(r.label), labelWidth-gutter-1))}
	each := p.cellWidth(max(1, len(r.cells)))
	for i := range r.cells {
		at := selected && i == min(p.column, len(r.cells)-1)
		pieces = append(pieces, p.cellPieces(&r.cells[i], each, at, choosing)...)
	}
	return p.Styles.Line(pieces, p.Layout.Width, false)
}

// cellPieces draws a cell in width columns. While a letter is awaited, it is drawn before the text.
func (p *Pane) cellPieces(c *cell, width int, selected, choosing bool) []paint.Piece {
	pieces := []paint.Piece{paint.Plain(" ")}
	switch {
	case choosing && c.letter != 0:
		pieces = []paint.Piece{paint.In(themes.Accent, " "+string(c.letter)+" ")}
	case c.own:
		pieces[0] = paint.In(themes.Value, string(span.Value.Mark()))
	}
	if e := p.editor(); e != nil && selected {
		pieces = append(pieces, e.Pieces(width-2)...)
		return append(pieces, paint.Plain(strings.Repeat(" ", max(0, width-paint.Columns(pieces)))))
	}
	if c.color != "" {
		pieces = append(pieces, paint.Piece{Text: "   ", Paint: c.color}, paint.Plain(" "))
	}
	room := width - 1 - paint.Columns(pieces)
	role := c.role
	if c.own {
		role = themes.Value
	}
	shown := text.Head(c.text, room)
	if role == themes.Key {
		shown = text.CutLeft(text.Clean(c.text), room)
	}
	if selected {
		role = themes.Cursor
	}
	pieces = append(pieces, paint.In(role, shown))
	return append(pieces, paint.Plain(strings.Repeat(" ", max(0, width-paint.Columns(pieces)))))
}

// Hints returns the keys of the pane for the bottom line.
func (p *Pane) Hints() []paint.Piece {
	keys := p.Actions.Hints(action.Edit, action.Copy)
	keys = append(keys, p.Actions.Hint("tree", action.OtherPane), p.Actions.Hint("move", action.Down, action.Up),
		p.Actions.Hint("byte order", action.Left, action.Right), p.Actions.Hint("close", action.Inspect))
	keys = append(keys, p.Actions.Hints(action.Help, action.Quit)...)
	return paint.Keys(paint.FittingKeys(keys, paint.BottomRoom(p.Width)))
}
