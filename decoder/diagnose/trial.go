package diagnose

import (
	"io"
	"math"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/score"
)

const (
	trialEvents     = 5_000   // values after which a trial reading is accepted
	minSearchEvents = 20_000  // values that all trial readings of one search may pass in an empty buffer
	eventsPerByte   = 100     // added for each byte of the buffer
	maxSearchEvents = 150_000 // the limit for large buffers
	bytesPerEvent   = 4 << 10 // bytes of a long value that count as one value
	noCost          = math.MaxInt64 / 2
)

// searchBudget returns the number of values that all trial readings of one search may pass.
func searchBudget(size int64) int {
	return int(min(minSearchEvents+eventsPerByte*size, maxSearchEvents))
}

// A trial continues reading from a checkpoint over changed bytes. The fields after shortages describe the
// last reading.
type trial struct {
	win         *source.Window
	left        int           // number of values that may still be passed
	shortages   []observation // problems of open values, which are inspected again
	problems    int           // number of problems
	observed    int           // number of problems of all readings
	settled     int           // number of errors that have no cause before them
	shortage    int64         // part of its cost for bytes missing at the end of the buffer
	bytes       int64         // offset where it ended
	values      int           // number of events
	support     int           // number of values that count in favour of the change
	oddness     int           // how unlikely these values are
	firstOdd    int           // the same for the first of them
	cleanValues int           // number of values between place and the first problem
	place       int64         // offset of the problem to be explained: frames after it need not be read
	isBroken    bool          // because of a problem, the next value may begin elsewhere
	zeros       span.Span     // a block of zeros that may have been values
	inZeros     int           // number of values that were read from it
	overZeros   bool          // a value contains it
	trailing    int64         // cost of the bytes after a complete value, which counts only if a repair ends the value there

	base   source.Source // the tree's bytes, which are read again and again
	source source.Source // the bytes that the change is applied to; nil for base
	grown  int64         // length of source minus that of base

	// Memory that one reading after the other uses.
	draft   draft
	scanner *tree.Scanner      // scanner of restart
	reading *tree.Scanner      // scanner of finish
	report  func(span.Problem) // observes a problem of reading
	tally   score.Tally
	limit   int64 // limit of the value whose problems are observed
	after   int   // values after place
}

func newTrial(base source.Source, budget int) trial {
	return trial{base: base, win: source.NewWindow(base), left: budget, scanner: new(tree.Scanner)}
}

// run reads from c on with a change applied and returns the cost of that reading; noCost if it exceeds
// atMost.
func (x *trial) run(t *tree.Tree, c *tree.Checkpoint, ch *change, atMost int64) int64 {
	s := x.restart(t, c, ch)
	if s == nil {
		return noCost
	}
	return x.finish(s, c, x.region(t, ch), atMost)
}

// restart returns a scanner at c over the changed bytes; nil if the change closes a value that is open
// there. The next restart uses the same scanner.
func (x *trial) restart(t *tree.Tree, c *tree.Checkpoint, ch *change) *tree.Scanner {
	if x.left <= 0 {
		return nil
	}
	x.left--
	base := x.base
	if x.source != nil {
		base = x.source
	}
	x.draft = draft{base, *ch}
	x.win.Reset(&x.draft)
	if !x.scanner.Restart(t, c, x.win, x.region(t, ch)) {
		return nil
	}
	x.scanner.NoResync = true
	return x.scanner
}

// region returns the tree's region after a change.
func (x *trial) region(t *tree.Tree, ch *change) span.Span {
	r := ch.moved(t.Region)
	r.Length += x.grown
	return r
}

// finish reads from c to the end of the buffer, or until the reading is accepted or exceeds
// atMost. It returns the cost.
func (x *trial) finish(s *tree.Scanner, c *tree.Checkpoint, region span.Span, atMost int64) int64 {
	x.tally = score.Tally{End: region.End()}
	x.shortage, x.oddness, x.firstOdd, x.trailing = 0, 0, 0, 0
	suspecter, _ := s.Reading().(Suspecter)
	x.settled, x.problems, x.isBroken, x.values, x.support, x.cleanValues = 0, 0, false, 0, 0, 0
	x.after, x.limit, x.inZeros, x.overZeros = 0, region.End(), 0, false
	before := 0 // number of problems at the start of the last frame
	for i := range x.shortages {
		if n := x.shortages[i].at; n.Start < c.Pos() {
			x.limit = x.reinspect(s, n, x.observe)
		}
	}
	if x.reading = s; x.report == nil {
		x.report = func(p span.Problem) {
			x.limit = x.reading.Value().Limit
			x.observe(p)
		}
	}
	s.Report = x.report
	for x.values < trialEvents {
		from := s.Pos()
		ev := s.Next()
		if ev == tree.Done {
			break
		}
		x.left -= 1 + int(max(0, min(s.Pos(), s.Value().Tail)-from)/bytesPerEvent)
		x.values++
		if ev != tree.Leave {
			x.support++
		}
		if s.Pos() > x.place {
			x.after++
		}
		if x.zeros.Length > 0 && ev != tree.Leave {
			x.noteZeros(s.Value())
		}
		if isFrame(s, ev) && s.Value().Start > x.place {
			if x.problems == before {
				break // neither this frame nor the next depends on place
			}
			before = x.problems
		}
		if suspecter != nil && ev != tree.Leave {
			x.weigh(suspecter, s, ev)
		}
		x.tally.AddGap(s.Value(), ev, math.MaxInt64)
		if x.tally.Cost > atMost || x.left <= 0 {
			return noCost
		}
	}
	if x.problems == 0 {
		x.cleanValues = x.after
	}
	x.bytes = s.Pos()
	x.shortage, x.isBroken = x.tally.Shortage, x.tally.Broken
	return x.tally.Cost
}

