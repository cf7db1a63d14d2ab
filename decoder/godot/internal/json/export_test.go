package json

import (
	"bytes"
	"context"

	"varview/decoder/godot/internal/variant"
	"varview/decoder/tree"
)

// WriteEach writes all values of a buffer one by one, as if none was ordinary.
func WriteEach(f *variant.Format, r *tree.Reader) string {
	var out bytes.Buffer
	x := &jsonWriter{Writer: tree.NewWriter(context.Background(), &out), f: f, w: r.Window()}
	tree.Visit(r, &r.Tree.Base.Value, struct{ tree.Visitor }{x})
	x.Flush()
	return out.String()
}
