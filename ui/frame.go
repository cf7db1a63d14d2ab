package ui

import (
	"errors"
	"fmt"
	"strings"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/model"
	"varview/model/bytesize"
	"varview/themes"
	"varview/ui/paint"
	"varview/ui/text"
)

// View implements tea.Model: the whole window, each line exactly as wide as it.
func (m *Model) View() string {
	l := &m.layout
	switch {
	case l.width == 0:
		return ""
	case l.tooSmall() && (m.problems == nil || m.help != nil || !fitsProblems(l.width, l.height)):
		return m.smallWindow()
	case m.help != nil:
		lines := append([]string{m.topLine(false)}, m.help.view(m)...)
		return strings.Join(append(lines, m.bottomLine()), "\n")
	case m.changes != nil:
		lines := append([]string{m.topLine(false)}, m.changesLines()...)
		return strings.Join(append(lines, m.bottomLine()), "\n")
	case m.problems != nil && !m.problems.layout.docked:
		lines := append([]string{m.topLine(false)}, m.problemLines()...)
		return strings.Join(append(lines, m.bottomLine()), "\n")
	case m.editor != nil && m.editor.big:
		lines := append([]string{m.topLine(false)}, m.bigLines()...)
		lines = append(lines, m.styles.In(themes.Border, "├"+strings.Repeat("─", l.width-2)+"┤"))
		return strings.Join(m.withFoot(lines), "\n")
	}
	lines := make([]string, 0, l.height)
	lines = append(lines, m.topLine(!l.stacked))
	border := m.styles.In(themes.Border, "│")
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
	if m.problems != nil {
		return strings.Join(append(append(lines, m.problemLines()...), m.bottomLine()), "\n")
	}
	return strings.Join(m.withFoot(lines), "\n")
}

// withFoot appends the lines below the panes.
func (m *Model) withFoot(lines []string) []string {
	border := m.styles.In(themes.Border, "│")
	for _, info := range m.infoLines() {
		lines = append(lines, border+info+border)
	}
	return append(lines, m.bottomLine())
}

// smallWindow is the message in a window that is too small.
func (m *Model) smallWindow() string {
	l := &m.layout
	lines := make([]string, max(1, l.height))
	for i := range lines {
		lines[i] = strings.Repeat(" ", l.width)
	}
	lines[0] = text.Fit(fmt.Sprintf("varview needs %d×%d, this is %d×%d", minWidth, minHeight, l.width, l.height), l.width)
	return strings.Join(lines, "\n")
}

// rule draws a line across the window, with middle where the panes meet.
func (m *Model) rule(left, middle, right string) string {
	line := left + strings.Repeat("─", m.layout.width-2) + right
	if !m.layout.stacked {
		line = left + strings.Repeat("─", m.layout.treeWidth) + middle + strings.Repeat("─", m.layout.hexWidth) + right
	}
	return m.styles.In(themes.Border, line)
}

// topLine draws the upper frame, with what the file is on the left and its state on
// the right.
func (m *Model) topLine(divided bool) string {
	width := m.layout.width
	state := m.state()
	stateWidth := paint.Columns(state)
	left := []paint.Piece{paint.In(themes.Border, "╭ ")}
	room := width - 4 - stateWidth
	name := text.Head(m.doc.Name, max(8, room/2))
	about := text.Cut(" ─ "+m.about(room-text.Width(name)-4)+" ", max(0, room-text.Width(name)))
	left = append(left, paint.In(themes.Title, name), paint.In(themes.Dim, about))
	used := paint.Columns(left)
	fill := max(0, width-used-stateWidth-2)
	bar := strings.Repeat("─", fill)
	if at := 1 + m.layout.treeWidth - used; divided && at >= 0 && at < fill {
		bar = strings.Repeat("─", at) + "┬" + strings.Repeat("─", fill-at-1)
	}
	pieces := append(left, paint.In(themes.Border, bar))
	pieces = append(pieces, state...)
	pieces = append(pieces, paint.In(themes.Border, "─╮"))
	return m.styles.Line(pieces, width, false)
}

