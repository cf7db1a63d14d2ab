package tree

import (
	"context"
	"path/filepath"

	tea "github.com/charmbracelet/bubbletea"

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
