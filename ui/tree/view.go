package tree

import (
	"slices"
	"strings"

	"varview/decoder/engine/span"
	"varview/internal/text"
	"varview/model"
	"varview/model/explore"
	"varview/model/inspect"
	"varview/model/literals"
	"varview/themes"
	"varview/ui/desk"
	"varview/ui/dialog"
	"varview/ui/paint"
)

// A line is a row as it is drawn: pieces, followed by its type.
type line struct {
	pieces []paint.Piece
	kind   string
	ground paint.Paint
	was    []paint.Piece // what another file has in its place

	heads *explore.Columns // what the columns of a list are called
	keys  []paint.Piece    // what is shown of a list or of a record where there are no columns
	list  *explore.Columns // columns that a record is shown in
	cells []explore.Cell   // its values
	drawn []paint.Piece    // what is drawn of them
}

// View draws the pane.
func (p *Pane) View() []string {
	height := p.Layout.Height + p.Layout.above()
	if p.Explorer.Buffer.IsPlain() {
		return append(p.plain(p.Layout.Width, height), p.problem(p.Layout.Width)...)
	}
	limit := p.Layout.Width
	if p.Layout.Compares {
		limit *= 8 // the values may differ at their ends
	}
	rows, pending := p.Explorer.Rows(limit)
	width, other := p.divide(rows)
	var typed []line
	for i := range rows {
		typed = append(typed, p.treeRow(&rows[i], width))
	}
	for i, r := range p.Explorer.RowsAround(p.Layout.around(), width) {
		typed[i] = p.aroundRow(&r, width)
	}
	selected := slices.IndexFunc(rows, func(r explore.Row) bool { return r.Selected })
	typed = p.withNewRow(typed, rows, selected, width)
	p.setColumns(typed, width-1)
	if p.Described.IsStale {
		dim(typed)
	}
	lines := append(append(make([]string, 0, height), p.layers()...), p.heading()...)
	for ; len(typed) > 0 && len(lines) < height; typed = typed[1:] {
		lines = append(lines, p.drawLine(&typed[0], width)+p.besideRow(typed[0].was, typed[0].ground, other))
	}
	width += other
	if len(rows) == 0 && !pending && p.editor() == nil {
		lines = append(lines, p.emptyTree(width)...)
	}
	if pending && len(lines) < height {
		lines = append(lines, p.Styles.In(themes.Dim, text.Fit("  reading…", width)))
	}
	lines = append(lines, p.missing(width)...)
	return append(text.Fill(lines, width, height), p.problem(width)...)
}

// aroundRow draws the row of a value around what is in view.
func (p *Pane) aroundRow(r *explore.Row, width int) line {
	pieces := []paint.Piece{paint.Plain("  "), p.indent(r.Indent, width), paint.In(themes.Accent, "▴ "), paint.In(themes.Dim, text.Head(r.Label, width))}
	if r.Value != "" {
		pieces = append(pieces, paint.Plain("  "), paint.In(themes.Dim, text.Head(r.Value, width)))
	}
	return line{pieces: pieces, kind: r.Type, heads: r.Heads}
}

// plain says what a buffer without values is.
func (p *Pane) plain(width, height int) []string {
	lines := append(p.layers(), strings.Repeat(" ", width))
	if rows := p.noticedRows(width); len(rows) > 0 {
		return text.Fill(append(lines, rows...), width, height)
	}
	lines = append(append(lines, p.Styles.Paragraph(themes.Title, p.Doc.Title+": varview reads no values of it", width)...), strings.Repeat(" ", width))
	steps := p.steps()
	if len(lines)+len(steps) > height {
		lines = lines[:len(lines)-1] // the steps stand right below
	}
	for _, x := range steps {
		pieces := []paint.Piece{paint.In(themes.Accent, "  "+text.Fit(x.command, len(nextSteps[0].command)+2)), paint.In(themes.Dim, x.does)}
		lines = append(lines, p.Styles.Line(pieces, width))
	}
	return text.Fill(lines, width, height)
}

// A step is a command that leads on.
type step struct{ command, does string }

