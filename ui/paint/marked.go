package paint

import (
	"varview/model/search"
	"varview/themes"
)

// Marked returns a text in which places are marked as found; if there are none, all of it is.
func Marked(role themes.Role, s string, places []search.Place) []Piece {
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
