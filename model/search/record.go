package search

import (
	"slices"
	"strings"

	"varview/decoder/format"
)

// A Record is something with texts that have names, as a message of a capture has a kind
// and a method. A query can be about records instead of values.
type Record interface {
	// Texts returns the texts with a name, which is one of those with which the query was
	// read; with "" all texts in which a term without a prefix is searched for.
	Texts(name string) []string

	// Content returns the bytes in which x: searches.
	Content() []byte

	// HasProblem reports whether has:problem holds.
	HasProblem() bool
}

// ParseRecordQuery reads a query about records, with a prefix for each of the names.
func ParseRecordQuery(s string, names []format.TextName) (Query, error) {
	p := parser{text: s, names: names, places: []place{inBytes, inProblem}}
	x, err := p.parse()
	return Query{expr: x}, err
}

// named reads a term that has a name as its prefix; nil if there is none here.
func (p *parser) named() (*term, error) {
	name, _, ok := strings.Cut(p.rest(), ":")
	i := slices.IndexFunc(p.names, func(n format.TextName) bool { return n.Name == name })
	if !ok || i < 0 {
		return nil, nil
	}
	start := p.at
	if p.at += len(name) + len(":"); p.ends(p.at) {
		return nil, p.errorf(start, "%s: needs a text, with * and ?, or a comparison, as in %s:>100", name, name)
	}
	t, err := p.plain(inNamed)
	if err != nil {
		return nil, err
	}
	if t.name = name; t.text != nil { // and not a comparison or a regular expression
		t.glob, t.text, t.number, t.word = newGlob(string(t.text.needle)), nil, nil, ""
	}
	return t, p.possible(t, &p.names[i], start)
}

// Holds reports whether the query, which is about records, holds for r.
func (q Query) Holds(r Record) bool { return q.expr.holds(r) }

func (x *expr) holds(r Record) bool {
	switch x.op {
	case opTerm:
		return x.term.holds(r)
	case opNot:
		return !x.parts[0].holds(r)
	}
	for _, part := range x.parts {
		if part.holds(r) == (x.op == opOr) {
			return x.op == opOr
		}
	}
	return x.op == opAnd
}

func (t *term) holds(r Record) bool {
	switch t.in {
	case inBytes:
		return t.bytes.index(r.Content()) >= 0
	case inProblem:
		return r.HasProblem()
	}
	return t.isIn(r.Texts(t.name))
}

// isIn reports whether the term is found in one of some texts.
func (t *term) isIn(texts []string) bool {
	for _, s := range texts {
		text := []byte(s)
		if t.glob != nil && t.glob.matches(text) || t.matchesText(text) || t.matchesField(text) {
			return true
		}
	}
	return false
}
