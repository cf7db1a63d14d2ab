// Package literals works on literals as text, whatever the format: it lays them out in lines, finds
// matching brackets, and makes empty values of the same shape.
package literals

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"varview/decoder/engine/tree"
)

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

// Step returns a literal in which the number at a byte is increased by by steps: of its last digit, or of
// 0.01 in a colour if it is between 0 and 1. If no number is there, it is the next one or, in a literal
// without text, the first. then is where the cursor is afterwards; ok is false if there is no number.
func Step(literal string, at, by int) (stepped string, then int, ok bool) {
	from, to, ok := number(literal, at)
	for i := at + 1; !ok && i < at+len(literal) && !strings.Contains(literal, `"`); i++ {
		from, to, ok = number(literal, i%len(literal))
	}
	if !ok {
		return literal, at, false
	}
	digits := 0
	if i := strings.IndexByte(literal[from:to], '.'); i >= 0 {
		digits = to - from - i - 1
	}
	var text string
	if v, err := strconv.ParseInt(literal[from:to], 10, 64); err == nil && !strings.HasPrefix(literal, "Color(") {
		text = strconv.FormatInt(v+int64(by), 10)
	} else {
		v, err := strconv.ParseFloat(literal[from:to], 64)
		if err != nil {
			return literal, at, false
		}
		unit, _ := strconv.ParseFloat("1e-"+strconv.Itoa(digits), 64)
		if strings.HasPrefix(literal, "Color(") {
			unit, digits = 0.01, max(2, digits)
			v = max(0, min(v+unit*float64(by), 1))
		} else {
			v += unit * float64(by)
		}
		text = strconv.FormatFloat(v, 'f', digits, 64)
	}
	return literal[:from] + text + literal[to:], from + len(text), true
}

// number returns the bounds of the number that contains a byte of a literal, or ends before it.
func number(literal string, at int) (from, to int, ok bool) {
	isDigit := func(i int) bool {
		return i >= 0 && i < len(literal) && (literal[i] >= '0' && literal[i] <= '9' || literal[i] == '.')
	}
	if !isDigit(at) {
		at--
	}
	if !isDigit(at) {
		return 0, 0, false
	}
	for from, to = at, at+1; isDigit(from - 1); from-- {
	}
	for isDigit(to) {
		to++
	}
	if from > 0 && literal[from-1] == '-' {
		from--
	}
	before := strings.TrimLeft(literal[:from], "-")
	i := len(before) - 1 // otherwise it is part of a name, of hexadecimal digits or of an exponent
	return from, to, i < 0 || !isName(before[i]) && before[i] != '#'
}

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

// Unquote returns the text of a quoted literal, and the mark before the quotes; ok is false if the text
// cannot be typed as it is.
func Unquote(literal string) (mark, text string, ok bool) {
	rest := strings.TrimLeft(literal, "&^")
	mark = literal[:len(literal)-len(rest)]
	if len(mark) > 1 || len(rest) < 2 || rest[0] != '"' || rest[len(rest)-1] != '"' {
		return "", "", false
	}
	var b strings.Builder
	inner := rest[1 : len(rest)-1]
	for i := 0; i < len(inner); i++ {
		c := inner[i]
		switch {
		case c == '"':
			return "", "", false // something follows the closing quote
		case c != '\\':
			b.WriteByte(c)
			continue
		case i+1 == len(inner):
			return "", "", false
		}
		i++
		switch inner[i] {
		case '"', '\\':
			b.WriteByte(inner[i])
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		default:
			return "", "", false
		}
	}
	return mark, b.String(), true
}

// Quote returns the literal of a text.
func Quote(mark, text string) string { return mark + string(tree.AppendQuoted(nil, []byte(text))) }

// Alike returns how many bytes two texts have in common at their beginning and at their end.
func Alike(a, b string) (from, to int) {
	most := min(len(a), len(b))
	for from < most && a[from] == b[from] {
		from++
	}
	for from > 0 && from < len(a) && !utf8.RuneStart(a[from]) {
		from--
	}
	for to < most-from && a[len(a)-1-to] == b[len(b)-1-to] {
		to++
	}
	for to > 0 && !utf8.RuneStart(a[len(a)-to]) {
		to--
	}
	return from, to
}

