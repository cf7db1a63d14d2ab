package literals

import (
	"slices"
	"strconv"
	"strings"

	"varview/decoder/engine/lazy"
)

// translateName returns what a name becomes, and how many bytes of the rest belong to it: the parentheses of a number whose datatype
// is dropped, which is lost.
func translateName(name, rest string, toPrefixed bool) (is string, taken int, lost bool) {
	number, isNumber := prefixedNumber(rest)
	switch {
	case toPrefixed && name == "null":
		return "undefined", 0, false
	case toPrefixed:
	case name == "undefined":
		return "null", 0, false
	case strings.HasPrefix(rest, ":"):
		return strconv.Quote(name), 0, false
	case isNumber && name == strings.ToLower(name):
		taken = len(number) + len("()")
		if name[0] == 'f' && !strings.ContainsAny(number, ".en") { // a float stays a float
			number += ".0"
		}
		return number, taken, true
	}
	return name, 0, false
}

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
			name, taken, isLost := translateName(literal[i:end], literal[end:], toPrefixed)
			b.WriteString(name)
			i, lost = end+taken, lost || isLost
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

// Plain rewrites a literal without the types that formats of a few types lack: Vector3(1, 2, 3) as [1, 2, 3], &"x" as "x",
// Array[int]([1]) as [1].
func Plain(literal string) string {
	var b strings.Builder
	for i := 0; i < len(literal); {
		end := next(literal, i)
		if !isName(literal[i]) {
			b.WriteString(strings.Trim(literal[i:end], "&^"))
			i = end
			continue
		}
		for end < len(literal) && isWord(literal[end]) {
			end++
		}
		open := end
		if strings.HasPrefix(literal[open:], "[") {
			open = closing(literal, open)
		}
		if !strings.HasPrefix(literal[open:], "(") {
			b.WriteString(literal[i:end])
			i = end
			continue
		}
		i = closing(literal, open)
		inner := Plain(strings.TrimSuffix(literal[open+1:i], ")"))
		if open == end {
			inner = "[" + inner + "]"
		}
		b.WriteString(inner)
	}
	return b.String()
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

// packed matches the beginning of an array of numbers or vectors, with what each of its elements is.
var packed = lazy.Regexp(`^(?:Packed|Pool)(Vector[234]|Color|)[A-Za-z0-9]*Array\(`)

// inVector is the number of numbers of an element of a packed array.
var inVector = map[string]int{"Vector2": 2, "Vector3": 3, "Vector4": 4, "Color": 4}

// GDScript rewrites a literal in Godot's notation, or in one that is prefixed like Elephant's, as an expression of
// GDScript.
func GDScript(literal string, prefixed bool) string {
	if prefixed {
		literal, _ = Translate(literal, false)
	}
	var b strings.Builder
	for i := 0; i < len(literal); {
		end := next(literal, i)
		if isName(literal[i]) && (i == 0 || !isWord(literal[i-1])) {
			if head := packed().FindStringSubmatch(literal[i:]); head != nil {
				open := i + len(head[0])
				end := min(len(literal), closing(literal, open-1))
				b.WriteString(head[0] + "[" + grouped(strings.TrimSuffix(literal[open:end], ")"), head[1]) + "])")
				i = end
				continue
			}
			for end < len(literal) && isWord(literal[end]) {
				end++
			}
			name := literal[i:end]
			if name == "inf" || name == "nan" {
				name = strings.ToUpper(name)
			}
			b.WriteString(name)
			i = end
			continue
		}
		b.WriteString(literal[i:end])
		i = end
	}
	return b.String()
}

// grouped puts numbers together that are one vector or colour each.
func grouped(numbers, each string) string {
	n := inVector[each]
	if n == 0 || numbers == "" {
		return numbers
	}
	var all []string
	for some := range slices.Chunk(strings.Split(numbers, ","), n) {
		all = append(all, each+"("+strings.TrimSpace(strings.Join(some, ","))+")")
	}
	return strings.Join(all, ", ")
}