// steps returns the commands that lead on.
func (p *Pane) steps() []step {
	if p.Doc.IsOtherText() {
		return linesStep
	}
	if intact := p.Copy(); intact != "" {
		return append([]step{{"B", "takes it: " + intact}}, nextSteps...)
	}
	return nextSteps
}

// nextSteps are the commands that lead on in a file that nobody knows.
var nextSteps = []step{
	{":guess gold=120", "finds where a number or text stands that the game shows"},
	{":entropy", "shows where the bytes are packed or encrypted"},
	{":ksy FILE", "reads it by a description of the format"},
	{":as DIALECT", "reads it as values all the same"},
}

// linesStep is the command that leads on in a text.
var linesStep = []step{{":as lines", "reads each line as a value, which can be edited"}}

// withNewRow adds the row of a value that does not exist yet to the rows of the tree, instead of the row
// farthest from it. The selected row is rows[at], if there is one.
func (p *Pane) withNewRow(lines []line, rows []explore.Row, at, width int) []line {
	height := p.Layout.Height
	switch {
	case p.editor() == nil || !p.editor().IsNew || p.editor().Big:
		return lines
	case at < 0:
		return append(lines, p.newRow(nil, width))
	}
	selected := &rows[at]
	row := p.newRow(selected, width)
	if !p.editor().Above {
		at++
		in := selected.Indent
		if !p.editor().Last {
			in++
		}
		for at < len(rows) && rows[at].Indent >= in {
			at++
		}
	}
	lines = slices.Insert(lines, at, row)
	switch {
	case len(lines) <= height:
	case at == height:
		return lines[1:]
	default:
		return lines[:height]
	}
	return lines
}

// emptyTree explains why there are no values, and what to do.
func (p *Pane) emptyTree(width int) []string {
	if p.Explorer.Buffer.IsWrapper() && p.Doc.Missing != nil {
		return nil // the reason is shown
	}
	say := "No values in here."
	if p.Doc.Size() == 0 && !p.Doc.IsModified() {
		say = "This file is empty: it has no bytes. A game that could not finish saving may leave one."
	}
	if p.Explorer.TakesFirst() && p.Doc.CanEdit(p.Explorer.Buffer) == nil {
		say += " The key a adds a value."
	}
	return append([]string{strings.Repeat(" ", width)}, p.Styles.Paragraph(themes.Dim, say, width)...)
}

// treeRow draws a row.
func (p *Pane) treeRow(r *explore.Row, width int) line {
	if e := p.editor(); e != nil && r.Selected && !e.IsNew && !e.Big {
		return p.editedRow(r, width)
	}
	pieces := p.rowName(r, width)
	if r.Was != "" {
		return p.comparedRow(r, pieces)
	}
	label, kind := len(pieces), r.Type
	if r.Value == "" && r.Preview == "" { // the type says it all: undefined
		pieces, kind = append(pieces, paint.In(themes.Dim, text.Head(kind, width))), ""
	}
	pieces = p.rowValue(r, pieces, contentRoom(kind, width), width)
	l := line{pieces: pieces, kind: kind, ground: p.rowGround(r), heads: r.Heads}
	if r.Preview != "" {
		l.keys = []paint.Piece{paint.In(themes.Padding, "  "+text.Head(r.Preview, width))}
	}
	if p.division.other > 0 {
		l.was = otherCells(r)
	}
	switch {
	case r.List != nil:
		l.list, l.cells, l.pieces, l.keys = r.List, r.Cells, pieces[:label:label], append(pieces[label:], l.keys...)
	case l.heads == nil:
		l.pieces, l.keys = append(l.pieces, l.keys...), nil
	}
	return l
}