// about describes the file: GCPF Zstandard → Godot 4 · stream of 3 · 12.4 KiB.
// Where that is wider than width, the wrappers are left out.
func (m *Model) about(width int) string {
	title, wrappers := "", ""
	for _, b := range m.doc.Buffers {
		wrappers += title
		title = b.Title() + " → "
	}
	title = strings.TrimSuffix(title, " → ")
	if m.doc.Confidence == "weak" && !m.doc.IsForeign() {
		title += "?"
		if or := m.doc.Alternative; or != nil && or.Likelier {
			title += " or :as " + or.Format.Info().Dialect.Name
		}
	}
	rest := join(title, m.framing(), bytesize.Format(m.doc.Buffers[0].Size()))
	if wrappers != "" && text.Width(wrappers+rest) > width {
		wrappers = "… → "
	}
	return wrappers + rest
}

// framing says how the values follow one another, or why there are none.
func (m *Model) framing() string {
	switch {
	case m.doc.IsLocked():
		return "encrypted"
	case m.doc.IsDeferred():
		return "packed"
	case m.doc.Missing != nil:
		return "closed"
	case m.doc.IsForeign():
		return "" // it has no values
	case !m.doc.IsFramed():
		return "" // there is one value
	case m.doc.Framing != "stream":
		return m.doc.Framing
	}
	framing := m.doc.Framing
	if n := m.doc.Values(); n >= 0 {
		framing = "stream of " + span.Grouped(n)
	}
	if m.doc.BigEndian {
		framing += " (big-endian lengths)"
	}
	return framing
}

// state describes work in progress, changes and problems.
func (m *Model) state() []paint.Piece {
	var parts []paint.Piece
	add := func(role themes.Role, text string) {
		if len(parts) > 0 {
			parts = append(parts, paint.In(themes.Dim, " · "))
		}
		parts = append(parts, paint.In(role, text))
	}
	if m.changed != "" {
		add(themes.Warning, m.changed+": "+m.remedy())
	}
	if len(m.others) > 0 {
		add(themes.Warning, fmt.Sprintf("open in process %d too", m.others[0]))
	}
	switch {
	case m.doc.IsModified():
		add(themes.Changed, "modified")
	case errors.Is(m.doc.CanEdit(m.view.Buffer), model.ErrReadOnly):
		add(themes.Dim, "read-only")
	}
	for _, j := range []*jobs{&m.task, &m.opening, &m.jobs} {
		if j.name != "" {
			add(themes.Accent, fmt.Sprintf("%s %.0f%%", text.Head(j.name, 24), 100*j.progress.Share()))
		}
	}
	switch share, done := m.doc.Indexed(); {
	case !done:
		word := "reading"
		if m.view.Waiting() {
			word = "working"
		}
		add(themes.Accent, fmt.Sprintf("%s %.0f%%", word, 100*share))
	case m.reading != nil && m.checking:
		share, _ := m.reading.Diagnosing()
		add(themes.Accent, fmt.Sprintf("checking %.0f%%", 100*share))
	}
	if n := m.doc.ProblemCount(span.Warning); n > 0 {
		role := themes.Warning
		if m.doc.ProblemCount(span.Error) > 0 {
			role = themes.Error
		}
		add(role, span.Counted(int64(n), "problem"))
	} else if n := m.doc.ProblemCount(span.Note); n > 0 {
		add(themes.Note, span.Counted(int64(n), "note"))
	}
	if len(parts) == 0 {
		return nil
	}
	room := max(0, m.layout.width-nameRoom)
	for len(parts) > 1 && paint.Columns(parts) > room {
		parts = parts[:len(parts)-2] // with the separator before it
	}
	parts[0].Text = text.Head(parts[0].Text, room)
	return append([]paint.Piece{paint.Plain(" ")}, append(parts, paint.Plain(" "))...)
}

// nameRoom is the number of columns that the top line keeps for the file's name,
// the frame and blanks.
const nameRoom = 16

// remedy says what can be done about a file that has changed on disk.
func (m *Model) remedy() string {
	switch {
	case m.changed == source.Gone:
		return ":w! writes it again"
	case !m.doc.IsModified():
		return "R reloads"
	}
	return "R asks"
}
