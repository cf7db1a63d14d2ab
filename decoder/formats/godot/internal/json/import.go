// Package json imports values in the form of Godot's JSON.from_native, as package write writes them, and in other forms.
package json

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"

	"varview/decoder/edit"
	"varview/decoder/formats/godot/internal/encode"
	"varview/decoder/formats/godot/internal/literal"
	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/formats/godot/internal/variant"
	"varview/decoder/value/notation"
)

// An Importer imports JSON in a format.
type Importer struct{ *variant.Format }

// Import reads what WriteJSON or Godot's own JSON.from_native writes, and writes its bytes: one bare value,
// or for a stream the frames of a list, or the only one. The members of an object may come in any order, but if the type
// precedes the args, so must the members that say how these are stored. It holds one value or one frame in
// memory. An error has line, byte and path of the JSON.
func (f Importer) Import(ctx context.Context, in io.Reader, out io.Writer) error {
	return importJSON(ctx, f.Format, in, out, false)
}

func importJSON(ctx context.Context, f *variant.Format, in io.Reader, out io.Writer, untyped bool) error {
	m := importer{untyped: untyped, Encoder: encode.Encoder{Format: f}, JSONReader: notation.NewJSONReader(ctx, in), to: out}
	switch {
	case f.Framing == variant.Raw:
		m.value()
		m.flush()
	case m.Next() == '[':
		m.Items(func(int64) { m.frame() })
	default:
		m.frame()
	}
	if m.Next() != 0 {
		m.Fail("the value ends before this")
	}
	return m.Err
}

// An importer turns JSON into bytes.
type importer struct {
	encode.Encoder // encoder of one value
	*notation.JSONReader
	untyped bool // any JSON, without types
	to      io.Writer
	depth   int
}

// frame reads a value of a stream and writes it with its length.
func (m *importer) frame() {
	m.value()
	length, err := m.Format.AppendFrameLength(nil, int64(len(m.Out)))
	if err != nil {
		m.Fail("%v", err)
	}
	if m.Err == nil {
		_, err = m.to.Write(length)
		m.Keep(err)
	}
	m.flush()
}

// flush writes the bytes of a value.
func (m *importer) flush() {
	if m.Err == nil {
		_, err := m.to.Write(m.Out)
		m.Keep(err)
	}
	m.Out = m.Out[:0]
}

// maxImportDepth is the number of levels of JSON that may be nested; a value takes up to two.
const maxImportDepth = 20_000

// value reads a value and writes its bytes.
func (m *importer) value() {
	if m.depth++; m.depth > maxImportDepth {
		m.Fail("nested more than %d levels deep", maxImportDepth)
	}
	defer func() { m.depth-- }()
	switch c := m.Next(); {
	case m.Err != nil:
	case c == '"' && m.untyped:
		m.text(types.String, m.Quoted())
	case c == '"':
		m.tagged(m.Quoted())
	case c == '[':
		if m.has(types.Array) {
			m.Header(types.Array, 0)
			m.counted(1, 0, func(int64) { m.value() })
		}
	case c == '{' && m.untyped:
		m.dictionary()
	case c == '{':
		m.object()
	case notation.BeginsNumber(c):
		number := m.Word()
		m.literal(number, m.numberLiteral(number))
	default:
		switch m.Word() {
		case "null":
			m.literal("", literal.Literal{})
		case "true":
			m.literal("", literal.Literal{Kind: types.Bool, Parts: &literal.Parts{ID: 1}})
		case "false":
			m.literal("", literal.Literal{Kind: types.Bool, Parts: &literal.Parts{}})
		default:
			m.Fail("a value is expected here")
		}
	}
}

// counted writes the items of the next list, after their number divided by each and combined with mark. It
// returns the number of items.
func (m *importer) counted(each int64, mark uint32, item func(i int64)) (n int64) {
	at := len(m.Out)
	m.U32(mark)
	m.Items(func(i int64) {
		item(i)
		n = i + 1
	})
	if m.Err == nil {
		binary.LittleEndian.PutUint32(m.Out[at:], uint32(n/each)|mark)
	}
	return n
}

// has reports whether the dialect has a type; if not, it records an error.
func (m *importer) has(t types.ID) bool {
	if !m.Format.Dialect.Has(t) {
		m.Fail("%s has no %s", m.Format.Dialect.Title, types.Of(t).Name)
	}
	return m.Err == nil
}

