package differ

import (
	"context"
	"fmt"

	"varview/cli/env"
	"varview/cli/output"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/model"
	"varview/model/diff"
)

// bothOrNone returns an error if only one of two files has values: nothing in them can be compared.
func bothOrNone(a, b *env.File) error {
	if a.IsForeign() == b.IsForeign() {
		return nil
	}
	if b.IsForeign() {
		a = b
	}
	return fmt.Errorf("%s is no save or packet that varview reads: %s; there are no values to compare", env.DisplayName(a.Name), a.ReadAs())
}

// compareBytes prints which bytes differ that no value claims: all bytes, of files that are not saves, and headers and
// trailers of the game's own.
func (p *diffPrinter) compareBytes(ctx context.Context, a, b *env.File) error {
	return diff.Outside(ctx, a.Document.Document, b.Document.Document, p.printBytes)
}

// printBytes prints that bytes of one source differ from those of another.
func (p *diffPrinter) printBytes(from, to source.Source, was, is span.Span) error {
	d := output.DifferentBytes{Was: was, Is: is, Old: firstOf(from, was), New: firstOf(to, is)}
	p.head()
	p.bytes, p.differs = p.bytes+1, true
	switch {
	case p.isShort() || p.patch:
		return nil
	case p.json:
		p.line = d.AppendJSON(p.line[:0], p.time, p.label)
	default:
		p.line = d.Append(p.line[:0], p.colors)
	}
	_, err := p.out.Write(p.line)
	return err
}

// firstOf returns the first bytes of a span, as many as are printed.
func firstOf(src source.Source, s span.Span) []byte {
	return append([]byte(nil), source.NewWindow(src).View(s.Offset, min(s.Length, model.MaxChangeBytes))...)
}