// rowName draws the beginning of a row, up to its key or index.
func (p *Pane) rowName(r *explore.Row, width int) (pieces []paint.Piece) {
	if r.Problem != "" {
		pieces = append(pieces, paint.In(paint.SeverityRoles[r.Severity], paint.SeverityMarks[r.Severity]))
	} else {
		pieces = append(pieces, paint.Plain(" "))
	}
	pieces = append(pieces, dialog.Marked(r.Selected))
	if r.Chosen && !r.Selected {
		pieces[1] = paint.In(themes.Accent, "│")
	}
	pieces = append(pieces, p.indent(r.Indent, width))
	mark, sign := foldMark(r), p.sign(r)
	switch {
	case sign.Text == "":
		pieces = append(pieces, paint.In(themes.Dim, mark))
	case r.Foldable:
		pieces = append(pieces, paint.In(themes.Dim, strings.TrimSpace(mark)), sign)
	default:
		pieces = append(pieces, sign, paint.Plain(" "))
	}
	role := themes.Dim
	switch {
	case r.Differs >= explore.DiffersAdded:
		role = signs[r.Differs].Role
	case r.Named:
		role = themes.Key
	}
	pieces = append(pieces, p.marked(r.KeyHit, role, text.Head(r.Label, width))...)
	if r.Inside > 0 {
		pieces = append(pieces, paint.In(themes.Changed, " "+paint.Changed+span.Grouped(int64(r.Inside))))
	}
	return append(pieces, paint.Plain("  "))
}

// rowValue draws the value of a row, after what it was before. The value may take room columns.
func (p *Pane) rowValue(r *explore.Row, pieces []paint.Piece, room, width int) []paint.Piece {
	for i, was := range append(slices.Clip(r.Earlier), r.Before) {
		switch {
		case i == len(r.Earlier) && r.WasColor != nil:
			pieces = append(append(pieces, p.swatch(r.WasColor, "")...), paint.In(themes.Dim, "→ "))
		case was != "":
			left := room - paint.Columns(pieces) - text.Width(r.Value) - len(" → ")
			pieces = append(pieces, paint.In(themes.Dim, text.Head(was, max(width/4, left))+" → "))
		}
	}
	role := valueRoles[r.Kind]
	if r.Glows {
		role = themes.Changed
	}
	if r.Kind != explore.RowContainer {
		pieces = append(pieces, p.swatches(r)...)
	}
	if r.Kind == explore.RowReference && !strings.HasPrefix(r.Value, "→ #") { // the end of a path is its most useful part
		path := strings.TrimPrefix(r.Value, "→ ")
		pieces = append(pieces, paint.In(valueRoles[r.Kind], "→ "+text.CutLeft(text.Clean(path), room-2-paint.Columns(pieces))))
	} else {
		pieces = append(pieces, p.marked(r.ValueHit, role, text.Head(r.Value, width))...)
	}
	if r.Kind == explore.RowContainer {
		pieces = append(pieces, p.swatches(r)...)
	}
	if r.Number == "" {
		return pieces
	}
	role = themes.Dim
	if r.Referred {
		role = themes.Ref
	}
	return append(pieces, paint.In(role, "  "+r.Number))
}

// sign is drawn beside a row that differs from another file or, where none is compared, from what the
// file holds.
func (p *Pane) sign(r *explore.Row) paint.Piece {
	switch {
	case p.Layout.Compares && r.Differs == explore.DiffersNot && r.Inside > 0:
		return signs[explore.DiffersMeans]
	case p.Layout.Compares && r.Differs == explore.DiffersNot && r.Changed && !r.Foldable:
		return paint.In(themes.Changed, paint.Taken)
	case p.Layout.Compares:
		return signs[r.Differs]
	case r.Changed:
		return paint.In(themes.Changed, paint.Changed)
	}
	return paint.Piece{}
}

// rowGround returns the background of a row.
func (p *Pane) rowGround(r *explore.Row) paint.Paint {
	if focused := p.Focus == desk.OnTree && !p.Layout.Follows; r.Selected && (focused || p.Styles.InColour) {
		return p.Styles.Ground(focused)
	}
	if r.Chosen && p.Styles.InColour {
		return p.Styles.Ground(false)
	}
	return ""
}

// wideRow is the width from which a row always shows its type; in a narrower one the value comes first.
const wideRow = 50

// typeColumn is where the type of a row stands in a wide tree: beside its value, not far from it at the edge.
const typeColumn = 40

