package gml

import "strings"

// A lexer cuts source text into tokens.
type lexer struct {
	src     string
	pos     int
	line    int // of pos
	start   int // where that line begins
	oneLine bool
	last    context
	resumes int // how often reading resumed after an unclosed template

	macro func(name, config, body token) // called for each #macro; may be nil
	fail  func(at token, message string) // called for what cannot be read; may be nil
}

// maxResumes is the number of unclosed templates that end with their line. Searching for
// the end of each may read the whole text.
const maxResumes = 16

func newLexer(src string) lexer { return lexer{src: src, line: 1} }

func (x *lexer) next() token {
	for {
		x.space()
		if x.pos == len(x.src) || x.oneLine && x.atNewline() {
			return x.token(tEnd, x.pos)
		}
		if x.oneLine || x.src[x.pos] != '#' || !x.directive() {
			break
		}
	}
	t := x.cut()
	x.last = x.last.then(&t)
	return t
}

// context is what the last token means for the next one.
type context uint8

const (
	afterOther context = iota
	afterDot
	afterWord  // a keyword
	afterValue // something that can have an index
	afterIndex // the [ of an index
)

func (c context) then(t *token) context {
	switch {
	case t.kind == tWord:
		switch t.text {
		case "return", "case", "in", "and", "or", "not", "xor", "div", "mod", "else", "do", "until", "throw":
			return afterWord
		}
		return afterValue
	case t.kind != tMark:
		return afterOther
	}
	switch t.text[0] {
	case ')', ']':
		return afterValue
	case '[':
		if c == afterValue {
			return afterIndex
		}
	case '.':
		return afterDot
	}
	return afterOther
}

// token returns the text from pos to end as a token, and moves past it.
func (x *lexer) token(k kind, end int) token {
	t := token{kind: k, text: x.src[x.pos:end], off: int32(x.pos), line: int32(x.line), start: int32(x.start)}
	if k == tWord || k == tMark || k == tNumber {
		x.pos = end
	} else {
		x.skipTo(end)
	}
	return t
}

// skipTo moves to end and counts the lines on the way.
func (x *lexer) skipTo(end int) {
	for x.pos < end {
		if x.atNewline() {
			x.newline()
		} else {
			x.pos++
		}
	}
}

func (x *lexer) atNewline() bool {
	return x.pos < len(x.src) && (x.src[x.pos] == '\n' || x.src[x.pos] == '\r')
}

// newline moves past a line end: \n, \r\n or \r.
func (x *lexer) newline() {
	if x.src[x.pos] == '\r' && x.pos+1 < len(x.src) && x.src[x.pos+1] == '\n' {
		x.pos++
	}
	x.pos++
	x.line++
	x.start = x.pos
}

func (x *lexer) problem(at token, message string) {
	if x.fail != nil {
		x.fail(at, message)
	}
}

// lineEnd returns where the line of pos ends.
func (x *lexer) lineEnd() int {
	if n := strings.IndexAny(x.src[x.pos:], "\r\n"); n >= 0 {
		return x.pos + n
	}
	return len(x.src)
}

// space moves past white space, comments and line ends; if a single line is read, only past
// line ends after a backslash.
func (x *lexer) space() {
	for x.pos < len(x.src) {
		switch x.src[x.pos] {
		case ' ', '\t', '\f', '\v', 0:
			x.pos++
		case '\n', '\r':
			if x.oneLine {
				return
			}
			x.newline()
		case '\\':
			if !x.continued() {
				return
			}
		case '/':
			if !x.comment() {
				return
			}
		default:
			return
		}
	}
}

// continued moves past a backslash at the end of a line, and the line end.
func (x *lexer) continued() bool {
	end := x.pos + 1
	for end < len(x.src) && (x.src[end] == ' ' || x.src[end] == '\t') {
		end++
	}
	if end < len(x.src) && x.src[end] != '\n' && x.src[end] != '\r' {
		return false
	}
	x.pos = end
	if x.pos < len(x.src) {
		x.newline()
	}
	return true
}

func (x *lexer) comment() bool {
	rest := x.src[x.pos:]
	switch {
	case strings.HasPrefix(rest, "//"):
		end := x.lineEnd()
		goesOn := x.oneLine && strings.HasSuffix(strings.TrimRight(x.src[x.pos:end], " \t"), `\`)
		x.pos = end
		if goesOn && end < len(x.src) {
			x.newline()
		}
	case strings.HasPrefix(rest, "/*"):
		end := strings.Index(rest[2:], "*/")
		if end < 0 {
			x.problem(x.token(tEnd, x.pos), "this comment has no end: */ is missing")
			x.skipTo(len(x.src))
			return true
		}
		x.skipTo(x.pos + 2 + end + 2)
	default:
		return false
	}
	return true
}

// directive moves past #macro and similar directives, with their lines.
func (x *lexer) directive() bool {
	end := x.pos + 1
	for end < len(x.src) && isWordByte(x.src[end]) {
		end++
	}
	switch x.src[x.pos+1 : end] {
	case "macro":
		x.pos = end
		x.readMacro()
	case "region", "endregion", "define":
		x.pos = x.lineEnd()
	default:
		return false
	}
	return true
}

// readMacro moves past "NAME text" or "CONFIG:NAME text". The text ends with the line,
// unless a backslash continues it.
func (x *lexer) readMacro() {
	x.oneLine = true
	defer func() { x.oneLine = false }()
	var config token
	name := x.next()
	if x.pos+1 < len(x.src) && x.src[x.pos] == ':' && isWordByte(x.src[x.pos+1]) {
		config = name
		x.next()
		name = x.next()
	}
	body := x.token(tText, x.pos)
	for t := name; t.kind != tEnd; {
		t = x.next()
	}
	body.text = x.src[body.off:x.pos]
	switch {
	case name.kind != tWord:
		x.problem(name, "#macro needs a name")
	case x.macro != nil:
		x.macro(name, config, body)
	}
}
