package spec

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"

	"varview/decoder/engine/format"
	"varview/decoder/engine/lazy"
	"varview/decoder/formats/kaitai/expr"
	"varview/decoder/value/spelling"
)

// A Place is where something is written in a description.
type Place struct {
	File   string
	Line   int // from 1; 0 for none
	Column int // in bytes from 1; 0 for none
}

// String names the file and the line.
func (p Place) String() string { return fmt.Sprintf("%s:%d", p.File, p.Line) }

func (p Place) fail(format string, args ...any) error {
	return &Problem{File: p.File, Line: p.Line, Column: p.Column, Text: fmt.Sprintf(format, args...)}
}

// A Problem is what is wrong with a description.
type Problem = format.DescriptionProblem

// note keeps a problem where all of them are asked for, and returns it otherwise.
func (l *loader) note(err error) error {
	var p *Problem
	if err == nil || !l.isCheck || !errors.As(err, &p) {
		return err
	}
	for _, other := range l.found {
		if other.File == p.File && other.Line == p.Line { // the first on a line is the cause
			return nil
		}
	}
	l.found = append(l.found, p)
	return nil
}

// inText returns the place of an expression's error: that of a name, of what cannot be parsed, or of all of it.
func inText(at Place, text string, err error) Place {
	var name *expr.NameError
	var syntax *expr.SyntaxError
	switch {
	case errors.As(err, &name):
		if m := regexp.MustCompile(`\b` + regexp.QuoteMeta(name.Name) + `\b`).FindStringIndex(text); m != nil {
			at.Column += m[0]
		}
	case errors.As(err, &syntax) && syntax.In == text:
		at.Column += syntax.At
	}
	return at
}

// meant returns what a misspelt word may mean: "; did you mean size?", or "".
func meant(word string, known []string) string {
	if near := spelling.Nearest(word, known); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}

var yamlLine = lazy.Regexp(`^(?:yaml: )?line \d+: `)

// maxYAMLLines is the largest number of lines of a description in which the place of an error is looked for.
const maxYAMLLines = 4000

// inYAML returns a problem for an error of the YAML reader, which names the line in which the part with the error begins, or
// the one before: a description is right up to the line with the error.
func inYAML(file string, text []byte, err error) *Problem {
	message := yamlLine().ReplaceAllString(strings.TrimPrefix(err.Error(), "yaml: "), "")
	p := &Problem{File: file, Text: message}
	lines := strings.SplitAfter(string(text), "\n")
	if len(lines) > maxYAMLLines {
		p.Text = strings.TrimPrefix(err.Error(), "yaml: ")
		return p
	}
	size := len(text)
	for p.Line = len(lines); p.Line > 1; p.Line-- {
		size -= len(lines[p.Line-1])
		if yaml.Unmarshal(text[:size], new(yaml.Node)) == nil {
			break
		}
	}
	line := lines[p.Line-1]
	p.Column = len(line) - len(strings.TrimLeft(line, " ")) + 1
	if tab := strings.IndexByte(line, '\t'); tab >= 0 && strings.Contains(message, "tab character") {
		p.Column, p.Text = tab+1, "a line cannot be indented with tabs"
	} else if colon := strings.LastIndex(line, ": "); colon >= 0 && strings.Contains(message, "mapping values are not allowed") {
		p.Column, p.Text = colon+1, "a colon is not expected here: a text with one needs quotes"
	}
	return p
}