// drawLine draws a row of the tree with its type, which stands at the right edge if the row is long, and a blank at its end.
func (p *Pane) drawLine(l *line, width int) string {
	kind, taken := l.kind, paint.Columns(l.pieces)
	switch rest := width - 1 - 2 - taken; {
	case text.Width(kind) <= rest:
	case width < wideRow:
		kind = ""
	default:
		kind = text.Cut(kind, max(rest, width/3))
	}
	if kind != "" {
		kind = "  " + kind
	}
	at := width - 1 - text.Width(kind)
	if taken <= typeColumn {
		at = min(at, typeColumn)
	}
	return p.Styles.LineOver(l.pieces, at, l.ground) + p.Styles.LineOver([]paint.Piece{paint.In(themes.Dim, kind)}, width-at, l.ground)
}

// contentRoom returns the number of columns of a row that its type never takes.
func contentRoom(kind string, width int) int {
	if width < wideRow || kind == "" {
		return width
	}
	return width - min(2+text.Width(kind), width/3)
}

// marked returns a text in which what a search has found is marked; if nothing of that is visible, all of
// it.
func (p *Pane) marked(isHit bool, role themes.Role, s string) []paint.Piece {
	if !isHit {
		return []paint.Piece{paint.In(role, s)}
	}
	return paint.Marked(role, s, p.Explorer.Hits.Query.Places(s))
}

// indent returns what is drawn before a row of a level. If it would take more than half of the width, it
// is cut to ⋯.
func (p *Pane) indent(level, width int) paint.Piece {
	indent := 2 * level
	if most := width / 2; indent > most {
		return paint.In(themes.Dim, text.Fit("⋯", most-indent%4))
	}
	return paint.Plain(strings.Repeat(" ", indent))
}

// foldMark shows whether a row is folded.
func foldMark(r *explore.Row) string {
	switch {
	case r.Open:
		return "▾ "
	case r.Foldable:
		return "▸ "
	}
	return "  "
}

// valueRoles are the theme's roles for the values of rows.
var valueRoles = [...]themes.Role{
	explore.RowOther: themes.Keyword, explore.RowText: themes.String, explore.RowNumber: themes.Number, explore.RowContainer: themes.Dim,
	explore.RowGap: themes.Gap, explore.RowReference: themes.Ref, explore.RowTitle: "", explore.RowAside: themes.Padding,
}

// editor returns the editor that is open in the tree or over the panes; nil if there is none.
func (p *Pane) editor() *dialog.Editor {
	if e := dialog.Find[*dialog.Editor](p.Dialogs); e != nil && !e.Inspected {
		return e
	}
	return nil
}

// leastEditor is the number of columns that the typed text gets, or all that it needs, before the type of
// the value gets any.
const leastEditor = 24

// editedRow draws the selected row with the typed text instead of its value or its name. The type is left
// out if there is little room.
func (p *Pane) editedRow(r *explore.Row, width int) line {
	e := p.editor()
	pieces := []paint.Piece{paint.Plain(" "), paint.In(themes.Accent, "✎"), p.indent(r.Indent, width), paint.In(themes.Dim, foldMark(r))}
	if !e.IsKey {
		left := width - paint.Columns(pieces)
		pieces = append(pieces, paint.In(themes.Key, text.Cut(text.Head(r.Label, width), left/3)), paint.Plain("  "))
	}
	kind, room := r.Type, width-paint.Columns(pieces)
	if rest := room - 2 - text.Width(kind); rest >= max(leastEditor, text.Width(e.Text())+1) {
		room = rest
	} else {
		kind = ""
	}
	return line{pieces: append(pieces, e.Pieces(room)...), kind: kind, ground: p.editedGround()}
}

// newRow draws the row of a value that does not exist yet.
func (p *Pane) newRow(selected *explore.Row, width int) line {
	e, indent := p.editor(), 0
	if selected != nil {
		indent = selected.Indent
	}
	if e.Deep {
		indent++
	}
	return line{pieces: e.NewRow([]paint.Piece{p.indent(indent, width)}, width), ground: p.editedGround()}
}

// editedGround returns the background of a row in which text is typed; an underline would hide the
// cursor.
func (p *Pane) editedGround() paint.Paint {
	if !p.Styles.InColour {
		return ""
	}
	return p.Styles.Ground(true)
}

