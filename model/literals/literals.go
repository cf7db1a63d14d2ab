// Package literals works on literals as text, whatever the format: it lays them out in lines, finds
// brackets that belong together, and makes empty values of the same shape.
package literals

import "strings"

// step is the indentation of a line for each bracket around it.
const step = "  "

// IsContainer reports whether a literal has elements in brackets that can be a line each.
func IsContainer(literal string) bool {
	for i := 0; i < len(literal); i = next(literal, i) {
		if opens(literal, i) {
			return true
		}
	}
	return false
}

// Lines lays out a literal with one element a line, indented by the brackets around it. A container
// that has other ones around it stays in a line where it fits into width columns.
func Lines(literal string, width int) string {
	var b strings.Builder
	layOut(&b, strings.TrimSpace(literal), width, 0)
	return b.String()
}

// maxDepth is the number of brackets around one another that are looked into.
const maxDepth = 20

// layOut writes text with its containers laid out in lines. There are depth containers around it.
func layOut(b *strings.Builder, text string, width, depth int) {
	indent := strings.Repeat(step, depth)
	for i := 0; i < len(text); {
		end := next(text, i)
		if !opens(text, i) {
			b.WriteString(text[i:end])
			i = end
			continue
		}
		end = closing(text, i)
		inner := text[i+1 : max(i+1, end-1)]
		if strings.TrimSpace(inner) == "" || depth == maxDepth || depth > 0 && len(indent)+end < width {
			b.WriteString(text[i:end])
			i = end
			continue
		}
		b.WriteByte(text[i])
		for k, element := range split(inner, ',') {
			if k > 0 {
				b.WriteByte(',')
			}
			b.WriteString("\n" + indent + step)
			layOut(b, strings.TrimSpace(element), width, depth+1)
		}
		b.WriteString("\n" + indent + text[end-1:end])
		i = end
	}
}

// opens reports whether a container begins at a byte: a brace, or a bracket that does not follow the
// name of a type.
func opens(text string, i int) bool {
	switch text[i] {
	case '{':
		return true
	case '[':
		return i == 0 || !isWord(text[i-1])
	}
	return false
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// next returns the byte after the one at i, or after the text in quotes that begins there.
func next(text string, i int) int {
	if text[i] != '"' {
		return i + 1
	}
	for i++; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

// closing returns the byte after the bracket that belongs to the one at i; the end of the text where
// there is none.
func closing(text string, i int) int {
	depth := 0
	for i < len(text) {
		end := next(text, i)
		switch text[i] {
		case '[', '{', '(':
			depth++
		case ']', '}', ')':
			if depth--; depth == 0 {
				return end
			}
		}
		i = end
	}
	return len(text)
}

// split divides text at a sign outside of brackets and quotes.
func split(text string, at byte) (parts []string) {
	start, depth := 0, 0
	for i := 0; i < len(text); {
		end := next(text, i)
		switch c := text[i]; {
		case c == '[', c == '{', c == '(':
			depth++
		case c == ']', c == '}', c == ')':
			depth--
		case c == at && depth == 0:
			parts = append(parts, text[start:i])
			start = end
		}
		i = end
	}
	return append(parts, text[start:])
}

// Partner returns the place of the bracket that belongs to the one at a byte, or to the one before
// it; -1 where none is there, or it stands alone.
func Partner(text string, at int) int {
	var open []int
	before := -1 // the partner of the one before
	for i := 0; i < len(text); i = next(text, i) {
		switch text[i] {
		case '[', '{', '(':
			open = append(open, i)
		case ']', '}', ')':
			n := len(open)
			if n == 0 {
				continue
			}
			switch from := open[n-1]; {
			case i == at:
				return from
			case from == at:
				return i
			case i == at-1:
				before = from
			case from == at-1:
				before = i
			}
			open = open[:n-1]
		}
	}
	return before
}
