package literals

import (
	"strconv"
	"strings"
)

// Translate rewrites a literal of one family in the notation of another: for toPrefixed with the datatype
// before numbers, as in u8(7), names without quotes, and undefined; otherwise the opposite. lost reports
// whether datatypes of numbers were dropped. What the other notation lacks stays, so that its parser
// names it.
func Translate(literal string, toPrefixed bool) (translated string, lost bool) {
	var b strings.Builder
	for i := 0; i < len(literal); {
		end := next(literal, i)
		if isName(literal[i]) && (i == 0 || !isWord(literal[i-1])) {
			for end < len(literal) && isWord(literal[end]) {
				end++
			}
			name, rest := literal[i:end], literal[end:]
			number, isNumber := prefixedNumber(rest)
			switch {
			case toPrefixed && name == "null":
				name = "undefined"
			case toPrefixed:
			case name == "undefined":
				name = "null"
			case strings.HasPrefix(rest, ":"):
				name = strconv.Quote(name)
			case isNumber && name == strings.ToLower(name):
				end += len(number) + len("()")
				if name[0] == 'f' && !strings.ContainsAny(number, ".en") { // a float stays a float
					number += ".0"
				}
				name, lost = number, true
			}
			b.WriteString(name)
			i = end
			continue
		}
		part := literal[i:end]
		if key, ok := bareKey(part); toPrefixed && ok && strings.HasPrefix(literal[end:], ":") {
			part = key
		}
		b.WriteString(part)
		i = end
	}
	return b.String(), lost
}

// isName reports whether a name may begin with a byte.
func isName(c byte) bool { return isWord(c) && (c < '0' || c > '9') }

// prefixedNumber returns the number in the parentheses with which text begins.
func prefixedNumber(text string) (number string, ok bool) {
	if !strings.HasPrefix(text, "(") {
		return "", false
	}
	number, _, ok = strings.Cut(text[1:], ")")
	_, err := strconv.ParseFloat(number, 64)
	return number, ok && err == nil
}

// bareKey returns a quoted key without its quotes, if it is a name.
func bareKey(quoted string) (key string, ok bool) {
	key = strings.Trim(quoted, `"`)
	if len(key)+2 != len(quoted) || key == "" || !isName(key[0]) {
		return "", false
	}
	for i := range len(key) {
		if !isWord(key[i]) {
			return "", false
		}
	}
	return key, true
}
