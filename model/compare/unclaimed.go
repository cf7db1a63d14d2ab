package compare

import (
	"context"
	"errors"
	"sort"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// apart is the number of equal bytes up to which two differences are joined.
const apart = 8

// Unclaimed calls each for the bytes that no value claims and that differ between two trees, in their order:
// all bytes, of files without values. was and is are where they are in a and b; where they go on in another
// gap, only their beginning counts.
func Unclaimed(ctx context.Context, a, b *tree.Tree, each func(was, is span.Span) error) error {
	x, err := unclaimedOf(ctx, a)
	if err != nil {
		return err
	}
	y, err := unclaimedOf(ctx, b)
	if err != nil {
		return err
	}
	return differing(ctx, x.bytes, y.bytes, func(was, is span.Span) error { return each(x.place(was), y.place(is)) })
}

// unclaimed are the gaps of a tree, joined.
type unclaimed struct {
	gaps  []span.Span
	ends  []int64 // end of each gap in bytes
	bytes *source.Pieces
}

func unclaimedOf(ctx context.Context, t *tree.Tree) (*unclaimed, error) {
	gaps, err := t.Gaps(ctx)
	u := &unclaimed{gaps: gaps}
	var pieces []source.Piece
	size := int64(0)
	for _, g := range gaps {
		pieces, size = append(pieces, source.Piece{Src: t.Source, Span: g}), size+g.Length
		u.ends = append(u.ends, size)
	}
	u.bytes = source.Join(pieces...)
	return u, err
}

// place returns where bytes are in the buffer.
func (u *unclaimed) place(s span.Span) span.Span {
	i := sort.Search(len(u.ends), func(i int) bool { return u.ends[i] > s.Offset })
	if i == len(u.ends) { // behind all gaps
		if i == 0 {
			return span.Span{}
		}
		return span.Span{Offset: u.gaps[i-1].End()}
	}
	at := u.gaps[i].End() - (u.ends[i] - s.Offset)
	return span.Span{Offset: at, Length: min(s.Length, u.gaps[i].End()-at)}
}

// differing calls each for the bytes that differ, in their order.
func differing(ctx context.Context, a, b source.Source, each func(was, is span.Span) error) error {
	var failed error
	if a.Size() == b.Size() {
		err := source.Differences(ctx, a, b, apart, func(s source.Splice) bool {
			failed = each(s.Span, s.Span)
			return failed == nil
		})
		return errors.Join(err, failed)
	}
	same, err := source.Alike(ctx, a, b)
	if err != nil {
		return err
	}
	x, y := int64(0), int64(0)
	for _, s := range append(same, source.Common{A: a.Size(), B: b.Size()}) {
		if was, is := span.Between(x, s.A), span.Between(y, s.B); was.Length > 0 || is.Length > 0 {
			if err := each(was, is); err != nil {
				return err
			}
		}
		x, y = s.A+s.Length, s.B+s.Length
	}
	return nil
}
