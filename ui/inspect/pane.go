// Package inspect is the inspector, the pane that shows what the bytes at the cursor could be, and
// everything about the selected value.
package inspect

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/engine/tree"
	"varview/model"
	"varview/model/explore"
	"varview/model/inspect"
	"varview/ui/action"
	"varview/ui/desk"
	"varview/ui/dialog"
	"varview/ui/edits"
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

	turned [2]bool // the user's choice is not the usual one, in narrow and in wide windows
}

// A Layout is the size of the pane.
type Layout struct{ Width, Height int }

const (
	apartWindow = 150 // columns from which the pane has a place of its own
	wideWindow  = 180 // columns from which it is usually shown
	leastWidth  = 40  // its smallest width there
	mostWidth   = 52
)

// New returns the pane of a desk.
func New(d *desk.Desk, v *edits.Values) *Pane {
	p := &Pane{Desk: d, KeyMap: d.Actions.KeyMap(action.Inspector), values: v}
	p.does = action.Does{
		action.Right:  func() tea.Cmd { return p.choose(1) },
		action.Left:   func() tea.Cmd { return p.choose(-1) },
		action.Toggle: p.edit,
		action.Edit:   p.edit,
		action.Copy:   p.askLetter,
		action.Flip:   func() tea.Cmd { return nil },
	}
	return p
}

// size returns 1 in a window in which the pane is usually shown, and 0 in others. Beside a text there is less to say.
func (p *Pane) size() int {
	if p.Width >= wideWindow && !p.ShowsText() {
		return 1
	}
	return 0
}

// Shown reports whether the pane is shown.
func (p *Pane) Shown() bool { return p.size() == 1 != p.turned[p.size()] }

// Columns returns the number of columns that the pane takes from the other panes, with the line before
// it; 0 if it replaces one of them, or is hidden.
func (p *Pane) Columns() int {
	if p.Width < apartWindow || !p.Shown() {
		return 0
	}
	return min(mostWidth, max(leastWidth, p.Width/4)) + 1
}

// Toggle shows or hides the pane.
func (p *Pane) Toggle() { p.turned[p.size()] = !p.turned[p.size()] }

// choices are the choices of the user that are remembered; "" stands for the usual one.
var choices = [2]string{"shown", "hidden"}

// Wish returns the user's choice for a window of this width; "" where the pane replaces another, which nobody wishes for good.
func (p *Pane) Wish() string {
	if p.turned[p.size()] && p.Width >= apartWindow {
		return choices[p.size()]
	}
	return ""
}

// SetWish restores an earlier choice of the user.
func (p *Pane) SetWish(chosen string) {
	p.turned = [2]bool{}
	p.turned[p.size()] = chosen == choices[p.size()] && p.Width >= apartWindow
}

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

// firstBytes is the label of the first row about bytes, which has the heading above it.
const firstBytes = "u8"

// selected returns the index of the selected row.
func (p *Pane) selected(rows []row) int {
	if p.label == "" && p.Under == desk.OnBytes {
		p.label = firstBytes
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
			p.top = slices.IndexFunc(rows, func(r row) bool { return r.label == firstBytes }) - 1
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
	e.Check = func(_ context.Context, typed string) (*explore.Tried, error) {
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

// copying is shown while a letter is awaited.
const copying = "copy: the letter of it"

// askLetter asks for the letter of what is copied. The rows show the letters.
func (p *Pane) askLetter() tea.Cmd {
	keys := []key.Help{{Key: "enter", Desc: "the selected one"}, {Key: "esc", Desc: "nothing"}}
	return p.Await(copying, "", keys, func(msg tea.KeyMsg) tea.Cmd {
		if msg.Type == tea.KeyEnter {
			return p.copyCell(p.cell())
		}
		for _, r := range p.rows() {
			for i := range r.cells {
				if string(r.cells[i].letter) == action.NameOf(msg) {
					return p.copyCell(r.label, &r.cells[i])
				}
			}
		}
		return p.Say("no row has the letter " + action.Named(action.NameOf(msg)))
	})
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
