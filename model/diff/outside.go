package diff

import (
	"context"

	"varview/decoder"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/wrap/own"
	"varview/model/compare"
)

// Outside calls each for the bytes outside of values that differ between two documents: those of headers and trailers of
// the game's own that do not follow the values, and those that no value claims. was and is are where they are in from
// and to.
func Outside(ctx context.Context, a, b *decoder.Document, each func(from, to source.Source, was, is span.Span) error) error {
	for i := range min(len(a.Layers), len(b.Layers)) {
		la, lb := a.Layers[i], b.Layers[i]
		was, is := own.Ends(la.Layer), own.Ends(lb.Layer)
		for side := range was {
			if was[side].Kept == is[side].Kept {
				continue
			}
			if err := each(la.Tree.Source, lb.Tree.Source, was[side].Span, is[side].Span); err != nil {
				return err
			}
		}
	}
	return compare.Unclaimed(ctx, a.Tree, b.Tree, func(was, is span.Span) error { return each(a.Tree.Source, b.Tree.Source, was, is) })
}
