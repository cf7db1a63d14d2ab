package tree

import (
	"varview/internal/text"
	"varview/model/explore"
	"varview/themes"
	"varview/ui/dialog"
	"varview/ui/paint"
)

// editor returns the editor that is open in the tree or over the panes; nil if there is none.
func (p *Pane) editor() *dialog.Editor {
	if e := dialog.Find[*dialog.Editor](p.Dialogs); e != nil && !e.Inspected {
		return e
	}
	return nil
}

// leastEditor is the number of columns that the typed text gets, or all that it needs, before the type of
// the value gets any.
const leastEditor = 24

// editedRow draws the selected row with the typed text instead of its value or its name. The type is left
// out if there is little room.
func (p *Pane) editedRow(r *explore.Row, width int) line {
	e := p.editor()
	pieces := []paint.Piece{paint.Plain(" "), paint.In(themes.Accent, "✎"), p.indent(r.Indent, width), paint.In(themes.Dim, foldMark(r))}
	if !e.IsKey {
		left := width - paint.Columns(pieces)
		pieces = append(pieces, paint.In(themes.Key, text.Cut(text.Head(r.Label, width), left/3)), paint.Plain("  "))
	}
	kind, room := r.Type, width-paint.Columns(pieces)
	if rest := room - 2 - text.Width(kind); rest >= max(leastEditor, text.Width(e.Text())+1) {
		room = rest
	} else {
		kind = ""
	}
	return line{pieces: append(pieces, e.Pieces(room)...), kind: kind, ground: p.editedGround()}
}

// newRow draws the row of a value that does not exist yet.
func (p *Pane) newRow(selected *explore.Row, width int) line {
	e, indent := p.editor(), 0
	if selected != nil {
		indent = selected.Indent
	}
	if e.Deep {
		indent++
	}
	return line{pieces: e.NewRow([]paint.Piece{p.indent(indent, width)}, width), ground: p.editedGround()}
}

// editedGround returns the background of a row in which text is typed; an underline would hide the
// cursor.
func (p *Pane) editedGround() paint.Paint {
	if !p.Styles.InColour {
		return ""
	}
	return p.Styles.Ground(true)
}
