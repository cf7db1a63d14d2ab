package literals

import (
	"strings"

	"varview/decoder/engine/tree"
)

// Unquote returns the text of a quoted literal, and the mark before the quotes; ok is false if the text
// cannot be typed as it is.
func Unquote(literal string) (mark, text string, ok bool) {
	rest := strings.TrimLeft(literal, "&^")
	mark = literal[:len(literal)-len(rest)]
	if len(mark) > 1 || len(rest) < 2 || rest[0] != '"' || rest[len(rest)-1] != '"' {
		return "", "", false
	}
	var b strings.Builder
	inner := rest[1 : len(rest)-1]
	for i := 0; i < len(inner); i++ {
		c := inner[i]
		switch {
		case c == '"':
			return "", "", false // something follows the closing quote
		case c != '\\':
			b.WriteByte(c)
			continue
		case i+1 == len(inner):
			return "", "", false
		}
		i++
		switch inner[i] {
		case '"', '\\':
			b.WriteByte(inner[i])
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		default:
			return "", "", false
		}
	}
	return mark, b.String(), true
}

// Quote returns the literal of a text.
func Quote(mark, text string) string { return mark + string(tree.AppendQuoted(nil, []byte(text))) }
