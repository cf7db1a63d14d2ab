// Package textual makes families of text formats: values in brackets, separated by marks. A family
// describes its tokens (Grammar); reading, editing and repairing text is done here.
//
// Every byte of the text is in a field of some value. The blanks, commas, colons and comments before a
// value are its first fields, up to Value.Head. An opening bracket is a field of its container before the
// children (up to Value.Body), the closing one after them, with what precedes it (Value.Foot). What follows
// the last value belongs to the buffer. So the number of children is known only once they are passed
// (Value.Marked), and passing them looks at bytes, not at values.
//
// An edit is a splice of text. It changes a token, or removes one with the separators beside it, and leaves
// everything else as it is; new text gets the layout of its siblings (layout.go).
package textual

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"sync/atomic"

	"varview/decoder/edit"
	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/value/notation"
)

// A Grammar describes a text format. Its functions keep no state.
type Grammar struct {
	// Lex reads the token at the start of b, which is not empty and neither blank nor a separator. b ends
	// where the text does, or is longer than any token.
	Lex func(b []byte, slot tree.Slot, in *tree.Value) Token

	// Scalar returns the meaning of a token other than quoted text.
	Scalar func(token []byte, v *tree.Value) tree.Scalar

	// Unescape appends the meaning of quoted text, without its quotes. bad is the offset of the first
	// escape that the format does not have; -1 if there is none.
	Unescape func(dst, text []byte) (_ []byte, bad int)

	// Separators returns what separates the children of a part of a file that has no brackets; nil for other
	// values, for which the rules of JSON apply.
	Separators func(in *tree.Value) *Separators

	// HasChild reports whether the child slot of a container begins at an offset, where neither the text
	// nor the brackets of the container end. nil means always.
	HasChild func(w *source.Window, in *tree.Value, slot tree.Slot, at int64) bool

	// Fits reports whether rest, the text after a closing quote, may follow it; nil means JSON's rules.
	Fits func(in *tree.Value, slot tree.Slot, rest []byte) bool

	// Inspect reports what is unusual about a value that can be read; text is its token, or the beginning
	// of it. InspectAll does so for the whole text, which an engine has written, "" if that is not known. They may be nil.
	Inspect    func(v *tree.Value, text []byte, report func(span.Problem))
	InspectAll func(w *source.Window, v *tree.Value, engine string, report func(span.Problem))

	// Pass implements tree.Passer; nil if values are always passed one by one.
	Pass func(w *source.Window, parent *tree.Value, s *tree.Stretch)

	// Encode returns the token of a value without children; nil if the format has no such value. old is the
	// token that it replaces; nil if it is new.
	Encode func(d Datum, old []byte) []byte

	// Accept returns an error if a reader would not read text in a place as it is meant. in is the container, or
	// the buffer. nil means that readers take whatever Encode returns.
	Accept func(w *source.Window, in *tree.Value, slot tree.Slot, text []byte) error

	// Spell returns the literal of a text that stands for a value of another type and is edited as such:
	// literal is what is typed, old the token. It may be nil.
	Spell func(literal, old string) (_ string, ok bool)

	// Respell returns the token that means the same as one that readers refuse; "" if there is none. It may be nil.
	Respell func(token string) string

	// Elements returns the list that a text between quotes at an offset spells; SpellElement returns the
	// spelling of a value in such a list. Both may be nil.
	Elements     func(text []byte, at int64) (list Element, ok bool)
	SpellElement func(v *notation.Value) (string, error)

	// Parse parses a literal; nil means the notation that all families share. A value with a Name is
	// written by Encode, other lists and pairs by their items.
	Parse func(literal string) (notation.Value, error)

	// Name returns the name of the type of a value; nil means the dialect's name for its number.
	Name func(v *tree.Value) string

	// Fresh returns the layout of a new container. It is nil if the siblings of a container show the layout.
	Fresh func(kind tree.Layout) Layout

	// Inside returns how many parts quoted text has: the numbers in it. Part returns the name ("" if parts
	// are numbered) and the type of the i-th part of a value, Form how a value is drawn that has parts or
	// children. Typed returns the type for which quoted text with parts stands; "" if unknown. They are nil
	// for a format without such values.
	Inside func(token []byte) int
	Part   func(token []byte, v *tree.Value, i int64) (name string, typ uint16)
	Form   func(token []byte, v *tree.Value) tree.Form
	Typed  func(token []byte) string

	// Value reads one value; nil means that the grammar itself reads it.
	Value func(src source.Source, region span.Span) tree.Reading

	// Line returns the type of a line, and whether it is text, for a format in which each line is a value, an
	// empty one too. Lines, blanks and quotes have no other meaning. nil for other formats, which Lex reads.
	Line func(line []byte) (typ uint16, isText bool)

	// Last reports whether a comma may precede the bracket that closes a container; nil means that it may,
	// for readers as Loose says.
	Last func(v *tree.Value) bool

	Samples func() []string // literals of new values; nil for those of JSON

	alone atomic.Pointer[Reading] // of a single value, once one was read

	JSON    bool   // the format is JSON
	AnyKey  bool   // a key may be any value
	Comment byte   // begins a comment, which goes up to the end of the line; 0 if there are none
	Empty   bool   // a text without a value is a value
	Loose   string // which readers accept a comma before a closing bracket
	Refused string // which readers refuse text after the value; "" if all read over it
}

