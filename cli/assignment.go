package cli

import (
	"fmt"
	"strings"
)

// An assignment is a PATH=VALUE of the command line.
type assignment struct {
	path  string
	value string // a literal
}

// assignments reads several PATH=VALUE.
func assignments(args []string) ([]assignment, error) {
	var all []assignment
	for _, arg := range args {
		a, ok := cutAssignment(arg)
		if !ok {
			return nil, fmt.Errorf("%q is no PATH=VALUE: no = stands outside of brackets and quotes", arg)
		}
		all = append(all, a)
	}
	return all, nil
}

// cutAssignment cuts at the first "=" outside of brackets and quotes.
func cutAssignment(arg string) (a assignment, ok bool) {
	depth, quoted := 0, false
	for i := 0; i < len(arg); i++ {
		switch c := arg[i]; {
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
			return assignment{strings.TrimSpace(arg[:i]), strings.TrimSpace(arg[i+1:])}, true
		}
	}
	return a, false
}
