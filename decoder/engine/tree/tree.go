package tree

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
)

// A Tree is one region of a buffer, read as one format. Goroutines may share it; each reads through its own
// Reader.
type Tree struct {
	Source  source.Source
	Reading Reading
	Region  span.Span // region of the values
	Base    *Node     // the buffer itself

	index   pointIndex
	frames  pointIndex // places between children whose ends are known without reading them
	checked checkedUpTo
	segment int64 // segmentSize, except in tests
	resumes resumeCache
	can     *capabilities
	gaps    atomic.Pointer[[]span.Span] // what Gaps returns; nil until it is known
	keys    atomic.Pointer[keyTable]    // the entries of the only value of the buffer; nil until all are known
}

// checkedUpTo tells how far the problems of a tree were reported.
type checkedUpTo struct {
	mu   sync.Mutex
	at   *point // nil for the start of the buffer
	done bool
}

// get returns the point up to which problems were reported (nil for the start) and whether all were
// reported.
func (c *checkedUpTo) get() (at *point, all bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at, c.done
}

// set records the point up to which problems were reported; nil is the end.
func (c *checkedUpTo) set(to *point) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at, c.done = to, to == nil
}

// New returns the tree of a region of src as f reads it. Nothing is read yet.
func New(src source.Source, f Reading, region span.Span) *Tree {
	root := f.Root(src.Size(), region)
	every := spacing(src.Size())
	t := &Tree{Source: src, Reading: f, Region: region, Base: &Node{Value: root, KeyAt: Unknown},
		index:  pointIndex{base: Unknown, every: every, perNode: nodeEvery},
		frames: pointIndex{base: Unknown, every: every, perNode: nodeEvery}, resumes: resumeCache{src: src}, segment: segmentSize(src.Size()), can: capabilitiesOf(f)}
	if p, ok := f.(Placed); ok {
		t.take(p.Places())
	}
	return t
}

// take remembers where some children of a child of the buffer begin.
func (t *Tree) take(slot Slot, at, every int64, begin []int64) {
	if len(begin) == 0 {
		return
	}
	in := t.NewReader().read(t.Base, slot, Unknown, at)
	for i, pos := range begin {
		t.frames.points = append(t.frames.points, point{pos: pos, in: in, next: Slot{Index: int64(i) * every}, nextAt: Unknown, serial: in.firstSerial()})
	}
}

// Scanner returns a scanner at the start of the buffer, with a new window.
func (t *Tree) Scanner() *Scanner { return t.scannerThrough(source.NewWindow(t.Source)) }

func (t *Tree) scannerThrough(w *source.Window) *Scanner {
	s := t.scannerOver(w)
	s.begin(t.Base)
	s.baseUninspected = true
	s.keyed = t.can.keyed
	return s
}

// ScannerAt returns a new scanner at the last known place at or before off.
func (t *Tree) ScannerAt(off int64) *Scanner {
	return t.ScannerThrough(source.NewWindow(t.Source), off)
}

// ScannerThrough is ScannerAt with a window over the source; another scanner may have used
// the window before.
func (t *Tree) ScannerThrough(w *source.Window, off int64) *Scanner {
	s := t.scannerThrough(w)
	if p, ok := t.placeBefore(func(p *point) bool { return p.pos <= off }); ok {
		s.resume(&p)
	}
	s.hopTo = off
	return s
}

// PassUpTo makes the scanner pass over everything that ends before an offset, many values
// at once.
func (s *Scanner) PassUpTo(off int64) { s.PassOrdinary, s.passTo, s.hopTo = true, off, off }

// PlaceBefore returns the last known place before off at which ScannerAt can resume; 0
// is the start of the buffer.
func (t *Tree) PlaceBefore(off int64) int64 {
	p, _ := t.placeBefore(func(p *point) bool { return p.pos < off })
	return p.pos
}

// placeBefore returns the last known place for which isBefore is true. It must be true for all places up to
// some offset.
func (t *Tree) placeBefore(isBefore func(*point) bool) (point, bool) {
	p, ok := t.index.before(isBefore)
	if q, also := t.frames.before(isBefore); also && q.pos > p.pos {
		return q, true
	}
	return p, ok
}

