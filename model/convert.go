package model

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"varview/decoder"
	"varview/decoder/background"
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
		return ErrNoValues
	case t.doc.options.Dialect != "":
		return fmt.Errorf("the file is read as %s because that was asked for; it is converted where its dialect is detected", t.doc.options.Dialect)
	case !declares:
		return fmt.Errorf("the bytes do not say which dialect they are; :convert %s FILE writes them into another file", to)
	case t.now.tree.Region.Length > maxConverted:
		return fmt.Errorf("more than %s; :convert %s FILE writes them into another file", span.Bytes(maxConverted), to)
	}
	return t.Convert(ctx, &format.ConvertRequest{Dialect: to})
}

// ConvertTo writes the values as they are now into another file, in another dialect and with their
// wrappers as the program that reads that dialect reads them. The document stays as it is.
func (d *Document) ConvertTo(ctx context.Context, q *format.ConvertRequest, o SaveOptions, p *Progress) error {
	b := d.Innermost()
	o.Generation = decoder.Generation(q.Dialect)
	s, err := d.Save(o)
	switch {
	case err != nil:
		return err
	case s.own:
		return errors.New("another dialect is written into another file")
	case d.Missing != nil:
		return errors.New(d.WhyMissing().Message)
	}
	if err := d.CanEdit(b); err != nil && !errors.Is(err, ErrReadOnly) {
		return err
	}
	v := b.now.Load()
	t := &Transaction{doc: d, buffer: b, from: v, now: v, read: v.tree.NewReader()}
	written, err := t.converted(ctx, q)
	if err != nil {
		return err
	}
	defer written.Close()
	if err := t.putConverted(written); err != nil {
		return err
	}
	b.compare(t.now)
	s.buffer, s.v = b, t.now
	return s.Write(ctx, p)
}

// Convert writes the values again in another dialect of their format. They are in a
// temporary file until the document is closed.
func (t *Transaction) Convert(ctx context.Context, q *format.ConvertRequest) error {
	written, err := t.converted(ctx, q)
	if err != nil {
		return err
	}
	t.doc.history.closers = append(t.doc.history.closers, written.Close)
	return t.putConverted(written)
}

// converted writes the values in another dialect into a temporary file.
func (t *Transaction) converted(ctx context.Context, q *format.ConvertRequest) (*source.File, error) {
	return source.Written(func(f *os.File) error {
		return background.Writing(f, func(behind io.Writer) error {
			out := bufio.NewWriterSize(t.Progress.Writer(behind, t.buffer.Size()), 256<<10)
			if err := decoder.Convert(ctx, t.read, q, out); err != nil {
				return err
			}
			return out.Flush()
		})
	})
}

// putConverted puts what was converted in place of all values.
func (t *Transaction) putConverted(written *source.File) error {
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
