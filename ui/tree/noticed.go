package tree

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/engine/span"
	"varview/decoder/guess"
	"varview/internal/text"
	"varview/model"
	"varview/themes"
	"varview/ui/jobs"
	"varview/ui/paint"
)

// noticed is what is noticed in a document that nothing explains.
type noticed struct {
	of  *model.Document
	all []guess.Notice
	job jobs.Job
}

// Notice looks in the background for what can be noticed in a document that nothing explains.
func (p *Pane) Notice() tea.Cmd {
	if !p.Doc.IsUnexplained() || p.noticed.of == p.Doc {
		return nil
	}
	p.noticed.of, p.noticed.all = p.Doc, nil
	doc := p.Doc
	return p.Start(&p.noticed.job, "guessing", func(context.Context, *model.Progress) func() tea.Cmd {
		all, err := doc.Noticed()
		return func() tea.Cmd {
			p.noticed.all = all
			p.Program.Arrange()
			return p.Report(err)
		}
	})
}

// HasNoticed reports whether something was noticed in the shown document, which nothing explains.
func (p *Pane) HasNoticed() bool { return p.noticed.of == p.Doc && len(p.noticed.all) > 0 }

// noticedRows lists what is noticed, a row each: where, what, and the command that goes on.
func (p *Pane) noticedRows(width int) (lines []string) {
	if !p.HasNoticed() {
		return nil
	}
	lines = append(lines, p.Styles.Line([]paint.Piece{paint.In(themes.Title, " noticed"), paint.In(themes.Dim, "  :guess lists all of it and goes there; :guess gold=120 finds a value")}, width, false))
	before := ""
	for i := range p.noticed.all {
		pieces := NoticePieces(p.noticed.all, i, width)
		if command := p.noticed.all[i].Command(filepath.Base(p.Doc.Named())); command != before {
			pieces, before = append(pieces, paint.In(themes.Dim, "  "+command)), command
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
