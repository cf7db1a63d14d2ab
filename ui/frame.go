package ui

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/bubbles/key"

	"varview/decoder/span"
	"varview/model"
	"varview/themes"
	"varview/ui/text"
)

// View implements tea.Model: the whole window, each line exactly as wide as it.
func (m *Model) View() string {
	l := &m.layout
	switch {
	case l.width == 0:
		return ""
	case l.tooSmall():
		return m.smallWindow()
	case m.help != nil:
		lines := append([]string{m.topLine(false)}, m.help.view(m)...)
		return strings.Join(append(lines, m.bottomLine()), "\n")
	}
	lines := make([]string, 0, l.height)
	lines = append(lines, m.topLine(!l.stacked))
	border := m.styles.roles[themes.Border].on("│")
	tree, hex := m.treeLines(), m.hexLines()
	if l.stacked {
		for _, t := range tree {
			lines = append(lines, border+t+border)
		}
		lines = append(lines, m.rule("├", "─", "┤"))
		for _, h := range hex {
			lines = append(lines, border+h+border)
		}
	} else {
		for i := range tree {
			lines = append(lines, border+tree[i]+border+hex[i]+border)
		}
	}
	lines = append(lines, m.rule("├", "┴", "┤"))
	for _, info := range m.infoLines() {
		lines = append(lines, border+info+border)
	}
	lines = append(lines, m.bottomLine())
	return strings.Join(lines, "\n")
}

// smallWindow says what is wrong with a window that is too small.
func (m *Model) smallWindow() string {
	l := &m.layout
	lines := make([]string, max(1, l.height))
	for i := range lines {
		lines[i] = strings.Repeat(" ", l.width)
	}
	lines[0] = text.Fit(fmt.Sprintf("varview needs %d×%d, this is %d×%d", minWidth, minHeight, l.width, l.height), l.width)
	return strings.Join(lines, "\n")
}

// rule draws a line across the window; middle stands where the panes meet.
func (m *Model) rule(left, middle, right string) string {
	line := left + strings.Repeat("─", m.layout.width-2) + right
	if !m.layout.stacked {
		line = left + strings.Repeat("─", m.layout.treeWidth) + middle + strings.Repeat("─", m.layout.hexWidth) + right
	}
	return m.styles.roles[themes.Border].on(line)
}

// topLine draws the frame with what the file is on the left, and what is under
// way or wrong on the right.
func (m *Model) topLine(divided bool) string {
	width := m.layout.width
	state := m.state()
	stateWidth := columns(state)
	left := []piece{{"╭ ", themes.Border}}
	room := width - 4 - stateWidth
	name := text.Head(m.doc.Name, max(8, room/2))
	about := text.Cut(" ─ "+m.about(room-text.Width(name)-4)+" ", max(0, room-text.Width(name)))
	left = append(left, piece{name, themes.Title}, piece{about, themes.Dim})
	used := columns(left)
	fill := max(0, width-used-stateWidth-2)
	bar := strings.Repeat("─", fill)
	if at := 1 + m.layout.treeWidth - used; divided && at >= 0 && at < fill {
		bar = strings.Repeat("─", at) + "┬" + strings.Repeat("─", fill-at-1)
	}
	pieces := append(left, piece{bar, themes.Border})
	pieces = append(pieces, state...)
	pieces = append(pieces, piece{"─╮", themes.Border})
	return m.line(pieces, width, false)
}

// about says what the file is: GCPF Zstandard → Godot 4 · stream of 3 · 12.4 KiB.
// Where that is wider than width, the wrappers are left out.
func (m *Model) about(width int) string {
	title, wrappers := "", ""
	for _, b := range m.doc.Buffers {
		wrappers += title
		title = b.Title() + " → "
	}
	title = strings.TrimSuffix(title, " → ")
	if m.doc.Confidence == "weak" {
		title += "?"
	}
	rest := join(title, m.framing(), model.ByteSize(m.doc.Size()))
	if wrappers != "" && text.Width(wrappers+rest) > width {
		wrappers = "… → "
	}
	return wrappers + rest
}

