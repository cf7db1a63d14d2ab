package json

import (
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
