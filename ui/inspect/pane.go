// Package inspect is the inspector, the pane that shows what the bytes at the cursor could be, and
// everything about the selected value, and the lines below the panes that say what the cursor is on.
package inspect

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/internal/text"
	"varview/model"
	"varview/model/compare"
	"varview/model/explore"
	"varview/model/inspect"
	"varview/themes"
	"varview/ui/action"
	"varview/ui/desk"
	"varview/ui/dialog"
	"varview/ui/edits"
	"varview/ui/paint"
)

// A Pane is the inspector of the buffer on the desk.
type Pane struct {
	*desk.Desk
	KeyMap action.KeyMap
	// Enter opens the content of bytes as a document of its own: always, or only if it is a save.
	Enter  func(r model.Range, n *tree.Node, path string, always bool) tea.Cmd
	Layout Layout

	values *edits.Values
	does   action.Does
	label  string // of the selected row
	column int    // column of the selected cell in it
	top    int    // index of the first row in view
	drawn  drawn

	followed followed

	wish string // the user's choice; "" for the usual one
}

// A Layout is the size of the pane.
type Layout struct{ Width, Height int }

const (
	apartWindow = 150 // columns from which the pane has a place of its own
	wideWindow  = 180 // columns from which it is usually shown
	plainWindow = 120 // the same for both beside bytes that nobody knows
	leastWidth  = 40  // its smallest width there
	mostWidth   = 61
)

// New returns the pane of a desk.
func New(d *desk.Desk, v *edits.Values) *Pane {
	p := &Pane{Desk: d, KeyMap: d.Actions.KeyMap(action.Inspector), values: v}
	p.does = action.Does{
		action.Right:  func() tea.Cmd { return p.choose(1) },
		action.Left:   func() tea.Cmd { return p.choose(-1) },
		action.Toggle: p.edit,
		action.Edit:   p.edit,
		action.Copy:   func() tea.Cmd { return p.copyCell(p.cell()) },
		action.Flip:   func() tea.Cmd { return nil },
	}
	return p
}

// isUsual reports whether the pane is usually shown in the window. Beside a text there is less to say.
func (p *Pane) isUsual() bool {
	return p.Width >= wideWindow && !p.ShowsText() || p.isPlain() && p.Width >= plainWindow
}

// isPlain reports whether there is nothing but bytes.
func (p *Pane) isPlain() bool { return p.Explorer.Buffer.IsPlain() && !p.Doc.IsOtherText() }

// isApart reports whether the pane has a place of its own.
func (p *Pane) isApart() bool {
	return p.Width >= apartWindow || p.isPlain() && p.Width >= plainWindow
}

// Shown reports whether the pane is shown.
func (p *Pane) Shown() bool { return p.wish == shown || p.wish == "" && p.isUsual() }

// Columns returns the number of columns that the pane takes from the other panes, with the line before
// it; 0 if it replaces one of them, or is hidden.
func (p *Pane) Columns() int {
	if !p.isApart() || !p.Shown() {
		return 0
	}
	return min(mostWidth, max(leastWidth, p.Width*2/7)) + 1
}

// Toggle shows or hides the pane.
func (p *Pane) Toggle() {
	p.wish = map[bool]string{true: hidden, false: shown}[p.Shown()]
	if p.Shown() == p.isUsual() {
		p.wish = ""
	}
}

// The choices of the user that are remembered; "" stands for the usual one.
const (
	shown  = "shown"
	hidden = "hidden"
)

// Wish returns the user's choice for a window of this width; "" where the pane replaces another, which nobody wishes for good.
func (p *Pane) Wish() string {
	if !p.isApart() {
		return ""
	}
	return p.wish
}

// SetWish restores an earlier choice of the user.
func (p *Pane) SetWish(chosen string) { p.wish = chosen }

// Type returns the type of a description that a selected number has: "u4le"; "" if the cursor is on no number of the pane.
func (p *Pane) Type() string {
	rows := p.rows()
	if p.Focus != desk.OnInspector || len(rows) == 0 {
		return ""
	}
	label := rows[p.selected(rows)].label
	if label == "" {
		return ""
	}
	bits, err := strconv.Atoi(strings.TrimLeft(label, "uif"))
	kind := map[byte]string{'u': "u", 'i': "s", 'f': "f"}[label[0]]
	if err != nil || kind == "" || bits%8 != 0 || bits > 64 {
		return ""
	}
	typ := kind + strconv.Itoa(bits/8)
	if bits > 8 {
		typ += [...]string{"le", "be"}[p.column]
	}
	return typ
}

