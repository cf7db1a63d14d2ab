package diagnose

import (
	"math"

	"varview/decoder/score"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

const (
	trialEvents  = 5_000   // values after which a trial reading is believed
	fewEvents    = 20_000  // values that all trial readings of one search may pass in a small buffer
	eventsOfByte = 100     // and so many more for each of its bytes
	searchEvents = 150_000 // but not more than these
	bytesOfEvent = 4 << 10 // bytes of a long value that take as long as a value
	noCost       = math.MaxInt64 / 2
)

// searchBudget is how many values all trial readings of one search may pass.
func searchBudget(size int64) int {
	return int(min(fewEvents+eventsOfByte*size, searchEvents))
}

// A trial reads on from a checkpoint over bytes that are changed.
type trial struct {
	win    *source.Window
	left   int   // values that may still be passed
	claims []met // problems of values open, which are looked at again
	met    int   // problems of the last reading
	short  int64 // what of its cost comes of bytes missing at the end
	bytes  int64 // where the last reading ended
	ended  bool  // at the end of the buffer, or where it was believed
	passed int   // values of the last reading
	odd    int   // how unlikely these are
	clean  int   // values behind the place before the first problem
	place  int64 // that the search is about: frames behind it need not be read
	broken bool  // the last reading went astray: more than single values are odd
	behind int64 // what it left behind the end of what is whole; no cost, but where a repair makes that end

	under source.Source // the bytes that the next change is made to, nil for those of the tree
	grown int64         // how many more these are
}

// run reads on from c with a change made and adds up what speaks against that. It
// gives up where that exceeds atMost.
func (x *trial) run(t *tree.Tree, c *tree.Checkpoint, ch *change, atMost int64) int64 {
	s := x.restart(t, c, ch)
	if s == nil {
		return noCost
	}
	return x.finish(s, c, x.region(t, ch), atMost)
}

// restart gives a scanner at c over the changed bytes, nil where what is open there
// would not be any more.
func (x *trial) restart(t *tree.Tree, c *tree.Checkpoint, ch *change) *tree.Scanner {
	if x.left <= 0 {
		return nil
	}
	x.left--
	base := t.Source
	if x.under != nil {
		base = x.under
	}
	x.win.Reset(&draft{base, *ch})
	s, ok := t.Restart(c, x.win, x.region(t, ch))
	if !ok {
		return nil
	}
	s.Hasty = true
	return s
}

// region is that of the tree after a change.
func (x *trial) region(t *tree.Tree, ch *change) span.Span {
	r := ch.moved(t.Region)
	r.Length += x.grown
	return r
}

// finish reads on from c to the end, or until the reading is believed or given up.
func (x *trial) finish(s *tree.Scanner, c *tree.Checkpoint, region span.Span, atMost int64) int64 {
	tally := score.Tally{End: region.End()}
	x.short, x.odd, x.behind = 0, 0, 0
	suspecter, _ := s.Reading().(Suspecter)
	x.met, x.ended, x.broken, x.passed, x.clean = 0, false, false, 0, 0
	before, behind := 0, 0 // problems when the last frame began, values behind the place
	limit := region.End()
	met := func(p span.Problem) {
		if p.Settled && p.Code == span.TrailingBytes {
			x.behind += score.Error + min(score.MaxGap, p.Length)
		}
		switch {
		case score.Of(&p) > 0:
			if x.met++; x.met == 1 {
				x.clean = behind
			}
			tally.Add(&p, limit)
		case p.Code == span.MissingSchema:
			tally.Cost += score.Unknown
		}
	}
	for i := range x.claims {
		if n := x.claims[i].at; n.Start < c.Pos() {
			limit = x.again(s, n, met)
		}
	}
	s.Report = func(p span.Problem) {
		limit = s.Value().Limit
		met(p)
	}
	for x.passed < trialEvents {
		from := s.Pos()
		ev := s.Next()
		if ev == tree.Done {
			break
		}
		x.left -= 1 + int(max(0, min(s.Pos(), s.Value().Tail)-from)/bytesOfEvent)
		x.passed++
		if s.Pos() > x.place {
			behind++
		}
		if isFrame(s, ev) && s.Value().Start > x.place {
			if x.met == before {
				break // what is behind has nothing to do with the place
			}
			before = x.met
		}
		if suspecter != nil && ev != tree.Leave && x.odd < muchOdd {
			x.odd += oddness(suspecter, s, ev)
		}
		tally.AddGap(s.Value(), ev, math.MaxInt64)
		if tally.Cost > atMost || x.left <= 0 {
			return noCost
		}
	}
	if x.met == 0 {
		x.clean = behind
	}
	x.ended, x.bytes = true, s.Pos()
	x.short, x.broken = tally.Shortage, tally.Broken
	return tally.Cost
}

// isFrame reports whether the last event is the beginning of a frame.
func isFrame(s *tree.Scanner, ev tree.Event) bool {
	return s.Value().Fenced && (ev == tree.Enter && s.Depth() == 2 || ev == tree.Atom && s.Depth() == 1)
}

// again looks once more at a value that is open, as s reads it. It returns its
// limit.
func (x *trial) again(s *tree.Scanner, n *tree.Node, met func(span.Problem)) int64 {
	open := s.Node()
	for open.Depth > n.Depth {
		open = open.Parent
	}
	if open.Depth < n.Depth || open.Start != n.Start {
		return 0
	}
	s.Inspect(open, met)
	return open.Limit
}

// muchOdd is how odd values are that need not be looked at more closely.
const muchOdd = 1000

// oddness is how unlikely the value of the last event is, which was no Leave.
func oddness(f Suspecter, s *tree.Scanner, ev tree.Event) int {
	parent := s.Parent()
	if ev == tree.Enter {
		parent = s.Outer()
	}
	if parent == nil {
		return 0
	}
	return f.Odd(s.Window(), parent, s.Slot(), s.Value())
}
