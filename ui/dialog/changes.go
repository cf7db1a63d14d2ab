package dialog

import (
	"fmt"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/span"
	"varview/model"
	"varview/themes"
	"varview/ui/action"
	"varview/ui/paint"
	"varview/ui/text"
)

// Changes lies over the panes and lists what differs from the file.
type Changes struct {
	Context
	KeyMap action.KeyMap
	All    []model.ByteChange
	Cut    bool // there are more
	Rows

	// GoTo goes to a change once the list is closed.
	GoTo func(model.ByteChange)
	// Turn undoes or redoes an edit, once the list is closed; nil where neither is
	// possible.
	Turn func(action.Action) tea.Cmd
}

// Room implements Roomed.
func (c *Changes) Room() action.Rooms { return action.Changes }

// Place implements Dialog.
func (c *Changes) Place() Place { return OverPanes }

// Update implements Dialog.
func (c *Changes) Update(msg tea.KeyMsg) tea.Cmd {
	a := c.KeyMap.Of(msg)
	if by, moves := a.Rows(c.height(), len(c.All)); moves {
		c.Move(by, len(c.All))
		return nil
	}
	switch a {
	case action.GoThere:
		if len(c.All) > 0 {
			c.Close(c)
			c.GoTo(c.All[c.At])
		}
	case action.Undo, action.Redo:
		if c.Turn != nil {
			c.Close(c)
			return c.Turn(a)
		}
	case action.Cancel, action.Quit:
		c.Close(c)
	}
	return nil
}

// height is the number of changes in view, between the heading and the last line.
func (c *Changes) height() int {
	_, height := c.Window()
	return height - 4
}

// Hints implements Hinting.
func (c *Changes) Hints() []paint.Piece {
	move := []key.Help{c.KeyMap.Hint("move", action.Down, action.Up)}
	rest := append(c.KeyMap.Hints(action.GoThere, action.Undo), c.KeyMap.Hint("close", action.Cancel))
	return paint.Keys(append(move, rest...))
}

// View implements Dialog.
func (c *Changes) View() []string {
	out, height := NewLines(c), c.height()
	c.Fit(height, len(c.All))
	bytes := 4 // bytes of a range that are shown
	if out.Width > 120 {
		bytes = 8
	}
	column := 3*bytes + 2
	out.Put(false, paint.In(themes.Title, "   offset   "+text.Fit("was", column+3)+text.Fit("is", column)+"where"))
	for i := c.Top; i < min(len(c.All), c.Top+height); i++ {
		x := &c.All[i]
		out.Row(i == c.At, paint.In(themes.Dim, fmt.Sprintf("  %08x ", x.At.Offset)),
			paint.In(themes.Padding, text.Fit(paint.Bytes(x.Old, x.Was, bytes), column)), paint.In(themes.Dim, " → "),
			paint.In(themes.Changed, text.Fit(paint.Bytes(x.New, x.At, bytes), column)),
			paint.In(themes.Key, text.Head(x.Path, out.Width)), paint.In(themes.Dim, "  "+text.Head(x.Field, out.Width)))
	}
	out.Fill(height + 1)
	out.Put(false, paint.In(themes.Dim, " "+c.sum()))
	return out.All
}

// sum says how many ranges there are.
func (c *Changes) sum() string {
	switch {
	case c.Cut:
		return fmt.Sprintf("the first %s ranges that differ from the file", span.Grouped(int64(len(c.All))))
	case len(c.All) == 0:
		return "the content is the same as in the file"
	case len(c.All) == 1:
		return "1 range differs from the file"
	}
	return span.Counted(int64(len(c.All)), "range") + " differ from the file"
}
