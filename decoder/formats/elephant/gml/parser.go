package gml

import (
	"fmt"
	"strings"
)

// A parser reads the declarations of one file.
type parser struct {
	stream
	lib       *Library
	file      *file
	tok       token
	previous  token
	depth     int      // braces open
	outermost token    // the first of these
	functions []opened // the functions around tok
	lost      *fault   // why the rest of the file cannot be read; nil if it can
	report    func(at token, message string)
}

// opened is a function whose body is being read.
type opened struct {
	depth int          // depth of its body
	owner *Constructor // nil if it is not a constructor with a name
}

// A fault is why a version of a schema, or what is left of the schema, cannot be used.
type fault struct {
	file *file
	at   token
	text string
}

func (p *parser) fault(at *token, format string, args ...any) *fault {
	return &fault{p.file, *at, fmt.Sprintf(format, args...)}
}

// collect adds the macros and enums of a file, and reports what is not valid GML.
func (l *Library) collect(f *file, report func(token, string)) {
	p := parser{lib: l, file: f, report: report, stream: stream{lexer: newLexer(f.text, report)}}
	p.macro = func(name token, config bool, body []token) {
		if !isKnown(name.text) && p.hasRoom(&name, 1+len(body)) {
			l.define(name.text, macro{body: body, config: config})
		}
	}
	for p.advance(); p.tok.kind != tEnd; {
		isEnum := p.tok.isWord("enum")
		if p.advance(); isEnum {
			p.enum()
		}
	}
}

// hasRoom reports whether n more things can be kept.
func (p *parser) hasRoom(at *token, n int) bool {
	was := p.lib.kept
	if p.lib.kept += n; was <= maxKept && p.lib.kept > maxKept {
		p.report(*at, "from here on declarations are left out: there are more than can be kept")
	}
	return p.lib.kept <= maxKept
}

// enum reads "Name { A = 1, B }".
func (p *parser) enum() {
	name := p.tok
	if p.advance(); name.kind != tWord || !p.tok.is("{") {
		return
	}
	m := enumMember{}
	for p.advance(); p.tok.kind == tWord; p.advance() {
		key := p.tok
		if p.advance(); p.tok.is("=") {
			p.advance()
			m = enumMember{base: p.value()}
		}
		if !p.hasRoom(&key, 1+len(m.base)) {
			return
		}
		full, kept := name.text+"."+key.text, m
		if old := p.lib.enums[full]; old == nil {
			p.lib.enums[full] = &kept
		} else if old.add != m.add || !areAlike(old.base, m.base) {
			old.torn = true
		}
		if m.add++; !p.tok.is(",") {
			return
		}
	}
}

// parse adds what a file declares.
func (l *Library) parse(f *file, report func(token, string)) {
	p := parser{lib: l, file: f, report: report, stream: stream{macros: l.macros}}
	p.lexer = newLexer(f.text, func(at token, message string) { p.lost = p.fault(&at, "%s", unfinished+message) })
	for p.advance(); p.tok.kind != tEnd; {
		switch {
		case p.tok.isWord("function"):
			p.function()
		case p.tok.isWord(wordSchema), p.tok.isWord(nameSchema):
			p.schema()
		case p.tok.is("{"):
			p.enter(nil, false)
		case p.tok.is("}"):
			p.leave()
		default:
			p.advance()
		}
	}
	if p.depth == 0 {
		return
	}
	const message = "this { is never closed"
	report(p.outermost, message)
	for _, f := range p.functions {
		if c := f.owner; c != nil && !c.HasSchema {
			c.cut = p.unclosed(&p.outermost, unfinished+message)
		}
	}
}

const unfinished = "the file could not be read to its end, "

// unclosed returns why what begins at open has no end: a text or comment that goes on to the end of the file, or else a message.
func (p *parser) unclosed(open *token, message string) *fault {
	if p.tok.kind == tEnd && p.lost != nil {
		return p.lost
	}
	return p.fault(open, "%s", message)
}

func (p *parser) advance() { p.previous, p.tok = p.tok, p.next() }

// enter enters the braces at tok.
func (p *parser) enter(owner *Constructor, isFunction bool) {
	if p.depth == 0 {
		p.outermost = p.tok
	}
	if p.depth++; isFunction {
		p.functions = append(p.functions, opened{p.depth, owner})
	}
	p.advance()
}

// leave leaves the braces that end at tok.
func (p *parser) leave() {
	if p.depth == 0 {
		p.report(p.tok, "this } has no matching {")
		p.depth = 1
	}
	if n := len(p.functions); n > 0 && p.functions[n-1].depth == p.depth {
		p.functions = p.functions[:n-1]
	}
	p.depth--
	p.advance()
}

