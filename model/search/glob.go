package search

import (
	"unicode"
	"unicode/utf8"
)

// A glob is a pattern for a whole text: * matches any characters, ? matches one.
type glob struct {
	runes []rune
	fold  bool // it ignores case
}

// The characters of a glob that match others.
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
	star, from := -1, 0 // the last *, and what follows the characters that it matches
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

func (g *glob) equal(of, r rune) bool {
	return of == r || g.fold && of == unicode.ToLower(r)
}

// PathPattern returns a function that reports whether a path matches a pattern with * and
// ?. A pattern without $ at its start matches the end of paths.
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
