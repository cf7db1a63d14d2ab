package text

import "strings"

// Wrap breaks text between words into lines of at most width columns. A word
// that is longer is cut.
func Wrap(s string, width int) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(Clean(s)) {
		switch {
		case line == "":
			line = word
		case Width(line)+1+Width(word) <= width:
			line += " " + word
		default:
			lines = append(lines, Cut(line, width))
			line = word
		}
	}
	if line != "" {
		lines = append(lines, Cut(line, width))
	}
	return lines
}
