package gml

import "slices"

// A macro is a #macro: a name that tokens take the place of.
type macro struct {
	body   []token
	config bool // it applies only to one configuration of the project
	torn   bool // there are two, and they differ: it is left as it is
}

// define adds a macro. A definition for all configurations comes before one for a single configuration.
func (l *Library) define(name string, m macro) {
	switch old := l.macros[name]; {
	case old == nil || old.config && !m.config:
		l.macros[name] = &m
	case old.config == m.config && !areAlike(old.body, m.body):
		old.torn = true
	}
}

// areAlike reports whether tokens are spelled alike.
func areAlike(a, b []token) bool {
	return slices.EqualFunc(a, b, func(a, b token) bool { return a.kind == b.kind && a.text == b.text })
}

// Limits of the macros in a text. What exceeds them is left as it is.
const (
	maxMacros   = 64      // how deep they are nested
	maxExpanded = 1 << 20 // tokens
)

// A stream returns the tokens of a text, and those of macros in the place of their names. A token of a macro has the position
// where the macro is used.
type stream struct {
	lexer
	macros   map[string]*macro
	open     []expansion
	use      token // the name of the macro in the text
	expanded int
}

// An expansion is a macro of which tokens are left.
type expansion struct {
	name string
	rest []token
}

func (s *stream) next() token {
	for {
		for len(s.open) > 0 && len(s.open[len(s.open)-1].rest) == 0 {
			s.open = s.open[:len(s.open)-1]
		}
		var t token
		if n := len(s.open); n > 0 {
			inner := &s.open[n-1]
			t, inner.rest = inner.rest[0], inner.rest[1:]
			t.off, t.line, t.start, t.macro = s.use.off, s.use.line, s.use.start, s.use.text
		} else {
			t = s.lexer.next()
			s.use = t
		}
		if t.kind != tWord || !s.enter(t.text) {
			return t
		}
	}
}

// enter begins a macro. It reports whether there is one with the name that is not being expanded already.
func (s *stream) enter(name string) bool {
	m := s.macros[name]
	if m == nil || m.torn || len(s.open) >= maxMacros || slices.ContainsFunc(s.open, func(x expansion) bool { return x.name == name }) {
		return false
	}
	if s.expanded += 1 + len(m.body); s.expanded > maxExpanded {
		return false
	}
	s.open = append(s.open, expansion{name, m.body})
	return true
}

// An enumMember is a member of an enum. Its value is base plus add; base is an expression, nil for 0.
type enumMember struct {
	base []token
	add  int64
	torn bool // there are two, and they differ
}

// maxReferences is the greatest length of a chain of enum members that refer to one another.
const maxReferences = 16

// maxExpression is the number of tokens of an expression that is evaluated.
const maxExpression = 8

// integer returns the value of an expression that is a number, a datatype's constant or a member of an
// enum, with or without parentheses.
func (l *Library) integer(tokens []token, level int) (int64, bool) {
	tokens = unwrap(tokens)
	switch {
	case len(tokens) == 1 && tokens[0].kind == tNumber:
		return tokens[0].integer()
	case len(tokens) == 1:
		d, ok := datatypes[tokens[0].text]
		return int64(d), ok
	case len(tokens) != 3 || tokens[0].kind != tWord || !tokens[1].is(".") || tokens[2].kind != tWord || level > maxReferences:
		return 0, false
	}
	m := l.enums[tokens[0].text+"."+tokens[2].text]
	switch {
	case m == nil || m.torn:
		return 0, false
	case m.base == nil:
		return m.add, true
	}
	s := stream{macros: l.macros, open: []expansion{{rest: m.base}}}
	var base []token
	for t := s.next(); t.kind != tEnd && len(base) <= maxExpression; t = s.next() {
		base = append(base, t)
	}
	n, ok := l.integer(base, level+1)
	return n + m.add, ok
}

// unwrap removes the parentheses around an expression.
func unwrap(tokens []token) []token {
	for len(tokens) > 2 && tokens[0].is("(") && tokens[len(tokens)-1].is(")") {
		tokens = tokens[1 : len(tokens)-1]
	}
	return tokens
}