// scannerOver returns a scanner that reads through w. It has no position yet.
func (t *Tree) scannerOver(w *source.Window) *Scanner {
	return &Scanner{format: t.Reading, can: t.can, win: w, resumes: &t.resumes}
}

// Resume returns a scanner at the last known place at or before off. It reports what a scanner from the
// start would report from there on, but misses a key that repeats one more than reach bytes before that
// place. It stores positions as BuildIndex does, unless another scanner does so, until done is called.
func (t *Tree) Resume(off, reach int64) (s *Scanner, done func()) {
	s, done = t.Scanner(), func() {}
	last, ok := t.index.acquire()
	if p, known := t.placeBefore(func(p *point) bool { return p.pos <= off }); known {
		s.resumeWithKeys(&p, reach)
	}
	if ok {
		s.recordIn(&t.index, last)
		done = t.index.release
	}
	return s, done
}

// Indexed returns how far the tree is indexed, and whether completely.
func (t *Tree) Indexed() (reached int64, done bool) { return t.index.reached(), t.index.Done() }

// BuildIndex passes over the whole buffer once, reading only sizes, and stores positions in it, so that
// readers find values quickly. Readers may work at the same time.
//
// It resumes where an earlier call was cancelled or Edited stopped. A call after the index is complete, or
// during another call, does nothing.
func (t *Tree) BuildIndex(ctx context.Context) error { return t.buildIndex(ctx, nil) }

// buildIndex is BuildIndex, which calls each, if set, after every event of a pass from the start.
func (t *Tree) buildIndex(ctx context.Context, each func(*Scanner, Event)) error {
	from, ok := t.index.acquire()
	if !ok {
		return nil
	}
	defer t.index.release()
	s := t.Scanner()
	if from != nil {
		s.resume(from)
	}
	s.recordIn(&t.index, from)
	s.PassOrdinary = true
	var event func(Event) bool
	if each != nil && from == nil {
		s.readsKeys = t.Base.Count == 1 && t.can.learner == nil
		event = func(ev Event) bool {
			each(s, ev)
			return true
		}
	}
	err := s.Run(ctx, event)
	if ctx.Err() != nil {
		s.leaveLastPoint()
	}
	return err
}

// Pass passes over the whole buffer and calls each after every event, until it returns false. Texts and raw bytes of least bytes
// are in Contents. Where the index is not begun, it is built on the way.
func (t *Tree) Pass(ctx context.Context, least int64, each func(*Scanner, Event) bool) error {
	s := t.Scanner()
	if from, ok := t.index.acquire(); ok {
		defer t.index.release()
		if from == nil {
			s.recordIn(&t.index, nil)
		}
	}
	s.PassOrdinary, s.LeastContent = true, least
	return s.Run(ctx, func(ev Event) bool { return each(s, ev) })
}

// HopFrames finds the places of a stream's frames by their lengths alone, in a fraction of
// the time of BuildIndex, for readers that look for a frame far away. It does nothing for
// other buffers, or if the index is complete.
func (t *Tree) HopFrames(ctx context.Context) error {
	reached, done := t.Indexed()
	if _, hopped := t.frames.acquire(); done || !hopped {
		return nil
	}
	defer t.frames.release()
	from := max(reached, t.frames.reached())
	s := t.ScannerAt(from)
	if ev := s.Next(); s.eventDepth(ev) != 1 || ev == Leave || !s.value.Fenced {
		return nil
	}
	s = t.ScannerAt(from)
	s.recordIn(&t.frames, nil)
	s.hopDepth, s.PassOrdinary = 1, true
	return s.Run(ctx, nil)
}

// Run passes over everything that is left. It calls each, if set, after every event until each returns
// false, and returns early when ctx is done.
func (s *Scanner) Run(ctx context.Context, each func(Event) bool) error {
	for i := 1; ; i++ {
		ev := s.Next()
		if ev == Done {
			return s.win.Err()
		}
		if each != nil && !each(ev) {
			return nil
		}
		if (i%4096 == 0 || ev == Passed) && ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

// ErrPending is returned if an answer needs more reading than the reader's budget allows.
var ErrPending = errors.New("not read that far yet")

// ErrNoChild is returned if a value has no such child.
var ErrNoChild = errors.New("no such child")
