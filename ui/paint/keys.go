package paint

import (
	"github.com/charmbracelet/bubbles/key"

	"varview/internal/text"
	"varview/themes"
)

// Keys draws keys and what they do.
func Keys(keys []key.Help) []Piece {
	var pieces []Piece
	for _, h := range keys {
		pieces = append(pieces, In(themes.Accent, h.Key), In(themes.Dim, " "+h.Desc+"  "))
	}
	return pieces
}

// FittingKeys returns the keys that fit into width columns: always the last two, and the first ones for
// which there is room.
func FittingKeys(keys []key.Help, width int) []key.Help {
	needed := func() (n int) {
		for _, h := range keys {
			n += text.Width(h.Key) + 1 + text.Width(h.Desc) + 2
		}
		return n
	}
	for len(keys) > 2 && needed() > width {
		keys = append(keys[:len(keys)-3], keys[len(keys)-2:]...)
	}
	return keys
}
