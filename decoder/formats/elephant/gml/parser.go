package gml

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"varview/decoder/formats/elephant/internal/datatype"
)

// A parser reads the declarations of one file.
type parser struct {
	*stream
	tok       token
	previous  token
	depth     int      // braces open
	open      token    // the outermost of these
	functions []opened // the functions around tok
	body      bool     // the next { opens the body of a function
	lost      *loss    // the last place from which something was read without finding its end
	report    func(token, string)
}

// A loss is a place from which on text could not be told apart.
type loss struct {
	at      token
	message string
}

// opened is a function whose body is being read.
type opened struct {
	depth int          // depth of its body
	owner *Constructor // nil if it is not a constructor with a name
}

// maxFunctions is the depth to which functions may be nested.
const maxFunctions = 1000

// parse adds what f declares.
func (l *Library) parse(f *file, report func(token, string)) {
	p := parser{report: report, stream: newStream(l, f, f.text, macroBytes+macroRatio*len(f.text))}
	p.frames[0].fail = func(at token, message string) { p.lost = &loss{at, message} }
	for p.advance(); p.tok.kind != tEnd; {
		switch {
		case p.tok.kind == tMark:
			p.mark()
		case p.tok.kind != tWord:
			p.advance()
		case p.tok.text == "function":
			p.function()
		case p.tok.text == wordSchema, p.tok.text == nameSchema:
			p.schema()
		default:
			p.body = p.body || isMethod(p.tok.text)
			p.advance()
		}
	}
	if p.depth > 0 {
		report(p.open, neverClosed)
		p.breakOff()
	}
	if p.cut {
		report(p.cutAt, "macros make this file too long: from here on they are left as they are")
	}
}

const neverClosed = "this { is never closed"

// breakOff marks the constructors that contain the end of the file: their schemas may be incomplete.
func (p *parser) breakOff() {
	for _, f := range p.functions {
		if c := f.owner; c != nil && !c.HasSchema {
			c.cut = p.unclosed(&p.open, unfinished+neverClosed)
		}
	}
}

const unfinished = "the file could not be read to its end, "

// unclosed returns why what begins at open has no end: the loss, if it goes on to the end of the file, or
// else text.
func (p *parser) unclosed(open *token, text string) *SchemaError {
	if p.tok.kind == tEnd && p.lost != nil {
		return p.problem(Unreadable, &p.lost.at, unfinished+p.lost.message)
	}
	return p.problem(Unreadable, open, text)
}

func (p *parser) advance() {
	p.previous, p.tok = p.tok, p.next()
}

// mark counts braces.
func (p *parser) mark() {
	switch {
	case p.tok.is("{"):
		p.enterBody(nil, p.body)
		p.body = false
	case !p.tok.is("}"):
	case p.depth == 0:
		p.report(p.tok, "this } has no matching {")
	default:
		if n := len(p.functions); n > 0 && p.functions[n-1].depth == p.depth {
			p.functions = p.functions[:n-1]
		}
		p.depth--
	}
	p.advance()
}

func (p *parser) enterBody(owner *Constructor, isFunction bool) {
	if p.depth == 0 {
		p.open = p.tok
	}
	p.depth++
	if isFunction && len(p.functions) < maxFunctions {
		p.functions = append(p.functions, opened{p.depth, owner})
	}
}

// function reads "function Name(…) : Parent(…) constructor {".
func (p *parser) function() {
	at := p.tok
	p.advance()
	var name token
	parent := ""
	if p.tok.kind == tWord {
		name = p.tok
		p.advance()
	}
	if !p.tok.is("(") {
		return
	}
	p.arguments()
	if p.tok.is(":") {
		p.advance()
		parent = p.parent()
	}
	var owner *Constructor
	if p.tok.isWord("constructor") {
		p.advance()
		if name.kind == tWord {
			owner = p.lib.declare(&Constructor{Name: name.text, Parent: parent, File: p.file.name, Line: int(at.line)})
		}
		if owner == nil && name.kind == tWord {
			p.report(at, "this constructor is left out: there are more than can be kept")
		}
	}
	if p.tok.is("{") {
		p.enterBody(owner, true)
		p.advance()
	} else if owner != nil && p.tok.kind == tEnd {
		owner.cut = p.unclosed(&at, unfinished+"the body of this function is missing")
	}
}

// parent reads "Parent(…)" and returns the name.
func (p *parser) parent() string {
	name := ""
	for p.tok.kind == tWord && !p.tok.isWord("constructor") || p.tok.is(".") {
		name += p.tok.text
		p.advance()
		if p.previous.kind == tWord && !p.tok.is(".") {
			break
		}
	}
	if p.tok.is("(") {
		p.arguments()
	}
	return name
}