// function reads "function Name(…) : Parent(…) constructor {".
func (p *parser) function() {
	at := p.tok
	p.advance()
	name := p.tok
	if name.kind == tWord {
		p.advance()
	}
	p.arguments()
	parent := ""
	if p.tok.is(":") {
		p.advance()
		parent = p.parent()
	}
	isConstructor := p.tok.isWord("constructor")
	if isConstructor {
		p.advance()
	}
	if !p.tok.is("{") {
		return
	}
	var owner *Constructor
	if isConstructor && name.kind == tWord && p.hasRoom(&at, 1) {
		if owner = p.lib.constructors[name.text]; owner == nil {
			owner = &Constructor{name: name.text}
			p.lib.constructors[name.text] = owner
		}
		if owner.Parent == "" {
			owner.Parent = parent
		} else if parent != "" && parent != owner.Parent {
			owner.cut = p.fault(&at, "the constructor inherits from %q here, and from %q elsewhere", parent, owner.Parent)
		}
	}
	p.enter(owner, true)
}

// parent reads "Parent(…)" and returns the name.
func (p *parser) parent() (name string) {
	for p.tok.kind == tWord && !p.tok.isWord("constructor") || p.tok.is(".") {
		name += p.tok.text
		p.advance()
	}
	p.arguments()
	return name
}

// arguments moves past a list in parentheses, with everything in it. It stops at the word constructor, to
// limit the harm of a list without an end.
func (p *parser) arguments() {
	open := p.tok
	if !open.is("(") {
		return
	}
	for depth := 0; p.tok.kind != tEnd && !p.tok.isWord("constructor"); {
		depth += nesting(&p.tok)
		if p.advance(); depth == 0 {
			return
		}
	}
	p.report(open, "this ( is never closed")
}

// nesting returns 1 for an opening bracket, -1 for a closing one, 0 otherwise.
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

// value takes the tokens up to the comma or bracket that ends a value. If there are many,
// it returns only the first.
func (p *parser) value() []token {
	var tokens []token
	for depth := 0; p.tok.kind != tEnd; p.advance() {
		if depth == 0 && (p.tok.is(",") || isCloser(&p.tok)) {
			break
		}
		depth += nesting(&p.tok)
		if len(tokens) <= maxExpression {
			tokens = append(tokens, p.tok)
		}
	}
	return tokens
}

// isFalse reports whether an expression is false or 0.
func (l *Library) isFalse(tokens []token) bool {
	if one := unwrap(tokens); len(one) == 1 && one[0].isWord("false") {
		return true
	}
	n, ok := l.integer(tokens, 0)
	return ok && n == 0
}

// maxSpelled is the number of characters of an expression that a message shows.
const maxSpelled = 40

// spell returns an expression for a message, with the macro that it comes from.
func (l *Library) spell(tokens ...token) string {
	b := strings.Builder{}
	for i, t := range tokens {
		if i > 0 && t.kind != tMark && tokens[i-1].kind != tMark {
			b.WriteByte(' ')
		}
		b.WriteString(t.text[:min(len(t.text), 4*maxSpelled)])
	}
	text := b.String()
	if runes := []rune(text); len(runes) > maxSpelled || len(tokens) > maxExpression {
		text = string(runes[:min(len(runes), maxSpelled)]) + "…"
	}
	if m := l.macros[text]; m != nil && m.torn {
		text += " (a macro with two definitions)"
	} else if name := tokens[0].macro; name != "" {
		text = fmt.Sprintf("%s (macro: %s)", name, text)
	}
	return text
}

// Names that have a meaning for Elephant, and what its macros replace them with. They are
// defined here so that Elephant's own GML need not be among the files.
const (
	wordSchema  = "ELEPHANT_SCHEMA"
	nameSchema  = "__Elephant_Schema__"
	nameForce   = "__Elephant_Force_Version__"
	nameExclude = "__Elephant_Verbose_Exclude__"
	nameVerbose = "__Elephant_Version_Verbose__"
)

var elephantNames = map[string]string{
	"ELEPHANT_FORCE_VERSION": nameForce, "ELEPHANT_VERBOSE_EXCLUDE": nameExclude, "ELEPHANT_VERSION_VERBOSE": nameVerbose,
}

// isKnown reports whether a macro of this name is Elephant's own.
func isKnown(name string) bool {
	_, isDatatype := datatypes[name]
	return isDatatype || name == wordSchema || elephantNames[name] != ""
}