// Separators are what is between the children of a part of a file that has no brackets.
type Separators struct {
	BeforeKey *Class                 // bytes that may precede a key. Comments are skipped wherever line ends are
	Before    *Class                 // bytes that may precede any other value
	Later     func(rest []byte) bool // reports whether a value after line ends is that of the key before; nil for never
	Layout    Layout                 // separators of a new child, with the mark that must be between key and value; zero if there are no new ones
}

// separators calls Separators.
func (f *Format) separators(in *tree.Value) *Separators {
	if f.Separators == nil || in.Type == buffer {
		return nil
	}
	return f.Separators(in)
}

// A Datum is a value without children that is to be written.
type Datum struct {
	tree.Scalar
	Data []byte      // of Text
	Like []byte      // in a format of lines, for a new value the line before it; nil if there is none
	In   *tree.Value // its future container; nil if that does not matter
	Key  bool        // it is a key there
	Was  *tree.Value // the value that it replaces; nil if it is new
}

// A Token is what Lex has read.
type Token struct {
	Type   uint16      // number of the type: 1 for the first of Dialect.Types
	Len    int         // length in bytes; for a container, of what precedes its first child
	Layout tree.Layout // Leaf, Sequence or Pairs
	Close  byte        // byte that closes a container; 0 if only what follows ends it
	Call   bool        // a parenthesis follows the closing byte
	Quoted bool        // a text: Len is the length of its opening quote
	Around bool        // a text in quotes and parentheses: Len is the length of what ends with its opening quote
	Bad    string      // why it is not a value
	Engine string      // what the engine makes of one that is not a value
	Lacks  bool        // a value is missing here
	Role   uint32      // kept for the grammar, in Value.Inner
	Kind   uint32      // the same, in Value.Rows
	Parts  int         // number of the numbers in a token without children, which are its parts
	Inside int         // offset of the first part
}

// A Format is a dialect with the grammar of its family.
type Format struct {
	*Grammar
	Dialect *format.Dialect
	Lines   bool // values follow one another; otherwise there is one
	Bare    bool // nothing need be between them: the framing is a sequence
}

// Info implements format.Format.
func (f *Format) Info() format.Info {
	i := format.Info{Dialect: f.Dialect, Framing: "raw", Declared: true}
	if f.Bare {
		i.Framing = format.Sequence
	}
	return i
}

// Open implements format.Format.
func (f *Format) Open(source.Source, span.Span) tree.Reading { return NewEditor(f) }

