package model

import (
	"context"

	"varview/decoder/engine/parallel"
	"varview/model/search"
)

// Search searches for the first hit after a spot, or with backward the last one before it, and continues
// at the other end of the buffer. It returns the hit and whether it wrapped around; the error is io.EOF
// if there is no hit.
func (b *Buffer) Search(ctx context.Context, q search.Query, from search.Spot, backward bool, p *Progress) (hit search.Hit, wrapped bool, err error) {
	done, err := b.doc.Use()
	if err != nil {
		return hit, false, err
	}
	defer done()
	return search.Next(ctx, b.Tree(), q, from, backward, p.Set)
}

// Matches reports all hits of a query in the order of their bytes, until report returns false. It
// searches at most workers parts of the buffer at the same time.
func (b *Buffer) Matches(ctx context.Context, q search.Query, workers int, p *Progress, report func(search.Hit) bool) error {
	done, err := b.doc.Use()
	if err != nil {
		return err
	}
	defer done()
	return search.Matches(ctx, b.Tree(), q, search.Options{Workers: workers, Progress: p.Set}, report)
}

// sizeRanked is the number of bytes in which the best hit is looked for.
const sizeRanked = 64 << 20

// Seek looks for the hit to which a new search goes: the first of the best ones after a spot, or before
// it if there is none. In a large buffer it is the best of those shortly after the spot, or the next.
func (b *Buffer) Seek(ctx context.Context, q search.Query, from search.Spot, p *Progress) (hit search.Hit, wrapped bool, err error) {
	done, err := b.doc.Use()
	if err != nil {
		return hit, false, err
	}
	defer done()
	if b.Size() > sizeRanked {
		return search.BestWithin(ctx, b.Tree(), q, from, sizeRanked, p.Set)
	}
	return search.Best(ctx, b.Tree(), q, from, search.Options{Workers: parallel.SpareWorkers(), Progress: p.Set})
}
