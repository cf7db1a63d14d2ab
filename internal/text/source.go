package text

import (
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Next returns how the first character of a text is drawn where each one stands in its own place: with its
// marks, as · if it cannot be shown, and how many bytes and columns it takes. A tab is a blank. The text is
// not empty.
func Next(s string) (shown string, bytes, columns int) {
	switch {
	case s[0] == '\t':
		return " ", 1, 1
	case isPrintable(s[0]) && (len(s) == 1 || s[1] < utf8.RuneSelf):
		return s[:1], 1, 1
	}
	if r, n := utf8.DecodeRuneInString(s); r == utf8.RuneError && n == 1 {
		return "·", 1, 1
	}
	cluster, _ := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
	clean := Clean(cluster)
	if columns = Width(clean); clean == "" || columns == 0 || clean[0] == '\\' && cluster[0] != '\\' {
		return "·", len(cluster), 1
	}
	return clean, len(cluster), columns
}
