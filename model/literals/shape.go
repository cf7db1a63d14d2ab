package literals

import "strings"

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
