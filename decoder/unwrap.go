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
	for {
		src, region = o.instead(len(d.Layers), src, region)
		kinds := wrapped(src, region, &o)
		if n := len(d.Layers); n < len(d.mangled) {
			kinds = d.mangled[n:][:1]
		}
		if len(kinds) == 0 {
			return d.read(ctx, src, region, o)
		}
		if len(d.Layers) == maxLayers {
			d.leave(kinds[0], src, region, TooManyLayers, fmt.Sprintf("%d wrappers around each other are opened; there are more", maxLayers))
			return nil
		}
		next, err := d.unwrap(ctx, kinds, src, region, o)
		if err != nil || next == nil {
			return err
		}
		src, region = next, span.Between(0, next.Size())
		o.Input = ""
	}
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
	wo := wrap.Options{MaxUnpacked: o.MaxUnpacked, Progress: o.Progress}
	if eager := wrap.Eager(kind, region, wo); o.Defer > 0 && eager > o.Defer {
		d.leave(kind, src, region, Deferred, fmt.Sprintf("%s of %s is not unpacked yet", span.Bytes(region.Length), kind))
		return nil, nil
	}
	l, wrong, err := o.unlock(ctx, kind, src, region, wo)
	if hole := (*source.HoleError)(nil); errors.As(err, &hole) {
		d.leave(kind, src, region, span.Unreadable, fmt.Sprintf("bytes that the %s needs could not be unpacked", kind))
		return nil, nil
	}
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
	if missing == nil && wrong {
		missing = &wrap.Missing{Code: wrap.WrongKey, Message: "wrong key or password: what it gives reads as nothing"}
	}
	if missing != nil {
		d.close(missing)
		return nil, nil
	}
	return l.Payload, nil
}

// unlock opens a wrapper. An encrypted one is tried with each key and password
// until one fits; wrong reports whether none of them does.
func (o *Options) unlock(ctx context.Context, kind wrap.Kind, src source.Source, region span.Span, wo wrap.Options) (best *wrap.Layer, wrong bool, err error) {
	if !kind.NeedsKey() || len(o.Keys)+len(o.Passwords) == 0 {
		best, err = wrap.Open(ctx, kind, src, region, wo)
		return best, false, err
	}
	for i := range len(o.Keys) + len(o.Passwords) {
		try := wo
		if i < len(o.Keys) {
			try.Key = o.Keys[i]
		} else {
			try.Password = &o.Passwords[i-len(o.Keys)]
		}
		l, err := wrap.Open(ctx, kind, src, region, try)
		if err == nil && best != nil && !wrong && l.Checksum() != wrap.Matches {
			l.Close()
			continue
		}
		if best != nil {
			best.Close()
		}
		if err != nil {
			return nil, false, err
		}
		if l.Checksum() == wrap.Matches {
			return l, false, nil
		}
		best, wrong = l, looksWrong(ctx, l)
	}
	return best, wrong, nil
}

// looksWrong reports whether what a key gives is nothing of the kind it should
// be, where the checksum does not tell, or says no. Where the padding does not
// show that the key is right, only what reads nearly without a problem does.
func looksWrong(ctx context.Context, l *wrap.Layer) bool {
	if l.Payload == nil || l.Payload.Size() == 0 || l.LooksRight() {
		return false
	}
	cost := against(ctx, l.Payload, l.Checksum() == wrap.Unknown)
	if l.LooksWrong() {
		return cost > 0
	}
	const share = 32 // one byte of so many may be damaged
	return cost > min(l.Payload.Size(), prefix)/share
}

// leave adds a wrapper that is not opened, and says why.
func (d *Document) leave(kind wrap.Kind, src source.Source, region span.Span, code, message string) {
	why := &wrap.Missing{Code: code, Message: message}
	d.add(wrap.NewClosed(kind, region, why), src)
	d.close(why)
}

// add adds a wrapper that holds, or would hold, all that follows.
func (d *Document) add(l *wrap.Layer, src source.Source) {
	d.Layers = append(d.Layers, Layer{l, tree.New(src, l.Reading, l.Region)})
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
	if second.Payload != nil && (first.Payload == nil || against(ctx, second.Payload, false) < against(ctx, first.Payload, false)) {
		first, second = second, first
	}
	return first, second.Close()
}

// against is what speaks against the best reading of a wrapper's payload, going
// by its beginning; nothing does where that is a wrapper again. That bytes are
// missing at the end need not count.
func against(ctx context.Context, src source.Source, mayBeCut bool) int64 {
	region := span.Between(0, src.Size())
	if _, ok := elephant.Sniff(src, region); ok || len(wrap.Sniff(src, region, "")) > 0 {
		return 0
	}
	all := godotCandidates(Options{}, false)
	if detect(ctx, src, region, all, Quick) != nil {
		return 1 << 62
	}
	if best := all[0]; mayBeCut && best.cut {
		return best.cost - errorCost
	}
	return all[0].cost
}