// Update handles a key.
func (p *Pane) Update(msg tea.KeyMsg) tea.Cmd { return p.Press(p.KeyMap, msg, p.Do) }

// Do does an action in the pane, or what means the same in all panes.
func (p *Pane) Do(a action.Action) tea.Cmd {
	rows := p.rows()
	return p.DoIn(p.does, a, p.Layout.Height, len(rows), func(by int) tea.Cmd { return p.move(rows, by) })
}

// topBytes is the label of the first row about bytes, which has the heading above it.
const topBytes = "u8"

// selected returns the index of the selected row.
func (p *Pane) selected(rows []row) int {
	if p.label == "" && p.Under == desk.OnBytes {
		p.label = topBytes
	}
	if i := slices.IndexFunc(rows, func(r row) bool { return r.label == p.label && len(r.cells) > 0 }); i >= 0 {
		return i
	}
	return max(0, slices.IndexFunc(rows, func(r row) bool { return len(r.cells) > 0 }))
}

// followed is where the cursor was when the pane last scrolled to it.
type followed struct {
	under    desk.Focus
	offset   int64
	selected bool
}

// scroll keeps the rows about the cursor in view, those of the value or of its bytes, whenever it has
// moved and the pane does not have the focus.
func (p *Pane) scroll(rows []row) {
	now := followed{p.Under, p.Explorer.Offset(), p.Selection.Active}
	if p.Focus != desk.OnInspector && p.followed != now {
		p.followed, p.top = now, 0
		if p.Under == desk.OnBytes {
			p.top = slices.IndexFunc(rows, func(r row) bool { return r.label == topBytes }) - 1
		}
	}
	p.top = max(0, min(p.top, len(rows)-p.Layout.Height))
}

// move selects the row that is by rows farther down, or the nearest that can be selected.
func (p *Pane) move(rows []row, by int) tea.Cmd {
	if len(rows) == 0 {
		return nil
	}
	step := 1
	if by < 0 {
		step = -1
	}
	at := max(0, min(p.selected(rows)+by, len(rows)-1))
	for range rows {
		if len(rows[at].cells) > 0 {
			break
		}
		if at+step < 0 || at+step >= len(rows) {
			step = -step
		}
		at += step
	}
	p.label = rows[at].label
	p.top = max(min(p.top, at-1), at-p.Layout.Height+2, 0)
	return nil
}

// choose selects a cell of the selected row.
func (p *Pane) choose(by int) tea.Cmd {
	p.column = max(0, min(p.column+by, 1))
	return nil
}

// cell returns the selected cell with its label; nil if there is none.
func (p *Pane) cell() (label string, c *cell) {
	rows := p.rows()
	if len(rows) == 0 {
		return "", nil
	}
	r := &rows[p.selected(rows)]
	if len(r.cells) == 0 {
		return "", nil
	}
	return r.label, &r.cells[min(p.column, len(r.cells)-1)]
}

// edit edits the selected cell.
func (p *Pane) edit() tea.Cmd {
	switch _, c := p.cell(); {
	case c == nil:
		return nil
	case c.edit == nil:
		return p.Say("this follows from the value: enter on its literal edits that")
	default:
		return c.edit()
	}
}

// Mouse handles a click or a turn of the wheel, by rows down, at a place of the pane.
func (p *Pane) Mouse(row, column, by int, clicked bool) {
	rows := p.rows()
	if by != 0 {
		p.top = max(0, min(p.top+by, len(rows)-p.Layout.Height))
		return
	}
	at := p.top + row
	if !clicked || at >= len(rows) || len(rows[at].cells) == 0 {
		return
	}
	p.SetFocus(desk.OnInspector)
	p.label, p.column = rows[at].label, 0
	if len(rows[at].cells) > 1 && column >= labelWidth+p.cellWidth(2) {
		p.column = 1
	}
}

