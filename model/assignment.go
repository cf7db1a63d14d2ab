package model

import "strings"

// CutAssignment cuts PATH=VALUE at the first "=" outside of brackets and quotes;
// ok is false where there is none.
func CutAssignment(s string) (path, value string, ok bool) {
	depth, quoted := 0, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
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
