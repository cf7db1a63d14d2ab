package model

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"

	"varview/decoder"
	"varview/decoder/format"
	"varview/decoder/source"
	"varview/decoder/span"
)

// maxConverted is the largest size of a buffer that is converted as a step of the history:
// the journal keeps all its bytes.
const maxConverted = 64 << 20

// ConvertHere is Convert for a document that stays open. The bytes have to declare their
// dialect: nothing else would say from then on how they are read.
func (t *Transaction) ConvertHere(ctx context.Context, to string) error {
	_, declares := t.now.tree.Reading.(format.Declarer)
	switch {
	case t.buffer.layer != nil:
		return errNoValues
	case t.doc.options.Dialect != "":
		return fmt.Errorf("the file is read as %s because that was asked for; it is converted where its dialect is detected", t.doc.options.Dialect)
	case !declares:
		return errors.New("the bytes do not say themselves which dialect they are of; varview convert writes them into another file")
	case t.now.tree.Region.Length > maxConverted:
		return fmt.Errorf("more than %s: varview convert does that into another file", span.Bytes(maxConverted))
	}
	return t.Convert(ctx, &format.ConvertRequest{Dialect: to})
}

// Convert writes the values again in another dialect of their format. They are in a
// temporary file until the document is closed.
func (t *Transaction) Convert(ctx context.Context, q *format.ConvertRequest) error {
	written, err := source.Written(func(f *os.File) error {
		out := bufio.NewWriterSize(f, 256<<10)
		if err := decoder.Convert(ctx, t.read, q, out); err != nil {
			return err
		}
		return out.Flush()
	})
	if err != nil {
		return err
	}
	t.doc.history.closers = append(t.doc.history.closers, written.Close)
	region := t.now.tree.Region
	op, err := t.bytesOp(region.Offset, region.Length, written)
	if err != nil {
		return err
	}
	if err := t.apply([]source.Splice{{Span: region, New: source.Whole(written)}}); err != nil {
		return err
	}
	t.ops = append(t.ops, op)
	return nil
}