// editReading opens an editor on one way to read the bytes. It edits the value where that
// is read in this way, and else the bytes.
func (p *Pane) editReading(i *explore.Inspection, k *inspect.Interpretation, big bool) tea.Cmd {
	if err := p.CanEdit(); err != nil {
		return p.Report(err)
	}
	p.SetFocus(desk.OnInspector)
	x, was := p.Explorer, k.Text(i.Bytes, big)
	e := dialog.NewEditor(p, p.Actions.KeyMap(action.Editor), k.Name, was)
	e.SelectAll()
	e.Inspected, e.Describe, e.Hint = true, x.Describe, fmt.Sprintf("%s at %#x", k.Name, i.At)
	size := int64(k.Taken(i.Bytes, big))
	intend := func(typed string) (model.Intention, error) {
		b, err := k.Parse(typed, big)
		if err != nil {
			return model.Intention{}, err
		}
		if i.Owns(k, big) && x.Buffer.HasValues() {
			return x.Set(i.Value, typed), nil
		}
		return x.PutRead(k, i.At, size, b)
	}
	owner, f := x.Owner()
	isFrame := x.InBytes() && owner != nil && f.Length > 0 && !f.Kind.IsContent() && x.Buffer.HasValues()
	e.Check = func(_ context.Context, typed string) (*model.Tried, error) {
		_, err := intend(typed)
		return nil, err
	}
	e.Enter = func(typed string, _ bool) tea.Cmd {
		intention, err := intend(typed)
		if err != nil {
			e.Refuse(err)
			return nil
		}
		set := func() tea.Cmd {
			return p.values.MakeTyped(e, edits.Request{Intention: intention})
		}
		if isFrame {
			return p.Ask(fmt.Sprintf("these bytes are the %s of %s, not its value: change them?", f.Label, x.Path(owner)), "nothing was changed",
				dialog.Answer{Key: "y", Does: "change them", Run: set})
		}
		return set()
	}
	return p.Open(e)
}

// copyCell copies the content of a cell.
func (p *Pane) copyCell(label string, c *cell) tea.Cmd {
	switch {
	case c == nil:
		return nil
	case c.copy != nil:
		return c.copy()
	}
	return p.values.CopyText(label, c.text)
}

// About is the lines below the tree and the bytes, which say what the cursor is on.
type About struct{ *desk.Desk }

// AboutHeight is the number of lines.
const AboutHeight = 2

// View describes the cursor's place and the byte under it.
func (p About) View() []string {
	width := p.Width - 2
	first, second := p.lines(width)
	return []string{p.Styles.Line(first, width), p.Styles.Line(second, width)}
}

func (p About) lines(width int) (first, second []paint.Piece) {
	switch {
	case p.Selection.Active:
		return p.selection()
	case p.Explorer.Buffer.IsPlain():
		return p.plain(width)
	}
	d := p.Explorer.Describe(2 * width)
	if d.Pending {
		return []paint.Piece{paint.In(themes.Key, fmt.Sprintf(" %#x", p.Explorer.Offset()))}, []paint.Piece{paint.In(themes.Dim, " not read that far yet")}
	}
	where := d.Type
	switch {
	case d.NoBytes:
		where = text.Join(where, fmt.Sprintf("no bytes at %#x", d.Value.Offset))
	case d.Packed:
		where = text.Join(where, "unpacked from "+d.Value.String(), span.Bytes(d.Value.Length))
	case d.Value.Length > 0:
		where = text.Join(where, d.Value.String(), span.Bytes(d.Value.Length))
	}
	second = p.field(d, width)
	role := themes.Key
	if c := p.Explorer.Difference(); c != nil && p.Under == desk.OnTree {
		if line := p.differing(c, width); line != nil {
			second = line
		}
		switch {
		case c.B == nil:
			role, d.Path, where = themes.Removed, c.Path, "only the other file has it"
		case c.A == nil:
			where = text.Join(where, "only this file has it")
		}
	}
	where = text.Head(where, width*2/3)
	path := text.CutLeft(text.Clean(d.Path), width-3-text.Width(where))
	return []paint.Piece{paint.Plain(" "), paint.In(role, text.Fit(path, width-2-text.Width(where))), paint.In(themes.Dim, where), paint.Plain(" ")}, second
}

