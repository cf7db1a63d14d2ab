package tree

import (
	"context"
	"math"

	"varview/decoder/engine/span"
)

// maxFound is the number of problems of a segment that are kept until it is the segment's turn to be
// reported.
const maxFound = 1 << 10

// CheckOptions control a Check.
type CheckOptions struct {
	Workers int // number of segments that are checked in parallel, at least 1
	// Progress, if set, is called with the number of bytes checked, in any goroutine.
	Progress func(done, all int64)
	// NewCounter, if set, returns a counter for the values of a segment. Counted is called with each
	// counter, in the order of the segments.
	NewCounter func() Counter
	Counted    func(Counter)
	// LeastContent is that of the scanners. Unless it is 0, counters without a tally get the Contents of
	// the values that are passed many at a time.
	LeastContent int64
}

// A Counter counts the values of a segment while it is checked.
type Counter interface {
	// Tally returns the tally of values that are passed many at a time. If it is nil, values are passed one
	// by one, unless CheckOptions.LeastContent is set.
	Tally() *Tally
	// Count counts the value of an event.
	Count(s *Scanner, ev Event)
}

// noCounter counts nothing.
type noCounter struct{}

func (noCounter) Tally() *Tally         { return nil }
func (noCounter) Count(*Scanner, Event) {}

// Check reports all problems of the values in their order, each with the value that it is about. If the
// buffer is not indexed, it stores the places where segments begin, unless another scanner is writing the
// index.
func (t *Tree) Check(ctx context.Context, o CheckOptions, report func(span.Problem, *Node)) error {
	return t.check(ctx, o, nil, report)
}

// CheckUntil is Check, but ends when report returns false; the error is then that of ctx.
func (t *Tree) CheckUntil(ctx context.Context, o CheckOptions, report func(span.Problem, *Node) bool) error {
	wanted, stop := context.WithCancel(ctx)
	defer stop()
	more := true
	err := t.Check(wanted, o, func(p span.Problem, n *Node) {
		if more = more && report(p, n); !more {
			stop()
		}
	})
	if !more {
		return ctx.Err()
	}
	return err
}

// CheckRest reports the problems that neither an earlier call nor Edited has reported. It begins where an
// earlier call was cancelled or Edited stopped. Only one call at a time is useful. It misses a key that
// repeats one more than 256 KiB before the place where it begins.
func (t *Tree) CheckRest(ctx context.Context, o CheckOptions, report func(span.Problem, *Node)) error {
	from, done := t.checked.get()
	if done {
		return nil
	}
	return t.check(ctx, o, &checking{t, from}, report)
}

// Checked returns the offset up to which CheckRest has reported the problems, and whether
// these are all problems.
func (t *Tree) Checked() (upTo int64, done bool) {
	switch at, all := t.checked.get(); {
	case all:
		return math.MaxInt64, true
	case at == nil:
		return 0, false
	default:
		return at.pos, false
	}
}

// checking is the progress of CheckRest.
type checking struct {
	tree *Tree
	from *point // nil for the start of the buffer
}

// passed records that everything up to a point was reported; nil is the end.
func (c *checking) passed(to *point) {
	if c != nil {
		c.tree.checked.set(to)
	}
}

func (t *Tree) check(ctx context.Context, o CheckOptions, rest *checking, report func(span.Problem, *Node)) error {
	var from *point
	if rest != nil {
		from = rest.from
	}
	_, ok := t.index.acquire()
	if ok {
		defer t.index.release()
	}
	k := &checker{tree: t, o: o, from: from, rest: rest, report: report, known: map[levelID]*KeySet{}}
	return inSegments(ctx, t, o.Workers, from, true, k.segment, func(f *found) error {
		if err := k.emit(ctx, f); err != nil {
			return err
		}
		rest.passed(f.to)
		if ok && f.to != nil {
			t.index.addCheap(*f.to)
		}
		if o.Progress != nil && f.to != nil {
			o.Progress(f.to.pos, t.Source.Size())
		}
		return nil
	})
}

// A checker checks segments. Values with keys may extend over many segments: their keys are put together in
// the order of the segments.
type checker struct {
	tree   *Tree
	o      CheckOptions
	from   *point
	rest   *checking // nil to check everything
	report func(span.Problem, *Node)
	known  map[levelID]*KeySet // keys passed in the values that are open
}

// A found holds what was found in a segment.
type found struct {
	segment
	problems []foundProblem
	s        *Scanner
	counter  Counter
	hasMore  bool // the scanner has not reached the end of the segment
}

type foundProblem struct {
	span.Problem
	at *Node
}

