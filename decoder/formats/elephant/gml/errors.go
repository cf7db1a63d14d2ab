package gml

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// place returns the position of a token: file:line:column, the column in characters.
func (f *file) place(at *token) string {
	return fmt.Sprintf("%s:%d:%d", f.name, at.line, utf8.RuneCountInString(f.text[at.start:at.off])+1)
}

// A Reason says why there is no schema.
type Reason uint8

// The reasons of a SchemaError.
const (
	NoConstructor Reason = iota + 1 // no file declares the constructor, or one it inherits from
	NoSchema                        // neither the constructor nor an ancestor has a schema
	NoVersion                       // the schema has no such version
	Unreadable                      // it exists, but cannot be read, or is declared twice, differently
)

// A SchemaError says why a version of a constructor's schema is not known.
type SchemaError struct {
	Reason  Reason
	message string
}

func (e *SchemaError) Error() string { return e.message }

// missing returns the error that a constructor, or one that it inherits from, is not declared.
func missing(constructor, ancestor string) error {
	if constructor != ancestor {
		return &SchemaError{NoConstructor, fmt.Sprintf("constructor %q inherits from %q, which no GML file declares", constructor, ancestor)}
	}
	return &SchemaError{NoConstructor, fmt.Sprintf("no GML file declares the constructor %q", constructor)}
}

// listed lists the versions of a schema for a message.
func (c *Constructor) listed() string {
	if len(c.versions) == 0 {
		return "it has no versions"
	}
	var all []string
	for _, n := range c.Versions() {
		all = append(all, "v"+strconv.Itoa(n))
	}
	return "it has " + strings.Join(all, ", ")
}

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

// in returns a function that reports places in f that could not be read.
func (p *problems) in(f *file) func(token, string) {
	return func(at token, message string) {
		if len(p.all) == maxProblems {
			p.more++
			return
		}
		p.all = append(p.all, fmt.Errorf("%s: %s", f.place(&at), message))
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
