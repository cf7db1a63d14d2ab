package convert

import (
	"context"
	"io"

	"varview/decoder/format"
	"varview/decoder/godot/internal/variant"
	"varview/decoder/tree"
)

// Each is Convert of all values one by one, as if none was ordinary.
func Each(ctx context.Context, r *tree.Reader, from, to *variant.Format, q *format.ConvertRequest, out io.Writer) error {
	c := newConverter(ctx, r, from, to, q, out)
	defer c.close()
	return c.run()
}
