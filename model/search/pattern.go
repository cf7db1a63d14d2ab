package search

import (
	"bytes"
	"encoding/hex"
	"errors"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"varview/decoder/value/condition"
)

// A pattern is a sequence of bytes, some of which may be arbitrary.
type pattern struct {
	bytes []byte
	any   []bool
	run   []byte // the longest sequence of fixed bytes
	at    int    // its offset in the pattern
}

var errPattern = errors.New(`x: needs pairs of hex digits, with ?? for any byte, as in x:1b 00 ?? ff`)

// parsePattern reads pairs of hex digits, or ?? for any byte, with blanks anywhere.
func parsePattern(s string) (*pattern, error) {
	digits := strings.Join(strings.Fields(s), "")
	p := &pattern{}
	for ; len(digits) >= 2; digits = digits[2:] {
		b, err := hex.DecodeString(digits[:2])
		isAny := digits[:2] == "??"
		if err != nil && !isAny {
			return nil, errPattern
		}
		p.bytes, p.any = append(p.bytes, append(b, 0)[0]), append(p.any, isAny)
	}
	if digits != "" || len(p.bytes) == 0 {
		return nil, errPattern
	}
	start := 0
	for i, isAny := range append(p.any, true) {
		if isAny {
			if i-start > len(p.run) {
				p.run, p.at = p.bytes[start:i], start
			}
			start = i + 1
		}
	}
	if p.run == nil {
		return nil, errors.New("x: needs a byte that is not ??, as in x:1b ?? ff")
	}
	return p, nil
}

// index returns the first place of the pattern in b; -1 if there is none.
func (p *pattern) index(b []byte) int {
	for i := 0; i+len(p.bytes) <= len(b); i++ {
		k := bytes.Index(b[i+p.at:], p.run)
		if i += k; k < 0 || i+len(p.bytes) > len(b) {
			return -1
		}
		if p.fits(b[i:]) {
			return i
		}
	}
	return -1
}

// fits reports whether b begins with bytes that match the pattern.
func (p *pattern) fits(b []byte) bool {
	for i, c := range p.bytes {
		if c != b[i] && !p.any[i] {
			return false
		}
	}
	return true
}

// A folded is a needle in lower case that matches text in any case.
type folded struct {
	needle []byte
	ascii  bool
	at     int     // position of its rarest byte in an ASCII needle
	forms  [2]byte // forms of that byte in lower and upper case
}

// rarity lists the bytes that are frequent in saves, most frequent first. All others are rare.
const rarity = "\x00 etaoinsrhldcumpfgbywvk_0123456789"

func fold(needle []byte) *folded {
	f := &folded{needle: needle, ascii: true}
	rarest := -1
	for i, c := range needle {
		if c >= utf8.RuneSelf {
			f.ascii = false
		}
		rank := bytes.IndexByte([]byte(rarity), c)
		if rank < 0 {
			rank = len(rarity)
		}
		if rank > rarest {
			rarest, f.at, f.forms = rank, i, [2]byte{c, c}
		}
	}
	if c := f.forms[0]; c >= 'a' && c <= 'z' {
		f.forms[1] = c - 'a' + 'A'
	}
	return f
}

// index is bytes.Index ignoring case. It finds only text of the same length in bytes.
func (f *folded) index(b []byte) int {
	if !f.ascii {
		return f.indexAny(b)
	}
	at, _ := f.scan(b)
	return at
}

// scan is index for an ASCII needle. It also returns how many bytes were looked at for its rarest byte.
func (f *folded) scan(b []byte) (at, looked int) {
	const near = 64 // how far it looks for both forms of the rarest byte at first, so that it does not pass all for one that is absent
	last := len(b) - len(f.needle) + f.at
	for i, ahead := f.at, near; i <= last; ahead *= 2 {
		part := b[i:min(i+ahead, last+1)]
		n := bytes.IndexByte(part, f.forms[0])
		if n >= 0 {
			part = part[:n]
		}
		looked += 2 * len(part)
		if f.forms[1] != f.forms[0] {
			if upper := bytes.IndexByte(part, f.forms[1]); upper >= 0 {
				n = upper
			}
		}
		if n < 0 {
			i += len(part)
			continue
		}
		if start := i + n - f.at; bytes.EqualFold(b[start:start+len(f.needle)], f.needle) {
			return start, looked
		}
		i, ahead = i+n+1, near/2
	}
	return -1, looked
}

// indexAny is index for a needle with any characters: a character that folds to one of them may begin
// with another byte.
func (f *folded) indexAny(b []byte) int {
	for i := 0; i+len(f.needle) <= len(b); i++ {
		if b[i] >= utf8.RuneSelf || f.needle[0] >= utf8.RuneSelf || b[i]|0x20 == f.needle[0]|0x20 {
			if bytes.EqualFold(b[i:i+len(f.needle)], f.needle) {
				return i
			}
		}
	}
	return -1
}

// A glob is a pattern for a whole text: * matches any characters, ? matches one.
type glob struct {
	runes []rune
	fold  bool // ignores case
}

// The wildcards of a glob.
const (
	anyRunes rune = -1 - iota
	anyRune
)

// newGlob returns a glob, which ignores case if it has no capitals.
func newGlob(s string) *glob {
	g := &glob{fold: !hasCapitals(s)}
	for _, r := range s {
		switch r {
		case '*':
			r = anyRunes
		case '?':
			r = anyRune
		}
		g.runes = append(g.runes, r)
	}
	return g
}

// matches reports whether the glob matches s.
func (g *glob) matches(s []byte) bool {
	at, i := 0, 0
	star, from := -1, 0 // the last *, and the end of the characters that it matches
	for i < len(s) {
		r, size := utf8.DecodeRune(s[i:])
		switch {
		case at < len(g.runes) && g.runes[at] == anyRunes:
			star, from = at, i
			at++
		case at < len(g.runes) && (g.runes[at] == anyRune || g.equal(g.runes[at], r)):
			at++
			i += size
		case star >= 0: // it matches one more character
			_, size := utf8.DecodeRune(s[from:])
			from += size
			at, i = star+1, from
		default:
			return false
		}
	}
	for at < len(g.runes) && g.runes[at] == anyRunes {
		at++
	}
	return at == len(g.runes)
}

func (g *glob) equal(of, r rune) bool { return of == r || g.fold && of == unicode.ToLower(r) }

// PathPattern returns a function that reports whether a path matches a pattern with * and ?. A pattern
// that does not begin with $ matches the end of paths.
func PathPattern(pattern string) func(path string) bool {
	if len(pattern) > 0 && pattern[0] != '$' && pattern[0] != '*' {
		if pattern[0] != '.' && pattern[0] != '[' {
			pattern = "." + pattern
		}
		pattern = "*" + pattern
	}
	g := newGlob(pattern)
	return func(path string) bool { return g.matches([]byte(path)) }
}

// parseNumber reads a number: 42, -1.5, 0x1f, 1e3.
func parseNumber(s string) (n condition.Number, ok bool) {
	n, ok = condition.ParseNumber(s)
	return n, ok && n.IsFinite()
}

// word reads up to a blank or a sign that ends a term. Parentheses may be part of a word.
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

// wordOrQuoted reads a word, or a quoted text in which \" is a quote and \\ a backslash. typed is that
// text in its shortest form.
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

// regex reads a regular expression between slashes. A slash without a second one begins a text, as in
// /root/Player.
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

// Wholly returns a regular expression that matches all of a text, in query syntax.
func Wholly(text string) string {
	return "/^" + strings.ReplaceAll(regexp.QuoteMeta(text), "/", `\/`) + "$/"
}
