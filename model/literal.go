package model

import (
	"strings"

	"varview/decoder/tree"
)

// CutAssignment cuts PATH=VALUE at the first "=" outside of brackets and quotes;
// ok is false where there is none.
func CutAssignment(s string) (path, value string, ok bool) {
	depth := 0
	for i, c := range tree.Unquoted(s) {
		switch {
		case c == '[', c == '{':
			depth++
		case c == ']', c == '}':
			depth--
		case c == '=' && depth <= 0:
			return strings.TrimSpace(s[:i]), strings.TrimSpace(s[i+1:]), true
		}
	}
	return "", "", false
}
