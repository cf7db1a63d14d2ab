// Package decoder opens bytes as a tree of values: it detects what they are, unwraps them, and reads them.
package decoder

import (
	"context"
	"fmt"
	"slices"

	"varview/decoder/detect"
	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/guess"
	"varview/decoder/wrap"
	"varview/decoder/wrap/layer"
	"varview/decoder/wrap/own"
)

// openAs opens wrappers, unless their bytes are lost, and what is in them. It returns the number of bytes of the game's own behind the
// outermost one.
func (d *Document) openAs(ctx context.Context, src source.Source, region span.Span, o Options, lost bool) (tail int64, err error) {
	if lost { // wrappers can no longer be opened
		err = d.read(ctx, src, region, o, nil, nil)
	} else {
		err = d.open(ctx, src, region, o)
	}
	if err == nil && o.Outer == nil && o.Input == "" && !o.Bare {
		tail, err = d.ownTail(ctx)
	}
	return tail, err
}

// Open detects what src contains and opens it. Any bytes can be opened; errors are those of the options, of
// ctx, and of the machine. The document must be closed.
func Open(ctx context.Context, src source.Source, o Options) (*Document, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	region, err := o.region(src.Size())
	if err != nil {
		return nil, err
	}
	if o.MaxUnpacked == 0 {
		o.MaxUnpacked = DefaultMaxUnpacked
	}
	o.loadSchemasOnce()
	if o.Described != nil {
		o.Input = "binary"
	}
	src, region = o.instead(0, src, region)
	if o.Recipe != nil && o.Outer == nil {
		if o.Recipe, err = o.Recipe.With(ctx, src, region); err != nil {
			return nil, err
		}
		o.Outer = o.Recipe.Kinds()
	}
	var mangled []wrap.Kind
	var lost bool
	if o.Outer == nil {
		mangled, lost, err = o.findMangling(ctx, src, region)
	}
	if err != nil {
		return nil, err
	}
	d := &Document{asked: Options{Name: o.Name, Dialect: o.Dialect, Framing: o.Framing, Prefer: o.Prefer, Double: o.Double, Input: o.Input, Described: o.Described, Schemas: o.Schemas, Names: o.Names}, mangled: mangled, outer: len(o.Outer), Recipe: o.Recipe}
	tail, err := d.openAs(ctx, src, region, o, lost)
	if err != nil {
		d.Close()
		return nil, err
	}
	if tail > 0 {
		o.Outer = []wrap.Kind{own.Around(0, tail), d.Layers[0].Kind}
		if piecesIn(ctx, src, d.Layers[0].Region) != nil {
			o.Outer = []wrap.Kind{own.Pieces(piecesIn)}
		}
		d.Close()
		return Open(ctx, src, o)
	}
	d.completeOwn()
	return d, nil
}

// maxLayers is the largest number of nested wrappers that are opened.
const maxLayers = 16

// Codes of a Missing that are not about a single wrapper.
const (
	Deferred      = "deferred"        // left closed because of Options.Defer
	TooManyLayers = "too-many-layers" // more wrappers than are opened
)

// open unwraps one layer after the other, and reads the values in the last.
func (d *Document) open(ctx context.Context, src source.Source, region span.Span, o Options) error {
	var around *ownSearch // which has found bytes of the game's own
	for {
		src, region = o.instead(len(d.Layers), src, region)
		kinds, err := d.kinds(ctx, src, region, &o)
		if err != nil {
			return err
		}
		if len(kinds) == 0 {
			s := &ownSearch{Document: d, src: src, region: region, o: &o}
			if err := d.read(ctx, src, region, o, nil, s.look); err != nil {
				return err
			}
			if around != nil && d.IsUnexplained() && len(d.Layers) == around.layers+1 { // then they are none
				d.Layers = d.Layers[:around.layers]
				return d.read(ctx, around.src, around.region, o, nil, nil)
			}
			if kinds, err := d.findOwn(ctx, s); err != nil || kinds == nil {
				return err
			} else {
				around, s.layers = s, len(d.Layers)
				d.addOwn(kinds, &o)
				continue
			}
		}
		if len(d.Layers) == maxLayers {
			d.leaveClosed(kinds[0], src, region, TooManyLayers, fmt.Sprintf("%d nested wrappers are opened; there are more", maxLayers))
			return nil
		}
		next, err := d.unwrap(ctx, kinds, src, region, o)
		if err != nil || next == nil {
			return err
		}
		src, region = next, span.Between(0, next.Size())
		if !own.IsBeside(kinds[0]) {
			o.Input = ""
		}
	}
}

// kinds returns the kinds that the next wrapper may have: the known one, or what the bytes look like.
func (d *Document) kinds(ctx context.Context, src source.Source, region span.Span, o *Options) ([]wrap.Kind, error) {
	known := slices.Concat(d.mangled, o.Outer)
	if n := len(d.Layers); n < len(known) {
		return known[n:][:1], nil
	}
	kinds := wrapped(ctx, src, region, o)
	if n := len(d.Layers); len(kinds) == 0 && n > 0 && (own.IsSummed(d.Layers[n-1].Kind) || d.Layers[n-1].Kind.IsText()) && region.Length <= mostPacked {
		k, size, err := wrap.Packed(src, region, min(o.MaxUnpacked, mostPacked)) // a recipe looks only at the beginning of a file
		if k != nil && size == region.Length || err != nil {
			return []wrap.Kind{k}, err
		}
	}
	if len(kinds) > 0 && kinds[0].IsText() && o.Input == "" && !o.Bare {
		if areValueLines(ctx, src, region) || o.Dialect == "" && o.Framing == "" && areOnlyWords(ctx, src, region, kinds) {
			o.Bare = true
			return nil, ctx.Err()
		}
		around, err := d.digitsBehind(ctx, src, region, o)
		if err != nil {
			return nil, err
		}
		if around != nil {
			d.addOwn(around, o)
			return around[:1], nil
		}
	}
	return kinds, nil
}

