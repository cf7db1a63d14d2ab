package wrap

import (
	"unicode/utf8"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// What a value of a wrapper's tree is: Type of a tree.Value.
const (
	tBase   uint16 = iota // the buffer itself
	tPart                 // a part with fields of its own; Sub is which
	tTable                // GCPF's block lengths
	tLength               // one of them; Sub is which
	tBlocks               // GCPF's blocks
	tBlock                // one of them; Sub is which
	tPiece                // a line of text, or a piece of one
)

// common is what the formats of all wrappers share.
type common struct{}

// Pass implements tree.Reading; nothing is passed unseen.
func (common) Pass(w *source.Window, parent *tree.Value, s *tree.Stretch) {}

// AppendStep implements tree.Reading: all paths are $.
func (common) AppendStep(dst []byte, r *tree.Reader, parent *tree.Value, slot tree.Slot, key *tree.Value) []byte {
	return dst
}

// Shortage implements tree.Reading; each wrapper tells of it itself.
func (common) Shortage() string { return "" }

// Nesting implements tree.Reading: there is no limit.
func (common) Nesting() (levels int, engine string) { return 0, "" }

// AppendField implements tree.Reading.
func (common) AppendField(dst []byte, w *source.Window, v *tree.Value, field span.Field) []byte {
	if field.Kind == span.Magic || field.Kind == span.Text { // no longer than a piece of text
		return tree.AppendEscaped(dst, w.View(field.Offset, field.Length), 0)
	}
	return tree.AppendHex(dst, w.View(field.Offset, min(field.Length, 64)), field.Length)
}

// leadingGap appends the field of the bytes before the region.
func leadingGap(fields []span.Field, v *tree.Value) []span.Field {
	if v.Body == 0 {
		return fields
	}
	return append(fields, span.Field{Span: span.Between(0, v.Body), Kind: span.Gap, Label: "gap"})
}

// appendCut appends text of at most limit bytes; what is longer ends with "…".
func appendCut(dst []byte, text string, limit int) []byte {
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
