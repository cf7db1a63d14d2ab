package search

import (
	"context"

	"varview/decoder/parallel"
	"varview/decoder/source"
	"varview/decoder/span"
)

// blockBytes is the number of bytes that are searched at a time for bytes.
const blockBytes = 1 << 20

// isBytes reports whether the query looks for bytes wherever they are.
func (q *Query) isBytes() bool { return q.sole != nil && q.sole.bytes != nil }

// eachBytes calls found for each place in [from, to) that has the bytes. What
// cannot be read is passed over.
func (s *searcher) eachBytes(from, to int64, found func(Hit) bool) error {
	pattern := s.query.sole.bytes
	size := int64(len(pattern.bytes))
	buf := s.buffer(blockBytes + size - 1)
	defer s.release(buf)
	for at := from; at < to; at += blockBytes {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		s.progress(s.passed+at-from, s.tree.Source.Size())
		end := min(to, at+blockBytes)
		n, holes := source.ReadAround(s.tree.Source, buf[:end-at+size-1], at)
		start := at
		for _, hole := range append(holes, span.Span{Offset: at + int64(n)}) {
			b := buf[start-at : hole.Offset-at]
			for i := int64(0); ; i++ {
				k := pattern.index(b[min(i, int64(len(b))):])
				if i += int64(k); k < 0 || start+i >= end {
					break
				}
				if !found(Hit{Span: span.Span{Offset: start + i, Length: size}, Rank: Other}) {
					return errFound
				}
			}
			start = hole.End()
		}
	}
	return nil
}

// A block is a part of the bytes that one goroutine searches.
type block struct {
	span.Span
	hits []Hit
	full bool // there may be more after the last hit
}

// allBytes reports all places that have the bytes, in their order.
func (s *searcher) allBytes(workers int, progress func(done, all int64), report func(Hit) bool) error {
	size, at := s.tree.Source.Size(), int64(0)
	next := func() (b *block, more bool) {
		b = &block{Span: span.Between(at, min(size, at+blockBytes))}
		at = b.End()
		return b, b.Length > 0
	}
	search := func(ctx context.Context, b *block) *block {
		one := *s
		one.ctx = ctx
		one.eachBytes(b.Offset, b.End(), func(h Hit) bool {
			b.hits = append(b.hits, h)
			b.full = len(b.hits) == maxHits
			return !b.full
		})
		return b
	}
	return parallel.Ordered(s.ctx, workers, next, search, func(b *block) error {
		for _, h := range b.hits {
			if !report(h) {
				return errFound
			}
		}
		progress(b.End(), size)
		if !b.full {
			return nil
		}
		return s.eachBytes(b.hits[maxHits-1].Offset+1, b.End(), report)
	})
}
