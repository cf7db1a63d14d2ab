package ui

import (
	"fmt"
	"strings"

	"varview/decoder/span"
	"varview/themes"
	"varview/ui/paint"
	"varview/ui/text"
)

// severities are listed with the worst first.
var severities = []span.Severity{span.Error, span.Warning, span.Note}

// problemLines draw the list of problems and the details of the selected one.
func (m *Model) problemLines() []string {
	l := &m.problems.layout
	border := m.styles.In(themes.Border, "│")
	width := m.layout.width - 2
	lines := []string{m.problemHeading(width)}
	list, details := m.problemList(l.listWidth, l.list), m.problemDetails(l.detailsWidth, l.details)
	if l.beside {
		for i := range list {
			lines = append(lines, list[i]+border+details[i])
		}
	} else {
		lines = append(lines, list...)
		rule := len(lines)
		lines = append(append(lines, ""), details...)
		lines[rule] = m.styles.In(themes.Border, strings.Repeat("─", width))
	}
	m.overlay(lines, width, -1)
	for i := range lines {
		if left, right := border, border; !l.beside && i == 1+l.list {
			left, right = m.styles.In(themes.Border, "├"), m.styles.In(themes.Border, "┤")
			lines[i] = left + lines[i] + right
		} else {
			lines[i] = left + lines[i] + right
		}
	}
	return lines
}

// problemHeading counts the listed problems, and names the severities that are
// hidden.
func (m *Model) problemHeading(width int) string {
	p := m.problems
	pieces := []paint.Piece{paint.Plain(" ")}
	if p.all.problems() == 0 && p.all.whole && m.doc.Missing == nil {
		pieces = append(pieces, paint.In(themes.Title, "no problems found  "))
	}
	for _, s := range severities {
		n := p.all.by[s]
		if n == 0 && !p.hidden[s] {
			continue
		}
		count, role := paint.SeverityMarks[s]+" "+span.Counted(int64(n), s.String()), paint.SeverityRoles[s]
		if p.hidden[s] {
			count, role = count+" hidden", themes.Dim
		}
		pieces = append(pieces, paint.In(role, count+"  "))
	}
	state, left := p.position(), width-paint.Columns(pieces)
	if m.doc.AwaitsDiagnosis() {
		state = "checking… · " + state
	}
	if more := p.all.more; more > 0 {
		if longer := fmt.Sprintf("%s more are not listed · %s", span.Grouped(int64(more)), state); text.Width(longer) < left {
			state = longer
		}
	}
	if text.Width(state) < left {
		pieces = append(pieces, paint.In(themes.Dim, strings.Repeat(" ", left-text.Width(state))+state))
	}
	return m.styles.Line(pieces, width, false)
}

// position is the number of the selected problem, and of all.
func (p *problemsPane) position() string {
	if len(p.shown) == 0 {
		return ""
	}
	return fmt.Sprintf("%s of %s ", span.Grouped(int64(p.at+1)), span.Grouped(int64(len(p.shown))))
}

// problemList draws the rows of the list in view, or a message if there are none.
func (m *Model) problemList(width, height int) []string {
	p := m.problems
	var lines []string
	for i := p.top; i < len(p.shown) && i < p.top+height; i++ {
		lines = append(lines, m.problemRow(p.shown[i], i == p.at, width))
	}
	if len(p.shown) == 0 {
		for _, line := range text.Wrap(m.emptyProblems(), width-4) {
			lines = append(lines, m.styles.Line([]paint.Piece{paint.Plain("  "), paint.In(themes.Dim, line)}, width, false))
		}
	}
	for len(lines) < height {
		lines = append(lines, strings.Repeat(" ", width))
	}
	return lines[:height]
}

// emptyProblems explains why nothing is listed.
func (m *Model) emptyProblems() string {
	p := m.problems
	switch share, _ := m.doc.Indexed(); {
	case !p.all.isEmpty():
		return "All problems are hidden: e, w and n show errors, warnings and notes again."
	case !p.all.whole:
		return fmt.Sprintf("No problems found so far. %.0f%% of the file is read.", 100*share)
	case m.doc.Missing != nil:
		return "No problems found in the part that could be read. " + sentence(m.doc.WhyMissing().Message)
	}
	return "Every byte is as the engine expects it. esc closes this list."
}

// problemRow draws a problem in exactly width columns: its severity, whether it can
// be repaired, its place and its message.
func (m *Model) problemRow(i int, selected bool, width int) string {
	p := m.problems
	f := &p.all.list[i]
	where, ok := p.where[i]
	if !ok {
		where = whereIs(f)
		p.where[i] = where
	}
	mark, can := " ", " "
	if selected {
		mark = "›"
	}
	if f.Repair != "" {
		can = "r"
	}
	pieces := []paint.Piece{paint.In(paint.SeverityRoles[f.Severity], paint.SeverityMarks[f.Severity]), paint.In(themes.Accent, mark+" ")}
	if len(m.doc.Buffers) > 1 {
		pieces = append(pieces, paint.In(themes.Dim, fmt.Sprintf("%d ", f.Buffer.Number)))
	}
	pieces = append(pieces, paint.In(themes.Dim, fmt.Sprintf("%08x ", f.Offset)), paint.In(themes.Accent, can+" "))
	column := min(32, max(8, (width-paint.Columns(pieces))/3))
	path := text.CutLeft(text.Clean(where), column)
	pieces = append(pieces, paint.In(themes.Key, path+strings.Repeat(" ", column-text.Width(path)+2)), paint.Plain(text.Head(f.Message, width)))
	return m.styles.Line(pieces, width, selected)
}
