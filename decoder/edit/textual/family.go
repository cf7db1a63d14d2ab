package textual

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"

	"varview/decoder/edit"
	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/value/notation"
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
