package paint

import (
	"varview/model/search"
	"varview/themes"
)

// Marked returns a text in which some places are marked as found; all of it if there are none.
func Marked(role themes.Role, s string, places []search.Range) []Piece {
	if len(places) == 0 {
		return []Piece{In(themes.Match, s)}
	}
	var pieces []Piece
	at := 0
	for _, place := range places {
		pieces = append(pieces, In(role, s[at:place.From]), In(themes.Match, s[place.From:place.To]))
		at = place.To
	}
	return append(pieces, In(role, s[at:]))
}
