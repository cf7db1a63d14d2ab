package output

import (
	"strings"

	"varview/decoder/engine/span"
	"varview/internal/text"
)

// AppendPreview appends a title and rows, each cut to width columns of the terminal: label, two blanks, value.
func AppendPreview(dst []byte, title string, rows []string, colors *Palette, width int) []byte {
	line := func(s string, k span.Kind) {
		dst = append(colors.kind(k).off(append(colors.kind(k).on(dst), s...)), '\n')
	}
	line(text.Head(text.Clean(title), width), span.Type)
	for _, row := range rows {
		row = text.Head(text.Clean(row), width)
		indent := len(row) - len(strings.TrimLeft(row, " "))
		label, value, _ := strings.Cut(row[indent:], "  ")
		dst = append(append(append(dst, row[:indent]...), label...), "  "...)
		line(value, span.Value)
	}
	return dst
}
