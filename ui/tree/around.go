package tree

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/guess"
	"varview/internal/text"
	"varview/model"
	"varview/model/bytesize"
	"varview/themes"
	"varview/ui/jobs"
	"varview/ui/paint"
)

// noticed is what is noticed in a document that nothing explains.
type noticed struct {
	in  *model.Document
	of  *tree.Tree // its bytes
	all []guess.Notice
	job jobs.Job
}

// Notice looks in the background for what can be noticed in a document that nothing explains.
func (p *Pane) Notice() tea.Cmd {
	doc, now := p.Doc, p.Doc.Innermost().Tree()
	if !doc.IsUnexplained() || p.noticed.of == now {
		return nil
	}
	if p.noticed.in != doc { // else what was noticed before an edit stays until it is known what is noticed after it
		p.noticed.all = nil
	}
	p.noticed.in, p.noticed.of = doc, now
	return p.Start(&p.noticed.job, "guessing", func(context.Context, *model.Progress) func() tea.Cmd {
		all, err := doc.Noticed()
		return func() tea.Cmd {
			p.noticed.all = all
			p.Program.Arrange()
			return p.Report(err)
		}
	})
}

// Noticed returns the number of rows that say what was noticed in the shown document, which nothing explains.
func (p *Pane) Noticed() int {
	if p.noticed.in != p.Doc || len(p.noticed.all) == 0 {
		return 0
	}
	return len(p.noticed.all) + noticedAround
}

// noticedAround is the number of lines around what is noticed: two blank ones and a heading.
const noticedAround = 3

// noticedRows lists what is noticed, a row each: where, what, and the command that goes on.
func (p *Pane) noticedRows(width int) (lines []string) {
	if p.Noticed() == 0 {
		return nil
	}
	lines = append(lines, p.Styles.Line([]paint.Piece{paint.In(themes.Title, " noticed"), paint.In(themes.Dim, "  :guess lists it all and goes there, :guess gold=120 finds a value")}, width, false))
	before := ""
	for i := range p.noticed.all {
		pieces := NoticePieces(p.noticed.all, i, width)
		command := p.noticed.all[i].Command(filepath.Base(p.Doc.Named()))
		if gap := width - 1 - paint.Columns(pieces) - text.Width("$ "+command); command != before && gap > 1 {
			pieces, before = append(pieces, paint.In(themes.Dim, strings.Repeat(" ", gap)+"$ "+command)), command
		}
		lines = append(lines, p.Styles.Line(pieces, width, false))
	}
	return lines
}

// NoticePieces draws one of the things that are noticed, in columns: where, what, and how it reads.
func NoticePieces(all []guess.Notice, at, width int) []paint.Piece {
	where, what := 0, 0
	for i := range all {
		where, what = max(where, text.Width(all[i].Where())), max(what, text.Width(all[i].What))
	}
	n := &all[at]
	return []paint.Piece{paint.In(themes.Accent, " "+text.Fit(n.Where(), where)), paint.Plain("  " + text.Fit(n.What, min(what, width/2))), paint.In(themes.String, "  "+text.Head(n.Value, width))}
}

// problemLines are a rule, two lines of what is wrong, the line of the description, and a mark below that.
const problemLines = 5

// ProblemLines returns the number of lines for what is wrong with the description; 0 for nothing.
func (p *Pane) ProblemLines() int {
	if len(p.Described.Problems) == 0 {
		return 0
	}
	return problemLines
}

// problem draws the first problem of the description: where, what, and its line.
func (p *Pane) problem(width int) []string {
	if p.Layout.problem == 0 {
		return nil
	}
	first := p.Described.Problems[0]
	where := fmt.Sprintf("─ %s:%d:%d ", first.File, first.Line, first.Column)
	if more := len(p.Described.Problems) - 1; more > 0 {
		where += fmt.Sprintf("· %s more: varview ksy check ", span.Counted(int64(more), "problem"))
	}
	where = text.Head(where, width)
	lines := []string{p.Styles.In(themes.Border, where+strings.Repeat("─", max(0, width-text.Width(where))))}
	what := p.Styles.Paragraph(themes.Error, first.Text, width)
	lines = append(lines, what[:min(2, len(what))]...)
	source, mark, _ := strings.Cut(first.Mark(), "\n")
	lines = append(lines, p.Styles.Line([]paint.Piece{paint.Plain(text.Head(text.Clean(source), width))}, width, false))
	lines = append(lines, p.Styles.Line([]paint.Piece{paint.In(themes.Accent, text.Head(mark, width))}, width, false))
	return text.Fill(lines, width, p.Layout.problem)
}