// framing says how the values follow one another, or why they are not there.
func (m *Model) framing() string {
	switch {
	case m.doc.IsLocked():
		return "encrypted"
	case m.doc.IsDeferred():
		return "packed"
	case m.doc.Missing != nil:
		return "closed"
	case m.doc.Format == "elephant":
		return "" // a block has one value
	case m.doc.Framing != "stream":
		return m.doc.Framing
	}
	framing := m.doc.Framing
	if n := m.doc.Values(); n >= 0 {
		framing = "stream of " + model.Grouped(n)
	}
	if m.doc.BigEndian {
		framing += " (big-endian lengths)"
	}
	return framing
}

// state says what is under way and what is wrong.
func (m *Model) state() []piece {
	var parts []piece
	add := func(role themes.Role, text string) {
		if len(parts) > 0 {
			parts = append(parts, piece{" · ", themes.Dim})
		}
		parts = append(parts, piece{text, role})
	}
	if m.changed != "" {
		add(themes.Warning, m.changed+": R reloads")
	}
	for _, j := range []*jobs{&m.opening, &m.jobs} {
		if j.name != "" {
			add(themes.Accent, fmt.Sprintf("%s %.0f%%", text.Head(j.name, 24), 100*j.progress.Share()))
		}
	}
	if share, done := m.doc.Indexed(); !done {
		word := "reading"
		if m.view.Waiting() {
			word = "working"
		}
		add(themes.Accent, fmt.Sprintf("%s %.0f%%", word, 100*share))
	}
	if n := m.doc.ProblemCount(span.Warning); n > 0 {
		role := themes.Warning
		if m.doc.ProblemCount(span.Error) > 0 {
			role = themes.Error
		}
		add(role, plural(n, "problem"))
	}
	if len(parts) > 0 {
		parts = append([]piece{{" ", ""}}, append(parts, piece{" ", ""})...)
	}
	return parts
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// infoLines say where the cursor is, and what the byte under it is for.
func (m *Model) infoLines() []string {
	width := m.layout.width - 2
	d := m.view.Describe(2 * width)
	if d.Pending {
		return []string{
			m.line([]piece{{fmt.Sprintf(" %#x", m.view.Offset()), themes.Key}}, width, false),
			m.line([]piece{{" not read that far yet", themes.Dim}}, width, false),
		}
	}
	where := d.Type
	switch {
	case d.NoBytes:
		where = join(where, fmt.Sprintf("no bytes at %#x", d.Value.Offset))
	case d.Value.Length > 0:
		where = join(where, d.Value.String(), model.ByteCount(d.Value.Length))
	}
	where = text.Head(where, width*2/3)
	path := text.CutLeft(text.Clean(d.Path), width-3-text.Width(where))
	first := []piece{{" ", ""}, {text.Fit(path, width-2-text.Width(where)), themes.Key}, {where, themes.Dim}, {" ", ""}}
	return []string{m.line(first, width, false), m.line(m.fieldPieces(d, width), width, false)}
}

// fieldPieces explain the value or the byte under the cursor: its problem, its
// fields and its meaning.
func (m *Model) fieldPieces(d model.Description, width int) []piece {
	pieces := []piece{{" ", ""}}
	if d.Problem != "" {
		pieces = append(pieces, piece{severityMarks[d.Severity] + " " + text.Head(d.Problem, width) + "  ", severityRoles[d.Severity]})
	}
	for _, note := range d.Notes {
		pieces = append(pieces, piece{text.Head(note, 4*width) + "  ", themes.Ref})
	}
	f := d.Field
	for _, own := range d.Fields {
		pieces = append(pieces, piece{fmt.Sprintf("%c %s %s  ", own.Kind.Mark(), own.Label, model.Grouped(own.Length)), themes.Role(own.Kind.String())})
	}
	if d.Each != "" {
		pieces = append(pieces, piece{fmt.Sprintf("%c %s  ", span.Value.Mark(), d.Each), themes.Value})
	}
	if f.Length > 0 {
		pieces = append(pieces, piece{fmt.Sprintf("%c %s", f.Kind.Mark(), f.Kind), themes.Role(f.Kind.String())})
		if f.Label != f.Kind.String() {
			pieces = append(pieces, piece{" " + f.Label, ""})
		}
		pieces = append(pieces, piece{" · " + join(f.Span.String(), model.ByteCount(f.Length)) + "  ", themes.Dim})
	}
	if d.Meaning != "" {
		pieces = append(pieces, piece{"→ ", themes.Dim}, piece{text.Head(d.Meaning, width), ""})
	}
	if f.Length > 0 {
		pieces = append(pieces, piece{"  " + f.Kind.Meaning(), themes.Dim})
	}
	return pieces
}

func join(parts ...string) string {
	var some []string
	for _, p := range parts {
		if p != "" {
			some = append(some, p)
		}
	}
	return strings.Join(some, " · ")
}

// bottomLine draws the frame with the prompt, a message, or the keys.
func (m *Model) bottomLine() string {
	width := m.layout.width
	left := piece{"╰ ", themes.Border}
	switch {
	case m.prompt != nil:
		return m.styles.roles[themes.Border].on("╰ ") + m.prompt.view(width-4) + m.styles.roles[themes.Border].on(" ╯")
	case m.message.text != "":
		role := themes.Accent
		if m.message.error {
			role = themes.Error
		}
		return m.closeLine([]piece{left, {text.Head(m.message.text, m.messageWidth()), role}}, width)
	case m.help != nil:
		what := "any other key closes the help"
		if m.help.more(&m.layout) {
			what = "j/k scroll  " + what
		}
		return m.closeLine([]piece{left, {what, themes.Dim}}, width)
	}
	pieces := []piece{left}
	for _, h := range m.shortHelp(width - 5) {
		pieces = append(pieces, piece{h.Key, themes.Accent}, piece{" " + h.Desc + "  ", themes.Dim})
	}
	return m.closeLine(pieces, width)
}

// messageWidth is the columns that a message can have in the bottom line.
func (m *Model) messageWidth() int { return m.layout.width - 5 }

// closeLine ends a bottom line with the frame's corner.
func (m *Model) closeLine(pieces []piece, width int) string {
	rest := width - columns(pieces) - 1
	if rest > 0 && !strings.HasSuffix(pieces[len(pieces)-1].text, " ") {
		pieces = append(pieces, piece{" ", ""})
		rest--
	}
	pieces = append(pieces, piece{strings.Repeat("─", max(0, rest)) + "╯", themes.Border})
	return m.line(pieces, width, false)
}

// hints are what the file, or what is selected in it, wants to be done.
func (m *Model) hints() []key.Help {
	var hints []key.Help
	switch {
	case m.opening.name != "":
		hints = append(hints, key.Help{Key: "esc", Desc: "stop"})
	case m.doc.IsLocked():
		hints = append(hints, key.Help{Key: ":password", Desc: "open"})
	case m.doc.IsDeferred():
		hints = append(hints, key.Help{Key: ":unpack", Desc: "open"})
	case m.doc.IsCut():
		hints = append(hints, key.Help{Key: ":unpack SIZE", Desc: "more"})
	}
	if m.focus == onBytes {
		return hints
	}
	switch {
	case m.view.LacksSchema():
		hints = append(hints, key.Help{Key: ":schema PATH", Desc: "lay out"})
	case m.view.Refers():
		hints = append(hints, key.Help{Key: "enter", Desc: "follow"})
	}
	if m.view.IsReferred() {
		hints = append(hints, key.Help{Key: "*", Desc: "references"})
	}
	if m.view.CanGoBack() {
		hints = append(hints, key.Help{Key: "ctrl+o", Desc: "back"})
	}
	return hints
}

// shortHelp lists the keys that fit into width columns. The last two, help and
// quit, stay; of the others those in front.
func (m *Model) shortHelp(width int) []key.Help {
	keys := m.hints()
	for _, b := range m.keys.short(m.focus == onBytes, len(m.doc.Buffers) > 1) {
		keys = append(keys, b.Help())
	}
	needed := func() (n int) {
		for _, h := range keys {
			n += text.Width(h.Key) + 1 + text.Width(h.Desc) + 2
		}
		return n
	}
	for len(keys) > 2 && needed() > width {
		keys = append(keys[:len(keys)-3], keys[len(keys)-2:]...)
	}
	return keys
}