// noteZeros notes that a value was read in the block of zeros, or with it.
func (x *trial) noteZeros(v *tree.Value) {
	if v.Head >= x.zeros.Offset+maxLoss && v.Head < x.zeros.End()-maxLoss {
		x.inZeros++
	}
	x.overZeros = x.overZeros || v.Layout < tree.Sequence && v.Head < x.zeros.Offset && v.Tail >= x.zeros.End()-maxLoss
}

// weigh adds how odd a value is.
func (x *trial) weigh(suspecter Suspecter, s *tree.Scanner, ev tree.Event) {
	if x.oddness >= maxOddness {
		return
	}
	if x.oddness += oddness(suspecter, s, ev); x.support <= manyValues {
		x.firstOdd = x.oddness
	}
}

// observe adds a problem of a value that must end at or before limit.
func (x *trial) observe(p span.Problem) {
	x.observed++
	switch {
	case p.Settled && p.Code == span.TrailingBytes:
		x.trailing += score.Error + min(score.MaxGap, p.Length)
	case p.Settled && p.Severity == span.Error:
		x.settled++
	}
	switch {
	case score.Of(&p) > 0:
		if x.problems++; x.problems == 1 {
			x.cleanValues = x.after
		}
		x.tally.Add(&p, x.limit)
	case p.Code == span.MissingSchema:
		x.tally.Cost += score.Unknown
	}
}

// isFrame reports whether the last event begins a frame.
func isFrame(s *tree.Scanner, ev tree.Event) bool {
	return s.Value().Fenced && (ev == tree.Enter && s.Depth() == 2 || ev == tree.Atom && s.Depth() == 1)
}

// reinspect reports the problems of an open value n as s reads it. It returns the limit of the value.
func (x *trial) reinspect(s *tree.Scanner, n *tree.Node, report func(span.Problem)) int64 {
	open := s.Node()
	for open.Depth > n.Depth {
		open = open.Parent
	}
	if open.Depth < n.Depth || open.Start != n.Start {
		return 0
	}
	s.Inspect(open, report)
	return open.Limit
}

// maxOddness is the oddness from which on no further values are inspected.
const maxOddness = 1000

// oddness returns how unlikely the value of the last event is, which must not be Leave.
func oddness(f Suspecter, s *tree.Scanner, ev tree.Event) int {
	parent := s.Parent()
	if ev == tree.Enter {
		parent = s.Outer()
	}
	if parent == nil {
		return 0
	}
	return f.Oddness(s.Window(), parent, s.Slot(), s.Value())
}

// A change replaces the bytes of a span.
type change struct {
	span.Span
	new []byte
}

func (c *change) grows() int64 { return int64(len(c.new)) - c.Length }

func (c *change) splice() source.Splice { return source.Put(c.Offset, c.Length, c.new) }

// moved returns a region that contains the change as it is after the change.
func (c *change) moved(region span.Span) span.Span {
	if c.Offset < region.Offset {
		region.Offset += c.grows()
		return region
	}
	region.Length += c.grows()
	return region
}

// A draft is a source with a change applied, for the duration of a trial.
type draft struct {
	base source.Source
	change
}

// Size implements source.Source.
func (d *draft) Size() int64 { return d.base.Size() + d.grows() }

// ReadAt implements source.Source.
func (d *draft) ReadAt(p []byte, off int64) (n int, err error) {
	if off < d.Offset {
		n = int(min(int64(len(p)), d.Offset-off))
		if got, err := d.base.ReadAt(p[:n], off); got < n {
			return got, err
		}
	}
	if n < len(p) && off+int64(n) < d.Offset+int64(len(d.new)) {
		n += copy(p[n:], d.new[off+int64(n)-d.Offset:])
	}
	if n == len(p) {
		return n, nil
	}
	at := off + int64(n) - d.grows()
	if at >= d.base.Size() {
		return n, io.EOF
	}
	got, err := d.base.ReadAt(p[n:], at)
	return n + got, err
}
