package tree

import (
	"fmt"
	"strings"

	"varview/decoder/engine/span"
	"varview/internal/text"
	"varview/themes"
	"varview/ui/paint"
)

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
