package model

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"varview/decoder/guess"
	"varview/decoder/wrap"
)

// ToGuess reads the buffers of the document, so that one can guess what their bytes are. It returns nil if one of
// them is larger than most bytes.
func (d *Document) ToGuess(most int64) (guess.File, error) {
	var all []guess.Buffer
	for _, b := range d.Buffers {
		if n := b.Number; n > 0 && n <= len(d.Layers) && wrap.IsBeside(d.Layers[n-1].Kind) {
			continue // it lies in plain view in the one before
		}
		src := b.Tree().Source
		if src.Size() > most {
			return nil, nil
		}
		data, err := io.ReadAll(io.NewSectionReader(src, 0, src.Size()))
		if err != nil {
			return nil, err
		}
		all = append(all, guess.Buffer{Name: fmt.Sprintf("buffer %d", b.Number), Data: data})
	}
	return guess.Open(all[0].Data, all[1:]...), nil
}

// OpenStream opens what was unpacked from a stream in the file as a document of its own, which cannot be changed: nothing
// says how its bytes are put back.
func (d *Document) OpenStream(ctx context.Context, b *guess.Buffer) (*Document, error) {
	return d.openBytes(ctx, b.Data, &within{document: d.Name, path: b.Name, fixed: errStream})
}

var errStream = errors.New("a description is needed, which says how they are packed")

// Noticed returns what is surely noticed in a document that nothing explains; nil for any other, and for a large one.
func (d *Document) Noticed() ([]guess.Notice, error) {
	const most = 1 << 20 // bytes of a buffer
	if !d.IsUnexplained() {
		return nil, nil
	}
	f, err := d.ToGuess(most)
	if f == nil || err != nil {
		return nil, err
	}
	return slices.DeleteFunc(guess.Notices(f), func(n guess.Notice) bool { return !n.IsSure() }), nil
}
