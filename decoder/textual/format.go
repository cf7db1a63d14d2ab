// Package textual makes families of text formats: values in brackets, separated by marks. A family brings
// what its tokens look like (Grammar); reading, editing and repairing text is here.
//
// Every byte of the text is in a field of some value. The blanks, commas, colons and comments before a
// value are its first fields, up to Value.Head; a bracket that opens is a field of its container before
// the children (up to Value.Body), and the bracket that closes one after them, with what is before it
// (Value.Foot). What follows the last value belongs to the buffer. So the number of children is known
// only once they are passed (Value.Marked), and what passes them looks at bytes, not at values.
//
// An edit is a splice of text. It changes a token, or takes one out with the separators beside it, and
// leaves all else as it is; what is new gets the layout of its siblings (layout.go).
package textual

import (
	"math"
	"sync/atomic"

	"varview/decoder/format"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// A Grammar is what a text format is made of. Its functions keep no state.
type Grammar struct {
	// Lex reads the token at the start of b, which is not empty and neither blank nor a separator. b ends
	// where the text does, or is longer than any token.
	Lex func(b []byte, slot tree.Slot, in *tree.Value) Token

	// Scalar returns what a token other than quoted text means.
	Scalar func(token []byte, v *tree.Value) tree.Scalar

	// Unescape appends what quoted text means, without its quotes. bad is the first escape that the
	// format does not have, -1 for none.
	Unescape func(dst, text []byte) (_ []byte, bad int)

	// Inspect reports what is unusual about a value that can be read; text is its token, or the beginning
	// of it. The buffer has no token but the beginning of the text.
	Inspect func(v *tree.Value, text []byte, report func(span.Problem))

	// Pass is tree.Passer, nil where values are always passed one by one.
	Pass func(w *source.Window, parent *tree.Value, s *tree.Stretch)

	// Encode returns the token of a value without children, nil if the format has no such value. old is
	// the token in whose place it is, nil for none.
	Encode func(d Datum, old []byte) []byte

	// Spell returns the literal of a text that stands for a value of another type, as which it is edited:
	// literal is what is typed, old the token. It may be nil.
	Spell func(literal, old string) (_ string, ok bool)

	JSON  bool   // the format is JSON
	Loose string // which readers take a comma before a closing bracket, and text after the value
}

// A Datum is a value without children that is to be written.
type Datum struct {
	tree.Scalar
	Data []byte // of Text
}

// A Token is what Lex has read.
type Token struct {
	Type   uint16      // number of the type: 1 for the first of Dialect.Types
	Len    int         // bytes; of a container those before its first child
	Layout tree.Layout // Leaf, Sequence or Pairs
	Close  byte        // the byte that closes a container
	Quoted bool        // a text: Len is that of its opening quote
	Bad    string      // why it is no value
}

// A Format is a dialect with the grammar of its family.
type Format struct {
	*Grammar
	Dialect *format.Dialect
	Lines   bool // values follow one another; otherwise there is one
}

// Info implements format.Format.
func (f *Format) Info() format.Info {
	return format.Info{Dialect: f.Dialect, Framing: "raw", Declared: true}
}

// Open implements format.Format.
func (f *Format) Open(source.Source, span.Span) tree.Reading { return editor{&Reading{Format: f}} }

// A Reading reads one buffer. It learns nothing about it.
type Reading struct {
	*Format
	placed atomic.Int64 // bytes in which lines were counted for messages
}

// IsJSON implements tree.JSONLike.
func (f *Format) IsJSON() bool { return f.JSON }

// IsBuffer reports whether a value is the buffer itself.
func IsBuffer(v *tree.Value) bool { return v.Type == buffer }

// buffer is the type of the buffer itself.
const buffer = math.MaxUint16

// Bits of Value.Flags, of quoted text.
const (
	Escaped  = 1 << iota // it has escapes
	Control              // control characters
	Foreign              // bytes above 0x7f
	Unclosed             // the closing quote is missing
	Zeroed               // zeros follow up to the end of the buffer
	Quoted               // it is quoted text
)
