package decoder

import (
	"context"
	"errors"
	"slices"
	"sync"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
	"varview/decoder/wrap"
)

// mangling tells what programs have done to a file that they took for text, the
// last of them first; lost is set where that cannot be undone. It is asked for only
// where the file makes no good reading as it is, and found only where without it the
// file has no error at all. That is a property of the file: what it is asked to be
// read as does not count, nor what stands in place of its values.
func (o Options) mangling(ctx context.Context, src source.Source, region span.Span) (kinds []wrap.Kind, lost bool, err error) {
	if o.Input != "" {
		return nil, false, nil
	}
	g, err := glance(ctx, source.NewWindow(src), region, prefix)
	if err != nil || g.isText {
		return nil, false, err // text is none the worse for it
	}
	if kinds = wrap.Mangled(src, region); len(kinds) == 0 && !g.isLossy() {
		return nil, false, nil
	}
	if as := wrapped(src, region, &o); slices.ContainsFunc(as, wrap.Kind.IsText) {
		return nil, false, nil // digits are text, and none the worse
	}
	asked := o.Dialect != "" || o.Framing != ""
	if o.Defer > 0 && region.Length > o.Defer && len(kinds) > 0 {
		return kinds[:1], false, nil // which waits, and is decided then
	}
	o.Instead, o.Dialect, o.Framing, o.Thorough = nil, "", "", Quick
	d := &Document{}
	defer d.Close()
	asIs, err := o.quality(ctx, d, src, region)
	if err != nil || asIs == readsWell {
		return nil, false, err
	}
	kinds, err = o.unmangle(ctx, src, region, asIs, nil)
	if err != nil || len(kinds) > 0 || asked || asIs < readsBadly || !g.isLossy() {
		return kinds, false, err
	}
	g, err = glance(ctx, source.NewWindow(src), region, strangeMost)
	return nil, g.isLossy(), err
}

// A quality says how well a file reads.
type quality uint8

const (
	readsWell quality = iota
	lacksSchema
	readsBadly
)

// unmangle looks for what was done to a file besides what is known, so that without
// all that it reads better than as it is.
func (o *Options) unmangle(ctx context.Context, src source.Source, region span.Span, asIs quality, known []wrap.Kind) ([]wrap.Kind, error) {
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

// quality opens a file as d and tells how well it reads. A key that is not given
// does not count, nor does what programs are known to have done to the file.
func (o *Options) quality(ctx context.Context, d *Document, src source.Source, region span.Span) (quality, error) {
	if err := d.open(ctx, src, region, *o); err != nil {
		return readsBadly, err
	}
	now, err := d.quality(ctx)
	if err == nil && now == readsBadly && d.against == 0 && o.Thorough == Quick { // the beginning leaves open what it is
		again := *o
		again.Thorough = Settle
		closed := d.Close()
		*d = Document{mangled: d.mangled}
		now, err = again.quality(ctx, d, src, region)
		err = errors.Join(err, closed)
	}
	return now, err
}

func (d *Document) quality(ctx context.Context) (quality, error) {
	most := int64(littleWrong) // what programs do to a file does not excuse more
	if len(d.mangled) == 0 {
		most = 0
	}
	if d.against > most || d.Missing != nil && !needsKey(d.Missing.Code) {
		return readsBadly, nil
	}
	now := readsWell
	for _, t := range d.Buffers()[min(len(d.mangled), len(d.Buffers())):] {
		bad, err := meets(ctx, t, func(p *span.Problem) bool {
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

// meets reports whether a buffer has a problem of some sort. It reads no further
// than to the first.
func meets(ctx context.Context, t *tree.Tree, is func(*span.Problem) bool) (met bool, err error) {
	enough, stop := context.WithCancel(ctx)
	defer stop()
	err = t.BuildIndex(enough, func(p span.Problem, _ *tree.Scanner) {
		if is(&p) {
			met = true
			stop()
		}
	})
	if met || ctx.Err() != nil {
		err = ctx.Err()
	}
	return met, err
}

// instead is the buffer with some number, or what stands in its place.
func (o *Options) instead(number int, src source.Source, region span.Span) (source.Source, span.Span) {
	if o.Instead != nil {
		if other := o.Instead(number); other != nil {
			return other, span.Between(region.Offset, other.Size()-(src.Size()-region.End()))
		}
	}
	return src, region
}

// loadOnce lets the schemas be asked for more than once.
func (o *Options) loadOnce() {
	if o.Schemas != nil {
		o.Schemas = sync.OnceValue(o.Schemas)
	}
}