// dim draws rows as those of a tree that is out of date.
func dim(rows []line) {
	for i := range rows {
		for _, pieces := range [][]paint.Piece{rows[i].pieces, rows[i].drawn} {
			for j := range pieces {
				pieces[j].Role = themes.Dim
			}
		}
	}
}

// layers draws the lines above the tree if there are several buffers: a row for each and a rule, or one
// row that names the one shown.
func (p *Pane) layers() []string {
	l := &p.Layout
	switch {
	case l.layerRows == 0:
		return nil
	case !l.layerRule:
		b := p.Explorer.Buffer
		which := fmt.Sprintf("buffer %d (of 0–%d)", b.Number, len(p.Doc.Buffers)-1)
		return []string{p.Styles.Line([]paint.Piece{p.worst(b), paint.In(themes.Accent, "● "), paint.In(themes.Title, which), paint.In(themes.Accent, "  < >"), paint.In(themes.Dim, " · "+b.Title()+" · "+bytesize.Format(b.Size()))}, l.Width, false)}
	}
	var lines []string
	for _, b := range p.Doc.Buffers {
		pieces := []paint.Piece{p.worst(b), paint.Plain("  "), paint.In(themes.Dim, fmt.Sprint(b.Number, " ")), paint.Plain(b.Title()), paint.In(themes.Dim, " · "+bytesize.Format(b.Size()))}
		if b == p.Explorer.Buffer {
			pieces[1], pieces[3].Role = paint.In(themes.Accent, "● "), themes.Title
		}
		lines = append(lines, p.Styles.Line(pieces, l.Width, false))
	}
	return append(lines, p.Styles.In(themes.Border, strings.Repeat("─", l.Width)))
}

// worst returns the mark of a buffer's worst problem that is more than a note.
func (p *Pane) worst(b *model.Buffer) paint.Piece {
	for _, s := range []span.Severity{span.Error, span.Warning} {
		if b.ProblemCount(s) > 0 {
			return paint.In(paint.SeverityRoles[s], paint.SeverityMarks[s])
		}
	}
	return paint.Plain(" ")
}

// clickLayer shows the buffer of a row; if there is one row for all, a click goes outward on its left
// half and inward on its right.
func (p *Pane) clickLayer(row, x int) {
	number := row
	if !p.Layout.layerRule {
		number = p.Explorer.Buffer.Number + 1
		if x <= p.Layout.Width/2 {
			number -= 2
		}
	}
	if number >= 0 && number < len(p.Doc.Buffers) {
		p.LeapTo(p.Doc.Buffers[number])
	}
}

// missing explains why there are no values, and what to do.
func (p *Pane) missing(width int) []string {
	if p.Doc.Missing == nil || p.Explorer.Buffer != p.Doc.Innermost() {
		return nil
	}
	role := themes.Note
	hint := ""
	switch {
	case p.Doc.IsLocked():
		role, hint = themes.Warning, ":password asks for it, :key for 64 hex digits."
	case p.Doc.IsDeferred() && !p.Opening.Runs():
		hint = ":unpack does that."
	case p.Doc.IsCut():
		role, hint = themes.Error, ":unpack 2G allows it more room."
	case !p.Doc.IsDeferred():
		role = themes.Error
	}
	lines := append([]string{strings.Repeat(" ", width)}, p.Styles.Paragraph(role, text.Sentence(p.Doc.WhyMissing().Message), width)...)
	return append(lines, p.Styles.Paragraph(themes.Dim, hint, width)...)
}
