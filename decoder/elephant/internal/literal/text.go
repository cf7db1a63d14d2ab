package literal

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// quoted reads a text in quotes with the escapes of tree.AppendQuoted, which are JSON's and
// \udcXX for a byte XX that is not valid UTF-8.
func (p *literalParser) quoted() []byte {
	start := p.at
	text, n, message := Unquote(p.text[p.at:], true)
	p.at += n
	switch {
	case message != "":
		p.fail(p.at, "%s", message)
	case strings.IndexByte(string(text), 0) >= 0:
		p.fail(start, "Elephant ends a text at a NUL; it cannot hold one")
	}
	return text
}

// Unquote reads the text in quotes with which s begins. If it cannot be read, message says
// why and n where. Only a loose text may have control characters that are not escaped.
func Unquote(s string, loose bool) (text []byte, n int, message string) {
	text = []byte{}
	for i := 1; i < len(s); {
		switch c := s[i]; {
		case c == '"':
			return text, i + 1, ""
		case c == '\\':
			step, message := unescape(&text, s[i:])
			if message != "" {
				return nil, i, message
			}
			i += step
		case c < ' ' && !loose:
			return nil, i, "a control character in a text is written as an escape"
		default:
			text = append(text, c)
			i++
		}
	}
	return nil, len(s), `the text has no " at its end`
}

// escapes maps the character after a backslash to the one that it stands for.
var escapes = map[byte]byte{'"': '"', '\\': '\\', '/': '/', 'n': '\n', 'r': '\r', 't': '\t', 'b': '\b', 'f': '\f'}

// unescape reads the escape with which s begins and returns its length.
func unescape(text *[]byte, s string) (n int, message string) {
	if len(s) > 1 {
		if c, ok := escapes[s[1]]; ok {
			*text = append(*text, c)
			return 2, ""
		}
	}
	unit, ok := escapedUnit(s)
	switch {
	case !ok:
		return 0, `not an escape; there are \" \\ \/ \n \r \t \b \f and \u with 4 digits`
	case unit >= 0xdc80 && unit <= 0xdcff:
		*text = append(*text, byte(unit))
		return 6, ""
	case unit >= 0xd800 && unit < 0xdc00:
		low, ok := escapedUnit(s[6:])
		if !ok || low < 0xdc00 || low > 0xdfff {
			return 0, `half of a surrogate pair: \ud83d and its like need a second \u`
		}
		*text = utf8.AppendRune(*text, 0x10000+(unit-0xd800)<<10+(low-0xdc00))
		return 12, ""
	case unit >= 0xdc00 && unit <= 0xdfff:
		return 0, "half of a surrogate pair"
	}
	*text = utf8.AppendRune(*text, unit)
	return 6, ""
}

// escapedUnit returns the UTF-16 unit of the escape \uXXXX with which s begins.
func escapedUnit(s string) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(s[2:6], 16, 16)
	return rune(n), err == nil
}

// reference reads ref($.path) or ref(#3).
func (p *literalParser) reference(l *Literal) {
	l.Shape = Ref
	p.take('(')
	p.blanks()
	start := p.at
	if p.take('#') {
		digits := p.at
		for p.at < len(p.text) && p.text[p.at] >= '0' && p.text[p.at] <= '9' {
			p.at++
		}
		n, err := strconv.ParseUint(p.text[digits:p.at], 10, 16)
		if err != nil {
			p.fail(digits, "the number of an array or struct is expected: 0 to 65535")
		}
		l.Ref.Serial = uint32(n)
	} else {
		l.Ref.Path = p.path()
		if p.err == nil && l.Ref.Path == "" {
			p.fail(start, "a path is expected: ref($.player)")
		}
	}
	if p.err == nil && !p.take(')') {
		p.fail(p.at, "a ) is expected after ref(")
	}
}

// path reads everything up to the closing parenthesis that is not in quotes.
func (p *literalParser) path() string {
	start, quoted := p.at, false
	for ; p.at < len(p.text); p.at++ {
		switch c := p.text[p.at]; {
		case quoted && c == '\\':
			p.at = min(p.at+1, len(p.text)-1)
		case c == '"':
			quoted = !quoted
		case c == ')' && !quoted:
			return strings.TrimSpace(p.text[start:p.at])
		}
	}
	p.fail(p.at, "a ) is expected after ref(")
	return ""
}
