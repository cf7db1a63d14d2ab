package model

import (
	"context"
	"errors"
	"fmt"
	"io"

	"varview/decoder/guess"
)

// ToGuess reads the buffers of the document, so that one can guess what their bytes are. It returns nil if one of
// them is larger than most bytes.
func (d *Document) ToGuess(most int64) (guess.File, error) {
	var all []guess.Buffer
	for _, b := range d.Buffers {
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
