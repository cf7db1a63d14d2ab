package tree

import (
	"context"
	"errors"

	"varview/decoder/source"
	"varview/decoder/span"
)

// A Tree is one region of a buffer, read as one format. Goroutines may share it; each
// reads through a Reader of its own.
type Tree struct {
	Source  source.Source
	Reading Reading
	Region  span.Span // of the values
	Base    *Node     // the buffer itself
	index   pointIndex
	resumes resumeCache
	can     *capabilities
}

// New returns the tree of a region of src as f reads it. Nothing is read yet.
func New(src source.Source, f Reading, region span.Span) *Tree {
	root := f.Root(src.Size(), region)
	return &Tree{Source: src, Reading: f, Region: region, Base: &Node{Value: root, KeyAt: Unknown},
		index: pointIndex{every: spacing(src.Size()), perNode: nodeEvery}, resumes: resumeCache{src: src}, can: capabilitiesOf(f)}
}

// Scanner returns a scanner at the start of the buffer, with a window of its own.
func (t *Tree) Scanner() *Scanner {
	s := t.scannerOver(source.NewWindow(t.Source))
	s.begin(t.Base)
	s.baseUninspected = true
	s.keyed = t.can.keyed
	return s
}

// ScannerAt returns a new scanner at the last known place at or before off.
func (t *Tree) ScannerAt(off int64) *Scanner {
	s := t.Scanner()
	if p, ok := t.index.before(func(p *point) bool { return p.pos <= off }); ok {
		s.resume(&p)
	}
	s.hopTo = off
	return s
}

// PlaceBefore returns the last known place before off at which ScannerAt can resume; 0
// is the start of the buffer.
func (t *Tree) PlaceBefore(off int64) int64 {
	p, _ := t.index.before(func(p *point) bool { return p.pos < off })
	return p.pos
}

// scannerOver returns a scanner that reads through w. It has no position yet.
func (t *Tree) scannerOver(w *source.Window) *Scanner {
	return &Scanner{format: t.Reading, can: t.can, win: w, resumes: &t.resumes}
}

// Resume returns a scanner at the last known place at or before off, which reports what a
// scanner from the start would report from there on; a key that repeats one more than
// reach bytes before that place is missed. If nobody else does, it stores positions as
// BuildIndex does, until done is called.
func (t *Tree) Resume(off, reach int64) (s *Scanner, done func()) {
	s, done = t.Scanner(), func() {}
	last, ok := t.index.acquire()
	if p, known := t.index.before(func(p *point) bool { return p.pos <= off }); known {
		s.resumeWithKeys(&p, reach)
	}
	if ok {
		s.recordIn(&t.index, last)
		done = t.index.release
	}
	return s, done
}

// Indexed reports how far the tree is indexed and whether that is all of it.
func (t *Tree) Indexed() (reached int64, done bool) {
	return t.index.Reached(), t.index.Done()
}

// BuildIndex reads the whole buffer once and stores positions in it, so that readers find
// values quickly. It passes each problem to report, if that is set. Readers may work at
// the same time.
//
// It resumes where an earlier call was cancelled, or Edited stopped, and then reports
// only problems after that position; a key that repeats one more than 256 KiB before the
// position is missed. A call after the index is complete, or during another call, only
// reports.
func (t *Tree) BuildIndex(ctx context.Context, report func(span.Problem, *Scanner)) error {
	s := t.Scanner()
	if report != nil {
		s.Report = func(p span.Problem) { report(p, s) }
	}
	from, ok := t.index.acquire()
	if ok {
		defer t.index.release()
		if from != nil {
			s.resumeWithKeys(from, usualLimits.reach)
		}
		s.recordIn(&t.index, from)
	}
	s.PassOrdinary = true
	err := s.Run(ctx, nil)
	if ok && ctx.Err() != nil {
		s.leaveLastPoint()
	}
	return err
}

// Run passes over everything that is left. It calls each, if set, after every event
// until each returns false, and returns early when ctx is done.
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

// ErrPending is returned where an answer needs more reading than the reader's budget
// allows.
var ErrPending = errors.New("not read that far yet")

// ErrNoChild is returned where a value has no such child.
var ErrNoChild = errors.New("no such child")
