// Package literals works on literals as text, whatever the format: it lays them out in lines, finds
// matching brackets, and makes empty values of the same shape.
package literals

import "strings"

// step is the indentation for each level of brackets.
const step = "  "

// IsContainer reports whether a literal has bracketed elements that can be put on lines of their own.
func IsContainer(literal string) bool {
	for i := 0; i < len(literal); i = next(literal, i) {
		if opens(literal, i) {
			return true
		}
	}
	return false
}

// Lines lays out a literal with one element per line, indented by level. A nested container stays on one
// line if that fits into width columns.
func Lines(literal string, width int) string {
	var b strings.Builder
	layOut(&b, strings.TrimSpace(literal), width, 0)
	return b.String()
}

// maxDepth is the largest depth of nested brackets that is laid out.
const maxDepth = 20

// layOut writes text with its containers laid out in lines; depth containers are around it.
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

// opens reports whether a container begins at a byte: with a brace, or with a bracket that does not
// follow the name of a type.
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

// next returns the index after the byte at i, or after the quoted text that begins there.
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

// closing returns the index after the bracket that closes the one at i; the end of the text if there is
// none.
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

// split splits text at a character outside brackets and quotes.
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

// Partner returns the index of the bracket that matches the one at a byte or before it; -1 if there is no
// bracket or no match.
func Partner(text string, at int) int {
	var open []int
	before := -1 // match of the bracket before at
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
