// Package json writes values in the form of Godot's JSON.from_native, and imports it.
package json

import (
	"context"
	"errors"
	"io"

	"varview/decoder/edit"
	"varview/decoder/godot/internal/encode"
	"varview/decoder/godot/internal/literal"
	"varview/decoder/godot/internal/numeric"
	"varview/decoder/godot/internal/types"
	"varview/decoder/godot/internal/variant"
	"varview/decoder/notation"
)

// Import reads what WriteJSON writes, or Godot's own JSON.from_native, and writes its
// bytes: one bare value, or for a stream the frames of a list. Members may come in
// any order. It holds one value in memory, or one frame. An error has line, byte and
// path of the JSON.
func (f Forms) Import(ctx context.Context, in io.Reader, out io.Writer) error {
	return importJSON(ctx, f.Format, in, out, false)
}

func importJSON(ctx context.Context, f *variant.Format, in io.Reader, out io.Writer, untyped bool) error {
	m := importer{untyped: untyped, Encoder: encode.Encoder{Format: f}, JSONReader: notation.NewJSONReader(ctx, in), to: out}
	var err error
	if f.Framing == variant.Stream {
		err = m.Items(func(int64) error { return m.frame() })
	} else if err = m.value(); err == nil {
		err = m.flush()
	}
	if err != nil {
		return err
	}
	if c, err := m.Peek(); err != nil {
		return err
	} else if c != 0 {
		return m.Fail("the value ends before this")
	}
	return nil
}

// An importer turns JSON into bytes.
type importer struct {
	encode.Encoder // of one value; Out lacks the bytes of holes
	*notation.JSONReader
	untyped bool // any JSON, without types
	to      io.Writer
	holes   []hole
	depth   int
	numbers []byte // args of the object that is being read, each after a blank
}

// A hole is a place in the encoded bytes where bytes that are not known yet are inserted
// later.
type hole struct {
	at    int
	bytes []byte
}

// frame reads a value of a stream and writes it with its length.
func (m *importer) frame() error {
	if err := m.value(); err != nil {
		return err
	}
	length, err := m.Format.AppendFrameLength(nil, m.size())
	if err != nil {
		return m.Fail("%v", err)
	}
	if _, err := m.to.Write(length); err != nil {
		return err
	}
	return m.flush()
}

// size returns the number of bytes that wait to be written.
func (m *importer) size() int64 {
	n := int64(len(m.Out))
	for i := range m.holes {
		n += int64(len(m.holes[i].bytes))
	}
	return n
}

// flush writes the bytes of a value.
func (m *importer) flush() error {
	at := 0
	for i := range m.holes {
		h := &m.holes[i]
		for _, b := range [][]byte{m.Out[at:h.at], h.bytes} {
			if _, err := m.to.Write(b); err != nil {
				return err
			}
		}
		at = h.at
	}
	_, err := m.to.Write(m.Out[at:])
	m.Out, m.holes = m.Out[:0], m.holes[:0]
	return err
}

// newHole makes a hole after the last byte.
func (m *importer) newHole() int {
	m.holes = append(m.holes, hole{at: len(m.Out)})
	return len(m.holes) - 1
}

// fill puts the bytes that write encodes into a hole.
func (m *importer) fill(i int, write func() error) error {
	out := m.Out
	m.Out = nil
	err := write()
	m.holes[i].bytes, m.Out = m.Out, out
	return err
}

// maxImportDepth is the number of levels of JSON that may be nested; a value takes
// up to two.
const maxImportDepth = 20_000

// value reads a value and writes its bytes.
func (m *importer) value() error {
	c, err := m.Peek()
	if err != nil {
		return err
	}
	if m.depth++; m.depth > maxImportDepth {
		return m.Fail("nested more than %d levels deep", maxImportDepth)
	}
	defer func() { m.depth-- }()
	switch {
	case c == '"':
		text, err := m.Quoted()
		if err != nil {
			return err
		}
		if m.untyped {
			return m.literal("", &literal.Literal{Kind: types.String, Parts: &literal.Parts{Text: text}})
		}
		return m.tagged(text)
	case c == '[':
		return m.plainArray()
	case c == '{' && m.untyped:
		return m.dictionary()
	case c == '{':
		return m.object()
	case c == '-' || notation.IsDigit(c):
		number, err := m.AppendNumber(nil)
		if err != nil {
			return err
		}
		return m.untagged(string(number))
	}
	word, err := m.Word()
	if err != nil {
		return err
	}
	switch word {
	case "null":
		return m.literal("", &literal.Literal{})
	case "true":
		return m.literal("", &literal.Literal{Kind: types.Bool, Parts: &literal.Parts{ID: 1}})
	case "false":
		return m.literal("", &literal.Literal{Kind: types.Bool, Parts: &literal.Parts{}})
	}
	return m.Fail("a value is expected here")
}

// literal writes a literal in text.
func (m *importer) literal(text string, l *literal.Literal) error {
	if l.Kind < types.Raw && !m.Format.Dialect.Has(l.Kind) {
		return m.Fail("%s has no %s", m.Format.Dialect.Title, types.Of(l.Kind).Name)
	}
	m.Text = text
	return m.locate(m.Value(l))
}

// untagged writes a number without a tag.
func (m *importer) untagged(number string) error {
	l, err := m.numberLiteral(number)
	if err != nil {
		return err
	}
	return m.literal(number, &l)
}

// numberLiteral parses a number.
func (m *importer) numberLiteral(number string) (literal.Literal, error) {
	l, err := literal.ParseNumber(number)
	return l, m.locate(err)
}

// tagged writes the value of a string with a tag.
func (m *importer) tagged(text []byte) error {
	for i, c := range text {
		if c != ':' || i > 2 {
			continue
		}
		rest := text[i+1:]
		switch string(text[:i]) {
		case "s":
			return m.literal("", &literal.Literal{Kind: types.String, Parts: &literal.Parts{Text: rest}})
		case "sn":
			return m.literal("", &literal.Literal{Kind: types.StringName, Parts: &literal.Parts{Text: rest}})
		case "np":
			return m.literal("", &literal.Literal{Kind: types.NodePath, Parts: &literal.Parts{Text: rest}})
		case "i", "f":
			l, err := m.numberLiteral(string(rest))
			if err != nil {
				return err
			}
			if c := text[0]; c == 'f' {
				l.Kind = types.Float
			} else if l.Kind != types.Int {
				return m.Fail("a whole number must follow i:")
			}
			return m.literal(string(rest), &l)
		}
		break
	}
	return m.Fail(`a string begins with what it is: "s:" text, "sn:" a name, "np:" a path, "i:" an int, "f:" a float`)
}

// plainArray reads a list: an untyped Array.
func (m *importer) plainArray() error {
	if !m.Format.Dialect.Has(types.Array) {
		return m.Fail("%s has no Array", m.Format.Dialect.Title)
	}
	m.Header(types.Array, 0)
	at := len(m.Out)
	m.U32(0)
	n, err := m.values()
	if err == nil {
		copy(m.Out[at:], numeric.AppendBinary(nil, types.Int32, uint64(n)))
	}
	return err
}

// values reads the values of a list, and counts them.
func (m *importer) values() (n int64, err error) {
	err = m.Items(func(int64) error {
		n++
		return m.value()
	})
	return n, err
}

// locate adds the place in the JSON to the error of a literal.
func (m *importer) locate(err error) error {
	if syntax := (*edit.SyntaxError)(nil); errors.As(err, &syntax) {
		return m.Fail("%s", syntax.Message)
	}
	return err
}
