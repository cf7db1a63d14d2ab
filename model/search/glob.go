package search

import (
	"unicode"
	"unicode/utf8"
)

// A glob is a pattern for a whole text: * stands for any characters, ? for one.
type glob struct {
	runes []rune
	fold  bool // any case
}

// What stands for other characters in a glob.
const (
	anyRunes rune = -1 - iota
	anyRune
)

// newGlob returns a glob, which is for text in any case if it has no capitals.
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

// matches reports whether the glob stands for s.
func (g *glob) matches(s []byte) bool {
	at, i := 0, 0
	star, from := -1, 0 // the last *, and what comes after the characters that it takes
	for i < len(s) {
		r, size := utf8.DecodeRune(s[i:])
		switch {
		case at < len(g.runes) && g.runes[at] == anyRunes:
			star, from = at, i
			at++
		case at < len(g.runes) && (g.runes[at] == anyRune || g.equal(g.runes[at], r)):
			at++
			i += size
		case star >= 0: // it takes one character more
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

func (g *glob) equal(of, r rune) bool {
	return of == r || g.fold && of == unicode.ToLower(r)
}

// PathPattern returns what reports whether a path is like a pattern with * and ?. A pattern
// without $ at its start is one for the end of paths.
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
