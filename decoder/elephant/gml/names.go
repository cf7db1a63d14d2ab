package gml

import "strings"

// A macro is a #macro: a name that is replaced by a text.
type macro struct {
	name, text string
	file       string
	line       int
	config     bool   // it applies only to one configuration of the project
	rival      *macro // another definition of the name, with other text
}

// An enumMember is a member of an enum: its value is base plus add; base is the text of an
// expression, "" for 0.
type enumMember struct {
	base string
	add  int64
	file *file
	torn bool // there are two, and they differ
}

// Names that have a meaning for Elephant, and what its macros replace them with. They are
// defined here so that Elephant's own GML need not be among the files.
const (
	wordSchema   = "ELEPHANT_SCHEMA"
	nameSchema   = "__Elephant_Schema__"
	wordForce    = "ELEPHANT_FORCE_VERSION"
	nameForce    = "__Elephant_Force_Version__"
	wordExclude  = "ELEPHANT_VERBOSE_EXCLUDE"
	nameExclude  = "__Elephant_Verbose_Exclude__"
	wordVerbose  = "ELEPHANT_VERSION_VERBOSE"
	nameVerbose  = "__Elephant_Version_Verbose__"
	methodSuffix = "_METHOD" // ELEPHANT_PRE_READ_METHOD and three more: "static … = function()"
)

var elephantNames = map[string]string{wordForce: nameForce, wordExclude: nameExclude, wordVerbose: nameVerbose}

// isKnown reports whether a macro of this name is Elephant's own.
func isKnown(name string) bool {
	_, isDatatype := datatypes[name]
	return isDatatype || name == wordSchema || elephantNames[name] != "" || isMethod(name)
}

func isMethod(name string) bool {
	return strings.HasPrefix(name, "ELEPHANT_") && strings.HasSuffix(name, methodSuffix)
}

// define adds m. A definition for all configurations comes before one for a single
// configuration.
func define(all map[string]*macro, m macro) {
	switch old := all[m.name]; {
	case old == nil || old.config && !m.config:
		all[m.name] = &m
	case old.config == m.config && old.rival == nil && !sameTokens(old.text, m.text):
		old.rival = &m
	}
}

func sameTokens(a, b string) bool {
	if a == b {
		return true
	}
	x, y := newLexer(a), newLexer(b)
	for {
		s, t := x.next(), y.next()
		if s.kind != t.kind || s.text != t.text {
			return false
		}
		if s.kind == tEnd {
			return true
		}
	}
}

// collect adds the macros and enums of f to the library, and reports what is not valid GML.
func (l *Library) collect(f *file, report func(token, string)) {
	x := newLexer(f.text)
	x.fail = report
	x.macro = func(name, config, body token) {
		if isKnown(name.text) {
			return
		}
		m := macro{name: name.text, text: strings.TrimSpace(body.text), file: f.name, line: int(name.line), config: config.text != ""}
		if l.names++; l.names > maxNames {
			report(name, "this macro is left out: there are more than can be kept")
			return
		}
		define(f.macros, m)
		define(l.macros, m)
	}
	for t := x.next(); t.kind != tEnd; t = x.next() {
		if t.isWord("enum") {
			l.collectEnum(f, &x, report)
		}
	}
}

// collectEnum reads "Name { A = 1, B }".
func (l *Library) collectEnum(f *file, x *lexer, report func(token, string)) {
	name := x.next()
	if open := x.next(); name.kind != tWord || !open.is("{") {
		return
	}
	m := enumMember{file: f}
	for {
		key := x.next()
		if key.kind != tWord {
			return // the closing brace, or something that does not belong here
		}
		t := x.next()
		if t.is("=") {
			m.base, t = expression(x)
			m.add = 0
		}
		if l.names++; l.names > maxNames {
			report(key, "this member is left out: there are more than can be kept")
			return
		}
		full := name.text + "." + key.text
		if old, ok := l.enums[full]; ok {
			old.torn = old.torn || old.base != m.base || old.add != m.add
		} else {
			kept := m
			l.enums[full] = &kept
		}
		m.add++
		if !t.is(",") {
			return
		}
	}
}

// maxExpression and maxExpressionText are the numbers of tokens and bytes of an
// expression that is evaluated.
const (
	maxExpression     = 8
	maxExpressionText = 256
)

// expression takes the tokens up to a comma or closing bracket, and returns their text and
// that token. The text of an expression that is too long is "?", which has no value.
func expression(x *lexer) (string, token) {
	b, depth, n := strings.Builder{}, 0, 0
	for {
		t := x.next()
		if t.kind == tEnd || depth == 0 && (t.is(",") || isCloser(&t)) {
			if n > maxExpression || b.Len() > maxExpressionText || n == 0 {
				return "?", t
			}
			return b.String(), t
		}
		depth += nesting(&t)
		if n++; n <= maxExpression && b.Len()+len(t.text) <= maxExpressionText {
			b.WriteString(t.text + " ")
		} else {
			n = maxExpression + 1
		}
	}
}

// nesting is 1 for an opening bracket, -1 for a closing one.
func nesting(t *token) int {
	switch {
	case t.is("{"), t.is("("), t.is("["):
		return 1
	case isCloser(t):
		return -1
	}
	return 0
}

func isCloser(t *token) bool { return t.is("}") || t.is(")") || t.is("]") }
