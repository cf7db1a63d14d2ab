package decoder

import (
	"context"
	"errors"
	"math"
	"slices"

	"varview/decoder/detect"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/score"
	"varview/decoder/wrap"
)

// findMangling returns the damage that programs have done to a file by treating it as text, the last damage
// first; lost is set if it cannot be reversed. Mangling is searched for only if the file cannot be read
// well as it is, and found only if the file has no error without it. It is a property of the file: the
// requested dialect and replaced values have no influence.
func (o Options) findMangling(ctx context.Context, src source.Source, region span.Span) (kinds []wrap.Kind, lost bool, err error) {
	if o.Input != "" {
		return nil, false, nil
	}
	g, err := detect.Glance(ctx, src, region, detect.Prefix)
	if err != nil || g.IsText {
		return nil, false, err // text survives it
	}
	if kinds = wrap.Mangled(src, region); len(kinds) == 0 && !g.IsLossy() {
		return nil, false, nil
	}
	if as := wrapped(ctx, src, region, &o); slices.ContainsFunc(as, wrap.Kind.IsText) {
		return nil, false, nil // digits are text, which survives it
	}
	asked := o.Dialect != "" || o.Framing != ""
	if o.Defer > 0 && region.Length > o.Defer && len(kinds) > 0 {
		return kinds[:1], false, nil // it is opened later, and decided then
	}
	o.Bare, o.Instead, o.Dialect, o.Framing, o.Thorough = true, nil, "", "", detect.Quick
	d := &Document{}
	defer d.Close()
	asIs, err := o.quality(ctx, d, src, region)
	if err != nil || asIs == readsWell {
		return nil, false, err
	}
	kinds, err = o.unmangle(ctx, src, region, asIs, nil)
	if err != nil || len(kinds) > 0 || asked || asIs < readsBadly || !g.IsLossy() {
		return kinds, false, err
	}
	g, err = detect.Glance(ctx, src, region, detect.MaxForeignRead)
	return nil, g.IsLossy(), err
}

// A readingQuality says how well a file can be read.
type readingQuality uint8

const (
	readsWell readingQuality = iota
	lacksSchema
	readsBadly
)

// unmangle looks for damage to a file beyond what is known. Undoing all of it must make the file easier to
// read.
func (o *Options) unmangle(ctx context.Context, src source.Source, region span.Span, asIs readingQuality, known []wrap.Kind) ([]wrap.Kind, error) {
	in, at := src, region
	if n := len(known); n > 0 {
		d := &Document{mangled: known}
		defer d.Close()
		if now, err := o.quality(ctx, d, src, region); now < asIs || err != nil {
			return known, err
		}
		if in = d.Layers[n-1].Payload; in == nil {
			return nil, nil
		}
		at = span.Between(0, in.Size())
	}
	for _, k := range wrap.Mangled(in, at, known...) {
		if found, err := o.unmangle(ctx, src, region, asIs, append(slices.Clone(known), k)); len(found) > 0 || err != nil {
			return found, err
		}
	}
	return nil, nil
}

// quality opens a file as d and returns how well it can be read. A missing key does not count, nor does
// known damage by other programs.
func (o *Options) quality(ctx context.Context, d *Document, src source.Source, region span.Span) (readingQuality, error) {
	if err := d.open(ctx, src, region, *o); err != nil {
		return readsBadly, err
	}
	now, err := d.quality(ctx, math.MaxInt64)
	if err == nil && now == readsBadly && d.cost() == 0 && o.Thorough == detect.Quick { // the beginning does not decide it
		again := *o
		again.Thorough = detect.Settle
		closed := d.Close()
		*d = Document{mangled: d.mangled}
		now, err = again.quality(ctx, d, src, region)
		err = errors.Join(err, closed)
	}
	return now, err
}

// quality returns how well the bytes of each buffer up to an offset can be read.
func (d *Document) quality(ctx context.Context, upTo int64) (readingQuality, error) {
	most := int64(detect.AcceptableCost) // damage by other programs explains no more than this
	if len(d.mangled) == 0 {
		most = 0
	}
	if d.cost() > most || d.Missing != nil && !needsKey(d.Missing.Code) {
		return readsBadly, nil
	}
	now := readsWell
	for _, t := range d.Buffers()[min(len(d.mangled), len(d.Buffers())):] {
		bad, err := score.HasProblemBefore(ctx, t, upTo, false, func(p *span.Problem) bool {
			if p.Code == span.MissingSchema {
				now = lacksSchema
			}
			return !needsKey(p.Code) && p.IsEvidence() && (p.Severity == span.Error || p.Code == span.TrailingBytes)
		})
		if bad || err != nil {
			return readsBadly, err
		}
	}
	return now, nil
}

func needsKey(code string) bool { return code == wrap.NeedsKey || code == wrap.WrongKey }

// cost returns the cost of the reading, by the beginning of the values. A file without values cannot be read
// at any cost.
func (d *Document) cost() int64 {
	switch {
	case d.IsForeign():
		return math.MaxInt64
	case d.reading == nil:
		return 0
	}
	return d.reading.Cost
}

// instead returns the buffer with some number, or its replacement.
func (o *Options) instead(number int, src source.Source, region span.Span) (source.Source, span.Span) {
	if o.Instead != nil {
		if other := o.Instead(number); other != nil {
			return other, span.Between(region.Offset, other.Size()-(src.Size()-region.End()))
		}
	}
	return src, region
}
