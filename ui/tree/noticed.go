package tree

import (
	"context"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/guess"
	"varview/internal/text"
	"varview/model"
	"varview/themes"
	"varview/ui/jobs"
	"varview/ui/paint"
)

// Limits of what is noticed in a file that nobody knows.
const (
	maxNoticed = 1 << 20 // its bytes
	sureNotice = 0.9     // least likelihood
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
		f, err := doc.ToGuess(maxNoticed)
		if err != nil || f == nil {
			return func() tea.Cmd { return p.Report(err) }
		}
		all := guess.Notices(f)
		return func() tea.Cmd {
			p.noticed.all = all
			p.Program.Arrange()
			return nil
		}
	})
}

// HasNoticed reports whether something was noticed in the shown document, which nothing explains.
func (p *Pane) HasNoticed() bool { return p.noticed.of == p.Doc && len(p.noticed.all) > 0 }

// noticedRows lists what is noticed, a row each: where, what, and how a description would say it.
func (p *Pane) noticedRows(width int) (lines []string) {
	if !p.HasNoticed() {
		return nil
	}
	for i := range p.noticed.all {
		n := &p.noticed.all[i]
		if n.Likelihood < sureNotice || n.What == guess.LengthOfText {
			continue
		}
		if len(lines) == 0 {
			lines = append(lines, p.Styles.Line([]paint.Piece{paint.In(themes.Title, " noticed"), paint.In(themes.Dim, "  :guess lists all of it and goes there; :guess gold=120 finds a value")}, width, false))
		}
		pieces := NoticePieces(n, width)
		lines = append(lines, p.Styles.Line(pieces, width, false))
	}
	return lines
}

// NoticePieces draws what is noticed: where, what, and how it reads.
func NoticePieces(n *guess.Notice, width int) []paint.Piece {
	in := ""
	if n.Buffer != "" {
		in = " in " + n.Buffer
	}
	return []paint.Piece{paint.In(themes.Accent, fmt.Sprintf(" %#06x", n.Offset)), paint.In(themes.Dim, text.Head(in, width)), paint.Plain("  " + text.Head(n.What, width)), paint.In(themes.String, "  "+text.Head(n.Value, width))}
}
