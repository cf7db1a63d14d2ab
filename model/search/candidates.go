package search

import (
	"math"

	"varview/decoder/source"
	"varview/decoder/span"
)

// candidates finds the places of a text in the bytes of a source, whatever they are a part
// of.
type candidates struct {
	src    source.Source
	length int64 // of the text
	index  func([]byte) int
	buf    []byte // bytes from off on
	off    int64
	pieces []span.Span // of them that can be read
}

const candidateBytes = 1 << 20

func newCandidates(src source.Source, t *text, buffer func(size int64) []byte) *candidates {
	length := int64(len(t.needle))
	return &candidates{src: src, length: length, index: t.index, buf: buffer(candidateBytes + length - 1), off: math.MinInt64}
}

// next returns the first place at or after from, and before to; to if there is none. passed
// is called with the offset up to which there is none.
func (c *candidates) next(from, to int64, passed func(int64) error) (int64, error) {
	for at := from; at < to; {
		if at < c.off || at >= c.off+candidateBytes || c.pieces == nil {
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
			if i := c.index(c.buf[start-c.off : p.End()-c.off]); i >= 0 && start+int64(i) < c.off+candidateBytes {
				return min(to, start+int64(i)), nil
			}
		}
		at = c.off + candidateBytes
	}
	return to, nil
}

// read fills the buffer from an offset on, for places before to.
func (c *candidates) read(off, to int64) {
	n, holes := source.ReadAround(c.src, c.buf[:min(candidateBytes, to-off)+c.length-1], off)
	c.off, c.pieces = off, []span.Span{}
	for _, hole := range append(holes, span.Span{Offset: c.off + int64(n)}) {
		if hole.Offset > off {
			c.pieces = append(c.pieces, span.Between(off, hole.Offset))
		}
		off = hole.End()
	}
}
