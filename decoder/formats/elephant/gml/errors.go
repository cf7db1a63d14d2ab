package gml

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// A syntaxError is a place in a file that could not be read.
type syntaxError struct {
	File         string
	Line, Column int // position from 1, the column in characters
	Message      string
}

func (e *syntaxError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
}

// A Reason says why there is no schema.
type Reason uint8

// The reasons of a SchemaError.
const (
	NoConstructor   Reason = iota + 1 // no file declares the constructor, or one it inherits from
	NoSchema                          // neither the constructor nor an ancestor has a schema
	NoVersion                         // the schema has no such version
	Contradiction                     // declared twice, differently
	UnknownDatatype                   // the value of a member is not a datatype known from the files
	Unreadable                        // it exists, but not in a form that can be read
)

// A SchemaError says why a version of a constructor's schema is not known.
type SchemaError struct {
	Reason      Reason
	Constructor string // the constructor that was asked for
	Version     int
	Missing     string // NoConstructor: the name that no file declares, Constructor or an ancestor
	Owner       string // the constructor in which the schema was searched for
	Versions    []int  // NoVersion: the versions that exist, ascending

	File         string // the file of the declaration; "" if there is none
	Line, Column int    // position from 1; the column is 0 for a declaration as a whole
	OtherFile    string // Contradiction: the other declaration
	OtherLine    int
	Member       string // UnknownDatatype: the member, also of a Contradiction within a version
	Text         string // what was found instead: the value, or the macro that is defined twice
}

func (e *SchemaError) Error() string {
	switch e.Reason {
	case NoConstructor:
		if e.Missing != e.Constructor {
			return fmt.Sprintf("constructor %q inherits from %q, which no GML file declares", e.Constructor, e.Missing)
		}
		return fmt.Sprintf("no GML file declares the constructor %q", e.Constructor)
	case NoSchema:
		return fmt.Sprintf("constructor %q has no ELEPHANT_SCHEMA, and inherits none", e.Constructor)
	case NoVersion:
		return fmt.Sprintf("%s has no v%d (%s)", e.schema(), e.Version, e.has())
	case Contradiction:
		if e.Member != "" && e.File == e.OtherFile {
			return fmt.Sprintf("%s: member %q is declared twice in v%d", place(e.File, e.Line, e.Column), e.Member, e.Version)
		}
		return fmt.Sprintf("v%d of %s is declared differently in %s and %s%s", e.Version, e.schema(),
			place(e.File, e.Line, e.Column), place(e.OtherFile, e.OtherLine, 0), e.about())
	case UnknownDatatype:
		return fmt.Sprintf("%s: %q is not a datatype, for %q in v%d of %s",
			place(e.File, e.Line, e.Column), e.Text, e.Member, e.Version, e.schema())
	}
	return fmt.Sprintf("%s: %s; v%d of %s cannot be read", place(e.File, e.Line, e.Column), e.Text, e.Version, e.schema())
}

// schema names the schema that was searched.
func (e *SchemaError) schema() string {
	if e.Owner == "" || e.Owner == e.Constructor {
		return fmt.Sprintf("the schema of %q", e.Constructor)
	}
	return fmt.Sprintf("the schema of %q, which %q inherits,", e.Owner, e.Constructor)
}

func (e *SchemaError) has() string {
	if len(e.Versions) == 0 {
		return "it has no versions"
	}
	b := strings.Builder{}
	b.WriteString("it has")
	for i, v := range e.Versions {
		if i > 0 {
			b.WriteString(",")
		}
		b.WriteString(" v" + strconv.Itoa(v))
	}
	return b.String()
}

func (e *SchemaError) about() string {
	switch {
	case e.Member != "":
		return fmt.Sprintf(" (member %q)", e.Member)
	case e.Text != "":
		return fmt.Sprintf(" (macro %q)", e.Text)
	}
	return ""
}

func place(file string, line, column int) string {
	if column == 0 {
		return fmt.Sprintf("%s:%d", file, line)
	}
	return fmt.Sprintf("%s:%d:%d", file, line, column)
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

// in returns a function that reports places in f that could not be read, up to maxErrors of them.
func (p *problems) in(f *file) func(token, string) {
	n := 0
	return func(at token, message string) {
		if n++; n <= maxErrors {
			p.add(&syntaxError{File: f.name, Line: int(at.line), Column: at.column(f.text), Message: message})
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
