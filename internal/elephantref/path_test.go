package elephantref

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Path returns the value's path: $.kids[3]["odd name"].
func (v *Value) Path() string {
	var steps []string
	for ; v.parent != nil; v = v.parent {
		steps = append(steps, v.step())
	}
	var path strings.Builder
	path.WriteByte('$')
	for i := len(steps) - 1; i >= 0; i-- {
		path.WriteString(steps[i])
	}
	return path.String()
}

func (v *Value) step() string {
	if v.parent.Type == Array {
		return "[" + strconv.Itoa(v.index) + "]"
	}
	step := "." + v.name
	if !isIdentifier(v.name) {
		step = "[" + quote(v.name) + "]"
	}
	if v.nth > 0 {
		step += "#" + strconv.Itoa(v.nth+1)
	}
	return step
}

// isIdentifier reports whether the name is ASCII letters, digits and
// underscores, with no digit in front.
func isIdentifier(name string) bool {
	for i, r := range name {
		letter := r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return name != ""
}

// quote writes a JSON string. Escaped are control characters, those that are
// invisible or steer the writing direction, and bytes that are no UTF-8 (as
// lone surrogates \udcXX).
func quote(text string) string {
	short := map[rune]string{'"': `\"`, '\\': `\\`, '\n': `\n`, '\r': `\r`, '\t': `\t`, '\b': `\b`, '\f': `\f`}
	out := `"`
	for i, size := 0, 0; i < len(text); i += size {
		var r rune
		r, size = utf8.DecodeRuneInString(text[i:])
		switch {
		case short[r] != "":
			out += short[r]
		case r == utf8.RuneError && size == 1:
			out += fmt.Sprintf(`\udc%02x`, text[i])
		case isHidden(r):
			for _, unit := range utf16.Encode([]rune{r}) {
				out += fmt.Sprintf(`\u%04x`, unit)
			}
		default:
			out += string(r)
		}
	}
	return out + `"`
}

// isHidden reports whether nobody sees a character.
func isHidden(r rune) bool {
	return r == '\u2800' || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}
