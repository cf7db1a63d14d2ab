package gml

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// A lexer cuts source text into tokens.
type lexer struct {
	src     string
	pos     int
	line    int // line of pos
	start   int // start of that line
	oneLine bool
	last    context
	resumes int // number of times that reading resumed after an unclosed template

	macro func(name, config, body token) // called for each #macro; may be nil
	fail  func(at token, message string) // called for what cannot be read; may be nil
}

// maxResumes is the number of unclosed templates that end with their line. Looking for the end of each may
// read the whole text.
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

// lineEnd returns the end of the current line.
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

type kind uint8

const (
	tEnd      kind = iota
	tWord          // identifier or keyword
	tNumber        // 12 $FF 0xFF 0b1 1_000 .5
	tText          // "…" @"…" @'…' '…'
	tTemplate      // $"…{…}…"
	tMark          // one character, or ==
)

// A token is a piece of source text.
type token struct {
	kind  kind
	off   int32
	line  int32  // from 1
	start int32  // start of its line
	text  string // spelling in the file, except { and } for begin and end
	use   *use   // the macro use that it comes from; nil if it is in the text itself
}

// A use of a macro in the text of a file.
type use struct {
	name      string // name of the macro in the text
	ambiguous *macro // a macro with two definitions from which the token comes
}

// ambiguous returns a macro with two definitions from which t comes, or nil.
func (t *token) ambiguous() *macro {
	if t.use == nil {
		return nil
	}
	return t.use.ambiguous
}

func (t *token) is(mark string) bool { return t.kind == tMark && t.text == mark }

func (t *token) isWord(word string) bool { return t.kind == tWord && t.text == word }

// column returns the column of the token in src, its text.
func (t *token) column(src string) int { return utf8.RuneCountInString(src[t.start:t.off]) + 1 }

// string returns the value of a text literal.
func (t *token) string() string {
	switch s := t.text; {
	case s[0] == '@':
		return s[2 : len(s)-1]
	case s[0] == '\'' || !strings.Contains(s, `\`):
		return s[1 : len(s)-1]
	default:
		return unescape(s[1 : len(s)-1])
	}
}

// unescape resolves the escapes of GML's strings: \n and similar ones, \u and \x with
// hexadecimal digits, \ with octal digits; any other character stands for itself.
func unescape(s string) string {
	b := strings.Builder{}
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		if k := strings.IndexByte("nrbftva", s[i]); k >= 0 {
			b.WriteByte("\n\r\b\f\t\v\a"[k])
			continue
		}
		from, most, base := i+1, 4, 16
		switch {
		case s[i] == 'x':
			most = 2
		case s[i] >= '0' && s[i] <= '7':
			from, most, base = i, 3, 8
		case s[i] != 'u':
			b.WriteByte(s[i])
			continue
		}
		end := from
		for end < len(s) && end < from+most && digit(s[end]) < base {
			end++
		}
		if n, err := strconv.ParseUint(s[from:end], base, 32); err == nil {
			b.WriteRune(rune(n))
		}
		i = end - 1
	}
	return b.String()
}

// digit returns the value of a digit; 99 if the byte is not one.
func digit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return 99
}

// integer returns the value of a number literal, if it is a whole number.
func (t *token) integer() (int64, bool) {
	s, base := strings.ReplaceAll(t.text, "_", ""), 10
	switch {
	case strings.HasPrefix(s, "$"):
		s, base = s[1:], 16
	case strings.HasPrefix(s, "0x"), strings.HasPrefix(s, "0X"):
		s, base = s[2:], 16
	case strings.HasPrefix(s, "0b"), strings.HasPrefix(s, "0B"):
		s, base = s[2:], 2
	default:
		if whole, part, ok := strings.Cut(s, "."); ok && strings.Trim(part, "0") == "" {
			s = whole
		}
	}
	n, err := strconv.ParseUint(s, base, 63)
	return int64(n), err == nil
}

func isWordByte(c byte) bool {
	return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c >= 0x80
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
