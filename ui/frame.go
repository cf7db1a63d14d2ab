package ui

import (
	"errors"
	"fmt"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"varview/internal/text"
	"varview/themes"
	"varview/ui/action"
	"varview/ui/desk"
	"varview/ui/dialog"
	"varview/ui/inspect"
	"varview/ui/paint"
)

// View implements tea.Model. It draws the whole window, in which each line has exactly its width.
func (m *Model) View() string {
	if m.desk.Unchanged {
		return m.view
	}
	frame := m.frame()
	if frame != "" && m.desk.Height < m.height {
		frame += "\n" + strings.Join(m.tutor.View(m.height), "\n")
	}
	m.view = m.desk.Styles.Window(frame)
	return m.view
}

// frame draws the window without the message below it.
func (m *Model) frame() string {
	d := m.desk
	over := d.Dialogs.Over()
	var lines []string
	switch {
	case d.Width == 0:
		return ""
	case tooSmall(d.Width, d.Height):
		return m.smallWindow()
	case over != nil:
		lines = m.across(over)
	default:
		lines = m.panes()
	}
	if x, ok := d.Dialogs.Top().(*dialog.Prompt); ok {
		popup := x.Popup()
		copy(lines[max(0, len(lines)-len(popup)):], popup)
	}
	above := m.overflow()
	copy(lines[max(0, len(lines)-len(above)):], above)
	teaching := m.tutor.Over(m.height, 1+inspect.AboutHeight)
	copy(lines[max(0, len(lines)-len(teaching)):], teaching)
	return strings.Join(append(lines, m.bottomLine()), "\n")
}

// across draws a dialog over the panes. If there is room for the tree too, it stays at the left.
func (m *Model) across(over dialog.Dialog) []string {
	lines := over.View()
	if m.beside == 0 {
		return append([]string{m.title.view([]framed{{}})}, lines...)
	}
	s, below := &m.desk.Styles, m.tree.View()
	rule := len(below)
	if m.hex.Layout.Height > 0 {
		pieces := edge([]framed{{-1, m.paneName(desk.OnBytes), false}}, -1, m.beside-1, "", true)
		below = append(append(below, s.Line(pieces, m.beside-1)), m.hex.View()...)
	}
	border := s.In(themes.Border, "│")
	for i, line := range below {
		if i == rule {
			lines[i] = s.In(themes.Border, "├") + line + strings.Replace(lines[i], "│", "┤", 1)
		} else {
			lines[i] = border + line + lines[i]
		}
	}
	return append([]string{m.title.view([]framed{{0, paneNames[desk.OnTree], false}, {m.beside, "", true}})}, lines...)
}

// A framed is a pane along an edge of the window, with the column of the line before it.
type framed struct {
	at      int
	name    string
	focused bool
}

// framed lists the panes along the upper or the lower edge.
func (m *Model) framed(lower bool) []framed {
	d, l := m.desk, &m.layout
	first, second := m.shown()
	if l.stacked && lower {
		first = second
	}
	var all []framed
	add := func(at int, of desk.Focus) {
		all = append(all, framed{at, m.paneName(of), d.Focus == of && !m.isBelow() && !l.alone})
	}
	add(0, first)
	if !l.stacked && !l.alone {
		add(1+l.treeWidth, second)
	}
	if n := m.inspect.Columns(); n > 0 {
		add(d.Width-1-n, desk.OnInspector)
	}
	return all
}

// paneName returns what is written over a pane.
func (m *Model) paneName(of desk.Focus) string {
	if of == desk.OnBytes && m.layout.hex.IsText {
		return "text"
	}
	if of == desk.OnBytes && m.records.IsOf(m.desk.Explorer.Buffer) {
		return "messages, put together: < packets"
	}
	return paneNames[of]
}

// isBelow reports whether the pane below the others has the focus.
func (m *Model) isBelow() bool {
	top := m.desk.Dialogs.Top()
	return top != nil && top.Place() == dialog.BelowPanes
}

var paneNames = map[desk.Focus]string{desk.OnTree: "tree", desk.OnBytes: "bytes", desk.OnInspector: "inspector"}

// edge draws the columns [from, to) of an edge along panes; join is drawn where they meet.
func edge(panes []framed, from, to int, join string, named bool) (pieces []paint.Piece) {
	for i, p := range panes {
		end := to
		if i+1 < len(panes) {
			end = min(to, panes[i+1].at)
		}
		meets := p.at >= from && p.at < end
		if meets {
			pieces = append(pieces, paint.In(paint.FrameRole(p.focused || i > 0 && panes[i-1].focused), join))
			from = p.at + 1
		}
		if named && p.name != "" && (meets || i > 0) && text.Width(p.name)+4 < end-from {
			name := paint.In(themes.Dim, " "+p.name+" ")
			if p.focused {
				name.Role = themes.Accent
			}
			pieces = append(pieces, paint.In(paint.FrameRole(p.focused), "─"), name)
			from += 1 + text.Width(name.Text)
		}
		if end > from {
			pieces = append(pieces, paint.In(paint.FrameRole(p.focused), strings.Repeat("─", end-from)))
			from = end
		}
	}
	return pieces
}

