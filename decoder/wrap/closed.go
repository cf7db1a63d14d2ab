package wrap

import (
	"context"
	"io"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// Closed describes a wrapper that has not been opened: nothing is read of it.
type Closed struct {
	common
	Kind Kind
}

var _ tree.Reading = (*Closed)(nil)

// Root implements tree.Reading.
func (c *Closed) Root(size int64, region span.Span) tree.Value {
	v := tree.Value{Body: region.Offset, Limit: region.End(), Fenced: true}
	v.Contain(tree.Sequence, 1, 0)
	v.End = size
	return v
}

// Read implements tree.Reading.
func (c *Closed) Read(w *source.Window, parent *tree.Value, slot tree.Slot, off int64, v *tree.Value) {
	*v = tree.Value{Start: off, Head: off, Body: off, Limit: parent.Limit, Type: tPart}
	v.Close(v.Limit)
}

// Inspect implements tree.Reading.
func (c *Closed) Inspect(w *source.Window, parent *tree.Value, slot tree.Slot, v *tree.Value, report func(span.Problem)) {
}

// Fields implements tree.Reading.
func (c *Closed) Fields(w *source.Window, parent, v *tree.Value, fields []span.Field) []span.Field {
	if v.Type == tBase {
		return leadingGap(fields, v)
	}
	if v.Start == v.End {
		return fields
	}
	return append(fields, span.Field{Span: v.Span(), Kind: span.Data, Label: "packed bytes"})
}

// AppendLiteral implements tree.Reading.
func (c *Closed) AppendLiteral(dst []byte, r *tree.Reader, v *tree.Value, limit int) []byte {
	return appendCut(dst, byteCount(v.End-v.Start), limit)
}

// WriteText implements tree.Reading.
func (c *Closed) WriteText(ctx context.Context, out io.Writer, r *tree.Reader, v *tree.Value) error {
	_, err := io.WriteString(out, c.Kind.String())
	return err
}

// WriteJSON implements tree.Reading.
func (c *Closed) WriteJSON(ctx context.Context, out io.Writer, r *tree.Reader, v *tree.Value) error {
	return writeJSON(out, about{Wrapper: c.Kind.String()})
}

// AppendType implements tree.Reading.
func (c *Closed) AppendType(dst []byte, w *source.Window, v *tree.Value) []byte {
	return append(dst, c.TypeName(v)...)
}

// TypeName implements tree.Reading.
func (c *Closed) TypeName(v *tree.Value) string {
	if v.Type == tBase {
		return c.Kind.String()
	}
	return "packed bytes"
}
