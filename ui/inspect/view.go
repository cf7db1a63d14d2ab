package inspect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/internal/text"
	"varview/model"
	"varview/model/drawing"
	"varview/model/explore"
	"varview/model/inspect"
	"varview/themes"
	"varview/ui/action"
	"varview/ui/desk"
	"varview/ui/dialog"
	"varview/ui/draw"
	"varview/ui/jobs"
	"varview/ui/paint"
)

const (
	gutter     = 2  // columns before the label, for the mark of the selected row
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
			lines = append(lines, p.Styles.Line(append([]paint.Piece{paint.Plain("  ")}, line...), width))
		}
	}
	lines = text.Fill(lines, width, height)
	if below := len(rows) - p.top - height; below > 0 && height > leastSign {
		more := paint.In(themes.Accent, "▾ "+span.Counted(int64(below+1), "more row"))
		lines[height-1] = p.Styles.Line([]paint.Piece{paint.Plain("  "), more, paint.In(themes.Dim, "  shift+tab, then j")}, width)
	}
	return lines
}

// line draws a row.
func (p *Pane) line(r *row, selected bool) string {
	if r.note != nil {
		return p.Styles.Line(append([]paint.Piece{paint.Plain(" ")}, r.note...), p.Layout.Width)
	}
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
		pieces = append(pieces, p.cellPieces(&r.cells[i], each, at)...)
	}
	return p.Styles.Line(pieces, p.Layout.Width)
}

