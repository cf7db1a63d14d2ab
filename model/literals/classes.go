package literals

import "strings"

// A Class says what a byte of a literal is part of.
type Class = byte

// The classes. Blanks have none.
const (
	Key Class = iota + 1
	String
	Number
	Word
	Sign
)

// Classes returns the class of each byte of a literal, which need not be complete.
func Classes(literal string) []byte {
	classes := make([]byte, len(literal))
	for i := 0; i < len(literal); {
		end, class := next(literal, i), Class(Sign)
		switch c := literal[i]; {
		case c == '"':
			class = String
		case c == ' ' || c == '\n' || c == '\t':
			class = 0
		case isWord(c):
			for end < len(literal) && (isWord(literal[end]) || literal[end] == '.') {
				end++
			}
			if class = Word; c >= '0' && c <= '9' {
				class = Number
			}
		}
		if (class == String || class == Word) && strings.HasPrefix(strings.TrimLeft(literal[end:], " "), ":") {
			class = Key
		}
		for ; i < end; i++ {
			classes[i] = class
		}
	}
	return classes
}
