package compare

import (
	"context"
	"maps"

	"varview/decoder/engine/parallel"
	"varview/decoder/engine/tree"
)

// segmentBytes is the approximate size of the parts of a value that are passed concurrently.
const segmentBytes = 1 << 20

// cuts returns the children of n at which segments of about equal size begin, after the first. The sum of
// a child larger than a segment is found at once, in segments too. There are no cuts if one goroutine is
// enough.
func (s *side) cuts(ctx context.Context, n, from *tree.Node, to, end int64) (cuts []*tree.Node) {
	at := n.Body
	if from != nil {
		at = begin(from)
	}
	if s.workers <= 1 || n.Depth > gapDepth || end-at <= s.segment {
		return nil
	}
	n, err := s.read.Finish(n)
	if err != nil || n.Damage != nil {
		return nil
	}
	end = min(end, n.Tail)
	for off := at + s.segment; off < end && ctx.Err() == nil; {
		x := child(s, n, off)
		if x == nil || x.Slot.Index >= to {
			return cuts
		}
		if begin(x) > at {
			at = begin(x)
			cuts = append(cuts, x)
		}
		off = at + s.segment
		if x, err = s.read.Finish(x); err != nil || x.Damage != nil {
			return cuts
		}
		if x.End > off {
			off = x.End
			s.sumLarge(ctx, x)
		}
	}
	return cuts
}

// sumLarge finds the sum of a large value, and keeps it.
func (s *side) sumLarge(ctx context.Context, n *tree.Node) {
	at := place{n.Start, n.Depth}
	if _, is := s.memo[at]; is || n.Layout < tree.Sequence || len(s.memo) >= maxMemo {
		return
	}
	if x := s.sumIn(ctx, n); ctx.Err() == nil {
		s.memo[at] = ended{x, n.End, n.SerialEnd}
	}
}

// A segment is a part of the children of a value, and what is found in it.
type segment struct {
	*side
	from  *tree.Node
	to    int64
	items []item
	err   error
}

// inSegments is items for children that several goroutines pass, each from one cut to the next.
func (s *side) inSegments(ctx context.Context, n, from *tree.Node, to int64, cuts []*tree.Node, each func(*item)) error {
	spares := parallel.Spares[*tree.Reader]{New: s.read.Tree.NewReader}
	more, found := true, map[place]ended{}
	next := func() (*segment, bool) {
		if !more {
			return nil, false
		}
		part := &segment{side: &side{read: spares.Get(), named: s.named, memo: map[place]ended{}, known: s.memo}, from: from, to: to}
		if more = len(cuts) > 0; more {
			from, cuts = cuts[0], cuts[1:]
			part.to = from.Slot.Index
		}
		return part, true
	}
	do := func(ctx context.Context, part *segment) *segment {
		part.err = part.walk(ctx, n, part.from, part.to, func(x *item) { part.items = append(part.items, *x) })
		return part
	}
	err := parallel.Ordered(ctx, s.workers, next, do, func(part *segment) error {
		for i := range part.items {
			each(&part.items[i])
		}
		if part.damage != nil {
			s.note(part.damage)
		}
		if len(s.memo)+len(found) < maxMemo {
			maps.Copy(found, part.memo)
		}
		spares.Put(part.read)
		return part.err
	})
	maps.Copy(s.memo, found) // the segments have read it until now
	return err
}
