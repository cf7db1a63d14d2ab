package decoder

import (
	"context"
	"errors"
	"fmt"

	"varview/decoder/elephant"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
	"varview/decoder/wrap"
)

// open takes off one wrapper after the other, and reads what is in the last.
func (d *Document) open(ctx context.Context, src source.Source, region span.Span, o Options) error {
	for len(d.Layers) < maxLayers {
		kinds := wrapped(src, region, &o)
		if len(kinds) == 0 {
			break
		}
		next, err := d.unwrap(ctx, kinds, src, region, o)
		if err != nil || next == nil {
			return err
		}
		src, region = next, span.Between(0, next.Size())
		o.Input = ""
	}
	return d.read(ctx, src, region, o)
}

// wrapped lists what the bytes can be wrapped in.
func wrapped(src source.Source, region span.Span, o *Options) []wrap.Kind {
	if _, ok := elephant.Sniff(src, region); ok && o.Input != "hex" && o.Input != "base64" {
		return nil
	}
	return wrap.Sniff(src, region, o.Input)
}

// unwrap opens the wrapper of the likeliest kind. What it returns is nil where
// the bytes in it cannot be had; the document says why.
func (d *Document) unwrap(ctx context.Context, kinds []wrap.Kind, src source.Source, region span.Span, o Options) (source.Source, error) {
	kind := kinds[0]
	wo := wrap.Options{Password: o.Password, Key: o.Key, MaxUnpacked: o.MaxUnpacked, Progress: o.Progress}
	if eager := kind.Eager(region, wo); o.Defer > 0 && eager > o.Defer {
		why := &wrap.Missing{Code: Deferred, Message: fmt.Sprintf("%s of %s has to be unpacked first", kind, span.Bytes(eager))}
		d.add(&wrap.Layer{Kind: kind, Title: kind.String(), Format: &wrap.Closed{Kind: kind}, Region: region, Missing: why}, src)
		d.close(why)
		return nil, nil
	}
	l, err := wrap.Open(ctx, kind, src, region, wo)
	if err != nil {
		return nil, err
	}
	if len(kinds) > 1 { // hexadecimal digits are base64 as well
		if l, err = d.betterOf(ctx, l, kinds[1], src, region, o, wo); err != nil {
			return nil, err
		}
	}
	d.add(l, src)
	missing := l.Missing
	if missing == nil && kind == wrap.GDEC && l.Checksum() == wrap.Differs && !l.LooksRight() && !o.reads(ctx, l.Payload) {
		missing = &wrap.Missing{Code: wrap.WrongKey, Message: "the key or password is wrong: what it gives has another checksum and reads as nothing"}
	}
	if missing != nil {
		d.close(missing)
		return nil, nil
	}
	return l.Payload, nil
}

// add adds a wrapper that holds, or would hold, all that follows.
func (d *Document) add(l *wrap.Layer, src source.Source) {
	d.Layers = append(d.Layers, Layer{l, tree.New(src, l.Format, l.Region)})
}

// close ends the unwrapping: what the document shows is the innermost wrapper's
// own bytes, and why no more.
func (d *Document) close(why *wrap.Missing) {
	last := d.Layers[len(d.Layers)-1]
	d.Tree, d.Missing = last.Tree, why
	d.Title, d.Also, d.Confidence = last.Title, []string{}, Certain
}

// betterOf opens the same bytes as another kind of text and returns the layer
// whose payload reads better.
func (d *Document) betterOf(ctx context.Context, first *wrap.Layer, kind wrap.Kind, src source.Source, region span.Span, o Options, wo wrap.Options) (*wrap.Layer, error) {
	second, err := wrap.Open(ctx, kind, src, region, wo)
	if err != nil {
		return nil, errors.Join(err, first.Close())
	}
	if second.Payload != nil && (first.Payload == nil || o.against(ctx, second.Payload) < o.against(ctx, first.Payload)) {
		first, second = second, first
	}
	return first, second.Close()
}

// against is what speaks against the best reading of a wrapper's payload, going
// by its beginning; nothing does where that is a wrapper again.
func (o *Options) against(ctx context.Context, src source.Source) int64 {
	region := span.Between(0, src.Size())
	if _, ok := elephant.Sniff(src, region); ok || len(wrap.Sniff(src, region, "")) > 0 {
		return 0
	}
	all := godotCandidates(Options{}, false)
	if detect(ctx, src, region, all, Quick) != nil {
		return 1 << 62
	}
	return all[0].cost
}

// reads reports whether more of a payload can be read than not.
func (o *Options) reads(ctx context.Context, src source.Source) bool {
	return o.against(ctx, src) < min(src.Size(), prefix)/2
}
