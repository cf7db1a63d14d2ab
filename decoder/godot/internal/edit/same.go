package edit

import (
	"bytes"
	"context"
	"errors"

	"varview/decoder/edit"
	"varview/decoder/godot/internal/types"
	"varview/decoder/godot/internal/variant"
	"varview/decoder/notation"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// errDiffers ends a comparison.
var errDiffers = errors.New("differs")

// A comparer accepts writes as long as they are equal to the rest of a text.
type comparer struct{ rest string }

func (c *comparer) Write(b []byte) (int, error) {
	if len(b) > len(c.rest) || c.rest[:len(b)] != string(b) {
		return 0, errDiffers
	}
	c.rest = c.rest[len(b):]
	return len(b), nil
}

// isWrittenAs reports whether the text form of a value is text.
func (e *Editing) isWrittenAs(v *tree.Value, text string) (bool, error) {
	c := comparer{text}
	err := e.Reader.WriteText(e.Ctx, &c, v)
	if errors.Is(err, errDiffers) {
		return false, nil
	}
	return err == nil && c.rest == "", err
}

// SameBytesAt reports whether the bytes at off are b.
func (e *Editing) SameBytesAt(off int64, b []byte) bool {
	for len(b) > 0 {
		is := e.Window.View(off, int64(min(len(b), 4096)))
		if len(is) == 0 || !bytes.HasPrefix(b, is) {
			return false
		}
		b = b[len(is):]
		off += int64(len(is))
	}
	return true
}

// sameBytes reports whether another reading has the same bytes for every value.
func sameBytes(f *variant.Format, other tree.Reading) bool {
	if g, ok := other.(interface{ Variant() *variant.Format }); ok {
		return g.Variant().Dialect == f.Dialect && g.Variant().Double == f.Double
	}
	return false
}

// copyText is the text form of a copy, for a place that its bytes do not fit.
func copyText(ctx context.Context, c edit.Content) (string, error) {
	n := c.Copy
	if n.Parent == nil && n.Type == types.Raw {
		if root, err := c.From.Child(n, 0); err == nil {
			n = root
		}
	}
	return writtenText(ctx, c.From, &n.Value, notation.MaxText)
}

// writtenText is the text form of a value, or errTooLong if it is longer than limit.
func writtenText(ctx context.Context, r *tree.Reader, v *tree.Value, limit int) (string, error) {
	var b limited
	b.left = limit
	if err := r.WriteText(ctx, &b, v); err != nil {
		return "", err
	}
	return b.String(), nil
}

// A limited is a buffer of limited size.
type limited struct {
	bytes.Buffer
	left int
}

var errTooLong = errors.New("the value is too large to be written as text")

func (b *limited) Write(p []byte) (int, error) {
	if b.left -= len(p); b.left < 0 {
		return 0, errTooLong
	}
	return b.Buffer.Write(p)
}

// copyAll is the bytes of a source from start to end.
func copyAll(src source.Source, start, end int64) *source.Pieces {
	pieces := source.Whole(src)
	if p, ok := src.(*source.Pieces); ok {
		pieces = p
	}
	return pieces.Slice(span.Between(start, end))
}
