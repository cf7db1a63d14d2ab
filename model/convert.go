package model

import (
	"bytes"
	"context"
	"fmt"

	"varview/decoder"
	"varview/decoder/span"
)

// maxConverted is how many bytes a buffer may have that is converted as a step of
// the history, which keeps it whole.
const maxConverted = 64 << 20

// Convert writes the whole buffer anew in another dialect of its format.
func (x *Explorer) Convert(to string) Intention {
	return Intention{"convert to " + to, x.Cursor(), func(ctx context.Context, t *Transaction) (Cursor, error) {
		switch {
		case t.buffer.layer != nil:
			return Cursor{}, errNoValues
		case t.doc.options.Dialect != "":
			return Cursor{}, fmt.Errorf("the file is read as %s because that was asked for; it is converted where its dialect is detected", t.doc.options.Dialect)
		case t.now.tree.Region.Length > maxConverted:
			return Cursor{}, fmt.Errorf("more than %s: varview convert does that into another file", span.Bytes(maxConverted))
		}
		return Cursor{}, t.Convert(ctx, to)
	}}
}

// Convert writes the values anew in another dialect of their format.
func (t *Transaction) Convert(ctx context.Context, to string) error {
	var out bytes.Buffer
	if err := decoder.Convert(ctx, t.read, to, &out); err != nil {
		return err
	}
	region := t.now.tree.Region
	return t.Bytes(region.Offset, region.Length, out.Bytes())
}
