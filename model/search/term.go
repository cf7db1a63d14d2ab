package search

import (
	"regexp"
	"strings"
)

// A place is where a term is searched for.
type place uint8

const (
	anywhere  place = iota // in a key or its value
	inKey                  // in a key or name
	inValue                // in a value
	inType                 // in the name of its type
	inPath                 // in its path
	inBytes                // in its bytes
	inProblem              // in its problems
	inNamed                // in the texts of a record that have a name
)

// prefixes are typed before a term that is searched for in one place only.
var prefixes = map[place]string{inKey: "key:", inValue: "value:", inType: "type:", inPath: "path:", inBytes: "x:", inProblem: "has:"}

// A term is one thing to search for. It is found if any of the fields below that are set
// is.
type term struct {
	in     place
	name   string // of inNamed
	typed  string // without the prefix
	text   *text
	number *number
	word   string // a value that is written like this, such as true or nan; "" for none
	regex  *regexp.Regexp
	glob   *glob
	bytes  *pattern
}

// String returns the term as it can be typed.
func (t *term) String() string {
	if t.in == inNamed {
		return t.name + ":" + t.typed
	}
	return prefixes[t.in] + t.typed
}

// isAboutFields reports whether a query with only this term is about fields or bytes, not
// about values.
func (t *term) isAboutFields() bool {
	return t.in == inBytes || t.in == anywhere && t.regex == nil
}

// seesNumbers reports whether the term is compared with more than text.
func (t *term) seesNumbers() bool { return t.number != nil || t.word != "" }

// required returns a text that the bytes must contain if the term is found, nil if none is
// known.
func (t *term) required() *text {
	switch {
	case t.in > inValue || t.seesNumbers():
		return nil
	case t.regex != nil:
		if literal, _ := t.regex.LiteralPrefix(); literal != "" {
			return newText(literal, false)
		}
		return nil
	}
	return t.text
}

// matchesText reports whether the text or regular expression is found in a text.
func (t *term) matchesText(s []byte) bool {
	return t.text != nil && t.text.index(s) >= 0 || t.regex != nil && t.regex.Match(s)
}

// isAllOf reports whether the term is all of the text in which it is found.
func (t *term) isAllOf(s []byte) bool {
	if t.regex != nil {
		at := t.regex.FindIndex(s)
		return at != nil && at[1]-at[0] == len(s)
	}
	return t.text != nil && len(t.text.needle) == len(s)
}

// matchesField reports whether the content of a field that is not text is the number or
// word of the term.
func (t *term) matchesField(content []byte) bool {
	return t.number != nil && t.number.matches(string(content)) || t.word != "" && string(content) == t.word
}

// quote returns a text as it is typed, with quotes if it has blanks or signs.
func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}
