package gml

import (
	"strconv"
	"strings"

	"varview/decoder/value/notation"
)

// A lexer cuts source text into tokens.
type lexer struct {
	src   string
	pos   int
	line  int  // line of pos
	start int  // start of that line
	isDot bool // the last token is a dot
	body  bool // it is the line of a macro

	macro func(name token, config bool, body []token) // called for each #macro; may be nil
	fail  func(at token, message string)              // called for what cannot be read
}

func newLexer(src string, fail func(token, string)) lexer {
	return lexer{src: src, line: 1, fail: fail}
}

func (x *lexer) next() token {
	for x.space(); x.pos < len(x.src) && x.src[x.pos] == '#' && !x.body && x.directive(); {
		x.space()
	}
	if x.pos == len(x.src) {
		return x.token(tEnd, x.pos)
	}
	t := x.cut()
	x.isDot = t.is(".")
	return t
}

// token returns the text from pos to end as a token, and moves past it.
func (x *lexer) token(k kind, end int) token {
	t := token{kind: k, text: x.src[x.pos:end], off: int32(x.pos), line: int32(x.line), start: int32(x.start)}
	if k == tText || k == tTemplate {
		x.skipTo(end)
	}
	x.pos = end
	return t
}

// skipTo moves to end and counts the lines on the way: \n, \r\n and \r end one.
func (x *lexer) skipTo(end int) {
	for ; x.pos < end; x.pos++ {
		if c := x.src[x.pos]; c == '\n' || c == '\r' && !strings.HasPrefix(x.src[x.pos+1:], "\n") {
			x.line++
			x.start = x.pos + 1
		}
	}
}

// lineEnd returns the end of the line at an offset.
func lineEnd(src string, at int) int {
	if n := strings.IndexAny(src[at:], "\r\n"); n >= 0 {
		return at + n
	}
	return len(src)
}

// space moves past white space and comments. A backslash before a line end, which continues a macro, means nothing either.
func (x *lexer) space() {
	for x.pos < len(x.src) {
		switch rest := x.src[x.pos:]; {
		case rest[0] == ' ':
			x.pos++
		case isWordByte(rest[0]):
			return
		case strings.IndexByte("\t\f\v\r\n\\\x00", rest[0]) >= 0:
			x.skipTo(x.pos + 1)
		case strings.HasPrefix(rest, "//"):
			x.pos = lineEnd(x.src, x.pos)
		case strings.HasPrefix(rest, "/*"):
			x.comment(rest)
		default:
			return
		}
	}
}

func (x *lexer) comment(rest string) {
	n := strings.Index(rest[2:], "*/")
	if n < 0 {
		x.fail(x.token(tEnd, x.pos), "this comment has no end: */ is missing")
		x.skipTo(len(x.src))
		return
	}
	x.skipTo(x.pos + 2 + n + 2)
}

// directive moves past #macro and similar directives, with their lines.
func (x *lexer) directive() bool {
	end := wordEnd(x.src, x.pos+1)
	switch x.src[x.pos+1 : end] {
	case "macro":
		x.pos = end
		x.readMacro()
	case "region", "endregion", "define":
		x.pos = lineEnd(x.src, x.pos)
	default:
		return false
	}
	return true
}

// readMacro moves past "NAME text" or "CONFIG:NAME text". The text ends with the line, unless a backslash continues it.
func (x *lexer) readMacro() {
	line := *x
	line.src, line.body = x.src[:macroEnd(x.src, x.pos)], true
	name, config := line.next(), false
	if rest := line.src[line.pos:]; len(rest) > 1 && rest[0] == ':' && isWordByte(rest[1]) {
		line.next()
		name, config = line.next(), true
	}
	var body []token
	for t := line.next(); t.kind != tEnd; t = line.next() {
		body = append(body, t)
	}
	x.skipTo(len(line.src))
	switch {
	case name.kind != tWord:
		x.fail(name, "#macro needs a name")
	case x.macro != nil:
		x.macro(name, config, body)
	}
}