// arguments moves past a list in parentheses, with everything in it. It stops at the word constructor, to
// limit the harm of a list without an end.
func (p *parser) arguments() {
	open := p.tok
	for depth := 0; p.tok.kind != tEnd; {
		depth += nesting(&p.tok)
		p.advance()
		if depth == 0 {
			return
		}
		if p.tok.isWord("constructor") {
			break
		}
	}
	const message = "this ( is never closed"
	p.report(open, message)
	if p.tok.kind == tEnd && p.lost == nil {
		p.lost = &loss{open, message}
	}
}

// owner returns the constructor whose body contains tok; nil if tok is in the body of another function, or
// of none.
func (p *parser) owner() *Constructor {
	if n := len(p.functions); n > 0 {
		return p.functions[n-1].owner
	}
	return nil
}

// problem reports a place that also makes a version unusable.
func (p *parser) problem(reason Reason, at *token, text string) *SchemaError {
	return &SchemaError{Reason: reason, File: p.file.name, Line: int(at.line), Column: at.column(p.file.text), Text: text}
}

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

// datatype returns the datatype to which an expression evaluates, and whether there is one.
func (p *parser) datatype(tokens []token) (datatype.ID, bool) {
	if n, ok := p.lib.integer(tokens, 0); ok {
		return datatypeOf(n)
	}
	return 0, false
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
func spell(tokens ...token) string {
	b := strings.Builder{}
	for i, t := range tokens {
		if i > 0 && t.kind != tMark && tokens[i-1].kind != tMark {
			b.WriteByte(' ')
		}
		b.WriteString(t.text)
		if b.Len() > utf8.UTFMax*maxSpelled {
			break
		}
	}
	text := b.String()
	if runes := []rune(text); len(runes) > maxSpelled || len(tokens) > maxExpression {
		text = string(runes[:min(len(runes), maxSpelled)]) + "…"
	}
	if u := tokens[0].use; u != nil && u.name != "" {
		return fmt.Sprintf("%s (macro: %s)", u.name, text)
	}
	return text
}

// force reads the value of ELEPHANT_FORCE_VERSION.
func (p *parser) force(c *Constructor) {
	at := p.tok
	n, ok := p.lib.integer(p.value(), 0)
	if !ok || n > 255 {
		p.report(at, "the forced version has to be a number from 0 to 255")
		return
	}
	c.Forced, c.ForceVersion = true, int(n)
}

// exclude reads the value of ELEPHANT_VERBOSE_EXCLUDE, an array of names.
func (p *parser) exclude(c *Constructor) {
	if !p.tok.is("[") {
		p.report(p.tok, "the names to leave out have to be written out as [ … ]")
		p.value()
		return
	}
	p.advance()
	for !p.tok.is("]") {
		at := p.tok
		names := unwrap(p.value())
		switch {
		case len(names) == 1 && names[0].kind == tText:
			if !p.lib.room() {
				p.report(at, "this name is left out: there are more than can be kept")
			} else {
				c.Exclude = append(c.Exclude, names[0].string())
			}
		case len(names) > 0:
			p.report(at, "a name to leave out has to be a text in quotes")
		}
		if !p.tok.is(",") {
			break
		}
		p.advance()
	}
	if p.tok.is("]") {
		p.advance()
	}
}

// quotedOnce returns the text in single quotes that begins at pos, or the quote if there is no other on the line.
func (x *lexer) quotedOnce() token {
	if n := strings.IndexAny(x.src[x.pos+1:], "'\r\n"); n >= 0 && x.src[x.pos+1+n] == '\'' {
		return x.token(tText, x.pos+n+2)
	}
	return x.token(tMark, x.pos+1)
}

// cut returns the token that begins at pos, if there is one.
func (x *lexer) cut() token {
	c, following := x.src[x.pos], byte(0)
	if x.pos+1 < len(x.src) {
		following = x.src[x.pos+1]
	}
	switch {
	case x.beginsNumber(c, following):
		return x.number()
	case isWordByte(c):
		return x.word()
	case c == '"':
		return x.quoted(x.pos)
	case c == '\'':
		return x.quotedOnce()
	case c == '@' && (following == '"' || following == '\''):
		return x.verbatim(following)
	case c == '$' && following == '"' && x.last != afterIndex: // x[$"name"] is an accessor with a plain string
		return x.template()
	case c == '=' && following == '=':
		return x.token(tMark, x.pos+2)
	}
	return x.token(tMark, x.pos+1)
}

// beginsNumber reports whether a character and the next one begin a number.
func (x *lexer) beginsNumber(c, following byte) bool {
	return isDigit(c) || c == '.' && isDigit(following) && x.last < afterWord || c == '$' && digit(following) < 16
}

func (x *lexer) word() token {
	end := x.pos
	for end < len(x.src) && isWordByte(x.src[end]) {
		end++
	}
	t := x.token(tWord, end)
	if x.last != afterDot { // GML's other spelling of braces
		switch t.text {
		case "begin":
			t.kind, t.text = tMark, "{"
		case "end":
			t.kind, t.text = tMark, "}"
		}
	}
	return t
}

func (x *lexer) number() token {
	end := x.pos + 1
	for end < len(x.src) && (isWordByte(x.src[end]) || x.src[end] == '.' && end+1 < len(x.src) && isDigit(x.src[end+1])) {
		end++
	}
	return x.token(tNumber, end)
}

// quoted returns a string with escapes, whose first quote is at open.
func (x *lexer) quoted(open int) token {
	end, ok := quotedEnd(x.src, open)
	if ok {
		return x.token(tText, end)
	}
	t := x.token(tTemplate, end)
	x.problem(t, `this string has no end: " is missing in its line`)
	return t
}

// quotedEnd returns the end of the string that opens at open, or the end of its line if the
// string is not closed there.
func quotedEnd(src string, open int) (int, bool) {
	for i := open + 1; i < len(src); i++ {
		switch src[i] {
		case '"':
			return i + 1, true
		case '\r', '\n':
			return i, false
		case '\\':
			if i+1 < len(src) && src[i+1] != '\r' && src[i+1] != '\n' {
				i++
			}
		}
	}
	return len(src), false
}

// verbatim returns a string without escapes, which may extend over several lines.
func (x *lexer) verbatim(quote byte) token {
	n := strings.IndexByte(x.src[x.pos+2:], quote)
	if n >= 0 {
		return x.token(tText, x.pos+2+n+1)
	}
	t := x.token(tTemplate, len(x.src))
	x.problem(t, "this string has no end: "+string(quote)+" is missing")
	return t
}

// template returns a string with expressions in braces.
func (x *lexer) template() token {
	end, ok := templateEnd(x.src, x.pos+1)
	if ok {
		return x.token(tTemplate, end)
	}
	if x.resumes++; x.resumes > maxResumes {
		end = len(x.src)
	} else {
		end = x.lineEnd()
	}
	t := x.token(tTemplate, end)
	x.problem(t, `this template string has no end: " is missing`)
	return t
}

// maxTemplate is the depth to which braces and templates within a template may be nested.
const maxTemplate = 64

// templateEnd returns the end of the template whose quote is at open.
func templateEnd(src string, open int) (int, bool) {
	inside := []byte{'"'} // open brackets: " for the text of a template, { for an expression
	for i := open + 1; i >= 0 && i < len(src) && len(inside) <= maxTemplate; {
		switch c := src[i]; {
		case inside[len(inside)-1] == '"' && (c == '\r' || c == '\n'):
			return 0, false
		case inside[len(inside)-1] == '"' && c == '"', inside[len(inside)-1] == '{' && c == '}':
			i++
			if inside = inside[:len(inside)-1]; len(inside) == 0 {
				return i, true
			}
		case c == '{':
			inside = append(inside, '{')
			i++
		case inside[len(inside)-1] == '"':
			i += textStep(src[i:])
		case c == '"' && src[i-1] == '$':
			inside = append(inside, '"')
			i++
		default:
			i = afterQuoted(src, i)
		}
	}
	return 0, false
}

// textStep returns the length of the character or escape at the start of the text of a template.
func textStep(text string) int {
	if len(text) > 1 && text[0] == '\\' && text[1] != '\r' && text[1] != '\n' {
		return 2
	}
	return 1
}

// afterQuoted returns the end of the string in an expression that begins at i, or the next character if none does;
// negative if the string does not end.
func afterQuoted(src string, i int) int {
	switch c := src[i]; {
	case (c == '"' || c == '\'') && src[i-1] == '@':
		n := strings.IndexByte(src[i+1:], c)
		if n < 0 {
			return -1
		}
		return i + n + 2
	case c == '"':
		end, ok := quotedEnd(src, i)
		if !ok {
			return -1
		}
		return end
	}
	return i + 1
}