// read opens the values in the innermost buffer. known is how they were read before, or nil; look
// looks elsewhere for values before damage is looked for, or is nil.
func (d *Document) read(ctx context.Context, src source.Source, region span.Span, o Options, known *detect.Known, look detect.Look) error {
	r, err := families().Values(ctx, src, region, d.request(&o), o.Thorough, known, look)
	if err != nil {
		return err
	}
	info := r.Format.Info()
	d.reading, d.weighed, d.Tree, d.foreign = r, r, r.Tree, nil
	d.Format, d.Dialect, d.Title = r.Family.Name(), info.Dialect.Name, info.Dialect.Title
	d.Framing, d.BigEndian = info.Framing, info.BigEndian
	d.Also, d.Confidence, d.Alternative = r.Also, r.Confidence, r.Alternative
	for _, l := range d.Layers {
		if x, ok := r.Tree.Reading.(format.Written); ok && l.Kind.WrittenBy() != "" {
			x.SetEngine(l.Kind.WrittenBy())
		}
	}
	if n := len(d.Layers); n > 0 && r.IsClean(region) {
		d.Layers[n-1].ReadsWell()
	}
	if !r.MayBeForeign() || d.asked.Dialect != "" || d.asked.Framing != "" || d.asked.Input != "" {
		return nil
	}
	d.foreign, err = detect.ForeignFile(ctx, src, region)
	if d.foreign == nil && err == nil {
		d.foreign, err = families().UnexplainedAs(src, region, r, d.isIntact(src, region))
	}
	if d.foreign != nil { // what is not known to be values is not read as values
		d.reading, d.Tree = nil, detect.Unread(src, region)
		d.Title, d.Format, d.Dialect, d.Framing, d.Also, d.Alternative = d.foreign.Title, "", "", "", []string{}, nil
	}
	return err
}

// mostSummed is the largest size in bytes of a region in which checksums are looked for.
const mostSummed = 4 << 10

// isIntact reports whether a checksum fits the bytes of a region: these are not damaged.
func (d *Document) isIntact(src source.Source, region span.Span) bool {
	if n := len(d.Layers); n > 0 {
		l := d.Layers[n-1]
		return own.IsSummed(l.Kind) && l.Checksum() == layer.Matches
	}
	isLong := func(n guess.Notice) bool { return n.Length >= 4 }
	return region.Length <= mostSummed && slices.ContainsFunc(guess.Sums(source.Read(src, region)), isLong)
}

// Settle decides from all of the values, which have a problem, how they are read, if Open has decided it
// from their beginning. No value before the offset clean has a problem that contradicts the reading. If the
// values are read in another way, they get another tree; the wrappers stay the same.
func (d *Document) Settle(ctx context.Context, clean int64) error {
	switch {
	case d.Missing != nil, d.IsForeign(): // only the beginning is read as values
		return nil
	case d.reading.Decided:
		if !d.reading.Format.Info().Declared {
			d.Confidence = detect.Weak
		}
		return nil
	}
	o := d.asked
	o.Thorough = detect.Through
	return d.read(ctx, d.Tree.Source, d.Tree.Region, o, &detect.Known{Result: d.reading, UpTo: clean}, nil)
}

// request returns the request for the innermost buffer, with what the wrapper around it
// shows.
func (d *Document) request(o *Options) *format.Request {
	r := o.request()
	if n := len(d.Layers); n > 0 {
		r.InFile, r.Within, r.Generation = d.Layers[n-1].Kind.IsFile(), d.Layers[n-1].Kind.String(), d.Layers[n-1].Generation
	}
	return r
}

// A Detected says how bytes are read if nothing is requested.
type Detected struct {
	Title            string // "Godot 4, raw", or the kind of a foreign file
	dialect, framing string
}

// Redetect returns how the values would be read, by their beginning, if src had their bytes and nothing
// were requested.
func (d *Document) Redetect(ctx context.Context, src source.Source) (as Detected, err error) {
	other := &Document{Layers: d.Layers}
	region := span.Between(d.Tree.Region.Offset, src.Size()-(d.Tree.Source.Size()-d.Tree.Region.End()))
	if err := other.read(ctx, src, region, Options{Prefer: d.asked.Prefer, Schemas: d.asked.Schemas, Names: d.asked.Names}, nil, nil); err != nil {
		return as, err
	}
	if other.IsForeign() {
		return Detected{Title: other.Title}, nil
	}
	info := other.reading.Format.Info()
	return Detected{info.Title(), info.Dialect.Name, info.Framing}, nil
}

// IsRead reports whether the values of a document are read in this way.
func (as *Detected) IsRead(d *Document) bool {
	return as.dialect == d.Dialect && as.framing == d.Framing
}
