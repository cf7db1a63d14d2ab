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

// Changes lies over the panes and lists what differs from the file, or from the file on
// disk that another program has changed.
type Changes struct {
	Context
	KeyMap action.KeyMap
	All    []model.ByteChange
	Cut    bool // there are more
	OnDisk bool
	Rows

	// GoTo goes to a change once the list is closed.
	GoTo func(model.ByteChange)
	// Leave is done once the list is closed without that; nil for nothing.
	Leave func()
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
		if c.Leave != nil {
			c.Leave()
		}
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
	window, _ := c.Window()
	width, height, s := window-2, c.height(), c.Paints()
	c.Fit(height, len(c.All))
	border := s.In(themes.Border, "│")
	bytes := 4 // bytes of a range that are shown
	if width > 120 {
		bytes = 8
	}
	column := 3*bytes + 2
	put := func(lines []string, pieces []paint.Piece, selected bool) []string {
		return append(lines, border+s.Line(pieces, width, selected)+border)
	}
	was, is := "was", "is"
	if c.OnDisk {
		was, is = "here", "on disk"
	}
	lines := put(nil, []paint.Piece{paint.In(themes.Title, "   offset   "), paint.In(themes.Title, text.Fit(was, column+3)), paint.In(themes.Title, text.Fit(is, column)), paint.In(themes.Title, "where")}, false)
	for i := c.Top; i < len(c.All) && i < c.Top+height; i++ {
		x, mark := &c.All[i], " "
		if i == c.At {
			mark = "›"
		}
		lines = put(lines, []paint.Piece{
			paint.In(themes.Accent, " "+mark+" "), paint.In(themes.Dim, fmt.Sprintf("%08x ", x.At.Offset)),
			paint.In(themes.Padding, text.Fit(paint.Bytes(x.Old, x.Was, bytes), column)), paint.In(themes.Dim, " → "),
			paint.In(themes.Changed, text.Fit(paint.Bytes(x.New, x.At, bytes), column)),
			paint.In(themes.Key, text.Head(x.Path, width)), paint.In(themes.Dim, "  "+text.Head(x.Field, width)),
		}, i == c.At)
	}
	for len(lines) < height+1 {
		lines = put(lines, nil, false)
	}
	return put(lines, []paint.Piece{paint.In(themes.Dim, " "+c.sum())}, false)
}

// sum says how many ranges there are.
func (c *Changes) sum() string {
	file := "the file"
	if c.OnDisk {
		file = "the file on disk"
	}
	switch {
	case c.Cut:
		return fmt.Sprintf("the first %s ranges that differ from %s", span.Grouped(int64(len(c.All))), file)
	case len(c.All) == 0:
		return "the content is the same as in " + file
	case len(c.All) == 1:
		return "1 range differs from " + file
	}
	return span.Counted(int64(len(c.All)), "range") + " differ from " + file
}
