package literal

import (
	"slices"
	"strconv"
	"strings"
)

// quoted reads a text in quotes with the escapes of tree.AppendQuoted, which are JSON's and
// \udcXX for a byte XX that is not valid UTF-8.
func (p *literalParser) quoted() []byte {
	start := p.At
	text, err := p.Quoted()
	switch {
	case p.err != nil:
	case err != nil:
		p.err = err
	case slices.Contains(text, 0):
		p.fail(start, "Elephant ends a text at a NUL; it cannot hold one")
	}
	return text
}

// reference reads ref($.path) or ref(#3).
func (p *literalParser) reference(l *Literal) {
	l.Shape = Ref
	p.Accept('(')
	p.Peek()
	start := p.At
	if p.Accept('#') {
		digits := p.At
		for p.At < len(p.Text) && p.Text[p.At] >= '0' && p.Text[p.At] <= '9' {
			p.At++
		}
		n, err := strconv.ParseUint(p.Text[digits:p.At], 10, 16)
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
	if p.err == nil && !p.Accept(')') {
		p.fail(p.At, "a ) is expected after ref(")
	}
}

// path reads everything up to the closing parenthesis that is not in quotes.
func (p *literalParser) path() string {
	start, quoted := p.At, false
	for ; p.At < len(p.Text); p.At++ {
		switch c := p.Text[p.At]; {
		case quoted && c == '\\':
			p.At = min(p.At+1, len(p.Text)-1)
		case c == '"':
			quoted = !quoted
		case c == ')' && !quoted:
			return strings.TrimSpace(p.Text[start:p.At])
		}
	}
	p.fail(p.At, "a ) is expected after ref(")
	return ""
}
