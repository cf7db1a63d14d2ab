package gcpf

import (
	"errors"
	"fmt"
	"io"

	"varview/decoder/source"
	"varview/decoder/span"
)

const (
	tinyBlock  = 1 << 10 // plain bytes of a block below which unpacking it takes longer than copying them
	keptBytes  = 4 << 20 // plain bytes of tiny blocks that are kept
	keptPacked = 1 << 20 // bytes of the file that are kept, so that lengths are not read one at a time
)

// payload is the plain bytes of all blocks.
type payload struct {
	*blocks
	plain source.Source
}

func newPayload(g *file, limit int64) *payload {
	p := &payload{blocks: newBlocks(g, limit)}
	p.plain = p.blocks
	if p.BlockSize < tinyBlock {
		p.plain = source.Cached(p.blocks, keptBytes)
	}
	return p
}

// ReadAt implements io.ReaderAt. A block that cannot be unpacked is a hole.
func (p *payload) ReadAt(b []byte, off int64) (int, error) { return p.plain.ReadAt(b, off) }

// Size is the number of plain bytes.
func (p *blocks) Size() int64 { return p.size }

// ReadAt implements io.ReaderAt.
func (p *blocks) ReadAt(b []byte, off int64) (int, error) {
	if off < 0 {
		return 0, errors.New("negative offset")
	}
	done := 0
	for done < len(b) {
		at := off + int64(done)
		if at >= p.size {
			return done, io.EOF
		}
		i := at / int64(p.BlockSize)
		start := i * int64(p.BlockSize)
		end := min(start+p.plainSize(i), p.size)
		err := p.use(i, func(u *unpacked) error {
			if u.broken {
				clear(b[done:min(int64(len(b)), int64(done)+end-at)])
				return &source.HoleError{Span: span.Between(start, end), Err: fmt.Errorf("block %d: %w", i, u.err)}
			}
			done += copy(b[done:], u.data[at-start:end-start])
			return nil
		})
		if err != nil {
			return done, err
		}
	}
	return done, nil
}
