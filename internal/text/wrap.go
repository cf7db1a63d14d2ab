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

// Sentence returns s with a capital at its start and a full stop at its end.
func Sentence(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:] + "."
}

// Join joins the texts that are not empty with a middle dot.
func Join(parts ...string) string {
	var some []string
	for _, p := range parts {
		if p != "" {
			some = append(some, p)
		}
	}
	return strings.Join(some, " · ")
}
