package layer

import (
	"varview/decoder/span"
	"varview/decoder/tree"
	"varview/decoder/wrap/part"
)

// NewClosed returns a layer that has not been opened, with the reason. None of its bytes
// are read.
func NewClosed(k Kind, region span.Span, why *Missing) *Layer {
	l := New(k, nil, region)
	l.Title, l.Missing = k.String(), why
	p := part.At("packed bytes", region.Offset)
	p.Put(region.Length, region.End(), span.Data, "packed bytes")
	p.Text = span.Bytes(region.Length)
	l.Reading = &closed{l.Describe(l.About(), p)}
	return l
}

// closed describes a wrapper that has not been opened.
type closed struct{ part.Reading }

// AppendLiteral implements tree.LiteralWriter.
func (c *closed) AppendLiteral(dst []byte, r *tree.Reader, v *tree.Value, limit int) []byte {
	return part.AppendCut(dst, span.Bytes(v.End-v.Start), limit)
}
