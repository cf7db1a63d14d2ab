package own

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/wrap/checksum"
	"varview/decoder/wrap/layer"
	"varview/decoder/wrap/part"
)

// A Piece is one of several values, with bytes of the game's own before it: a name, its size, a checksum.
type Piece struct {
	Head, Content int64         // numbers of bytes
	Packed        layer.Wrapper // of the content; nil for plain bytes
}

// A Finder divides a region into pieces; nil if it cannot be. What is left at its end is a trailer of the last one.
type Finder func(ctx context.Context, src source.Source, region span.Span) []Piece

// A piecesKind is several values, with bytes of the game's own between.
type piecesKind struct {
	layer.Info
	find Finder
}

// Pieces returns the kind of several values with bytes of the game's own before each.
func Pieces(find Finder) layer.Wrapper {
	return &piecesKind{layer.Info{Name: "own bytes between", About: "values with bytes of the game's own before each: names, numbers, sizes", File: true}, find}
}

// Sniff implements layer.Wrapper: only what is inside shows where the pieces are.
func (*piecesKind) Sniff(*layer.Sample) bool { return false }

// Open implements layer.Wrapper.
func (k *piecesKind) Open(ctx context.Context, l *layer.Layer, src source.Source, o layer.Options) error {
	all, p, at := k.find(ctx, src, l.Region), &piecesPacker{}, l.Region.Offset
	if len(all) == 0 {
		l.Reject(k.Name, "these bytes are not values with bytes of the game's own before each")
		return nil
	}
	var parts []part.Part
	var payload []source.Piece
	for i, x := range all {
		region := span.Span{Offset: at, Length: x.Head + x.Content}
		if i == len(all)-1 {
			region = span.Between(at, l.Region.End())
		} else {
			sum := x.SumBehind(ctx, src, region.End(), all[i+1].Head)
			region.Length, all[i+1].Head = region.Length+sum, all[i+1].Head-sum
		}
		at = region.End()
		one := &piece{}
		if err := one.open(ctx, &x, src, region, o); err != nil {
			return err
		}
		for _, inner := range one.layers {
			l.OnClose(inner)
		}
		if one.plain() == nil {
			l.Reject(k.Name, fmt.Sprintf("the value at %#x cannot be unpacked", region.Offset+x.Head))
			return nil
		}
		p.pieces = append(p.pieces, one)
		parts = append(parts, one.around().allParts(one.around().in)...)
		payload = append(payload, source.Piece{Src: one.plain(), Span: span.Between(0, one.plain().Size())})
	}
	l.Payload, l.Packer, l.Title = source.Join(payload...), p, fmt.Sprintf("%d values with the game's own bytes between", len(all))
	d := l.Describe(l.About(), parts...)
	l.Reading = &d
	return ctx.Err()
}

// SumBehind returns how many of the bytes behind a piece, which ends at an offset, are a checksum of it: at most some.
func (x *Piece) SumBehind(ctx context.Context, src source.Source, end, most int64) int64 {
	for _, size := range checksum.SizesAt(nil, bytes.Clone(source.NewWindow(src).View(end, most))) {
		n := int64(size)
		found, _ := following(ctx, src, span.Between(end-x.Content-x.Head, end+n), x.Head, n, layer.Inner{})
		if slices.ContainsFunc(found, func(f located) bool { return f.isStrong() && !f.isHead && f.at.Length == n }) {
			return n
		}
	}
	return 0
}

// A piece is one that is open: what is around the content, and the wrapper of that if it is packed.
type piece struct{ layers []*layer.Layer }

func (x *piece) open(ctx context.Context, at *Piece, src source.Source, region span.Span, o layer.Options) error {
	kinds := []layer.Wrapper{Around(at.Head, region.Length-at.Head-at.Content)}
	if at.Packed != nil {
		kinds = append(kinds, at.Packed)
	}
	in := layer.Inner{}
	for _, k := range kinds {
		l, err := layer.Open(ctx, k, src, region, o)
		if err != nil {
			return err
		}
		x.layers = append(x.layers, l)
		if src = l.Payload; src == nil {
			return nil
		}
		region, in.Held = span.Between(0, src.Size()), append(in.Held, src)
	}
	Complete(x.layers[0], in)
	return nil
}

// plain returns the values of a piece; nil if they cannot be unpacked.
func (x *piece) plain() source.Source { return x.layers[len(x.layers)-1].Payload }

// around returns what is around the content.
func (x *piece) around() *packer { return x.layers[0].Packer.(*packer) }

// write writes a piece around other values.
func (x *piece) write(ctx context.Context, plain source.Source, out io.Writer) error {
	held, b := []source.Source{plain}, output(nil)
	for i, l := range slices.Backward(x.layers) {
		if b = nil; i == 0 {
			l.Inner = layer.Inner{Held: held}
		}
		if _, err := l.Rewrap(ctx, held[0], nil, &b, 0, nil); err != nil {
			return err
		}
		held = append([]source.Source{source.Bytes(b)}, held...)
	}
	_, err := out.Write(b)
	return err
}

// An output collects what is written.
type output []byte

// WriteAt implements io.WriterAt.
func (o *output) WriteAt(b []byte, at int64) (int, error) {
	if need := int(at) + len(b); need > len(*o) {
		*o = append(*o, make([]byte, need-len(*o))...)
	}
	return copy((*o)[at:], b), nil
}

// A piecesPacker writes the game's own bytes before values again.
type piecesPacker struct {
	pieces []*piece
	starts []int64 // of the values inside, from the first piece to the last; nil if they are not known
}

// CanRewrap implements layer.Packer.
func (*piecesPacker) CanRewrap() error { return nil }

// Rewrap implements layer.Packer.
func (p *piecesPacker) Rewrap(w *layer.Rewrapping) (int64, error) {
	if w.Starts == nil || p.starts == nil {
		return 0, errors.New("the values are too large to be parted again, with the game's own bytes between")
	}
	starts, err := w.Starts()
	if err != nil {
		return 0, err
	} else if len(starts) != len(p.starts) {
		return 0, fmt.Errorf("the game's own bytes are between %d values, and there are %d now", len(p.starts), len(starts))
	}
	out, from, end := w.Output(0), 0, int64(0)
	starts = append(starts, w.Plain.Size())
	for _, x := range p.pieces {
		end += x.plain().Size()
		to, _ := slices.BinarySearch(p.starts, end)
		if to == from {
			return 0, errors.New("where the values with the game's own bytes between begin is not known")
		}
		plain := source.Join(source.Piece{Src: w.Plain, Span: span.Between(starts[from], starts[to])})
		if err := x.write(w.Ctx, plain, out); err != nil {
			return 0, err
		}
		from = to
	}
	return out.Finish()
}
