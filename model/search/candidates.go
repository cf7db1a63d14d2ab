package search

import (
	"slices"

	"varview/decoder/parallel"
	"varview/decoder/source"
	"varview/decoder/span"
)

// candidates finds the places of a text, or of bytes, in a source, whatever value they are
// in.
type candidates struct {
	src    source.Source
	length int64 // of the text or bytes
	index  func([]byte) int
	buf    []byte // bytes from off on
	off    int64
	pieces []span.Span // the pieces that can be read; nil before the first reading
}

// newCandidates returns candidates, each for one goroutine, that find what index finds;
// length is its length in bytes.
func newCandidates(src source.Source, length int, index func([]byte) int) *parallel.Spares[*candidates] {
	return &parallel.Spares[*candidates]{New: func() *candidates {
		return &candidates{src: src, length: int64(length), index: index}
	}}
}

// begin returns candidates that have not read anything yet; s.places takes them back.
func (s *searcher) begin() *candidates {
	c := s.places.Get()
	c.pieces = nil
	return c
}

// next returns the first place at or after from and before to; to if there is none. passed
// is called with the offset up to which there is no place.
func (c *candidates) next(from, to int64, passed func(int64) error) (int64, error) {
	for at := from; at < to; {
		if at < c.off || at >= c.off+blockBytes || c.pieces == nil {
			if err := passed(at); err != nil {
				return to, err
			}
			c.read(at, to)
		}
		for _, p := range c.pieces {
			start := max(p.Offset, at)
			if start >= p.End() {
				continue
			}
			if i := c.index(c.buf[start-c.off : p.End()-c.off]); i >= 0 && start+int64(i) < c.off+blockBytes {
				return min(to, start+int64(i)), nil
			}
		}
		at = c.off + blockBytes
	}
	return to, nil
}

// read fills the buffer from an offset on, to find places before to.
func (c *candidates) read(off, to int64) {
	size := int(min(blockBytes, to-off) + c.length - 1)
	c.buf = slices.Grow(c.buf[:0], size)[:size] // a small file takes little
	n, holes := source.ReadAround(c.src, c.buf, off)
	c.off, c.pieces = off, []span.Span{}
	for _, hole := range append(holes, span.Span{Offset: c.off + int64(n)}) {
		if hole.Offset > off {
			c.pieces = append(c.pieces, span.Between(off, hole.Offset))
		}
		off = hole.End()
	}
}
