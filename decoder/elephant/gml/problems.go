package gml

import (
	"errors"
	"fmt"
)

// problems collects errors. If there are very many, it keeps the first.
type problems struct {
	all  []error
	more int
}

// maxProblems is the number of errors that are returned together.
const maxProblems = 100

func (p *problems) add(err error) {
	if len(p.all) == maxProblems {
		p.more++
		return
	}
	p.all = append(p.all, err)
}

// in returns a function that reports places in f that could not be read, at most maxErrors.
func (p *problems) in(f *file) func(token, string) {
	n := 0
	return func(at token, message string) {
		if n++; n <= maxErrors {
			p.add(&SyntaxError{File: f.name, Line: int(at.line), Column: at.column(f.text), Message: message})
		}
	}
}

func (p *problems) join() error {
	if p.more > 0 {
		p.all = append(p.all, fmt.Errorf("and %d more errors in the GML files", p.more))
	}
	if len(p.all) == 1 {
		return p.all[0]
	}
	return errors.Join(p.all...)
}