// swatches draws the colours of a row: one with its digits, many beside each other.
func (p *Pane) swatches(r *explore.Row) []paint.Piece {
	if r.Open && len(r.Colors) > 1 {
		return nil
	}
	var pieces []paint.Piece
	if len(r.Colors) > 1 {
		pieces = append(pieces, paint.Plain("  "))
	}
	return append(pieces, p.swatch(r.Colors, r.Value)...)
}

// swatch draws colours, a single one with its digits unless they are said beside it.
func (p *Pane) swatch(all [][4]float64, said string) (pieces []paint.Piece) {
	for _, c := range all {
		pieces = append(pieces, paint.Piece{Text: "  ", Paint: p.Styles.Swatch(inspect.RGB(c))}, paint.Plain(" "))
	}
	if len(all) == 1 && !strings.Contains(strings.ToLower(said), inspect.Hex(all[0])) {
		pieces = append(pieces, paint.In(themes.String, inspect.Hex(all[0])+" "))
	}
	return pieces
}

// A division is of the columns of the pane: those of the rows, and those of what another file has in their place, 0 if
// none is compared. They are as many as what was in view has needed so far, but at most two fifths, unless there is room.
type division struct {
	of          *model.Document // the other file
	rows, other int
}

// mostColumns is the width from which on rows leave the rest to what another file has in their place, so that it is near.
const mostColumns = 72

// divide divides the pane for the rows in view.
func (p *Pane) divide(rows []explore.Row) (width, other int) {
	at, most := &p.division, p.Layout.Width*2/5
	d, _ := p.Explorer.Differing()
	if !p.Layout.Compares || d == nil {
		*at = division{rows: p.Layout.Width}
		return at.rows, 0
	}
	if at.of != d.Other {
		*at = division{of: d.Other, other: min(text.Width("│  "+text.Clean(d.Name)), most)}
	}
	for i := range rows {
		was := paint.Columns(otherCells(&rows[i]))
		if rows[i].Was != "" {
			_, pieces := compared(&rows[i], 0, most)
			was = paint.Columns(pieces)
		}
		at.other = min(max(at.other, text.Width("│  ")+was), most)
	}
	at.other = max(at.other, p.Layout.Width-mostColumns)
	at.rows = p.Layout.Width - at.other
	return at.rows, at.other
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
	rows, other := p.division.rows, p.division.other
	name := text.Clean(d.Name)
	const here = "this file"
	title := paint.In(themes.Title, text.Fit(" "+sum, max(0, rows-2-len(here))))
	return []string{p.Styles.Line([]paint.Piece{title, paint.In(themes.Added, here)}, rows) +
		p.Styles.Line([]paint.Piece{divider, paint.In(themes.Removed, name)}, other)}
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
		if r.Theirs {
			was = append(was, paint.In(themes.Dim, "  theirs"))
		}
	}
	return is, was
}

// comparedRow draws a row, of which the beginning is there, with what another file has in its place.
func (p *Pane) comparedRow(r *explore.Row, pieces []paint.Piece) line {
	is, was := compared(r, max(8, contentRoom(r.Type, p.division.rows)-paint.Columns(pieces)), p.division.other-2)
	return line{pieces: append(pieces, is...), kind: r.Type, ground: p.rowGround(r), was: was}
}

// otherCells returns what another file has under the names of a record's columns where it differs, or that it has nothing.
func otherCells(r *explore.Row) (was []paint.Piece) {
	if r.Only {
		return []paint.Piece{paint.In(themes.Dim, "only here")}
	}
	for i, c := range r.Cells {
		if c.Before != "" {
			was = append(was, paint.In(themes.Dim, text.Head(r.List.Names[i], widestColumn)+" "), paint.In(themes.Removed, text.Head(c.Before, widestColumn)+"  "))
		}
	}
	return was
}

// besideRow draws what another file has in place of a row.
func (p *Pane) besideRow(was []paint.Piece, ground paint.Paint, width int) string {
	if width == 0 {
		return ""
	}
	return p.Styles.LineOver(append([]paint.Piece{divider}, was...), width, ground)
}
