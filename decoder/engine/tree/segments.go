package tree

import (
	"context"

	"varview/decoder/engine/parallel"
	"varview/decoder/engine/source"
)

const (
	// segmentBytes is about the size of a segment: large enough that the cost of beginning one does not
	// matter, small enough that its window fits into the processor's caches.
	segmentBytes = 1 << 20
	// leastSegment is the same for a buffer with fewer than enoughSegments such segments:
	// its last ones would keep only some of the workers busy.
	leastSegment   = 128 << 10
	enoughSegments = 32
)

// segmentSize returns the size of the segments in a buffer of the given size.
func segmentSize(size int64) int64 {
	return min(segmentBytes, max(leastSegment, size/enoughSegments))
}

// A segment is a part of a buffer that one scanner passes.
type segment struct {
	from *point // nil for the start of the buffer
	to   *point // nil for its end
}

// InSegments passes over a buffer in segments, several in parallel. do is called for each with a scanner
// that passes the events of that segment and then returns Done. emit is called with the results in the
// order of the segments, in the goroutine of the caller. The error is that of emit, of reading, or of ctx.
//
// If the buffer is not indexed yet, the segments are found by passing only sizes.
func InSegments[T any](ctx context.Context, t *Tree, workers int, do func(context.Context, *Scanner) T, emit func(T) error) error {
	return inSegments(ctx, t, workers, nil, false, func(ctx context.Context, _ segment, s *Scanner) T { return do(ctx, s) }, emit)
}

// inSegments is InSegments from a point on. If readsOnce is set, it does not divide what it would have to read value by value for
// that: do gets all of it.
func inSegments[T any](ctx context.Context, t *Tree, workers int, from *point, readsOnce bool, do func(context.Context, segment, *Scanner) T, emit func(T) error) error {
	type result struct {
		of  T
		s   *Scanner
		err error
	}
	p := newPlanner(t, from, workers)
	p.readsOnce = readsOnce
	spares := parallel.Spares[*Scanner]{New: func() *Scanner { return &Scanner{win: source.NewWindow(t.Source)} }}
	next := func() (job func(context.Context) result, more bool) {
		seg, more := p.next(ctx)
		s := spares.Get()
		return func(ctx context.Context) result {
			s.enterSegment(t, seg)
			of := do(ctx, seg, s)
			return result{of, s, s.win.Err()}
		}, more
	}
	err := parallel.Ordered(ctx, workers, next, func(ctx context.Context, job func(context.Context) result) result { return job(ctx) },
		func(r result) error {
			err := emit(r.of)
			if err == nil {
				err = r.err
			}
			spares.Put(r.s)
			return err
		})
	if err == nil {
		err = p.s.win.Err()
	}
	return err
}

// enterSegment places the scanner at the start of a segment.
func (s *Scanner) enterSegment(t *Tree, seg segment) {
	*s = Scanner{win: s.win, levels: s.levels[:0], spareKeys: s.spareKeys}
	s.format, s.can, s.resumes, s.keyed = t.Reading, t.can, &t.resumes, t.can.keyed
	if seg.from != nil {
		s.resume(seg.from)
	} else {
		s.begin(t.Base)
		s.baseUninspected = true
	}
	s.win.ReadUpTo(t.Region.End())
	if s.endAt(seg.to); s.until != nil {
		s.passTo = s.until.pos
		s.win.ReadUpTo(s.until.pos)
	}
}

// endAt sets the end of the segment that the scanner passes; nil is that of the buffer.
func (s *Scanner) endAt(end *point) {
	s.until = end
	if end == nil {
		return
	}
	if s.base != nil && s.base.Depth > end.in.Depth {
		s.slotAround = s.base.Around(end.in.Depth + 1).Slot
	}
}

// hasReached reports whether the scanner is at the end of its segment or past it: it may have passed
// several values at once.
func (s *Scanner) hasReached(end *point) bool {
	if s.pos != end.pos {
		return s.pos > end.pos
	}
	next, depth := s.levels[len(s.levels)-1].next, s.Depth()-1
	if depth > end.in.Depth { // the end is in a value around this one, or is the end of this one
		slot := s.slotAround
		if i := end.in.Depth + 1 - (s.Depth() - len(s.levels)); i >= 0 {
			slot = s.levels[i].slot
		}
		return !slot.before(end.next)
	}
	if depth < end.in.Depth {
		return end.in.Around(depth + 1).Slot.before(next)
	}
	return !next.before(end.next)
}

// before reports whether a slot comes before another one of the same value.
func (a Slot) before(b Slot) bool {
	return a.Index < b.Index || a.Index == b.Index && a.Key && !b.Key
}

// A planner divides a buffer into segments.
type planner struct {
	tree  *Tree
	s     *Scanner
	size  int64  // approximate size of a segment
	frame int64  // size of the largest frame that is not divided
	at    *point // start of the next segment
	done  bool

	readsOnce bool // as that of inSegments
	isSlow    bool // it has read the last segment value by value, or whoever passes the segments does
}

// slowBytes is the number of bytes for each value below which passing sizes is hardly quicker than checking.
const slowBytes = 128

// framesPerWorker bounds the size of frames that are not divided: a buffer of such frames
// has at least this many for each worker.
const framesPerWorker = 4

func newPlanner(t *Tree, from *point, workers int) *planner {
	return &planner{tree: t, isSlow: t.can.PassesSlowly, size: t.segment, at: from, s: t.scannerOver(source.NewWindow(t.Source)),
		frame: max(t.segment, t.Source.Size()/int64(framesPerWorker*max(1, workers)))}
}

// next returns the next segment.
func (p *planner) next(ctx context.Context) (seg segment, more bool) {
	if p.done {
		return seg, false
	}
	seg.from = p.at
	begin := p.tree.Base.Body
	if p.at != nil {
		begin = p.at.pos
	}
	seg.to = p.known(begin)
	if seg.to == nil && !(p.readsOnce && p.isSlow) {
		seg.to = p.find(ctx, begin+p.size)
	}
	p.at, p.done = seg.to, seg.to == nil
	return seg, true
}

// known returns the point of the index near which a segment can end; nil if there is none.
func (p *planner) known(begin int64) *point {
	to, ok := p.tree.placeBefore(func(q *point) bool { return q.pos <= begin+p.size })
	if !ok || to.pos < begin+max(1, p.size/2) {
		return nil
	}
	return &to
}

// find passes sizes up to the first point at or after an offset; nil if there is none.
func (p *planner) find(ctx context.Context, off int64) *point {
	s := p.s
	switch {
	case p.at == nil:
		s.begin(p.tree.Base)
	case s.pos != p.at.pos || len(s.levels) == 0 || s.Depth() != p.at.in.Depth+1:
		s.resume(p.at)
	}
	s.PassOrdinary, s.nextPoint = true, off
	if p.tree.can.learner == nil {
		s.hopTo = off + p.frame
	}
	n, from := 1, s.pos
	p.isSlow = true
	for ; s.pos < off || !s.canLeavePoint(); n++ {
		ev := s.Next()
		if ev == Done || n%4096 == 0 && ctx.Err() != nil {
			return nil
		}
		p.isSlow = p.isSlow && ev != Passed
	}
	p.isSlow = p.isSlow && s.pos-from < int64(n)*slowBytes
	if len(s.levels) == 0 {
		return nil
	}
	at := s.position()
	return &at
}
