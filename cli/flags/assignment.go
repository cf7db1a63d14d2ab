package flags

import (
	"fmt"

	"varview/model"
)

// An Assignment is a PATH=VALUE of the command line.
type Assignment struct {
	Path  string
	Value string // a literal
}

// Assignments reads several PATH=VALUE.
func Assignments(args []string) ([]Assignment, error) {
	var all []Assignment
	for _, arg := range args {
		path, value, ok := model.CutAssignment(arg)
		if !ok {
			return nil, fmt.Errorf("%q is not PATH=VALUE: there is no = outside brackets and quotes", arg)
		}
		all = append(all, Assignment{path, value})
	}
	return all, nil
}
