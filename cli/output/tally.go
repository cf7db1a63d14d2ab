package output

import (
	"strings"

	"varview/decoder/span"
)

// Tally counts problems by severity.
type Tally [span.Error + 1]int64

// String counts the problems in words, the worst first.
func (t Tally) String() string {
	var parts []string
	for s := span.Error; ; s-- {
		if t[s] > 0 {
			parts = append(parts, span.Counted(t[s], s.String()))
		}
		if s == span.Note {
			break
		}
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}
