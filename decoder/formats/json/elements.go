package json

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"varview/decoder/edit/textual"
	"varview/decoder/engine/span"
	"varview/decoder/value/notation"
)

// GameMaker's json_encode writes an array in a map as a text: its elements, without quotes, joined by a
// comma and a blank, in brackets. A text that could also be split in another way, or that is as likely not
// a list, is only a text. Texts and values with the same spelling cannot be distinguished: null, true and 5
// are taken for values.

// elementLevels is the number of levels of such lists.
const elementLevels = 32

// elements is the grammar's Elements.
func elements(b []byte, at int64) (textual.Element, bool) {
	list, n := listOf(b, at, elementLevels)
	return list, n == len(b) && !(len(list.Items) == 1 && list.Items[0].Text && !list.Items[0].List) && typed(string(b)) == ""
}

// listOf reads a list at the start of b, which is at an offset. n is 0 if there is none.
func listOf(b []byte, at int64, levels int) (list textual.Element, n int) {
	list = textual.Element{Type: text, Text: true, List: true}
	i := 1
	for levels > 0 && !(i == 1 && bytes.HasPrefix(b[1:], []byte("]"))) {
		item := textual.Element{}
		if i < len(b) && b[i] == '[' {
			if item, n = listOf(b[i:], at+int64(i), levels-1); n == 0 {
				return list, 0
			}
		} else {
			if n = bytes.IndexAny(b[i:], "[],"); n < 0 || !isElement(b[i:i+n]) {
				return list, 0
			}
			item = textual.Element{Span: span.Span{Offset: at + int64(i), Length: int64(n)}, Type: elementType(b[i : i+n])}
			item.Text = item.Type == text
		}
		list.Items = append(list.Items, item)
		if i += n; !bytes.HasPrefix(b[i:], []byte(", ")) {
			break
		}
		i += len(", ")
	}
	if i >= len(b) || b[i] != ']' {
		return list, 0
	}
	list.Span = span.Span{Offset: at, Length: int64(i + 1)}
	return list, i + 1
}

// isElement reports whether a text without quotes may be an element: not what JSON itself would write.
func isElement(b []byte) bool {
	return len(bytes.TrimSpace(b)) == len(b) && !slices.ContainsFunc([]string{`"`, `\"`, "{"}, func(s string) bool { return bytes.HasPrefix(b, []byte(s)) })
}

// elementType returns the type of an element by its spelling, which is that of JavaScript.
func elementType(b []byte) uint16 {
	switch s := string(b); {
	case s == "null":
		return null
	case s == "true", s == "false":
		return boolean
	case json.Valid(b), s == "NaN", s == "Infinity", s == "-Infinity":
		return number
	}
	return text
}

// spellElement is the grammar's SpellElement.
func spellElement(v *notation.Value) (string, error) {
	s := v.Text
	if v.Kind == notation.Word {
		s = []byte(v.Name)
	}
	is := elementType(s)
	switch v.Kind {
	case notation.Text:
		is = text
	case notation.List:
		var all []string
		for i := range v.Items {
			one, err := spellElement(&v.Items[i])
			if err != nil {
				return "", err
			}
			all = append(all, one)
		}
		return "[" + strings.Join(all, ", ") + "]", nil
	}
	b := appendText(nil, s, false)
	b = b[1 : len(b)-1]
	if list, n := listOf(slices.Concat([]byte("["), b, []byte(", ]")), 0, elementLevels); n == 0 || len(list.Items) != 2 || list.Items[0].Type != is || is == text && v.Kind != notation.Text {
		return "", v.Errorf("in a list without quotes, this would be read as something else")
	}
	return string(b), nil
}
