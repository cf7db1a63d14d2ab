package literals

import (
	"slices"
	"strings"
)

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

// wordAt returns the end of the word or number that begins at a byte, and its class.
func wordAt(literal string, at int) (end int, class Class) {
	for end = at + 1; end < len(literal) && (isWord(literal[end]) || literal[end] == '.'); end++ {
	}
	if isName(literal[at]) {
		return end, Word
	}
	return end, Number
}

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
			end, class = wordAt(literal, i)
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

// Keys returns the keys in a literal, each once.
func Keys(literal string) (keys []string) {
	classes := Classes(literal)
	for i := 0; i < len(literal); {
		end := i + 1
		for end < len(literal) && classes[end] == classes[i] {
			end++
		}
		if key := literal[i:end]; classes[i] == Key {
			if i > 0 && strings.IndexByte("&^", literal[i-1]) >= 0 {
				key = literal[i-1 : end]
			}
			if !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
		}
		i = end
	}
	return keys
}

// KeyBefore returns where a key begins that ends at a byte of a literal; negative if a value stands there.
func KeyBefore(literal string, at int) int {
	from := strings.LastIndexAny(literal[:at], " \n\t,:{[(") + 1
	if strings.HasSuffix(strings.TrimRight(literal[:from], " \n\t"), ":") {
		return -1
	}
	return from
}
