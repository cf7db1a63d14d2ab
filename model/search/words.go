package search

import (
	"regexp"
	"strings"
)

// word reads up to a blank or a sign that ends a term. Parentheses inside a word belong to
// it.
func (p *parser) word() string {
	start, open := p.at, 0
	for ; p.at < len(p.text); p.at++ {
		switch c := p.text[p.at]; {
		case c == '(':
			open++
		case c == ')' && open > 0:
			open--
		case p.ends(p.at):
			return p.text[start:p.at]
		}
	}
	return p.text[start:]
}

// wordOrQuoted reads a word, or a text in quotes, in which \" is a quote and \\ a backslash.
// typed is that text in its shortest form.
func (p *parser) wordOrQuoted() (typed, s string, err error) {
	start := p.at
	if p.rest()[0] != '"' {
		if s = p.word(); strings.Count(s, "(") > strings.Count(s, ")") {
			return "", "", p.errorf(start, `a "(" has no ")" here; a text with blanks or signs is written in quotes, as in "(1, 2)"`)
		}
		return s, s, nil
	}
	var b strings.Builder
	for p.at++; p.at < len(p.text); p.at++ {
		c := p.text[p.at]
		if c == '"' {
			break
		}
		if c == '\\' && p.at+1 < len(p.text) && (p.text[p.at+1] == '"' || p.text[p.at+1] == '\\') {
			p.at++
			c = p.text[p.at]
		}
		b.WriteByte(c)
	}
	if p.at == len(p.text) {
		return "", "", p.errorf(start, `this text has no " at its end; a quote in a text is written \"`)
	}
	p.at++
	if b.Len() == 0 {
		return "", "", p.errorf(start, "there is no text between these quotes")
	}
	if !p.ends(p.at) {
		return "", "", p.errorf(p.at, `a blank is missing after the text in quotes; a quote in a text is written \"`)
	}
	return quote(b.String()), b.String(), nil
}

// regex reads a regular expression between slashes. A slash that is not closed by another
// one begins a text, as in /root/Player.
func (p *parser) regex() (pattern string, ok bool) {
	if p.rest()[0] != '/' {
		return "", false
	}
	for i := p.at + 1; i < len(p.text); i++ {
		switch c := p.text[i]; {
		case c == '\\':
			i++
		case c == '/' && i > p.at+1 && p.ends(i+1):
			pattern = p.text[p.at+1 : i]
			p.at = i + 1
			return pattern, true
		}
	}
	return "", false
}

func (p *parser) regexTerm(in place, pattern string) (*term, error) {
	start := p.at - len(pattern) - len("//")
	r, err := regexp.Compile(pattern)
	if err != nil {
		return nil, p.errorf(start, "%s; a text that begins with a slash is written in quotes", strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
	return &term{in: in, typed: "/" + pattern + "/", regex: r}, nil
}
