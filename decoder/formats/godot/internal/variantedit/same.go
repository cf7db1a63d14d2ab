package variantedit

import (
	"bytes"
	"context"

	"varview/decoder/edit"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/formats/godot/internal/variant"
	"varview/decoder/value/notation"
)

// Bytes returns n bytes from an offset on, or those up to the end.
func (e *Editing) Bytes(off, n int64) []byte { return e.Window.All(span.Span{Offset: off, Length: n}) }

// SameBytesAt reports whether the bytes at off are b.
func (e *Editing) SameBytesAt(off int64, b []byte) bool {
	return bytes.Equal(e.Bytes(off, int64(len(b))), b)
}

// sameBytes reports whether another reading has the same bytes for every value.
func sameBytes(f *variant.Format, other tree.Reading) bool {
	if g, ok := other.(interface{ Variant() *variant.Format }); ok {
		return g.Variant().Dialect == f.Dialect && g.Variant().Double == f.Double && !f.Dialect.Resource // names and references are numbers that apply only to one file
	}
	return false
}

// copyText returns the literal of a copy, for a place that its bytes do not fit.
func copyText(ctx context.Context, c edit.Content) (string, error) {
	n := c.Copy
	if n.Parent == nil && n.Type == types.Raw {
		if root, err := c.From.Child(n, 0); err == nil {
			n = root
		}
	}
	return edit.LiteralOf(ctx, c.From, &n.Value, notation.MaxText)
}