// segment looks for the problems of a segment.
func (k *checker) segment(ctx context.Context, seg segment, s *Scanner) *found {
	f := &found{segment: seg, s: s}
	if seg.from != nil && seg.from == k.from {
		s.resumeWithKeys(seg.from, usualLimits.reach)
		if s.until != nil {
			s.passTo = s.until.pos
		}
	}
	s.spanning = map[levelID]*KeySet{}
	k.prepare(f)
	s.Report = func(p span.Problem) { f.problems = append(f.problems, foundProblem{p, s.Subject()}) }
	events := 0
	err := s.Run(ctx, func(ev Event) bool {
		if events++; events%4096 == 0 && k.o.Progress != nil && seg.to == nil { // it may be large
			k.o.Progress(s.pos, k.tree.Source.Size())
		}
		f.counter.Count(s, ev)
		return len(f.problems) < maxFound
	})
	f.hasMore = err == nil && !s.isThrough()
	return f
}

// prepare sets what the scanner of a segment passes over, by the options.
func (k *checker) prepare(f *found) {
	f.s.initial = f.s.Depth()
	f.s.PassOrdinary, f.counter = true, noCounter{}
	if k.o.NewCounter != nil {
		f.counter = k.o.NewCounter()
		f.s.Tally = f.counter.Tally()
		f.s.LeastContent = k.o.LeastContent
		f.s.PassOrdinary = f.s.Tally != nil || f.s.LeastContent > 0
	}
}

// isThrough reports whether the scanner has reached the end of its segment.
func (s *Scanner) isThrough() bool {
	return len(s.levels) == 0 || s.until != nil && s.hasReached(s.until)
}

// emit reports what was found in a segment.
func (k *checker) emit(ctx context.Context, f *found) error {
	if ctx.Err() != nil { // the result may be incomplete
		return ctx.Err()
	}
	if !k.add(f) {
		return k.repeat(ctx, f)
	}
	for _, x := range f.problems {
		k.report(x.Problem, x.at)
	}
	if f.hasMore {
		return k.finish(ctx, f)
	}
	k.end(f)
	return nil
}

// end records that a segment was reported.
func (k *checker) end(f *found) {
	k.keep(f.s)
	if f.to == nil {
		k.tree.index.noteCount(f.s.children)
	}
	if k.o.Counted != nil {
		k.o.Counted(f.counter)
	}
}

// add adds the keys of a segment to those of earlier segments. It returns false if one of them repeats an
// earlier one.
func (k *checker) add(f *found) bool {
	for id, keys := range f.s.spanning {
		if known := k.known[id]; known != nil {
			for _, h := range keys.order {
				if known.count(h) > 0 {
					return false
				}
			}
		}
	}
	for id, keys := range f.s.spanning {
		if known := k.known[id]; known != nil {
			for _, h := range keys.order {
				known.add(h)
			}
		} else {
			k.known[id] = keys
		}
	}
	return true
}

// finish passes the rest of a segment.
func (k *checker) finish(ctx context.Context, f *found) error {
	s := f.s
	s.spanning = k.known // from here on keys are compared with all earlier ones
	for i := range s.levels {
		l := &s.levels[i]
		if keys := k.known[l.id(s.depthOf(i))]; keys != nil {
			l.keys = keys
		}
	}
	s.Report = func(p span.Problem) { k.report(p, s.Subject()) }
	err := s.Run(ctx, func(ev Event) bool {
		f.counter.Count(s, ev)
		return true
	})
	if ctx.Err() != nil { // what is reported now is not reported again
		for !s.canLeavePoint() && s.Next() != Done {
		}
		if len(s.levels) > 0 {
			at := s.position()
			k.rest.passed(&at)
		}
		return err
	}
	k.end(f)
	return nil
}

// repeat checks a segment again, because one of its keys repeats a key of an earlier
// segment.
func (k *checker) repeat(ctx context.Context, f *found) error {
	f.s.enterSegment(k.tree, f.segment)
	k.prepare(f)
	return k.finish(ctx, f)
}

// keep keeps the keys of the values that are still open at the end of a segment.
func (k *checker) keep(s *Scanner) {
	open := map[levelID]*KeySet{}
	for n := s.base; n != nil && len(s.levels) > 0; n = n.Parent {
		id := levelID{n.Start, n.Depth}
		if keys := k.known[id]; keys != nil {
			open[id] = keys
		}
	}
	for i := range s.levels {
		l := &s.levels[i]
		id := l.id(s.depthOf(i))
		if keys := k.known[id]; keys != nil {
			open[id] = keys
		} else if l.keys != nil {
			open[id] = l.keys
		}
		l.keys = nil
	}
	for _, keys := range open {
		keys.isOrdered, keys.order = false, nil
	}
	k.known = open
}
