package model

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"varview/decoder"
	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/guess"
	"varview/decoder/wrap/own"
)

// ToGuess reads the buffers of the document, so that one can guess what their bytes are. It returns nil if one of
// them is larger than most bytes.
func (d *Document) ToGuess(most int64) (guess.File, error) {
	var all []guess.Buffer
	for _, b := range d.Buffers {
		if n := b.Number; n > 0 && n <= len(d.Layers) && own.IsBeside(d.Layers[n-1].Kind) {
			continue // it lies in plain view in the one before
		}
		src := b.Tree().Source
		if src.Size() > most {
			return nil, nil
		}
		w := source.NewWindow(src)
		data := w.All(span.Span{Length: src.Size()}) // what cannot be unpacked is zeros
		if err := w.Err(); err != nil {
			return nil, err
		}
		all = append(all, guess.Buffer{Name: fmt.Sprintf("buffer %d", b.Number), Data: data})
	}
	return guess.Open(all[0].Data, all[1:]...), nil
}

// OpenStream opens what was unpacked from a stream in the file as a document of its own, which cannot be changed: nothing
// says how its bytes are put back.
func (d *Document) OpenStream(ctx context.Context, b *guess.Buffer) (*Document, error) {
	return d.openBytes(ctx, b.Data, &within{document: d.Name, path: b.Name, fixed: errStream, stream: d})
}

// Unpacked returns the bytes that a value is in or that are unpacked from it; ok is false if it has its bytes in the buffer.
func (b *Buffer) Unpacked(n *tree.Node) (u format.Unpacked, ok bool) {
	if r, is := b.Tree().Reading.(format.Unpacker); is && n != nil && b == b.Document().Innermost() {
		return r.Unpacked(&n.Value)
	}
	return u, false
}

// Holder returns the value in whose bytes n is: n itself, or the one around it from whose bytes it is unpacked.
func (b *Buffer) Holder(n *tree.Node) *tree.Node {
	if r, is := b.Tree().Reading.(format.Unpacker); is && r.IsPacked(&n.Value) {
		for n.Start == n.End && n.Parent != nil {
			n = n.Parent
		}
	}
	return n
}

// OpenUnpacked opens what is unpacked from a value as a document of its own. It cannot be changed: edits of the values belong
// into the file, where what depends on them follows.
func (d *Document) OpenUnpacked(ctx context.Context, u format.Unpacked) (*Document, error) {
	o := Options{within: &within{document: d.Name, path: u.Path, fixed: errUnpacked}, GML: d.options.GML}
	WithDescription(u.By)(&o)
	src, err := source.Written(func(f *os.File) error {
		_, err := f.Write(u.Data)
		return err
	})
	if err != nil {
		return nil, err
	}
	return OpenSource(ctx, src, "-", o, nil)
}

var errUnpacked = errors.New("edit the values in the file itself, where what depends on them follows")

var errStream = errors.New("a description is needed, which says how they are packed")

// mostNoticed is the largest size in bytes of a buffer in which all is noticed.
const mostNoticed = 1 << 20

// Noticed returns what is surely noticed in a document that nothing explains; nil for any other, and for a large one.
func (d *Document) Noticed() ([]guess.Notice, error) {
	if !d.IsUnexplained() {
		return nil, nil
	}
	f, err := d.ToGuess(mostNoticed)
	if f == nil || err != nil {
		return nil, err
	}
	var all []guess.Notice
	for i := range f {
		if step := decoder.Keyed(context.Background(), f[i].Data); step != "" {
			all = append(all, f[i].Keyed(step))
		}
	}
	return append(all, slices.DeleteFunc(guess.Notices(f), func(n guess.Notice) bool { return !n.IsSure() })...), nil
}