// panes draws the panes, and the lines below them.
func (m *Model) panes() []string {
	s, upper, lower := &m.desk.Styles, m.framed(false), m.framed(true)
	first, second := m.drawn()
	inspected := []string{}
	if m.inspect.Columns() > 0 {
		inspected = m.inspect.View()
	}
	lines := append(make([]string, 0, m.desk.Height), m.title.view(upper))
	put := func(panes []framed, left, right string, texts ...string) {
		if len(texts) < len(panes) {
			texts = append(texts, inspected[len(lines)-1])
		}
		line, before := "", false
		for i, p := range panes {
			line += s.Frame(before || p.focused, left) + texts[i]
			before, left, right = p.focused, right, "│"
		}
		lines = append(lines, line+s.Frame(before, left))
	}
	shown, _ := m.shown()
	for i, t := range first {
		left, right := "│", "│"
		if shown == desk.OnTree && m.tree.Layout.IsRule(i) {
			left, right = "├", "┤"
		}
		texts := []string{t}
		if !m.layout.stacked && !m.layout.alone {
			texts = append(texts, second[i])
		}
		put(upper, left, right, texts...)
	}
	if m.layout.stacked {
		between := []framed{{0, lower[0].name, upper[0].focused || lower[0].focused}}
		rule := s.Line(edge(between, 0, m.layout.treeWidth+1, "", true), m.layout.treeWidth)
		put(append(between, upper[1:]...), "├", "┤", rule)
		for _, h := range second {
			put(lower, "│", "│", h)
		}
	}
	lines = append(lines, m.rule(lower))
	if below := m.desk.Dialogs.At(dialog.BelowPanes); below != nil {
		return append(lines, below.View()...)
	}
	about := m.info.View
	if in := m.desk.Dialogs.At(dialog.InPane); in != nil {
		about = in.View
	}
	return append(lines, s.Framed(about())...)
}

// smallWindow draws the message in a window that is too small.
func (m *Model) smallWindow() string {
	width, height := m.desk.Window()
	lines := text.Wrap(fmt.Sprintf("varview needs %d×%d, this is %d×%d", minWidth, minHeight, width, height), width)
	for i, line := range lines {
		lines[i] = text.Fit(line, width)
	}
	return strings.Join(text.Fill(lines, width, max(1, height)), "\n")
}

// rule draws the line below the panes, with an offer that waits for an answer.
func (m *Model) rule(panes []framed) string {
	width := m.desk.Width
	for i := range panes {
		panes[i].focused = panes[i].focused || m.isBelow()
	}
	pieces := []paint.Piece{paint.In(paint.FrameRole(panes[0].focused), "├")}
	if said, remedy := m.file.Offer(); said != "" {
		if _, asks := m.desk.Dialogs.Top().(*dialog.Question); !asks {
			pieces[0].Text += "─"
			pieces = append(pieces, drawOffer(said, remedy, width-4)...)
		}
	}
	pieces = append(pieces, edge(panes, paint.Columns(pieces), width-1, "┴", false)...)
	return m.desk.Styles.Line(append(pieces, paint.In(paint.FrameRole(panes[len(panes)-1].focused), "┤")), width)
}

// drawOffer draws an offer and the key for it in at most width columns; the key is never cut.
func drawOffer(said string, remedy key.Help, width int) []paint.Piece {
	keys := append([]paint.Piece{paint.Plain(" ")}, paint.Keys([]key.Help{remedy})...)
	keys[len(keys)-1].Text = strings.TrimRight(keys[len(keys)-1].Text, " ") + " "
	said = strings.TrimRight(text.Cut(text.Clean(said), max(1, width-1-paint.Columns(keys))), " ")
	return append([]paint.Piece{paint.In(themes.Warning, " "+said+" ")}, keys...)
}

// bottomLine draws the lower frame with a dialog, a message, or the keys.
func (m *Model) bottomLine() string {
	if top := m.desk.Dialogs.Top(); top != nil && top.Place() == dialog.AtBottom {
		return top.View()[0]
	}
	pieces, end := m.bottom()
	return m.desk.Styles.BottomWith(pieces, end, m.desk.Width)
}

