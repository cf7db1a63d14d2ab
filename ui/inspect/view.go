package inspect

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/engine/span"
	"varview/internal/text"
	"varview/model/explore"
	"varview/model/inspect"
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

// A row is a line of the pane.
type row struct {
	label string
	role  themes.Role // of the label
	cells []cell      // what can be copied or edited; none in a heading
	note  []paint.Piece
}

// A cell is something that can be copied, and often edited.
type cell struct {
	text   string
	role   themes.Role
	letter byte           // key that chooses it; 0 if none does
	own    bool           // the value itself is read in this way
	color  paint.Paint    // colour of a swatch before the text
	copy   func() tea.Cmd // nil to copy the text
	edit   func() tea.Cmd // nil if it cannot be edited
}

// maxText is the number of bytes of a text that are worked out for the pane.
const maxText = 400

// rows returns all rows of the pane.
func (p *Pane) rows() []row {
	at := int64(-1)
	if p.Selection.Active {
		at = p.Chosen().Offset
	}
	i := p.Explorer.Inspect(at, maxText)
	rows := p.selectionRows()
	if !p.Explorer.Buffer.IsPlain() {
		rows = append(rows, p.valueRows(&i)...)
	}
	if len(rows) > 0 && len(i.Bytes) > 0 {
		rows = append(rows, row{})
	}
	return append(rows, p.byteRows(&i)...)
}

// valueRows describes the selected value.
func (p *Pane) valueRows(i *explore.Inspection) []row {
	if i.Value == nil {
		return nil
	}
	n, x := i.Value, p.Explorer
	rows := []row{{label: "value", role: themes.Title}}
	add := func(label string, c cell) { rows = append(rows, row{label: label, role: themes.Dim, cells: []cell{c}}) }
	add("path", cell{text: i.Path, role: themes.Key, letter: 'p'})
	if i.Type != "" {
		add("type", cell{text: i.Type, letter: 't'})
	}
	if i.Key != "" {
		add("key", cell{text: i.Key, role: themes.Key, letter: 'k', edit: p.values.EditKey})
	}
	if i.Literal != "" {
		add("literal", cell{text: i.Literal, role: themes.Number, letter: 'l', edit: p.values.EditValue,
			copy: func() tea.Cmd { return p.values.CopyWhole("literal", x.Literal, n) }})
	}
	if !x.Buffer.IsWrapper() && n.Damage == nil {
		json := i.JSON
		if json == "" {
			json = "… too long to be shown"
		}
		add("JSON", cell{text: json, letter: 'j', copy: func() tea.Cmd { return p.values.CopyWhole("JSON", x.JSON, n) }})
	}
	rows = append(rows, p.drawingRows()...)
	return append(rows, spanRows(i)...)
}

// selectionRows returns the checksums of the selected bytes.
func (p *Pane) selectionRows() []row {
	if !p.Selection.Active {
		return nil
	}
	rows := []row{{label: "selected", role: themes.Title}}
	add := func(label, text string, letter byte) {
		rows = append(rows, row{label: label, role: themes.Dim, cells: []cell{{text: text, letter: letter}}})
	}
	s := p.Chosen()
	add("bytes ", s.String()+" · "+span.Bytes(s.Length), 'X')
	if x := &p.Summed; x.Done && x.Err == nil {
		add("entropy", fmt.Sprintf("%.2f bits a byte", x.Sums.Entropy), 'N')
		add("CRC32", fmt.Sprintf("%08x", x.Sums.CRC32), 'R')
		add("MD5", fmt.Sprintf("%x", x.Sums.MD5), 'Q')
		add("SHA-256", fmt.Sprintf("%x", x.Sums.SHA256), 'A')
	}
	return append(rows, row{})
}

// spanRows returns the spans of the parts of a value.
func spanRows(i *explore.Inspection) []row {
	var rows []row
	add := func(label string, kind span.Kind, at string, letter byte) {
		rows = append(rows, row{label: string(kind.Mark()) + " " + label, role: themes.OfKind(kind.String()), cells: []cell{{text: at, letter: letter}}})
	}
	place := func(s span.Span) string { return s.String() + " · " + span.Bytes(s.Length) }
	if i.Description.Value.Length > 0 {
		rows = append(rows, row{label: "bytes", role: themes.Dim, cells: []cell{{text: place(i.Description.Value), letter: 'x'}}})
	}
	for _, f := range i.Fields {
		if f.Kind != span.Value || i.Each == "" {
			add(f.Label, f.Kind, place(f.Span), 0)
		}
	}
	if n := i.Value; i.Each != "" && n.Tail > n.Body {
		add("payload", span.Value, place(span.Between(n.Body, n.Body+n.Count*int64(n.Stride)))+" · "+i.Each, 0)
	}
	return rows
}

// byteRows returns what the bytes at the cursor could be.
func (p *Pane) byteRows(i *explore.Inspection) []row {
	if len(i.Bytes) == 0 {
		return nil
	}
	heading := []paint.Piece{paint.In(themes.Title, text.Fit("bytes", labelWidth-1)),
		paint.In(themes.Dim, text.Fit(fmt.Sprintf("at %#x", i.At), p.cellWidth(2))), paint.In(themes.Dim, "big-endian")}
	rows := []row{{note: heading}}
	for _, k := range inspect.Kinds {
		r := row{label: k.Name, role: themes.Dim, cells: []cell{p.reading(i, k, false)}}
		switch {
		case k.Both && k.IsTime() && p.cellWidth(2) < timeWidth:
			other := row{label: strings.TrimPrefix(k.Name, "time") + " big", role: themes.Dim, cells: []cell{p.reading(i, k, true)}}
			rows = append(rows, r, other)
			continue
		case k.Both:
			r.cells = append(r.cells, p.reading(i, k, true))
		}
		rows = append(rows, r)
	}
	return rows
}

// timeWidth is the width of a cell in which a time fits.
const timeWidth = 20

// reading returns the cell of one way to read the bytes.
func (p *Pane) reading(i *explore.Inspection, k *inspect.Interpretation, big bool) cell {
	c := cell{text: k.Text(i.Bytes, big), letter: k.Letter, own: i.Owns(k, big)}
	if big {
		c.letter -= 'a' - 'A'
	}
	if c.text == "" {
		c.text, c.role = "–", themes.Dim
	}
	if len(i.Bytes) >= k.Size || c.role != themes.Dim {
		c.edit = func() tea.Cmd { return p.editReading(i, k, big) }
	}
	if k.Name == "colour" && len(i.Bytes) >= 4 {
		c.color = p.Styles.Swatch([3]byte(i.Bytes))
	}
	return c
}
