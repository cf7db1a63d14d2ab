package tree

import (
	"varview/model/explore"
	"varview/model/inspect"
	"varview/themes"
	"varview/ui/paint"
)

// swatches draws the colours of a row: one with its digits, many beside each other.
func (p *Pane) swatches(r *explore.Row) []paint.Piece {
	if r.Open && len(r.Colors) > 1 {
		return nil
	}
	var pieces []paint.Piece
	if len(r.Colors) > 1 {
		pieces = append(pieces, paint.Plain("  "))
	}
	for _, c := range r.Colors {
		pieces = append(pieces, paint.Piece{Text: "  ", Paint: p.Styles.Swatch(inspect.RGB(c))}, paint.Plain(" "))
	}
	if len(r.Colors) == 1 {
		pieces = append(pieces, paint.In(themes.String, inspect.Hex(r.Colors[0])+" "))
	}
	return pieces
}
