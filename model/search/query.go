package search

import (
	"strings"

	"varview/decoder/format"
	"varview/decoder/tree"
)

// A Query says what to look for. The zero Query looks for nothing.
type Query struct {
	expr *expr
	// sole is the only term of a query about fields and bytes: a text, a number, a word, or
	// bytes. Any other query is about values.
	sole *term
}

// String returns the query as it can be typed, with single blanks.
func (q Query) String() string {
	if q.expr == nil {
		return ""
	}
	return q.expr.String()
}

// ParseQuery reads a query in the language that docs/search.md describes. The error says
// where the query is wrong and how to correct it.
func ParseQuery(s string) (Query, error) { return ParseValueQuery(s, nil) }

// ParseQueryOf is ParseQuery with a prefix for each name of the texts that the values of a
// tree have.
func ParseQueryOf(t *tree.Tree, s string) (Query, error) {
	if r, ok := t.Reading.(format.Recorder); ok {
		return ParseValueQuery(s, r.TextNames())
	}
	return ParseQuery(s)
}

// ParseValueQuery is ParseQuery with a prefix for each of the names.
func ParseValueQuery(s string, names []format.TextName) (Query, error) {
	p := parser{text: s, names: names, places: []place{inKey, inValue, inType, inPath, inBytes, inProblem}}
	x, err := p.parse()
	if err != nil {
		return Query{}, err
	}
	q := Query{expr: x}
	if t := x.term; t != nil && t.isAboutFields() {
		q.sole = t
	}
	return q, nil
}

// An op is how the parts of an expression are combined.
type op uint8

const (
	opTerm op = iota
	opAnd
	opOr
	opNot
)

// An expr is a query or a part of it.
type expr struct {
	op    op
	term  *term   // of opTerm
	parts []*expr // of the other kinds; one for opNot
}

// String returns the expression as it can be typed.
func (x *expr) String() string {
	switch x.op {
	case opTerm:
		return x.term.String()
	case opNot:
		p := parser{text: "-" + x.parts[0].within(opNot)}
		if p.isNegative() {
			return "-(" + p.text[1:] + ")"
		}
		return p.text
	}
	var b strings.Builder
	for i, part := range x.parts {
		s := part.within(x.op)
		switch {
		case i > 0 && x.op == opOr:
			b.WriteString(" | ")
		case i > 0:
			b.WriteByte(' ')
		}
		if x.op == opAnd && i+1 < len(x.parts) && part.endsInBytes() && isHexWord(x.parts[i+1].within(opAnd)) {
			s = "(" + s + ")"
		}
		b.WriteString(s)
	}
	return b.String()
}

// endsInBytes reports whether hex digits after the expression would be read as a part of it.
func (x *expr) endsInBytes() bool {
	return x.op == opTerm && x.term.in == inBytes || x.op == opNot && x.parts[0].endsInBytes()
}

// isHexWord reports whether the first word of a query could belong to bytes before it.
func isHexWord(s string) bool {
	p := parser{text: s}
	return isHex(p.word())
}

// within returns the expression as it is typed as a part of another one.
func (x *expr) within(outer op) string {
	if x.op == opTerm || x.op == opNot || x.op == opAnd && outer == opOr {
		return x.String()
	}
	return "(" + x.String() + ")"
}

// uses reports whether the expression has a term that is searched for in the given place.
func (x *expr) uses(in place) bool {
	if x.op == opTerm {
		return x.term.in == in
	}
	for _, part := range x.parts {
		if part.uses(in) {
			return true
		}
	}
	return false
}

// required returns the longest known text that is in the bytes of every key or value for
// which the expression holds; nil if none is known.
func (x *expr) required() *text {
	switch x.op {
	case opTerm:
		return x.term.required()
	case opAnd:
		var longest *text
		for _, part := range x.parts {
			if t := part.required(); t != nil && (longest == nil || len(t.needle) > len(longest.needle)) {
				longest = t
			}
		}
		return longest
	}
	return nil
}