// literal writes a literal in text.
func (m *importer) literal(text string, l literal.Literal) {
	if m.has(l.Kind) {
		m.Text = text
		m.locate(m.Value(&l))
	}
}

// text writes a text of some kind.
func (m *importer) text(t types.ID, text []byte) {
	m.literal("", literal.Literal{Kind: t, Parts: &literal.Parts{Text: text}})
}

// numberLiteral parses a number.
func (m *importer) numberLiteral(number string) literal.Literal {
	l, err := literal.ParseNumber(number)
	m.locate(err)
	return l
}

// tags are what strings begin with, before a colon.
var tags = map[string]types.ID{"s": types.String, "sn": types.StringName, "np": types.NodePath, "i": types.Int, "f": types.Float}

// tagged writes the value of a string with a tag.
func (m *importer) tagged(text []byte) {
	tag, rest, isTagged := bytes.Cut(text, []byte(":"))
	t, ok := tags[string(tag)]
	switch {
	case !ok || !isTagged:
		m.Fail(`a string begins with what it is: "s:" text, "sn:" a name, "np:" a path, "i:" an int, "f:" a float`)
	case t != types.Int && t != types.Float:
		m.text(t, rest)
	default:
		l := m.numberLiteral(string(rest))
		if t == types.Int && l.Kind != t {
			m.Fail("a whole number must follow i:")
		}
		l.Kind = t
		m.literal(string(rest), l)
	}
}

// locate records the error of a literal with the place in the JSON.
func (m *importer) locate(err error) {
	if syntax := (*edit.SyntaxError)(nil); errors.As(err, &syntax) {
		m.Fail("%s", syntax.Message)
	}
	m.Keep(err)
}

// ImportPlain reads any JSON: an object becomes a Dictionary whose keys are Strings, a list an Array, a
// number without fraction and exponent an int, any other number a float. For a stream each value of a list
// becomes a frame.
func ImportPlain(ctx context.Context, f *variant.Format, in io.Reader, out io.Writer) error {
	return importJSON(ctx, f, in, out, true)
}

// dictionary reads an object of plain JSON.
func (m *importer) dictionary() {
	if !m.has(types.Dictionary) {
		return
	}
	m.Header(types.Dictionary, 0)
	at, n := len(m.Out), uint32(0)
	m.U32(0)
	m.Members(func(name string) {
		n++
		m.text(types.String, []byte(name))
		m.value()
	})
	if m.Err == nil {
		binary.LittleEndian.PutUint32(m.Out[at:], n)
	}
}

// ImportLiterals reads values in the notation of var_to_str: one, or for a stream one for
// each frame, one after the other.
func ImportLiterals(ctx context.Context, f *variant.Format, in io.Reader, out io.Writer) error {
	var all strings.Builder
	if _, err := io.Copy(&all, io.LimitReader(in, notation.MaxText+1)); err != nil {
		return err
	}
	text := all.String()
	next := literal.Values(f.Dialect, text)
	for i := 0; ; i++ {
		l, more, err := next()
		if err == nil && i > 0 && more && f.Framing == variant.Raw {
			err = l.Errorf("a second value begins here; a file of several is a stream (--framing stream)")
		}
		if err == nil && !more {
			if i == 0 && f.Framing == variant.Raw {
				return errors.New("there is no value")
			}
			return ctx.Err()
		}
		var b []byte
		if err == nil {
			b, err = encode.Bytes(f, text, &l)
		}
		if err != nil {
			return inLine(text, err)
		}
		if err := writeFramed(out, f, b); err != nil {
			return err
		}
	}
}

// writeFramed writes the bytes of a value, in a stream behind their length.
func writeFramed(out io.Writer, f *variant.Format, b []byte) error {
	if f.Framing == variant.Stream {
		length, err := f.AppendFrameLength(nil, int64(len(b)))
		if err != nil {
			return err
		}
		b = append(length, b...)
	}
	_, err := out.Write(b)
	return err
}

// inLine adds the line to the error of a literal.
func inLine(text string, err error) error {
	syntax := (*edit.SyntaxError)(nil)
	if !errors.As(err, &syntax) {
		return err
	}
	before := text[:min(syntax.At, len(text))]
	line, start := strings.Count(before, "\n"), strings.LastIndexByte(before, '\n')+1
	return fmt.Errorf("line %d, character %d: %s", line+1, len(before)-start+1, syntax.Message)
}