// bottom returns the content of the lower frame while no dialog replaces it.
func (m *Model) bottom() (pieces, end []paint.Piece) {
	d := m.desk
	hinting, _ := d.Dialogs.Top().(dialog.Hinting)
	end = m.hints.search()
	if m.hex.Typing() {
		pieces, hinting = m.hex.Mode(), m.hex
	}
	said := m.inBottom()
	switch {
	case said != "":
		pieces = append(pieces, paint.In(d.Message.Role(), said))
		if paint.Columns(pieces)+paint.Columns(end) > paint.BottomRoom(d.Width) {
			end = nil
		}
	case hinting != nil:
		pieces, end = append(pieces, hinting.Hints()...), nil
	case d.Focus == desk.OnInspector:
		pieces, end = m.inspect.Hints(), nil
	default:
		keys := append(m.hints.needed(), m.hints.usual()...)
		pieces = paint.Keys(paint.FittingKeys(keys, paint.BottomRoom(d.Width)-paint.Columns(end)))
	}
	return pieces, end
}

// clickBottom presses the key in the bottom line whose name or meaning was clicked.
func (m *Model) clickBottom(x int) tea.Cmd {
	pieces, _ := m.bottom()
	at := len("╰ ") - len("╰") + 1
	for i, p := range pieces {
		from := at
		if at += text.Width(p.Text); x < from || x >= at {
			continue
		}
		if p.Role == themes.Dim && i > 0 {
			p, from = pieces[i-1], x
		}
		switch command, isCommand := strings.CutPrefix(p.Text, ":"); {
		case p.Role != themes.Accent || m.inBottom() != "":
			return nil
		case isCommand && command != "":
			return m.commands.askWith(command)
		}
		var ahead []tea.Msg
		for _, key := range m.desk.Actions.Typed(keyAt(p.Text, x-from)) {
			ahead = append(ahead, key)
		}
		m.held = append(ahead, m.held...)
		break
	}
	return nil
}

// keyAt returns the key at a column of several: "j/k".
func keyAt(keys string, column int) string {
	for _, k := range strings.Split(keys, "/") {
		if column -= text.Width(k) + 1; column < 0 && k != "" {
			return k
		}
	}
	return keys
}

// A message that is longer than the bottom line also takes lines above it: at least leastMessage in all,
// up to a quarter of the window. The rest is on a page of its own.
const leastMessage = 3

// message returns the message in lines, and whether these contain all of it.
func (m *Model) message() (lines []string, whole bool) {
	room := paint.BottomRoom(m.desk.Width)
	lines = text.Wrap(m.desk.Message.Text, room)
	most := max(leastMessage, m.desk.Height/4)
	if len(lines) <= most {
		return lines, true
	}
	hint := "  " + m.desk.Actions.Hint("", action.ShowMessage).Key + " shows all"
	lines = lines[:most]
	lines[most-1] = text.Fit(lines[most-1]+" …", room-text.Width(hint)) + hint
	return lines, false
}

// inBottom returns the part of the message in the bottom line: its last line, or nothing if that does not
// fit beside what is typed.
func (m *Model) inBottom() string {
	lines, _ := m.message()
	if len(lines) == 0 {
		return ""
	}
	line := lines[len(lines)-1]
	if m.hex.Typing() && (len(lines) > 1 || text.Width(line)+paint.Columns(m.hex.Mode()) > paint.BottomRoom(m.desk.Width)) {
		return ""
	}
	return line
}

// overflow draws what does not fit the bottom line, of a message or a question, in lines above it.
func (m *Model) overflow() (drawn []string) {
	width := m.desk.Width
	var lines []string
	role := m.desk.Message.Role()
	if top := m.desk.Dialogs.Top(); top != nil && top.Place() == dialog.AtBottom {
		x, asks := top.(*dialog.Question)
		if !asks {
			return nil
		}
		said, isLong := x.Long()
		if !isLong {
			return nil
		}
		lines, role = text.Wrap(said, width-4), themes.Warning
	} else if lines, _ = m.message(); len(lines) > 0 {
		if m.inBottom() != "" {
			lines = lines[:len(lines)-1]
		}
	}
	for _, line := range lines {
		drawn = append(drawn, m.desk.Styles.Line([]paint.Piece{paint.Plain(" "), paint.In(role, line)}, width-2))
	}
	return m.desk.Styles.Framed(drawn)
}

// opensMessage reports whether a key asks for the rest of the message.
func (m *Model) opensMessage(msg tea.KeyMsg) bool {
	_, whole := m.message()
	return !whole && m.keys.Of(msg) == action.ShowMessage && !m.takesText()
}

// showMessage shows the last message on a page.
func (m *Model) showMessage() tea.Cmd {
	last := m.said
	if last.Text == "" {
		return m.desk.Report(errors.New("there was no message yet"))
	}
	page := m.desk.Page(nil)
	page.Lines = func(width int) (lines [][]paint.Piece) {
		for _, line := range text.Wrap(last.Text, width-2) {
			lines = append(lines, []paint.Piece{paint.In(last.Role(), line)})
		}
		return lines
	}
	return m.desk.Open(page)
}
