package ui

import (
	"fmt"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/span"
	"varview/model"
	"varview/themes"
	"varview/ui/paint"
	"varview/ui/text"
)

// changesPane lies over the panes and lists what differs from the file, or from the file on
// disk that another program has changed.
type changesPane struct {
	all    []model.ByteChange
	cut    bool // there are more
	onDisk bool
	at     int // the selected one
	top    int
}

// maxChanges is the number of changes that are listed at most.
const maxChanges = 2000

// changesMsg brings what has changed.
type changesMsg struct {
	number int
	pane   *changesPane
	err    error
}

// changesKeys are the keys of the bottom line while changes are listed.
var changesKeys = []key.Help{{Key: "j/k", Desc: "move"}, {Key: "enter", Desc: "go there"}, {Key: "u", Desc: "undo"}, {Key: "esc", Desc: "close"}}

// listChanges looks for all changes in the background.
func (m *Model) listChanges() tea.Cmd {
	if err := m.busy(); err != nil {
		m.report(err)
		return nil
	}
	if !m.doc.IsModified() {
		m.say("nothing is changed")
		return nil
	}
	doc := m.doc
	ctx, number, _ := m.task.start(m.ctx, "looking at the changes")
	return m.inBackground(func() tea.Msg {
		pane := &changesPane{}
		err := doc.EachChange(func(c model.ByteChange) bool {
			pane.cut = len(pane.all) == maxChanges
			if !pane.cut {
				pane.all = append(pane.all, c)
			}
			return !pane.cut && ctx.Err() == nil
		})
		if err == nil {
			err = ctx.Err()
		}
		return changesMsg{number, pane, err}
	})
}

func (m *Model) showChanges(msg changesMsg) {
	m.task.stop()
	if msg.err != nil {
		m.report(fmt.Errorf("the changes cannot be listed: %w", msg.err))
		return
	}
	m.changes = msg.pane
	for i, c := range msg.pane.all {
		if c.Buffer == m.view.Buffer.Number && c.At.Offset <= m.view.Offset() {
			msg.pane.at = i // the nearest before the cursor
		}
	}
}

// pressChanges handles a key in the list of changes.
func (m *Model) pressChanges(msg tea.KeyMsg) tea.Cmd {
	p, k, page := m.changes, m.keys, m.changesHeight()
	switch {
	case msg.Type == tea.KeyEnter:
		if len(p.all) > 0 {
			m.changes = nil
			m.goToChange(p.all[p.at], p.onDisk)
		}
	case key.Matches(msg, k.Down):
		p.move(1)
	case key.Matches(msg, k.Up):
		p.move(-1)
	case key.Matches(msg, k.HalfDown):
		p.move(page / 2)
	case key.Matches(msg, k.HalfUp):
		p.move(-page / 2)
	case key.Matches(msg, k.PageDown):
		p.move(page - 1)
	case key.Matches(msg, k.PageUp):
		p.move(1 - page)
	case key.Matches(msg, k.First):
		p.at = 0
	case key.Matches(msg, k.Last):
		p.at = max(0, len(p.all)-1)
	case p.onDisk && (key.Matches(msg, k.Cancel) || key.Matches(msg, k.Quit)):
		m.changes = nil
		m.askDisk()
	case p.onDisk:
	case key.Matches(msg, k.Undo), key.Matches(msg, k.Redo):
		m.changes = nil
		cmd, _ := m.pressGlobal(msg)
		return cmd
	case key.Matches(msg, k.Cancel), key.Matches(msg, k.Quit):
		m.changes = nil
	}
	return nil
}

func (p *changesPane) move(by int) { p.at = max(0, min(p.at+by, len(p.all)-1)) }

// changesHeight is the number of changes in view, between the heading and the last
// line.
func (m *Model) changesHeight() int { return m.layout.height - 4 }

// changesLines draw the list in place of the panes.
func (m *Model) changesLines() []string {
	p, height := m.changes, m.changesHeight()
	p.top = max(p.at-height+1, min(p.top, p.at), 0)
	border := m.styles.In(themes.Border, "│")
	width := m.layout.width - 2
	bytes := 4 // bytes of a range that are shown
	if width > 120 {
		bytes = 8
	}
	column := 3*bytes + 2
	put := func(lines []string, pieces []paint.Piece, selected bool) []string {
		return append(lines, border+m.styles.Line(pieces, width, selected)+border)
	}
	was, is := "was", "is"
	if p.onDisk {
		was, is = "here", "on disk"
	}
	lines := put(nil, []paint.Piece{paint.In(themes.Title, "   offset   "), paint.In(themes.Title, text.Fit(was, column+3)), paint.In(themes.Title, text.Fit(is, column)), paint.In(themes.Title, "where")}, false)
	for i := p.top; i < len(p.all) && i < p.top+height; i++ {
		c, mark := &p.all[i], " "
		if i == p.at {
			mark = "›"
		}
		lines = put(lines, []paint.Piece{
			paint.In(themes.Accent, " "+mark+" "), paint.In(themes.Dim, fmt.Sprintf("%08x ", c.At.Offset)),
			paint.In(themes.Padding, text.Fit(someBytes(c.Old, c.Was, bytes), column)), paint.In(themes.Dim, " → "),
			paint.In(themes.Changed, text.Fit(someBytes(c.New, c.At, bytes), column)),
			paint.In(themes.Key, text.Head(c.Path, width)), paint.In(themes.Dim, "  "+text.Head(c.Field, width)),
		}, i == p.at)
	}
	for len(lines) < height+1 {
		lines = put(lines, nil, false)
	}
	return put(lines, []paint.Piece{paint.In(themes.Dim, " "+p.sum())}, false)
}

// sum says how many ranges there are.
func (p *changesPane) sum() string {
	file := "the file"
	if p.onDisk {
		file = "the file on disk"
	}
	switch {
	case p.cut:
		return fmt.Sprintf("the first %s ranges that differ from %s", span.Grouped(int64(len(p.all))), file)
	case len(p.all) == 0:
		return "the content is the same as in " + file
	case len(p.all) == 1:
		return "1 range differs from " + file
	}
	return span.Counted(int64(len(p.all)), "range") + " differ from " + file
}

// goToChange goes to the first byte that differs.
func (m *Model) goToChange(c model.ByteChange, onDisk bool) {
	b, off := m.doc.Buffers[c.Buffer], c.At.Offset
	if onDisk {
		off = b.OffsetNow(c.Was.Offset)
	}
	m.showBuffer(b)
	m.goToByte(off)
}

// someBytes are the first of the bytes of a range: "57 00 00 00 …", "nothing".
func someBytes(b []byte, all span.Span, most int) string {
	if all.Length == 0 {
		return "nothing"
	}
	s := fmt.Sprintf("% x", b[:min(len(b), most)])
	if all.Length > int64(most) {
		s += " …"
	}
	return s
}

// nextChange goes to the next range that differs from the file.
func (m *Model) nextChange() {
	b := m.doc.ChangedBuffer()
	if b == nil {
		m.say("nothing is changed")
		return
	}
	from := int64(-1)
	if b == m.view.Buffer {
		from = m.view.Offset()
	}
	if at, ok := b.NextChange(from); ok {
		m.showBuffer(b)
		m.goToByte(at)
	}
}
