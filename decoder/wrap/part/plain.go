package part

import (
	"unicode/utf8"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// The types of values in a wrapper's tree, as Type of a tree.Value. A wrapper's own types
// follow them.
const (
	Base  uint16 = iota // the buffer itself
	Own                 // a part with fields of its own; Sub says which one
	First               // the first type that a wrapper defines itself
)

// Plain is what the readings of all wrappers share.
type Plain struct{}

// AppendStep implements tree.Stepper: all paths are $.
func (Plain) AppendStep(dst []byte, r *tree.Reader, parent *tree.Value, slot tree.Slot, key *tree.Value) []byte {
	return dst
}

// AppendField implements tree.Reading.
func (Plain) AppendField(dst []byte, w *source.Window, v *tree.Value, field span.Field) []byte {
	if field.Kind == span.Magic || field.Kind == span.Text { // no longer than a piece of text
		return tree.AppendEscaped(dst, w.View(field.Offset, field.Length), 0)
	}
	return tree.AppendData(dst, w, field.Span)
}

// LeadingGap appends the field of the bytes before the region of a buffer.
func LeadingGap(fields []span.Field, v *tree.Value) []span.Field {
	if v.Body == 0 {
		return fields
	}
	return append(fields, span.Field{Span: span.Between(0, v.Body), Kind: span.Gap, Label: "gap"})
}

// AppendCut appends text of at most limit bytes; longer text ends with "…".
func AppendCut(dst []byte, text string, limit int) []byte {
	const more = "…"
	if len(text) <= limit {
		return append(dst, text...)
	}
	n := max(0, limit-len(more))
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return append(append(dst, text[:n]...), more...)
}

// Quoted returns some characters of a text in quotes.
func Quoted(text []byte) string {
	const most = 16
	if len(text) > most {
		return string(tree.AppendQuoted(nil, text[:most])) + "…"
	}
	return string(tree.AppendQuoted(nil, text))
}
