package ui

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/span"
	"varview/themes"
	"varview/ui/paint"
	"varview/ui/text"
)

// help lies over the panes and lists what can be done.
type help struct {
	lines [][]paint.Piece
	top   int
	then  func(*Model) // once it is closed; nil for nothing
}

// newHelp makes the help from the key map, the commands and the field kinds.
func newHelp(k keyMap, s *paint.Styles) *help {
	h := &help{}
	say := func(pieces ...paint.Piece) { h.lines = append(h.lines, pieces) }
	for _, g := range k.groups() {
		say(paint.In(themes.Title, g.title))
		for _, b := range g.keys {
			say(paint.In(themes.Accent, "  "+text.Fit(b.Help().Key, 12)), paint.Plain(b.Help().Desc))
		}
		say()
	}
	say(paint.In(themes.Title, "Commands"))
	for _, c := range commands() {
		if c.does == "" {
			continue
		}
		say(paint.In(themes.Accent, "  :"+c.names[0]+" "), paint.In(themes.Dim, text.Fit(c.args, 25-len(c.names[0]))), paint.Plain(c.does))
	}
	say()
	say(paint.In(themes.Title, "Bytes: each field begins with the mark of its kind"))
	for _, kind := range span.Kinds() {
		role := themes.Role(kind.String())
		say(paint.In(role, "  "+string(kind.Mark())+"  "), paint.In(role, text.Fit(kind.String(), 12)), paint.Plain(kind.Meaning()))
	}
	say(paint.In(themes.Accent, "  [ ] "), paint.Plain("around the selected value"))
	say(paint.In(themes.Accent, "  |   "), paint.Plain("the place of a selected value without bytes"))
	say(paint.In(themes.Gap, "  ··  "), paint.Plain("a byte that could not be unpacked"))
	say(paint.In(themes.Changed, "  •   "), paint.Plain("differs from the file, also in the tree"))
	say(paint.In(themes.Error, "  ✗–  "), paint.Plain("a problem, from its first byte on; after the last byte, missing bytes"))
	say()
	say(paint.In(themes.Title, "Tree, and the list of problems"))
	for _, sev := range []span.Severity{span.Error, span.Warning, span.Note} {
		say(paint.In(paint.SeverityRoles[sev], "  "+paint.SeverityMarks[sev]+"  "), paint.In(paint.SeverityRoles[sev], text.Fit(sev.String(), 12)), paint.Plain(severityMeanings[sev]))
	}
	say(paint.In(themes.Accent, "  r  "), paint.Plain("in the list: a repair is known"))
	return h
}

var severityMeanings = map[span.Severity]string{
	span.Error:   "the engine refuses the value or misreads it",
	span.Warning: "it loads, but is unusual",
	span.Note:    "worth knowing: objects, scripts, ids",
}

// press handles a key; it reports whether the help is to be closed.
func (h *help) press(msg tea.KeyMsg, k keyMap, l *layout) (closed bool) {
	page := helpHeight(l)
	switch {
	case key.Matches(msg, k.Down):
		h.scroll(1, l)
	case key.Matches(msg, k.Up):
		h.scroll(-1, l)
	case key.Matches(msg, k.HalfDown):
		h.scroll(page/2, l)
	case key.Matches(msg, k.HalfUp):
		h.scroll(-page/2, l)
	case key.Matches(msg, k.PageDown) || msg.String() == " ":
		h.scroll(page-1, l)
	case key.Matches(msg, k.PageUp):
		h.scroll(1-page, l)
	case key.Matches(msg, k.First):
		h.top = 0
	case key.Matches(msg, k.Last):
		h.scroll(len(h.lines), l)
	default:
		return true
	}
	return false
}

func helpHeight(l *layout) int { return l.height - 2 }

func (h *help) scroll(by int, l *layout) {
	h.top = max(0, min(h.top+by, len(h.lines)-helpHeight(l)))
}

// view draws the help in the whole window, between the top and bottom lines.
func (h *help) view(m *Model) []string {
	border := m.styles.In(themes.Border, "│")
	width := m.layout.width - 2
	var lines []string
	for i := range helpHeight(&m.layout) {
		content := strings.Repeat(" ", width)
		if at := h.top + i; at < len(h.lines) {
			content = m.styles.Line(append([]paint.Piece{paint.Plain("  ")}, h.lines[at]...), width, false)
		}
		lines = append(lines, border+content+border)
	}
	return lines
}

// more reports whether there are lines below the window.
func (h *help) more(l *layout) bool { return h.top+helpHeight(l) < len(h.lines) }
