package literals

import (
	"strings"
	"unicode"
)

// Preview returns the literal of a container from its first bracket, without its type. It returns "" for
// an empty one, and all of a text.
func Preview(literal string) string {
	if IsText(literal) {
		return literal
	}
	if start := strings.IndexByte(literal, '['); start > 0 && unicode.IsLetter(rune(literal[0])) {
		if _, rest, found := strings.Cut(literal[start:], "]("); found { // Array[int]([1, 2])
			literal = strings.TrimSuffix(rest, ")")
		}
	}
	i := strings.IndexAny(literal, "{[(")
	if i < 0 || strings.HasPrefix(literal[i:], "{}") || strings.HasPrefix(literal[i:], "[]") || strings.HasPrefix(literal[i:], "()") {
		return ""
	}
	return literal[i:]
}

// IsText reports whether a literal is text in quotes: "…", &"…" or ^"…".
func IsText(literal string) bool {
	literal = strings.TrimLeft(literal, "&^")
	return strings.HasPrefix(literal, `"`)
}

// Label returns the name in a step of a path, or the step, and reports whether it is a name.
func Label(step string) (text string, named bool) {
	switch {
	case step == "":
		return "$", false
	case step[0] == '.':
		return step[1:], true
	case strings.HasPrefix(step, `["`):
		return step[1 : len(step)-1], true
	case isPlainName(step):
		return step[3 : len(step)-2], true
	}
	return step, false
}

// isPlainName reports whether a step is a StringName that reads the same without its quotes: the line
// about the cursor has its exact form.
func isPlainName(step string) bool {
	name, ok := strings.CutPrefix(step, `[&"`)
	name, quoted := strings.CutSuffix(name, `"]`)
	return ok && quoted && name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}
