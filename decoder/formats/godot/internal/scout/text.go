package scout

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"

	"varview/decoder/engine/format"
)

// maxHazards is the largest number of hazards of a text that are named.
const maxHazards = 100

var (
	// call matches what creates or loads something in the notation of var_to_str: blanks, control
	// characters and comments may precede the bracket.
	call = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\b(?:Object|(?:Sub|Ext)?Resource)(?:[\x00-\x20]|;[^\n]*\n)*\(`)
	})
	// file begins the text of a resource or scene.
	file = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:\xef\xbb\xbf)?(?:[\x00-\x20]|;[^\n]*\n)*\[[\x00-\x20]*gd_(?:resource|scene)\b`)
	})
)

// Text returns what a text creates or runs if the game parses it, one of its lines, what follows a = or a
// text in quotes as a value: games parse settings and JSON, and values in them. spend takes the number of
// bytes that were read, and reports whether more may be.
func Text(b []byte, spend func(int) bool) (all []format.Hazard) {
	if bytes.Contains(b, []byte("gd_")) && file().Match(b) {
		return []format.Hazard{{What: "a resource as text, with what it loads", Code: format.FileCode, IsFile: true}}
	}
	if all = native(b, spend); len(all) > 0 {
		return all
	}
	if !bytes.Contains(b, []byte("Object")) && !bytes.Contains(b, []byte("Resource")) {
		return nil
	}
	known, upTo := map[int]bool{}, 0
	for _, m := range call().FindAllIndex(b, -1) {
		if m[0] < upTo { // read already
			continue
		}
		for _, at := range starts(b, m[0]) {
			if known[at] {
				continue
			}
			known[at] = true
			p := parser{b: b, at: at}
			p.run()
			all = append(all, p.hazards...)
			if !spend(p.at-at) || len(all) >= maxHazards {
				return all
			}
			if len(p.hazards) > 0 {
				upTo = p.at
				break
			}
		}
	}
	return all
}

// starts returns where a value may begin that a call is in.
func starts(b []byte, call int) []int {
	all := []int{0}
	for _, mark := range []string{"\n", "=", "\""} {
		all = append(all, bytes.LastIndex(b[:call], []byte(mark))+1)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// A parser reads a text as the engine does, up to what the engine would refuse. It ignores the order of
// brackets and commas, so that it sees at least what the engine sees.
type parser struct {
	b       []byte
	at      int
	text    string // text of the last token
	hazards []format.Hazard
}

// Tokens, besides the signs that stand for themselves.
const (
	tokenEnd    = 0
	tokenWrong  = 1
	tokenName   = 'a'
	tokenText   = '"'
	tokenNumber = '0'
)

// constants are names without a bracket after them.
var constants = []string{"true", "false", "null", "nil", "inf", "inf_neg", "nan"}

// run reads values up to the end, or to what cannot belong to a value.
func (p *parser) run() {
	inType := false // whether the scan is in the brackets of Array[TYPE]
	for len(p.hazards) < maxHazards {
		switch t := p.next(); t {
		case tokenEnd, tokenWrong:
			return
		case tokenText:
			p.source()
		case ']':
			inType = false
		case tokenName:
			name, after := p.text, p.at
			next := p.next()
			switch {
			case next == '(':
				if !p.call(name) {
					return
				}
			case next == '[':
				inType = true
			case slices.Contains(constants, name), inType:
				p.at = after
			default:
				return
			}
		}
	}
}

// call reads what follows the bracket of what creates or loads something. It reports whether the
// engine would read on.
func (p *parser) call(name string) bool {
	switch {
	case name == "Object":
		if p.next() != tokenName {
			return false
		}
		class := p.text
		if p.next() != ',' { // the engine frees the object again
			return false
		}
		p.hazards = append(p.hazards, format.Hazard{What: class})
	case strings.HasSuffix(name, "Resource"):
		if t := p.next(); t != tokenText && t != tokenNumber {
			return false
		}
		p.hazards = append(p.hazards, format.Hazard{What: name + " " + p.text, Code: format.CodeAt(p.text)})
	}
	return true
}

// sourceProperty is the property of a script that holds its source.
const sourceProperty = "script/source"

// source notes the source of a script, if the last token is the name of that property.
func (p *parser) source() {
	after := *p
	if p.text != sourceProperty || after.next() != ':' || after.next() != tokenText || after.text == "" {
		return
	}
	p.at = after.at
	p.hazards = append(p.hazards, format.Hazard{What: "a script with its source code", Code: format.FileCode})
}

// next reads a token.
func (p *parser) next() byte {
	p.skip()
	if p.at >= len(p.b) {
		return tokenEnd
	}
	c := p.b[p.at]
	begin := p.at
	p.at++
	switch {
	case strings.IndexByte("{}[](),:=", c) >= 0:
		return c
	case c == '"':
		return p.quoted()
	case (c == '&' || c == '@' || c == '^') && p.at < len(p.b) && p.b[p.at] == '"':
		p.at++
		return p.quoted()
	case isLetter(c):
		p.while(func(c byte) bool { return isLetter(c) || isDigit(c) })
		p.text = string(p.b[begin:p.at])
		return tokenName
	case isDigit(c), c == '-', c == '+', c == '#', c == '.':
		p.while(func(c byte) bool { return isDigit(c) || isLetter(c) || c == '.' || c == '-' || c == '+' })
		p.text = string(p.b[begin:p.at])
		return tokenNumber
	}
	return tokenWrong
}

// skip passes blanks, control characters and comments.
func (p *parser) skip() {
	for p.at < len(p.b) {
		switch c := p.b[p.at]; {
		case c <= ' ':
			p.at++
		case c == ';':
			p.while(func(c byte) bool { return c != '\n' })
		default:
			return
		}
	}
}

func (p *parser) while(is func(byte) bool) {
	for p.at < len(p.b) && is(p.b[p.at]) {
		p.at++
	}
}

// quoted reads the rest of a text.
func (p *parser) quoted() byte {
	const shown = 256
	var text []byte
	for ; p.at < len(p.b); p.at++ {
		c := p.b[p.at]
		if c == '"' {
			p.at++
			p.text = string(text)
			return tokenText
		}
		if c == '\\' && p.at+1 < len(p.b) {
			p.at++
			c = p.b[p.at]
		}
		if len(text) < shown {
			text = append(text, c)
		}
	}
	p.text = string(text)
	return tokenText // it is cut off: a game may put the end back
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