// NewEditor returns a reading in a format.
func NewEditor(f *Format) Editor { return Editor{&Reading{Format: f}} }

// Base returns the format itself, for families that embed it.
func (f *Format) Base() *Format { return f }

// A Reading reads one buffer. It learns nothing about it.
type Reading struct {
	*Format
	placed atomic.Int64 // number of bytes in which lines were counted for messages
	engine string       // that has written the text, "" if that is not known
}

// SetEngine implements format.Written.
func (r *Reading) SetEngine(name string) { r.engine = name }

// Traits implements tree.Traited.
func (f *Format) Traits() tree.Traits { return tree.Traits{IsJSON: f.JSON, HeedsWants: true} }

// IsBuffer reports whether a value is the buffer itself.
func IsBuffer(v *tree.Value) bool { return v.Type == buffer }

// buffer is the type of the buffer itself.
const buffer = math.MaxUint16

// inCall is a bit of Value.Flags of a container: a parenthesis follows the byte that closes it.
const inCall = 1 << 3

// Bits of Value.Flags, of quoted text.
const (
	Escaped  = 1 << iota // it has escapes
	Control              // control characters
	Foreign              // bytes above 0x7f
	Unclosed             // the closing quote is missing
	Zeroed               // zeros follow up to the end of the buffer
	Quoted               // it is quoted text
	Bare                 // the text is a part of another one, without quotes
	Inner                // quotes in it have no backslash before them
)

// NewFamily returns a family whose formats are all *Format, with the capabilities that all families of text
// share.
func NewFamily(f format.Family) Family { return Family{f} }

// A Family is a family of text.
type Family struct{ format.Family }

// Codes implements format.CodeLister. A family that adds codes leaves those of all texts to another family.
func (f Family) Codes() []span.Code {
	if own, ok := f.Family.(format.CodeLister); ok {
		return own.Codes()
	}
	return codes
}

// DeclaredIn implements format.Importer: the JSON form does not name its format.
func (Family) DeclaredIn([]byte) string { return "" }

// A literalist is a family whose JSON form differs from that of its literals.
type literalist interface {
	// Literal returns the literal of a value in the form of a request.
	Literal(ctx context.Context, text []byte, r *format.ImportRequest) ([]byte, error)
}

// Import implements format.Importer. It holds the text in memory.
func (f Family) Import(ctx context.Context, in io.Reader, out io.Writer, r *format.ImportRequest) error {
	text, err := io.ReadAll(io.LimitReader(in, notation.MaxText+1))
	if l, ok := f.Family.(literalist); ok && err == nil {
		text, err = l.Literal(ctx, text, r)
	}
	if err != nil {
		return err
	}
	all := f.Formats(&r.Request, source.Bytes(nil), span.Span{})
	if len(all) == 0 {
		return errors.New("there is no such format")
	}
	d := Editor{&Reading{Format: all[0].(interface{ Base() *Format }).Base()}}
	if d.JSON && !d.Lines && r.Form != format.Literals && json.Valid(text) {
		_, err := out.Write(text)
		return err
	}
	return d.write(ctx, out, string(text))
}

// write writes the value of a literal, or those of its list as lines.
func (d Editor) write(ctx context.Context, out io.Writer, text string) error {
	v, err := d.parse(text)
	if err != nil {
		return err
	}
	items := []notation.Value{v}
	if d.Lines && v.Kind == notation.List {
		items = v.Items
	}
	t := tree.New(source.Bytes(nil), d.Reading, span.Span{})
	e := d.begin(ctx, t.NewReader(), edit.Options{})
	for i := range items {
		b := e.value(nil, &items[i], text, nil, compact)
		if e.Err != nil {
			return e.Err
		}
		if d.Line == nil {
			b = bytes.TrimSpace(b)
		}
		if _, err = out.Write(append(b, '\n')); err != nil {
			return err
		}
	}
	return nil
}
