package problems

import (
	"fmt"
	"strings"

	"varview/decoder/engine/span"
	"varview/internal/text"
	"varview/themes"
	"varview/ui/action"
	"varview/ui/dialog"
	"varview/ui/paint"
)

// severities are the severities, worst first.
var severities = []span.Severity{span.Error, span.Warning, span.Note}

// Room implements dialog.Roomed.
func (p *Pane) Room() action.Rooms { return action.Problems }

// Place implements dialog.Dialog.
func (p *Pane) Place() dialog.Place {
	if p.Layout.Docked {
		return dialog.BelowPanes
	}
	return dialog.OverPanes
}

// Taken implements dialog.Low.
func (p *Pane) Taken() int {
	if p.Layout.Docked {
		return p.Layout.Rows
	}
	return 0
}

// View draws the list of problems and the details of the selected one.
func (p *Pane) View() []string {
	l, width := &p.Layout, p.Width-2
	border, side := p.Styles.In(themes.Border, "│"), p.Styles.Frame(true, "│")
	var lines []string
	put := func(all ...string) {
		for _, line := range all {
			lines = append(lines, side+line+side)
		}
	}
	put(p.heading(width))
	list, details := p.rows(l.listWidth, l.List), p.viewDetails(l.detailsWidth, l.details)
	if l.beside {
		for i := range list {
			put(list[i] + border + details[i])
		}
		return lines
	}
	put(list...)
	lines = append(lines, p.Styles.Frame(true, "├")+p.Styles.In(themes.Border, strings.Repeat("─", width))+p.Styles.Frame(true, "┤"))
	put(details...)
	return lines
}

// heading counts the listed problems, and names the hidden severities.
func (p *Pane) heading(width int) string {
	pieces := []paint.Piece{paint.Plain(" ")}
	if p.all.problems() == 0 && p.all.Whole && p.Doc.Missing == nil {
		pieces = append(pieces, paint.In(themes.Title, "no problems found  "))
	}
	for _, s := range severities {
		n := p.all.By[s]
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
	if p.all.isUnconfirmed() {
		state = "checking… · " + state
	}
	if more := p.all.More; more > 0 {
		if longer := fmt.Sprintf("%s more are not listed · %s", span.Grouped(int64(more)), state); text.Width(longer) < left {
			state = longer
		}
	}
	if text.Width(state) < left {
		pieces = append(pieces, paint.In(themes.Dim, strings.Repeat(" ", left-text.Width(state))+state))
	}
	return p.Styles.Line(pieces, width, false)
}

// position returns the number of the selected problem, and of all.
func (p *Pane) position() string {
	if len(p.shown) == 0 {
		return ""
	}
	return fmt.Sprintf("%s of %s ", span.Grouped(int64(p.at+1)), span.Grouped(int64(len(p.shown))))
}

// rows draws the rows of the list in view, or a message if there are none.
func (p *Pane) rows(width, height int) []string {
	var lines []string
	end := min(len(p.shown), p.First+height)
	for i := p.First; i < end; i++ {
		p.widest = max(p.widest, text.Width(p.whereOf(p.shown[i])))
	}
	for i := p.First; i < end; i++ {
		lines = append(lines, p.row(p.shown[i], i == p.at, width))
	}
	if len(p.shown) == 0 {
		lines = p.Styles.Paragraph(themes.Dim, p.empty(), width)
	}
	return text.Fill(lines, width, height)
}

// empty explains why nothing is listed.
func (p *Pane) empty() string {
	switch share, _ := p.Doc.Indexed(); {
	case !p.all.isEmpty():
		return "All problems are hidden: e, w and n show errors, warnings and notes again."
	case !p.all.Whole:
		return fmt.Sprintf("No problems found so far. %.0f%% of the file is read.", 100*share)
	case p.Doc.Missing != nil:
		return "No problems found in the part that could be read. " + text.Sentence(p.Doc.WhyMissing().Message)
	}
	if p.Doc.Size() == 0 {
		return "This file is empty, so there is nothing that could be wrong in it. esc closes this list."
	}
	return "Every byte is as the engine expects it. esc closes this list."
}

// whereOf returns the place of a problem as it is listed.
func (p *Pane) whereOf(i int) string {
	if _, ok := p.where[i]; !ok {
		p.where[i] = text.Clean(whereIs(&p.all.All[i]))
	}
	return p.where[i]
}

// row draws a problem in exactly width columns: its severity, whether it can
// be repaired, its place and its message.
func (p *Pane) row(i int, selected bool, width int) string {
	f := &p.all.All[i]
	mark, can := " ", " "
	if selected {
		mark = "›"
	}
	if p.all.canRepair(f) {
		can = "r"
	}
	key, message := themes.Key, themes.Role("")
	if p.all.unconfirmed[f.Buffer] {
		key, message = themes.Dim, themes.Dim
	}
	pieces := []paint.Piece{paint.In(paint.SeverityRoles[f.Severity], paint.SeverityMarks[f.Severity]), paint.In(themes.Accent, mark+" ")}
	if len(p.Doc.Buffers) > 1 {
		pieces = append(pieces, paint.In(themes.Dim, fmt.Sprintf("%d ", f.Buffer.Number)))
	}
	pieces = append(pieces, paint.In(themes.Dim, fmt.Sprintf("%08x ", f.Offset)), paint.In(themes.Accent, can+" "))
	column := min(p.widest, 32, max(8, (width-paint.Columns(pieces))/3))
	pieces = append(pieces, paint.In(key, text.FitLeft(p.whereOf(i), column)+"  "), paint.In(message, text.Head(f.Message, width)))
	return p.Styles.Line(pieces, width, selected)
}
