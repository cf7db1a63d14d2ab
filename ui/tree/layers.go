package tree

import (
	"fmt"
	"strings"

	"varview/decoder/engine/span"
	"varview/internal/text"
	"varview/model"
	"varview/model/bytesize"
	"varview/themes"
	"varview/ui/paint"
)

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
		return []string{p.Styles.Line([]paint.Piece{p.worst(b), paint.In(themes.Accent, "● "), paint.In(themes.Title, which), paint.In(themes.Accent, "  < >"), paint.In(themes.Dim, about(b))}, l.Width, false)}
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

func about(b *model.Buffer) string {
	return " · " + b.Title() + " · " + bytesize.Format(b.Size())
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