// plain describes the cursor's place in a buffer without values.
func (p About) plain(width int) (at, what []paint.Piece) {
	at = []paint.Piece{paint.In(themes.Key, fmt.Sprintf(" %#x", p.Explorer.Offset())), paint.In(themes.Dim, " of "+span.Bytes(p.Explorer.Buffer.Size()))}
	kind := "there are no values: i and r edit the bytes"
	if p.Doc.IsUnexplained() {
		kind = "it is not known what this is: ! says what was tried"
	}
	return at, []paint.Piece{paint.Plain(" "), paint.In(themes.Note, text.Head(kind, width-2))}
}

// mostFields is the number of fields of a value that are shown before its meaning.
const mostFields = 8

// field explains the value or the byte under the cursor: its problem, its fields and its meaning.
func (p About) field(d explore.Description, width int) []paint.Piece {
	pieces := []paint.Piece{paint.Plain(" ")}
	problem := func() {
		pieces = append(pieces, paint.In(paint.SeverityRoles[d.Severity], paint.SeverityMarks[d.Severity]+" "+text.Head(d.Problem, width)+"  "))
	}
	isNote := d.Severity == span.Note // which is worth less than what is there
	if d.Problem != "" && !isNote {
		problem()
	}
	for _, note := range d.Notes {
		pieces = append(pieces, paint.In(themes.Ref, text.Head(note, 4*width)+"  "))
	}
	f := d.Field
	for _, own := range d.Fields {
		if p.ShowsText() || len(d.Fields) > mostFields {
			break // the text beside the tree shows them, or the inspector
		}
		pieces = append(pieces, paint.In(themes.OfKind(own.Kind.String()), fmt.Sprintf("%c %s %s B  ", own.Kind.Mark(), own.Label, span.Grouped(own.Length))))
	}
	if d.Each != "" {
		pieces = append(pieces, paint.In(themes.Value, fmt.Sprintf("%c %s  ", span.Value.Mark(), d.Each)))
	}
	if f.Length > 0 {
		pieces = append(pieces, paint.In(themes.OfKind(f.Kind.String()), fmt.Sprintf("%c %s", f.Kind.Mark(), f.Kind)))
		if f.Label != f.Kind.String() {
			pieces = append(pieces, paint.Plain(" "+f.Label))
		}
		pieces = append(pieces, paint.In(themes.Dim, " · "+text.Join(f.Span.String(), span.Bytes(f.Length))+"  "))
	}
	if d.Meaning != "" {
		pieces = append(pieces, paint.In(themes.Dim, "→ "), paint.Plain(text.Head(d.Meaning, width)))
	}
	if f.Length > 0 {
		pieces = append(pieces, paint.In(themes.Dim, "  "+f.Kind.Meaning()))
	}
	if d.Problem != "" && isNote {
		pieces = append(pieces, paint.Plain("  "))
		problem()
	}
	return pieces
}

// differing returns the bytes of a value in this file and in the other one, those that differ underlined; of a text the
// literals. Where the bytes are too many, those before the first difference are left out on both sides, in a
// narrow window those of this file. It returns nil if the first bytes of both are the same.
func (p About) differing(c *compare.Change, width int) (line []paint.Piece) {
	d, _ := p.Explorer.Differing()
	if p.Explorer.Buffer.IsText() {
		return literals(d, c, width/2)
	}
	was, is := firstBytes(d.There(), c.A, false), firstBytes(d.Here(), c.B, false)
	both := c.A != nil && c.B != nil
	if both && bytes.Equal(was, is) { // what differs is its key
		was, is = firstBytes(d.There(), c.A, true), firstBytes(d.Here(), c.B, true)
	}
	switch {
	case both && bytes.Equal(was, is):
		return nil
	case both && width >= 60:
		width /= 2
	}
	const leastName = len("this file")
	name := text.CutLeft(text.Clean(d.Name), max(leastName, width-3*max(len(was), len(is))-4))
	from, most := 0, max(4, (width-max(leastName, text.Width(name))-4)/3)
	if both && max(len(was), len(is)) > most {
		from, most = alike(was, is)&^3, most-3
	}
	if c.A == nil || both && width < p.Width-2 {
		line = oneSide("this file", themes.Added, is, was, from, most, width)
	}
	if c.A != nil {
		line = append(line, oneSide(name, themes.Removed, was, is, from, most, width)...)
	}
	return line
}

