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
	return append(pieces, p.swatch(r.Colors)...)
}

// swatch draws colours, a single one with its digits.
func (p *Pane) swatch(all [][4]float64) (pieces []paint.Piece) {
	for _, c := range all {
		pieces = append(pieces, paint.Piece{Text: "  ", Paint: p.Styles.Swatch(inspect.RGB(c))}, paint.Plain(" "))
	}
	if len(all) == 1 {
		pieces = append(pieces, paint.In(themes.String, inspect.Hex(all[0])+" "))
	}
	return pieces
}
