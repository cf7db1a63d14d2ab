package rules

import (
	"bytes"
	"strconv"
	"strings"
)

// A token is what VariantParser::get_token reads. Marks are their own kinds.
type token struct {
	kind    tokenKind
	at, end int
	text    []byte // of a word, a number or a colour
}

type tokenKind byte

const (
	ended   tokenKind = 0
	broken  tokenKind = '!' // reported already
	word    tokenKind = 'w'
	number  tokenKind = '0'
	text    tokenKind = '"'
	name    tokenKind = '&'
	color   tokenKind = '#'
	marks             = "{}[]():,.="
	control           = ' ' // this and what is below are blanks
)

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isHex(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' }

// next reads a token.
func (p *parser) next() token {
	p.blanks()
	t := token{at: p.at, end: p.at}
	if p.at == len(p.b) || p.b[p.at] == 0 {
		return t
	}
	c := p.b[p.at]
	switch {
	case strings.IndexByte(marks, c) >= 0:
		p.at++
		t.kind = tokenKind(c)
	case c == '#':
		for p.at++; p.at < len(p.b) && isHex(p.b[p.at]); p.at++ {
		}
		t.kind = color
	case c == '"':
		t.kind = p.quoted(text)
	case strings.IndexByte(p.prefixes, c) >= 0 && p.prefixes != "":
		if p.at++; p.at == len(p.b) || p.b[p.at] != '"' {
			t.kind = p.refuse(t.at, p.at, "a quote is expected after "+string(rune(c)))
			break
		}
		t.kind = p.quoted(name)
	case c == '-' || isDigit(c) || isLetter(c):
		t.kind = p.word()
	default:
		t.kind = p.refuse(t.at, t.at+1, "no value begins with "+strconv.Quote(string(rune(c))))
	}
	t.end = p.at
	t.text = p.b[t.at:t.end]
	return t
}

// blanks passes blanks and comments.
func (p *parser) blanks() {
	for ; p.at < len(p.b) && p.b[p.at] != 0; p.at++ {
		if p.b[p.at] == ';' {
			if n := bytes.IndexByte(p.b[p.at:], '\n'); n >= 0 {
				p.at += n
			} else {
				p.at = len(p.b) - 1
			}
		} else if p.b[p.at] > control {
			return
		}
	}
}

// word reads a word or a number.
func (p *parser) word() tokenKind {
	from := p.at
	if p.b[p.at] == '-' {
		p.at++
	}
	switch {
	case p.at < len(p.b) && isDigit(p.b[p.at]), !p.signed && p.at > from:
		p.number()
		return number
	case p.at == len(p.b) || !isLetter(p.b[p.at]):
		return p.refuse(from, p.at, "a number is expected after -")
	}
	for p.at < len(p.b) && (isLetter(p.b[p.at]) || isDigit(p.b[p.at])) {
		p.at++
	}
	return word
}

// number passes digits, a point and an exponent.
func (p *parser) number() {
	digits := func() {
		for p.at < len(p.b) && isDigit(p.b[p.at]) {
			p.at++
		}
	}
	digits()
	if p.at < len(p.b) && p.b[p.at] == '.' {
		p.at++
		digits()
	}
	if p.at < len(p.b) && (p.b[p.at] == 'e' || p.b[p.at] == 'E' && p.capital) {
		p.at++
		if p.at < len(p.b) && (p.b[p.at] == '+' || p.b[p.at] == '-') {
			p.at++
		}
		digits()
	}
}

// quoted passes a text in quotes, whose escapes must be sound.
func (p *parser) quoted(kind tokenKind) tokenKind {
	half := -1 // where the first half of a pair is
	unpaired := func() tokenKind { return p.refuse(half, half+len(`\ud83d`), "half a surrogate pair") }
	for from, at := p.at, p.at+1; at < len(p.b) && p.b[at] != 0; at++ {
		unit, size := rune(0), 1
		switch c := p.b[at]; {
		case c == '\\':
			if unit, size = p.escape(at); size == 0 {
				return broken
			}
		case half >= 0:
			return unpaired()
		case c == '"':
			p.at = at + 1
			return kind
		}
		isFirst, isSecond := unit&^0x3ff == 0xd800, unit&^0x3ff == 0xdc00
		switch {
		case !p.surrogates:
		case half >= 0 && !isSecond:
			return unpaired()
		case half < 0 && isSecond:
			half = at
			return unpaired()
		case isFirst:
			half = at
		default:
			half = -1
		}
		at += size - 1
		p.at = from
	}
	if n := bytes.IndexByte(p.b[p.at:], 0); n >= 0 {
		p.report(Finding{At: p.at, End: len(p.b), Refused: true, Message: "a NUL ends this text before its quote", Repair: "delete the NULs in it"})
		return broken
	}
	return p.refuse(p.at, len(p.b), "no quote ends this text")
}

// escape returns the character of an escape and its length; 0 if it is refused.
func (p *parser) escape(at int) (unit rune, size int) {
	digits := 0
	if at+1 < len(p.b) && p.b[at+1] == 'u' {
		digits = 4
	} else if at+1 < len(p.b) && p.b[at+1] == 'U' && p.long {
		digits = 6
	}
	for i := range digits {
		if j := at + 2 + i; j >= len(p.b) || !isHex(p.b[j]) {
			p.refuse(at, min(j+1, len(p.b)), "an escape of "+strconv.Itoa(digits)+" hexadecimal digits is expected")
			return 0, 0
		}
	}
	if digits > 0 {
		n, _ := strconv.ParseInt(string(p.b[at+2:at+2+digits]), 16, 32)
		unit = rune(n)
	}
	return unit, 2 + digits
}
