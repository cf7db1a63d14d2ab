package cli

import (
	"fmt"

	"varview/model"
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
		path, value, ok := model.CutAssignment(arg)
		if !ok {
			return nil, fmt.Errorf("%q is no PATH=VALUE: no = stands outside of brackets and quotes", arg)
		}
		all = append(all, assignment{path, value})
	}
	return all, nil
}
