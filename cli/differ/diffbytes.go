package differ

import (
	"context"
	"errors"
	"fmt"

	"varview/cli/env"
	"varview/cli/output"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/model"
)

// compareBytes prints which bytes differ between two files that are not saves.
func (p *diffPrinter) compareBytes(ctx context.Context, a, b *env.File) error {
	switch {
	case !isOther(a):
		a, b = b, a
		fallthrough
	case !isOther(b):
		return fmt.Errorf("%s is not a save or packet: %s; there are no values to compare", env.DisplayName(a.Name), a.ReadAs())
	case p.patch:
		return errors.New("there is no patch between files without values")
	}
	from, to := a.Buffers[0].Tree().Source, b.Buffers[0].Tree().Source
	return differingBytes(ctx, from, to, func(was, is span.Span) error {
		d := output.DifferentBytes{Was: was, Is: is, Old: firstOf(from, was), New: firstOf(to, is)}
		p.head()
		p.bytes, p.differs = p.bytes+1, true
		switch {
		case p.isShort():
			return nil
		case p.json:
			p.line = d.AppendJSON(p.line[:0], p.label)
		default:
			p.line = d.Append(p.line[:0], p.colors)
		}
		_, err := p.out.Write(p.line)
		return err
	})
}

// apart is the number of equal bytes up to which two differences are joined.
const apart = 8

// differingBytes calls each for the bytes that differ, in order.
func differingBytes(ctx context.Context, a, b source.Source, each func(was, is span.Span) error) error {
	var failed error
	if a.Size() == b.Size() {
		err := source.Differences(ctx, a, b, apart, func(s source.Splice) bool {
			failed = each(s.Span, s.Span)
			return failed == nil
		})
		return errors.Join(err, failed)
	}
	same, err := source.Alike(ctx, a, b)
	if err != nil {
		return err
	}
	x, y := int64(0), int64(0)
	for _, s := range append(same, source.Common{A: a.Size(), B: b.Size()}) {
		if was, is := span.Between(x, s.A), span.Between(y, s.B); was.Length > 0 || is.Length > 0 {
			if err := each(was, is); err != nil {
				return err
			}
		}
		x, y = s.A+s.Length, s.B+s.Length
	}
	return nil
}

// firstOf returns the first bytes of a span, as many as are printed.
func firstOf(src source.Source, s span.Span) []byte {
	return append([]byte(nil), source.NewWindow(src).View(s.Offset, min(s.Length, model.MaxChangeBytes))...)
}
