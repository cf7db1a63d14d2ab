// Package info describes what the cursor is on.
package info

import (
	"fmt"

	"varview/decoder/engine/span"
	"varview/internal/text"
	"varview/model/explore"
	"varview/themes"
	"varview/ui/desk"
	"varview/ui/paint"
)

// A Pane is the lines below the tree and the bytes.
type Pane struct{ *desk.Desk }

// Height is the number of lines.
const Height = 2

// View describes the cursor's place and the byte under it.
func (p Pane) View() []string {
	width := p.Width - 2
	switch {
	case p.Selection.Active:
		return p.selection(width)
	case p.Explorer.Buffer.IsPlain():
		return p.plain(width)
	}
	d := p.Explorer.Describe(2 * width)
	if d.Pending {
		return []string{
			p.Styles.Line([]paint.Piece{paint.In(themes.Key, fmt.Sprintf(" %#x", p.Explorer.Offset()))}, width, false),
			p.Styles.Line([]paint.Piece{paint.In(themes.Dim, " not read that far yet")}, width, false),
		}
	}
	where := d.Type
	switch {
	case d.NoBytes:
		where = text.Join(where, fmt.Sprintf("no bytes at %#x", d.Value.Offset))
	case d.Value.Length > 0:
		where = text.Join(where, d.Value.String(), span.Bytes(d.Value.Length))
	}
	second := p.field(d, width)
	role := themes.Key
	if c := p.Explorer.Difference(); c != nil && p.Under == desk.OnTree {
		if second = p.differing(c, width); c.B == nil {
			role, d.Path, where = themes.Removed, c.Path, "only the other file has it"
		}
	}
	where = text.Head(where, width*2/3)
	path := text.CutLeft(text.Clean(d.Path), width-3-text.Width(where))
	first := []paint.Piece{paint.Plain(" "), paint.In(role, text.Fit(path, width-2-text.Width(where))), paint.In(themes.Dim, where), paint.Plain(" ")}
	return []string{p.Styles.Line(first, width, false), p.Styles.Line(second, width, false)}
}

// plain describes the cursor's place in a buffer without values.
func (p Pane) plain(width int) []string {
	at := []paint.Piece{paint.In(themes.Key, fmt.Sprintf(" %#x", p.Explorer.Offset())), paint.In(themes.Dim, " of "+span.Bytes(p.Explorer.Buffer.Size()))}
	kind := "this is not a save: " + p.Doc.Title
	if p.Doc.IsUnexplained() {
		kind = "it is not known what this is: ! says what was tried"
	}
	what := []paint.Piece{paint.Plain(" "), paint.In(themes.Note, text.Head(kind, width-2))}
	return []string{p.Styles.Line(at, width, false), p.Styles.Line(what, width, false)}
}

// mostFields is the number of fields of a value that are shown before its meaning.
const mostFields = 8

// field explains the value or the byte under the cursor: its problem, its fields and its meaning.
func (p Pane) field(d explore.Description, width int) []paint.Piece {
	pieces := []paint.Piece{paint.Plain(" ")}
	problem := func() {
		pieces = append(pieces, paint.In(paint.SeverityRoles[d.Severity], paint.SeverityMarks[d.Severity]+" "+text.Head(d.Problem, width)+"  "))
	}
	isNote := d.Severity == span.Note // which is worth less than what is there
	if d.Problem != "" && !isNote {
		problem()
	}
	for _, note := range d.Notes {
		pieces = append(pieces, paint.In(themes.Ref, text.Head(note, 4*width)+"  "))
	}
	f := d.Field
	for _, own := range d.Fields {
		if p.ShowsText() || len(d.Fields) > mostFields {
			break // the text beside the tree shows them, or the inspector
		}
		pieces = append(pieces, paint.In(themes.OfKind(own.Kind.String()), fmt.Sprintf("%c %s %s  ", own.Kind.Mark(), own.Label, span.Grouped(own.Length))))
	}
	if d.Each != "" {
		pieces = append(pieces, paint.In(themes.Value, fmt.Sprintf("%c %s  ", span.Value.Mark(), d.Each)))
	}
	if f.Length > 0 {
		pieces = append(pieces, paint.In(themes.OfKind(f.Kind.String()), fmt.Sprintf("%c %s", f.Kind.Mark(), f.Kind)))
		if f.Label != f.Kind.String() {
			pieces = append(pieces, paint.Plain(" "+f.Label))
		}
		pieces = append(pieces, paint.In(themes.Dim, " · "+text.Join(f.Span.String(), span.Bytes(f.Length))+"  "))
	}
	if d.Meaning != "" {
		pieces = append(pieces, paint.In(themes.Dim, "→ "), paint.Plain(text.Head(d.Meaning, width)))
	}
	if f.Length > 0 {
		pieces = append(pieces, paint.In(themes.Dim, "  "+f.Kind.Meaning()))
	}
	if d.Problem != "" && isNote {
		pieces = append(pieces, paint.Plain("  "))
		problem()
	}
	return pieces
}