// cellPieces draws a cell in width columns.
func (p *Pane) cellPieces(c *cell, width int, selected bool) []paint.Piece {
	pieces := []paint.Piece{paint.Plain(" ")}
	if c.own {
		pieces[0] = paint.In(themes.Value, string(span.Value.Mark()))
	}
	if e := dialog.Find[*dialog.Editor](p.Dialogs); e != nil && e.Inspected && selected {
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
	k := action.Keys{Table: p.Actions}
	k.Add(true, "", action.Edit, action.Copy)
	k.Add(true, "tree", action.OtherPane)
	k.Add(true, "move", action.Down, action.Up)
	k.Add(true, "byte order", action.Left, action.Right)
	k.Add(true, "close", action.Inspect)
	k.Add(true, "", action.Help, action.Quit)
	return paint.BottomKeys(k.All, p.Width)
}

// rows are the lines of the pane.
type rows []row

// add adds a line with one cell.
func (r *rows) add(label string, c cell) {
	*r = append(*r, row{label: label, role: themes.Dim, cells: []cell{c}})
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
	text  string
	role  themes.Role
	own   bool           // the value itself is read in this way
	color paint.Paint    // colour of a swatch before the text
	copy  func() tea.Cmd // nil to copy the text
	edit  func() tea.Cmd // nil if it cannot be edited
}

// maxText is the number of bytes of a text that are worked out for the pane.
const maxText = 400

// rows returns all rows of the pane.
func (p *Pane) rows() (all rows) {
	at := int64(-1)
	if p.Selection.Active {
		at = p.Chosen().Offset
	}
	i := p.Explorer.Inspect(at, maxText)
	p.addSelection(&all)
	if !p.Explorer.Buffer.IsPlain() {
		p.addValue(&all, &i)
	}
	if p.ShowsText() && !p.Selection.Active {
		return all // what the letters would be as numbers says nothing
	}
	if len(all) > 0 && len(i.Bytes) > 0 {
		all = append(all, row{})
	}
	p.addBytes(&all, &i)
	return all
}

// addValue describes the selected value.
func (p *Pane) addValue(r *rows, i *explore.Inspection) {
	if i.Value == nil {
		return
	}
	n, x := i.Value, p.Explorer
	*r = append(*r, row{label: "value", role: themes.Title})
	r.add("path", cell{text: i.Path, role: themes.Key})
	if i.Type != "" {
		r.add("type", cell{text: i.Type})
	}
	if i.Key != "" {
		r.add("key", cell{text: i.Key, role: themes.Key, edit: p.values.EditKey})
	}
	if i.Literal != "" {
		r.add("literal", cell{text: i.Literal, role: themes.Number, edit: p.values.EditValue,
			copy: func() tea.Cmd { return p.values.CopyWhole("literal", x.Literal, n) }})
	}
	if !x.Buffer.IsWrapper() && n.Damage == nil {
		r.add("JSON", cell{text: cmp.Or(i.JSON, "… too long to be shown"), copy: func() tea.Cmd { return p.values.CopyWhole("JSON", x.JSON, n) }})
	}
	p.addDrawing(r)
	r.addSpans(i)
}

// place says where bytes are.
func place(s span.Span) string { return s.String() + " · " + span.Bytes(s.Length) }

// addSelection adds the checksums of the selected bytes.
func (p *Pane) addSelection(r *rows) {
	if !p.Selection.Active {
		return
	}
	*r = append(*r, row{label: "selected", role: themes.Title})
	r.add("bytes ", cell{text: place(p.Chosen())})
	if x := &p.Summed; x.Done && x.Err == nil {
		for _, sum := range named(&x.Sums) {
			r.add(sum[0], cell{text: sum[1]})
		}
	}
	*r = append(*r, row{})
}

// addSpans adds the spans of the parts of a value.
func (r *rows) addSpans(i *explore.Inspection) {
	if i.Description.Value.Length > 0 {
		r.add("bytes", cell{text: place(i.Description.Value)})
	}
	part := func(label string, kind span.Kind, at string) {
		*r = append(*r, row{label: string(kind.Mark()) + " " + label, role: themes.OfKind(kind.String()), cells: []cell{{text: at}}})
	}
	for _, f := range i.Fields {
		if f.Kind != span.Value || i.Each == "" {
			part(f.Label, f.Kind, place(f.Span))
		}
	}
	if n := i.Value; i.Each != "" && n.Tail > n.Body {
		part("payload", span.Value, place(span.Between(n.Body, n.Body+n.Count*int64(n.Stride)))+" · "+i.Each)
	}
}

// addBytes adds what the bytes at the cursor could be.
func (p *Pane) addBytes(all *rows, i *explore.Inspection) {
	if len(i.Bytes) == 0 {
		return
	}
	heading := []paint.Piece{paint.In(themes.Title, text.Fit("bytes", labelWidth-1)),
		paint.In(themes.Dim, text.Fit(fmt.Sprintf("at %#x", i.At), p.cellWidth(2))), paint.In(themes.Dim, "big-endian")}
	*all = append(*all, row{note: heading})
	for _, k := range inspect.Kinds {
		all.add(k.Name, p.reading(i, k, false))
		switch last := &(*all)[len(*all)-1]; {
		case k.Both && k.IsTime() && p.cellWidth(2) < timeWidth:
			all.add(strings.TrimPrefix(k.Name, "time")+" big", p.reading(i, k, true))
		case k.Both:
			last.cells = append(last.cells, p.reading(i, k, true))
		}
	}
}

// timeWidth is the width of a cell in which a time fits.
const timeWidth = 20

// reading returns the cell of one way to read the bytes.
func (p *Pane) reading(i *explore.Inspection, k *inspect.Interpretation, big bool) cell {
	c := cell{text: k.Text(i.Bytes, big), own: i.Owns(k, big)}
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

// drawn is the drawing of the selected value, which is worked out once.
type drawn struct {
	of   drawnOf
	done bool
	drawing.Drawing
	image   image.Image // the image in the bytes; nil if there is none
	imageOf drawnOf
	job     jobs.Job
}

// drawnOf identifies the drawn value: a value in a version of a buffer.
type drawnOf struct {
	tree  *tree.Tree
	start int64
	depth int
	slot  tree.Slot
}

func (p *Pane) subject() (*tree.Node, drawnOf) {
	n := p.Explorer.Subject()
	if n == nil || n.Depth == 0 || p.Explorer.Buffer.IsWrapper() {
		return nil, drawnOf{}
	}
	return n, drawnOf{p.Explorer.Buffer.Tree(), n.Start, n.Depth, n.Slot}
}

// drawing returns the drawing of the selected value, as far as it is ready.
func (p *Pane) drawing() *drawing.Drawing {
	n, of := p.subject()
	switch {
	case n == nil:
		return nil
	case p.drawn.of == of && p.drawn.done:
		return &p.drawn.Drawing
	case !drawing.IsSmall(n):
		return nil
	}
	p.drawn.of, p.drawn.done = of, true
	p.drawn.Drawing = drawing.Draw(context.Background(), p.Explorer.Buffer.Tree(), n)
	return &p.drawn.Drawing
}

// Follow works out the drawing of a large value in the background, once the value is selected and the
// pane shown.
func (p *Pane) Follow() tea.Cmd {
	n, of := p.subject()
	if !p.Shown() || n == nil {
		return nil
	}
	if p.drawn.of != of && !drawing.IsSmall(n) && drawing.HasSeries(p.Explorer.Buffer.Tree().NewReader(), n) {
		return p.draw(n, of, func() tea.Cmd { return nil })
	}
	if d := p.drawing(); d != nil && d.Data.IsImage && d.DataSpan.Length <= liveImage && p.drawn.imageOf != of {
		p.drawn.imageOf, p.drawn.image = of, nil
		return p.readImage(func(m image.Image, _ error) tea.Cmd {
			p.drawn.image = m
			return nil
		})
	}
	return nil
}

// liveImage is the number of bytes up to which an image is drawn without being asked for.
const liveImage = 4 << 20

// readImage reads the image in the bytes of the drawn value.
func (p *Pane) readImage(take func(image.Image, error) tea.Cmd) tea.Cmd {
	r := p.Explorer.Buffer.Range(p.drawn.DataSpan)
	return p.Start(&p.drawn.job, "reading an image", func(context.Context, *model.Progress) func() tea.Cmd {
		m, err := r.Image()
		return func() tea.Cmd { return take(m, err) }
	})
}

// drawingLines draws the selected value in the free part of the pane.
func (p *Pane) drawingLines(height int) [][]paint.Piece {
	d := p.drawing()
	if d == nil || height < leastDrawing {
		return nil
	}
	var picture image.Image
	if _, of := p.subject(); d.Data.IsImage && p.drawn.imageOf == of {
		picture = p.drawn.image
	}
	return draw.Content(d, picture, p.Layout.Width-4, min(height-1, mostDrawing), &p.Styles)
}

// Heights of a drawing in the pane, with a blank line above it.
const (
	leastDrawing = 5
	mostDrawing  = 12
)

func (p *Pane) draw(n *tree.Node, of drawnOf, then func() tea.Cmd) tea.Cmd {
	p.drawn.of, p.drawn.done = of, false
	t := p.Explorer.Buffer.Tree()
	return p.Start(&p.drawn.job, "drawing", func(ctx context.Context, _ *model.Progress) func() tea.Cmd {
		d := drawing.Draw(ctx, t, n)
		return func() tea.Cmd {
			p.drawn.Drawing, p.drawn.done = d, true
			return then()
		}
	})
}

// Draw draws the selected value in the whole window.
func (p *Pane) Draw() tea.Cmd {
	n, of := p.subject()
	switch {
	case p.Doc.IsForeign():
		return p.drawFile()
	case n == nil:
		return p.Say("there is no value here to draw")
	case p.drawing() == nil:
		return p.draw(n, of, func() tea.Cmd { return p.open(n) })
	}
	return p.open(n)
}

// drawFile draws a file that is an image.
func (p *Pane) drawFile() tea.Cmd {
	head := make([]byte, inspect.SniffSize)
	n, _ := p.Explorer.Bytes(head, 0)
	p.drawn = drawn{Drawing: drawing.Drawing{Data: inspect.Sniff(head[:n]), DataSpan: span.Span{Length: p.Explorer.Buffer.Size()}}}
	if !p.drawn.Data.IsImage {
		return p.Say("this is not an image that can be drawn")
	}
	return p.openImage(&draw.Picture{Context: p, KeyMap: p.Actions.KeyMap(action.Page), Path: p.Doc.Name, Of: p.drawn.Drawing})
}

// open opens the drawing that is ready.
func (p *Pane) open(n *tree.Node) tea.Cmd {
	d := p.drawn.Drawing
	picture := &draw.Picture{Context: p, KeyMap: p.Actions.KeyMap(action.Page), Path: p.Explorer.Path(n), Of: d}
	switch {
	case d.Form == tree.FormColor && p.CanEdit() == nil && p.Explorer.Buffer.HasValues():
		return p.Open(&draw.Sliders{Context: p, Path: picture.Path, Color: d.Color, Set: func(c [4]float64) tea.Cmd { return p.values.SetColor(n, d.Color, c) }})
	case d.Form == tree.FormColor, d.Series != nil, d.Figure != nil, d.Colors != nil:
		return p.Open(picture)
	case d.Form == tree.FormHeld:
		return p.Enter(p.Explorer.Buffer.Range(d.DataSpan), n, picture.Path, false)
	case d.Data.IsImage:
		return p.openImage(picture)
	case d.Data.IsText:
		return p.openText(picture.Path, &d)
	case d.Form == tree.FormData:
		return p.Enter(p.Explorer.Buffer.Range(d.DataSpan), n, picture.Path, d.Data.Packed != "")
	}
	return p.Say("there is nothing to draw here; colours, lists of numbers or points, and images, text and saves in bytes can be drawn")
}

func (p *Pane) openImage(picture *draw.Picture) tea.Cmd {
	return p.readImage(func(m image.Image, err error) tea.Cmd {
		if err != nil {
			return p.Report(errors.New("the image cannot be drawn: " + err.Error()))
		}
		picture.Image = m
		return p.Open(picture)
	})
}

// openText shows the beginning of text in bytes.
func (p *Pane) openText(path string, d *drawing.Drawing) tea.Cmd {
	head := make([]byte, min(d.DataSpan.Length, inspect.SniffSize))
	n, _ := p.Explorer.Bytes(head, d.DataSpan.Offset)
	lines := [][]paint.Piece{{paint.In(themes.Key, text.CutLeft(text.Clean(path), p.Width/2))}, nil}
	for line := range strings.Lines(string(head[:n])) {
		for _, part := range text.Wrap(strings.TrimRight(line, "\r\n"), p.Width-6) {
			lines = append(lines, []paint.Piece{paint.Plain(part)})
		}
	}
	return p.Open(p.Page(lines))
}

// addDrawing adds what can be drawn of the selected value in the pane.
func (p *Pane) addDrawing(r *rows) {
	d := p.drawing()
	if d == nil || d.IsEmpty() {
		return
	}
	room := p.cellWidth(1) - 2
	switch {
	case d.Form == tree.FormColor:
		r.add("colour ", cell{text: inspect.Hex(d.Color), color: p.Styles.Swatch(inspect.RGB(d.Color)), edit: p.values.EditValue})
	case d.Matrix != nil:
		p.addMatrix(r, d.Matrix)
	case d.Series != nil:
		r.add("graph", cell{text: d.Series.Spark(room), role: themes.Value})
		r.add("min", cell{text: draw.Number(d.Series.Min)})
		r.add("max", cell{text: draw.Number(d.Series.Max)})
		r.add("mean", cell{text: draw.Number(d.Series.Mean)})
		r.add("elements", cell{text: draw.Elements(d)})
	case d.Points != nil:
		x, y := draw.Axes(d.Points)
		r.add("x", cell{text: draw.Number(x.Min) + " to " + draw.Number(x.Max)})
		second := "y"
		if d.InSpace {
			second = "z"
		}
		r.add(second, cell{text: draw.Number(y.Min) + " to " + draw.Number(y.Max)})
		r.add("elements", cell{text: draw.Elements(d)})
	case d.Form == tree.FormData:
		r.add("holds", cell{text: p.holds(d)})
	}
	if d.Euler != nil {
		e := d.Euler
		r.add("rotation", cell{text: fmt.Sprintf("x %s°  y %s°  z %s°", degrees(e[0]), degrees(e[1]), degrees(e[2]))})
	}
	if d.Turn != "" {
		r.add("turned", cell{text: d.Turn})
	}
	if d.Time != "" {
		r.add("time", cell{text: d.Time + " UTC"})
	}
	if len(d.Bits) > 1 {
		r.add("bits set", cell{text: strings.Trim(fmt.Sprint(d.Bits), "[]")})
	}
}

// holds says what bytes contain, and what the user can do with it.
func (p *Pane) holds(d *drawing.Drawing) string {
	key := p.Actions.Hint("", action.Draw).Key
	switch {
	case d.Data.IsImage, d.Data.IsText:
		return d.Data.What + " · " + key + " shows it"
	case d.Data.Packed != "":
		return d.Data.What + " · " + key + " unpacks it"
	case d.Data.What != "":
		return d.Data.What
	}
	return "bytes · " + key + " opens a save in them"
}

// degrees formats an angle to a hundredth of a degree, without a sign before 0.
func degrees(v float64) string { return strconv.FormatFloat(math.Round(v*100)/100+0, 'f', -1, 64) }

// addMatrix adds the numbers of a matrix in columns.
func (p *Pane) addMatrix(r *rows, m *drawing.Matrix) {
	if len(m.Columns) == 1 {
		for _, name := range m.Rows {
			r.add(name, cell{text: m.Cells[[2]string{m.Columns[0], name}], role: themes.Number})
		}
		return
	}
	width := (p.Layout.Width - labelWidth) / len(m.Columns)
	add := func(name string, role themes.Role, each func(column string) string) {
		note := []paint.Piece{paint.In(themes.Dim, text.Fit(" "+name, labelWidth-1))}
		for _, c := range m.Columns {
			note = append(note, paint.In(role, text.Fit(short(each(c), width-1), width)))
		}
		*r = append(*r, row{note: note})
	}
	add("", themes.Dim, func(c string) string { return strings.TrimPrefix(c, "basis.") })
	for _, name := range m.Rows {
		add(name, themes.Number, func(c string) string { return m.Cells[[2]string{c, name}] })
	}
}

// short cuts text to width columns. A number that is too long is rounded.
func short(s string, width int) string {
	var v float64
	if _, err := fmt.Sscan(s, &v); err == nil && len(s) > width {
		s = fmt.Sprintf("%.4g", v)
	}
	return text.Head(s, width)
}