// macroEnd returns the end of the line at an offset, with those that continue it.
func macroEnd(src string, at int) int {
	for {
		end := lineEnd(src, at)
		if end == len(src) || !strings.HasSuffix(strings.TrimRight(src[at:end], " \t"), `\`) {
			return end
		}
		at = end + 1
		if strings.HasPrefix(src[end:], "\r\n") {
			at++
		}
	}
}

type kind uint8

const (
	tEnd      kind = iota
	tWord          // identifier or keyword
	tNumber        // 12 $FF 0xFF 0b1 1_000
	tText          // "…" @"…" @'…' '…'
	tTemplate      // $"…{…}…", or a text without its end
	tMark          // one character, or ==
)

// A token is a piece of source text.
type token struct {
	kind  kind
	off   int32
	line  int32  // from 1
	start int32  // start of its line
	text  string // spelling in the file, except { and } for begin and end
	macro string // name of the macro in the text of the file that it comes from; "" if it is in the text itself
}

func (t *token) is(mark string) bool { return t.kind == tMark && t.text == mark }

func (t *token) isWord(word string) bool { return t.kind == tWord && t.text == word }

// string returns the value of a text; ok is false for escapes that GML does not have.
func (t *token) string() (text string, ok bool) {
	switch s := t.text; s[0] {
	case '@':
		return s[2 : len(s)-1], true
	case '\'':
		return s[1 : len(s)-1], true
	default:
		text, err := strconv.Unquote(s)
		return text, err == nil
	}
}

// integer returns the value of a number literal, if it is a whole number.
func (t *token) integer() (int64, bool) {
	s, base := strings.ReplaceAll(t.text, "_", ""), 10
	if hex, ok := strings.CutPrefix(s, "$"); ok {
		s = "0x" + hex
	}
	if len(s) > 1 && s[0] == '0' && strings.IndexByte("xXbB", s[1]) >= 0 {
		base = 0
	} else if whole, part, _ := strings.Cut(s, "."); strings.Trim(part, "0") == "" {
		s = whole
	}
	n, err := strconv.ParseUint(s, base, 63)
	return int64(n), err == nil
}

func isWordByte(c byte) bool { return notation.IsWord(c) || c >= 0x80 }

// wordEnd returns the end of the letters and digits at an offset.
func wordEnd(src string, at int) int {
	for at < len(src) && isWordByte(src[at]) {
		at++
	}
	return at
}

// cut returns the token that begins at pos.
func (x *lexer) cut() token {
	c, following := x.src[x.pos], byte(0)
	if x.pos+1 < len(x.src) {
		following = x.src[x.pos+1]
	}
	isQuoted := following == '"' && (c == '@' || c == '$')
	switch {
	case notation.IsDigit(c) || c == '$' && isWordByte(following):
		return x.number()
	case isWordByte(c):
		return x.word()
	case isQuoted, c == '"', c == '\'', c == '@' && following == '\'':
		return x.quoted(c, following)
	case c == '=' && following == '=':
		return x.token(tMark, x.pos+2)
	}
	return x.token(tMark, x.pos+1)
}

// quoted returns a text, or its quote if that is a single one without another in its line.
func (x *lexer) quoted(c, following byte) token {
	switch c {
	case '"':
		return x.text(tText, textEnd(x.src, x.pos, false), "\"")
	case '@':
		return x.text(tText, verbatimEnd(x.src, x.pos+1), string(following))
	case '$':
		return x.template()
	}
	if n := strings.IndexAny(x.src[x.pos+1:], "'\r\n"); n >= 0 && x.src[x.pos+1+n] == c {
		return x.token(tText, x.pos+n+2)
	}
	return x.token(tMark, x.pos+1)
}

func (x *lexer) word() token {
	t := x.token(tWord, wordEnd(x.src, x.pos))
	switch { // GML's other spelling of braces
	case x.isDot:
	case t.text == "begin":
		t.kind, t.text = tMark, "{"
	case t.text == "end":
		t.kind, t.text = tMark, "}"
	}
	return t
}

func (x *lexer) number() token {
	end := wordEnd(x.src, x.pos+1)
	if end+1 < len(x.src) && x.src[end] == '.' && notation.IsDigit(x.src[end+1]) {
		end = wordEnd(x.src, end+1)
	}
	return x.token(tNumber, end)
}

// text returns a text that ends at an offset. If that is negative, it has no end: the quote is missing.
func (x *lexer) text(k kind, end int, quote string) token {
	if end >= 0 {
		return x.token(k, end)
	}
	end, where := lineEnd(x.src, x.pos), " in its line"
	if x.src[x.pos] == '@' {
		end, where = len(x.src), ""
	}
	t := x.token(tTemplate, end)
	x.fail(t, "this string has no end: "+quote+" is missing"+where)
	return t
}

// maxTemplate is the length in bytes of the longest template.
const maxTemplate = 1024

// template returns a text with expressions in braces. In x[$"{"] the $ belongs to the bracket: it is a plain text.
func (x *lexer) template() token {
	end := textEnd(x.src[:min(x.pos+maxTemplate, len(x.src))], x.pos+1, true)
	if end < 0 {
		end = textEnd(x.src, x.pos+1, false)
	}
	return x.text(tTemplate, end, "\"")
}

// textEnd returns the end of the text whose quote is at open; negative if it does not end in its line. The braces of a template hold
// expressions.
func textEnd(src string, open int, isTemplate bool) int {
	for i := open + 1; i > 0 && i < len(src) && src[i] != '\n' && src[i] != '\r'; {
		switch c := src[i]; {
		case c == '"':
			return i + 1
		case c == '{' && isTemplate:
			i = expressionEnd(src, i)
		case c == '\\' && lineEnd(src[:min(i+2, len(src))], i) > i+1:
			i += 2
		default:
			i++
		}
	}
	return -1
}

// expressionEnd returns the end of the expression whose brace is at open; negative if it does not end.
func expressionEnd(src string, open int) int {
	for i := open + 1; i > 0 && i < len(src); {
		switch c := src[i]; {
		case c == '}':
			return i + 1
		case c == '{':
			i = expressionEnd(src, i)
		case src[i-1] == '@' && (c == '"' || c == '\''):
			i = verbatimEnd(src, i)
		case c == '"':
			i = textEnd(src, i, src[i-1] == '$')
		default:
			i++
		}
	}
	return -1
}

// verbatimEnd returns the end of the text without escapes whose quote is at open; negative if it does not end.
func verbatimEnd(src string, open int) int {
	n := strings.IndexByte(src[open+1:], src[open])
	if n < 0 {
		return -1
	}
	return open + n + 2
}
