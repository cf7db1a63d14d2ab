package differ

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"varview/cli/env"
	"varview/cli/output"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/guess"
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

// compareBytes prints which bytes differ that no value claims: all bytes, of files that are not saves, as what they may be if that tells them all,
// and headers and trailers of the game's own.
func (p *diffPrinter) compareBytes(ctx context.Context, a, b *env.File) error {
	print := func(from, to source.Source, was, is span.Span) error {
		return p.printBytes(output.DifferentBytes{Was: was, Is: is, Old: firstOf(from, was), New: firstOf(to, is)})
	}
	if a.IsForeign() {
		was, errA := a.ToGuess(maxPlaces)
		is, errB := b.ToGuess(maxPlaces)
		if err := errors.Join(errA, errB); err != nil {
			return err
		}
		if was != nil && is != nil {
			rows := guess.Beside([]guess.File{was, is}, false)
			if !slices.ContainsFunc(rows, func(r *guess.Row) bool { return r.Buffer != "" }) {
				return p.printPlaces(guess.Apart(rows, ""))
			}
		}
	}
	return diff.Outside(ctx, a.Document.Document, b.Document.Document, print)
}

// maxPlaces is the largest size in bytes of files in which places are looked for.
const maxPlaces = 64 << 20

// printPlaces prints places that differ in two files.
func (p *diffPrinter) printPlaces(places []*guess.Row) error {
	for _, r := range places {
		was, old := r.In(0)
		is, new := r.In(1)
		d := output.DifferentBytes{Was: was, Is: is, Old: firstOf(source.Bytes(old), was), New: firstOf(source.Bytes(new), is)}
		if r.Type != "bytes" {
			d.As = fmt.Sprintf("%s %s → %s", r.Type, *r.Values[0], *r.Values[1])
		}
		if err := p.printBytes(d); err != nil {
			return err
		}
	}
	return nil
}

// printBytes prints that bytes differ.
func (p *diffPrinter) printBytes(d output.DifferentBytes) error {
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
