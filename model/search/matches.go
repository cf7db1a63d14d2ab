package search

import (
	"context"
	"errors"
	"io"
	"math"

	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// maxHits is the number of hits in a part of the buffer that are kept until the part's turn to be
// reported.
const maxHits = 1 << 10

// Options control Matches and Best.
type Options struct {
	Workers  int                   // parts of the buffer that are searched at the same time, at least 1
	Progress func(done, all int64) // if set, is called with the number of bytes searched
}

// Matches reports all hits in the order of their bytes, until report returns false.
func Matches(ctx context.Context, t *tree.Tree, q Query, o Options, report func(Hit) bool) error {
	if q.expr == nil {
		return nil
	}
	s, err := newSearcher(ctx, t, q, func(int64, int64) {})
	if err != nil {
		return err
	}
	progress := o.Progress
	if progress == nil {
		progress = s.progress
	}
	if q.isBytes() {
		s.progress = progress
		err = s.eachBytes(0, t.Source.Size(), report)
	} else {
		err = tree.InSegments(ctx, t, o.Workers, s.segment, func(p *part) error {
			err := p.finish(ctx, report)
			if p.places != nil {
				s.places.Put(p.places)
			}
			progress(p.scan.Pos(), t.Source.Size())
			return err
		})
	}
	if errors.Is(err, errFound) {
		return nil
	}
	return err
}

// Best returns the first hit after a spot among the hits with the best rank; if all of
// these are before the spot, it returns the first one and sets wrapped. The error is io.EOF
// if there is no hit.
func Best(ctx context.Context, t *tree.Tree, q Query, from Spot, o Options) (best Hit, wrapped bool, err error) {
	found := false
	err = Matches(ctx, t, q, o, func(h Hit) bool {
		after := h.Offset > from.Offset
		if !found || h.Rank < best.Rank || h.Rank == best.Rank && after && wrapped {
			best, wrapped, found = h, !after, true
		}
		return wrapped || best.Rank != ExactKey
	})
	if err == nil && !found {
		err = io.EOF
	}
	return best, wrapped && found, err
}

// maxRanked is the number of hits from which BestWithin takes the best one.
const maxRanked = 10_000

// BestWithin returns the first of the hits with the best rank in the reach bytes after a
// spot, or among the first ten thousand; if there is none, it returns what Next returns.
func BestWithin(ctx context.Context, t *tree.Tree, q Query, from Spot, reach int64, progress func(done, all int64)) (best Hit, wrapped bool, err error) {
	if q.expr == nil || q.isBytes() { // all hits have the same rank
		return Next(ctx, t, q, from, false, progress)
	}
	s, err := newSearcher(ctx, t, q, progress)
	if err != nil {
		return best, false, err
	}
	found := 0
	_, err = s.stretch(from.Offset+1, min(from.Offset+1+reach, t.Source.Size()), func(h Hit) bool {
		if found == 0 || h.Rank < best.Rank {
			best = h
		}
		found++
		return best.Rank != ExactKey && found < maxRanked
	})
	switch {
	case err != nil && err != io.EOF:
		return Hit{}, false, err
	case found > 0:
		return best, false, nil
	}
	return Next(ctx, t, q, from, false, progress)
}

// A part is what was found in a segment.
type part struct {
	*walk
	scan *tree.Scanner
	ev   tree.Event // the last event
	hits []Hit      // the first hits
}

// segment finds the first hits of a segment.
func (s *searcher) segment(ctx context.Context, scan *tree.Scanner) *part {
	p := &part{scan: scan, walk: &walk{s: s, to: scan.End(), reach: math.MaxInt64}}
	p.found = func(h Hit) bool {
		p.hits = append(p.hits, h)
		return len(p.hits) < maxHits
	}
	if p.stopped = !p.eachGapBefore(scan); p.stopped {
		return p
	}
	if s.places != nil {
		p.places = s.begin()
		p.place = scan.Pos()
		if s.query.sole != nil { // otherwise its first value may have a key in the segment before
			p.look(scan.Pos())
		}
		if p.place >= p.to {
			return p
		}
	}
	p.prepare(scan)
	p.passRest(ctx)
	return p
}

// passRest passes the rest of the segment.
func (p *part) passRest(ctx context.Context) {
	err := p.scan.Run(ctx, func(ev tree.Event) bool {
		p.ev = ev
		return p.step(p.scan, ev) && (p.places == nil || p.place < p.to)
	})
	if p.err == nil {
		p.err = err
	}
}

// finish reports what was found in the segment, and searches the rest.
func (p *part) finish(ctx context.Context, report func(Hit) bool) error {
	for _, h := range p.hits {
		if !report(h) {
			return errFound
		}
	}
	if p.stopped {
		p.found = report
		p.from = p.hits[len(p.hits)-1].Offset + 1
		if !p.eachIn(p.scan, p.ev) { // the rest of the value
			return errFound
		}
		p.from, p.stopped = 0, false
		if p.passOn(p.scan) {
			p.passRest(ctx)
		}
		if p.stopped {
			return errFound
		}
	}
	return p.err
}

// A Hit is what a search has found.
type Hit struct {
	span.Span
	// Node is the value that was found, or the value or key whose bytes contain the hit;
	// nil if bytes were searched for anywhere.
	Node *tree.Node
	// IsValue is set if the hit is the value itself: the value matches a query about
	// values, or has a name that is not in the bytes.
	IsValue bool
	Rank    Rank
}

// A Rank says how good a hit is, the best first.
type Rank uint8

// The ranks.
const (
	ExactKey   Rank = iota // all of a key or name is the text or number
	ExactValue             // all of a string is the text, or a number matches the comparison
	PartOfKey              // the text is a part of a key or name
	Other
)

// rankOf ranks what was found.
func rankOf(inKey, isAll bool) Rank {
	switch {
	case inKey && isAll:
		return ExactKey
	case isAll:
		return ExactValue
	case inKey:
		return PartOfKey
	}
	return Other
}

// valueHit returns the hit of a value: its bytes, or only the first one if its end is not
// known yet.
func valueHit(n *tree.Node, rank Rank) Hit {
	h := Hit{Span: span.Span{Offset: n.Start, Length: 1}, Node: n, IsValue: true, Rank: rank}
	if n.End != tree.Unknown {
		h.Span = span.Between(n.Start, n.End)
	}
	return h
}
