package rules

import (
	"bytes"
	"strconv"
	"strings"
)

// A Token is what VariantParser::get_token reads.
type Token struct {
	Kind    Kind
	At, End int
	Text    []byte // its bytes
}

// A Kind is the kind of a token. Marks are their own kinds.
type Kind byte

// The kinds besides marks.
const (
	Ended   Kind = 0
	Broken  Kind = '!' // no token of the engine, which stops here
	Word    Kind = 'w'
	Number  Kind = '0'
	Text    Kind = '"'
	Name    Kind = '&' // a text with a prefix
	Color   Kind = '#'
	marks        = "{}[]():,.="
	control      = ' ' // this and what is below are blanks
)

// A Scanner reads the tokens of a text as an engine does.
type Scanner struct {
	*Engine
	At int // what is read

	b      []byte
	report func(Finding)
}

// Scan returns a scanner of b, which calls report with what the engine refuses.
func (e *Engine) Scan(b []byte, report func(Finding)) Scanner {
	return Scanner{Engine: e, b: b, report: report}
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isHex(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' }

// Next reads a token.
func (p *Scanner) Next() Token {
	p.blanks()
	t := Token{At: p.At, End: p.At}
	if p.At == len(p.b) || p.b[p.At] == 0 {
		return t
	}
	c := p.b[p.At]
	switch {
	case strings.IndexByte(marks, c) >= 0:
		p.At++
		t.Kind = Kind(c)
	case c == '#':
		for p.At++; p.At < len(p.b) && isHex(p.b[p.At]); p.At++ {
		}
		t.Kind = Color
	case c == '"':
		t.Kind = p.quoted(Text)
	case strings.IndexByte(p.prefixes, c) >= 0 && p.prefixes != "":
		if p.At++; p.At == len(p.b) || p.b[p.At] != '"' {
			t.Kind = p.refuse(t.At, p.At, "a quote is expected after "+string(rune(c)))
			break
		}
		t.Kind = p.quoted(Name)
	case c == '-' || isDigit(c) || isLetter(c):
		t.Kind = p.word()
	default:
		t.Kind = p.refuse(t.At, t.At+1, "no value begins with "+strconv.Quote(string(rune(c))))
	}
	t.End = p.At
	t.Text = p.b[t.At:t.End]
	return t
}

// blanks passes blanks and comments.
func (p *Scanner) blanks() {
	for ; p.At < len(p.b) && p.b[p.At] != 0; p.At++ {
		if p.b[p.At] == ';' {
			if n := bytes.IndexByte(p.b[p.At:], '\n'); n >= 0 {
				p.At += n
			} else {
				p.At = len(p.b) - 1
			}
		} else if p.b[p.At] > control {
			return
		}
	}
}

// word reads a word or a number.
func (p *Scanner) word() Kind {
	from := p.At
	if p.b[p.At] == '-' {
		p.At++
	}
	switch {
	case p.At < len(p.b) && isDigit(p.b[p.At]), !p.signed && p.At > from:
		p.number()
		return Number
	case p.At == len(p.b) || !isLetter(p.b[p.At]):
		return p.refuse(from, p.At, "a number is expected after -")
	}
	for p.At < len(p.b) && (isLetter(p.b[p.At]) || isDigit(p.b[p.At])) {
		p.At++
	}
	return Word
}

// number passes digits, a point and an exponent.
func (p *Scanner) number() {
	digits := func() {
		for p.At < len(p.b) && isDigit(p.b[p.At]) {
			p.At++
		}
	}
	digits()
	if p.At < len(p.b) && p.b[p.At] == '.' {
		p.At++
		digits()
	}
	if p.At < len(p.b) && (p.b[p.At] == 'e' || p.b[p.At] == 'E' && p.capital) {
		p.At++
		if p.At < len(p.b) && (p.b[p.At] == '+' || p.b[p.At] == '-') {
			p.At++
		}
		digits()
	}
}

// quoted passes a text in quotes, whose escapes must be sound.
func (p *Scanner) quoted(kind Kind) Kind {
	half := -1 // where the first half of a pair is
	unpaired := func() Kind { return p.refuse(half, half+len(`\ud83d`), "half a surrogate pair") }
	for at := p.At + 1; at < len(p.b) && p.b[at] != 0; at++ {
		unit, size := rune(0), 1
		switch c := p.b[at]; {
		case c == '\\':
			if unit, size = p.escape(at); size == 0 {
				return Broken
			}
		case half >= 0:
			return unpaired()
		case c == '"':
			p.At = at + 1
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
	}
	from := p.At
	p.At = len(p.b)
	if bytes.IndexByte(p.b[from:], 0) >= 0 {
		p.report(Finding{At: from, End: len(p.b), Refused: true, Message: "a NUL ends this text before its quote", Repair: "delete the NULs in it"})
		return Broken
	}
	return p.refuse(from, len(p.b), "no quote ends this text")
}

// escape returns the character of an escape and its length; 0 if it is refused.
func (p *Scanner) escape(at int) (unit rune, size int) {
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
