package search

import (
	"context"

	"varview/decoder/parallel"
	"varview/decoder/span"
)

// blockBytes is the number of bytes that are searched at a time.
const blockBytes = 1 << 20

// isBytes reports whether the query looks for bytes wherever they are.
func (q *Query) isBytes() bool { return q.sole != nil && q.sole.bytes != nil }

// eachBytes calls found for each place in [from, to) that has the bytes. It skips what
// cannot be read.
func (s *searcher) eachBytes(from, to int64, found func(Hit) bool) error {
	c := s.begin()
	defer s.places.Put(c)
	passed := s.passedFrom(from)
	for at := from; ; at++ {
		var err error
		if at, err = c.next(at, to, passed); err != nil || at >= to {
			return err
		}
		if !found(Hit{Span: span.Span{Offset: at, Length: c.length}, Rank: Other}) {
			return errFound
		}
	}
}

// passedFrom returns a function that notes how far a search of a stretch that begins at an
// offset has come, and returns an error if it should end.
func (s *searcher) passedFrom(from int64) func(upTo int64) error {
	return func(upTo int64) error {
		s.progress(s.passed+max(0, upTo-from), s.tree.Source.Size())
		return s.ctx.Err()
	}
}

// A block is a part of the bytes that one goroutine searches.
type block struct {
	span.Span
	hits []Hit
	full bool // there may be more after the last hit
}

// allBytes reports all places that have the bytes, in order.
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
