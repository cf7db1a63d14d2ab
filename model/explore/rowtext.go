package explore

import (
	"strings"
	"unicode"

	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// keyBytes is the number of bytes of keys that are shown.
const keyBytes = 40

// keysInside returns the keys of the first records of a list: {slot, id, qty, …}. It returns "" if its elements are no
// records.
func (x *Explorer) keysInside(n *tree.Node) string {
	if x.lister(n) != nil {
		return ""
	}
	names, length := x.namesInside(n), 0
	if len(names) > 0 && names[0] == title {
		names = names[1:]
	}
	for i, name := range names {
		if length += len(name) + 2; length > keyBytes && i > 0 {
			names = append(names[:i:i], "…")
			break
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "{" + strings.Join(names, ", ") + "}"
}

// preview returns the literal of a container from its first bracket, without its type. It returns "" for
// an empty one, and all of a text.
func preview(literal string) string {
	if isText(literal) {
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

// isText reports whether a literal is text in quotes: "…", &"…" or ^"…".
func isText(literal string) bool {
	literal = strings.TrimLeft(literal, "&^")
	return strings.HasPrefix(literal, `"`)
}

func kindOf(literal string) RowKind {
	switch {
	case isText(literal):
		return RowText
	case literal != "" && strings.ContainsRune("(-0123456789", rune(literal[0])), literal == "inf", literal == "nan":
		return RowNumber
	}
	return RowOther
}

// label turns the step of a path into the label of a row, and reports whether it is a name.
func label(step string) (text string, named bool) {
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

// count formats a number of children, which may be unknown.
func count(n int64) string {
	if n == tree.Unknown {
		return "…"
	}
	return span.Grouped(n)
}
