package own

import (
	"context"
	"fmt"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/wrap/checksum"
	"varview/decoder/wrap/layer"
)

// A sumKind is bytes with nothing beside them but their checksum, and the line ends and zeros around it.
type sumKind struct {
	layer.Info
	at *checksum.Place
}

// Summed returns the kind of bytes with a checksum at a place; nil for one that is looked for.
func Summed(at *checksum.Place) layer.Wrapper {
	return &sumKind{layer.Info{Name: "checksum", About: "bytes with their CRC-32, MD5, SHA-1 or SHA-256 before or after them"}, at}
}

// IsSummed reports whether a kind is bytes with nothing beside them but their checksum.
func IsSummed(k layer.Wrapper) bool { return is[*sumKind](k) }

// Sniff implements layer.Wrapper: finding a checksum takes all bytes.
func (*sumKind) Sniff(*layer.Sample) bool { return false }

// Open implements layer.Wrapper.
func (k *sumKind) Open(ctx context.Context, l *layer.Layer, src source.Source, _ layer.Options) error {
	at := k.at.Locate(src, l.Region)
	if at == nil {
		l.Reject(k.Name, "no checksum was found before or after these bytes")
		return nil
	}
	sum, between := Field{}.writtenAs(at), plain("between", at.Gap)
	p, where := place{alone: at, tail: append(append(between, sum), plain(span.Unused, at.Tail)...)}, "at the end"
	if at.Start {
		p, where = place{alone: at, head: append([]Field{sum}, between...)}, "at the beginning"
	}
	if err := p.open(ctx, l, src); err != nil {
		return err
	}
	state, says := layer.Matches, "fits"
	if l.Packer.(*packer).differs {
		state, says = layer.Differs, "does not fit"
	}
	l.SetChecksum(state)
	l.Title, l.ShortTitle = fmt.Sprintf("%s %s, %s", at.Title(), where, says), at.Title()+" "+says
	return nil
}

// plain is the field of some bytes, if there are any: those with a name set others apart.
func plain(name string, n int64) []Field {
	if n == 0 {
		return nil
	}
	return []Field{{Type: "bytes", Size: n, Name: name, pad: name != ""}}
}