// literals returns the literals of a value of a text in this file and in the other one, each in width columns and from shortly
// before the first difference on.
func literals(d *explore.Differing, c *compare.Change, width int) (line []paint.Piece) {
	names, roles, all := []string{"this file", text.CutLeft(text.Clean(d.Name), width/3)}, []themes.Role{themes.Added, themes.Removed}, [2]string{}
	for i, n := range []*tree.Node{c.B, c.A} {
		if r := []*tree.Reader{d.Here(), d.There()}[i]; n != nil {
			all[i] = string(r.AppendLiteral(nil, &n.Value, maxCompared))
		}
	}
	from := max(0, alike([]byte(all[0]), []byte(all[1]))-width/4)
	for i, s := range all {
		room := max(1, width-3-text.Width(names[i]))
		if from > 0 && len(s) > room {
			s = "…" + strings.ToValidUTF8(s[min(from, len(s)):], "")
		}
		if s != "" {
			line = append(line, paint.In(roles[i], " "+names[i]+"  "), paint.Plain(text.Fit(text.Head(text.Clean(s), room), room)))
		}
	}
	return line
}

// alike returns the number of bytes at the beginning that are the same.
func alike(a, b []byte) (n int) {
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// oneSide returns most bytes of one of two files, beginning with b[from], in width columns.
func oneSide(name string, role themes.Role, b, other []byte, from, most, width int) []paint.Piece {
	line := []paint.Piece{paint.In(role, " "+name+"  ")}
	if from > 0 {
		line = append(line, paint.In(themes.Dim, fmt.Sprintf("+%#x: ", from)))
	}
	for i := from; i < min(len(b), from+most); i++ {
		digits := paint.In(themes.Dim, fmt.Sprintf("%02x", b[i]))
		if other != nil && (i >= len(other) || other[i] != b[i]) {
			digits.Role, digits.Differs = role, true
		}
		line = append(line, digits, paint.Plain(" "))
	}
	if from+most < len(b) {
		line = append(line, paint.In(themes.Dim, "…"))
	}
	return append(line, paint.Plain(strings.Repeat(" ", max(1, width-paint.Columns(line)))))
}

// maxCompared is the number of bytes of a value that are compared.
const maxCompared = 4096

// firstBytes returns the first bytes of a value, or of its key if it has one; none if the value is not there.
func firstBytes(r *tree.Reader, n *tree.Node, ofKey bool) []byte {
	if n == nil {
		return nil
	}
	if key := r.Key(n); ofKey && key != nil {
		n = key
	}
	end, err := r.End(n)
	if err != nil {
		end = n.Start + maxCompared
	}
	return r.Window().View(n.Start, min(maxCompared, end-n.Start))
}

// selection describes the selected bytes.
func (p About) selection() (first, second []paint.Piece) {
	s, sums := p.Chosen(), &p.Summed
	first = []paint.Piece{paint.Plain(" "), paint.In(themes.Key, "selected "+s.String()), paint.In(themes.Dim, " · "+span.Bytes(s.Length))}
	second = []paint.Piece{paint.Plain(" ")}
	switch {
	case !sums.Done:
		second = append(second, paint.In(themes.Dim, fmt.Sprintf("summing %.0f%%", 100*sums.Job.Share())))
	case sums.Err != nil:
		second = append(second, paint.In(themes.Error, "✗ "+sums.Err.Error()))
	default:
		first = append(first, paint.Plain("  "))
		for i, x := range named(&sums.Sums) {
			line := []*[]paint.Piece{&first, &second}[i/2]
			*line = append(*line, paint.In(themes.Dim, x[0]+" "), paint.In(themes.Value, x[1]+"  "))
		}
	}
	return first, second
}

// named returns the names of checksums, and what they are.
func named(s *inspect.Sums) [4][2]string {
	return [...][2]string{{"entropy", fmt.Sprintf("%.2f bits a byte", s.Entropy)}, {"CRC32", fmt.Sprintf("%08x", s.CRC32)},
		{"MD5", fmt.Sprintf("%x", s.MD5)}, {"SHA-256", fmt.Sprintf("%x", s.SHA256)}}
}