// List returns keys and literals as a list, or if keyed is set as a dictionary.
func List(keyed bool, all [][2]string) string {
	var parts []string
	for _, x := range all {
		if keyed {
			parts = append(parts, x[0]+": "+x[1])
		} else {
			parts = append(parts, x[1])
		}
	}
	if keyed {
		return "{ " + strings.Join(parts, ", ") + " }"
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

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

// NextValue returns where the next number, word or text that begins behind a byte begins and ends in a literal, of a text without its
// quotes; behind the last one comes the first. Both are negative if there is none.
func NextValue(literal string, at int) (from, to int) {
	classes := Classes(literal)
	from, to = -1, -1
	for i, end := 0, 0; i < len(literal); i = end {
		for end = i + 1; end < len(literal) && classes[end] == classes[i]; end++ {
		}
		if c := Class(classes[i]); c != Number && c != Word && c != String || from >= 0 && i <= at {
			continue
		}
		if from, to = i, end; literal[i] == '"' && end-i > 1 && literal[end-1] == '"' {
			from, to = i+1, end-1
		}
		if i > at {
			break
		}
	}
	return from, to
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

// Shape returns a literal of the same shape with empty values: the keys of a dictionary or the members of
// a struct stay, numbers become 0, texts and containers in it become empty.
func Shape(literal string) string { return shape(strings.TrimSpace(literal), 0) }

// shape is Shape for a value with depth containers around it. The outermost one keeps its elements.
func shape(value string, depth int) string {
	if depth > maxDepth {
		return value
	}
	var b strings.Builder
	for i := 0; i < len(value); {
		end := next(value, i)
		switch c := value[i]; {
		case c == '"':
			b.WriteString(`""`)
		case c == '{':
			end = closing(value, i)
			b.WriteString(entries(value[i+1:max(i+1, end-1)], depth+1))
		case c == '[' && opens(value, i):
			end = closing(value, i)
			inner := value[i+1 : max(i+1, end-1)]
			if depth > 0 {
				inner = ""
			}
			b.WriteString("[" + elements(inner, depth+1) + "]")
		case c == '(' && holdsMany(value[:i]):
			end = closing(value, i)
			b.WriteString("()")
		case isWord(c) || c == '-' || c == '+':
			for end < len(value) && (isWord(value[end]) || strings.IndexByte(".+-", value[end]) >= 0) {
				end++
			}
			b.WriteString(emptyWord(value[i:end]))
		default:
			b.WriteByte(c)
		}
		i = end
	}
	return b.String()
}

// holdsMany reports whether the parentheses after a type may hold any number of elements.
func holdsMany(before string) bool {
	name := before[strings.LastIndexAny(before, " ,([{:")+1:]
	return strings.HasPrefix(name, "Packed") || strings.HasPrefix(name, "Pool")
}

// entries returns the entries of a dictionary or struct, with empty values.
func entries(inner string, depth int) string {
	if strings.TrimSpace(inner) == "" {
		return "{}"
	}
	var all []string
	for _, entry := range split(inner, ',') {
		key := split(entry, ':')[0]
		if value, ok := strings.CutPrefix(entry, key+":"); ok {
			entry = strings.TrimSpace(key) + ": " + shape(strings.TrimSpace(value), depth)
		}
		all = append(all, strings.TrimSpace(entry))
	}
	return "{ " + strings.Join(all, ", ") + " }"
}

// elements returns the elements of an array, emptied.
func elements(inner string, depth int) string {
	if strings.TrimSpace(inner) == "" {
		return ""
	}
	var all []string
	for _, element := range split(inner, ',') {
		all = append(all, shape(strings.TrimSpace(element), depth))
	}
	return strings.Join(all, ", ")
}

// emptyWord returns the empty value for a number or word; the names of types stay.
func emptyWord(word string) string {
	switch {
	case word == "true":
		return "false"
	case word == "nan", strings.TrimLeft(word, "+-") == "inf":
		return "0.0"
	case strings.IndexByte("+-0123456789", word[0]) < 0:
		return word
	case strings.ContainsAny(word, ".") || strings.ContainsAny(word, "eE") && !strings.HasPrefix(word, "0x"):
		return "0.0"
	}
	return "0"
}
