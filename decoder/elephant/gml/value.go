package gml

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

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
func (p *parser) datatype(tokens []token) (Datatype, bool) {
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

// spell returns an expression as a message shows it, with the macro it comes from.
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
