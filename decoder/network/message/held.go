package message

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"varview/decoder/network/look"
	"varview/decoder/network/variants"
)

// maxHeld is the largest number of values of a message that a query searches one by one.
const maxHeld = 4096

// held returns the values that a message holds at any depth, as literals and texts without quotes: those under a key, or, for
// "", all.
func (m *Message) held(key string) []string {
	path := variants.Everything
	if key != "" {
		path = fmt.Sprintf("..[%q]", key)
	}
	return m.bodies(func(b *Body) (texts []string) {
		eachValue(b, func(v variants.Value) { texts = append(texts, heldIn(m.Values, m.Payload.Bytes, v, path)...) })
		l := m.Looked(b)
		for _, v := range l.Values {
			texts = append(texts, heldIn(l.Reader, l.Plain, v, path)...)
		}
		if l.Kind == look.JSON {
			texts = append(texts, heldInJSON(l.Plain, key)...)
		}
		return texts[:min(len(texts), maxHeld)]
	})
}

func heldIn(r *variants.Reader, b []byte, v variants.Value, path string) (texts []string) {
	for _, literal := range r.Held(b, v, path, maxHeld, maxLiteral) {
		texts = append(texts, unquoted(literal))
	}
	return texts
}

// unquoted returns the text of a literal that is one, and others as they are.
func unquoted(literal string) string {
	if text, err := strconv.Unquote(literal); err == nil {
		return text
	}
	return literal
}

// heldInJSON is held for a JSON text.
func heldInJSON(b []byte, key string) (texts []string) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var whole any
	if d.Decode(&whole) != nil {
		return nil
	}
	var in func(v any, isWanted bool)
	in = func(v any, isWanted bool) {
		switch v := v.(type) {
		case map[string]any:
			for k, child := range v {
				in(child, key == "" || k == key)
			}
		case []any:
			for _, child := range v {
				in(child, key == "")
			}
		default:
			if isWanted {
				texts = append(texts, fmt.Sprint(v))
			}
		}
	}
	in(whole, key == "")
	return texts
}
