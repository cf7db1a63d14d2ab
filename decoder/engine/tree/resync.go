package tree

import (
	"fmt"
	"hash/maphash"
	"math"
	"slices"
	"sync"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
)

// Limits on the cost of a search for the end of an unreadable value.
const (
	resyncReach    = 256 << 10 // bytes after the start of the value in which reading may resume
	resyncEvents   = 60_000    // values that all trial readings of one search may pass
	resyncTotal    = 600_000   // the same for all searches in one buffer
	trialCost      = 10        // cost of beginning a trial reading, in values
	acceptedEvents = 20_000    // values after which a trial reading is accepted
	maxSearchDepth = 64        // most unreadable values that one trial reading may pass
)

// A resumeCache remembers where readings resumed after unreadable bytes, by the offset at which these
// begin. The scanners of a tree share it.
type resumeCache struct {
	src       source.Source
	searching sync.Mutex // held during a search: nobody reads beyond its place before it ends
	mu        sync.Mutex
	ends      map[int64]resumption
	used      int // number of values that searches have passed
}

// budget returns the number of values that the next search may pass.
func (l *resumeCache) budget() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return min(resyncEvents, resyncTotal-l.used)
}

func (l *resumeCache) get(at int64) (end resumption, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	end, ok = l.ends[at]
	return end, ok
}

// put records the result of a search, and its cost.
func (l *resumeCache) put(found []resumption, cost int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.used += cost
	if l.ends == nil {
		l.ends = map[int64]resumption{}
	}
	for _, f := range found {
		l.ends[f.at] = f
	}
}

// IsResynced reports whether a reading has resumed after unreadable bytes, as far as the buffer has been
// read.
func (t *Tree) IsResynced() bool {
	t.resumes.mu.Lock()
	defer t.resumes.mu.Unlock()
	for _, l := range t.resumes.ends {
		if l.end > l.at {
			return true
		}
	}
	return false
}

// A resumption is the place where reading resumes after an unreadable value. It is ambiguous if another
// place fits as well, or if the trial reading stopped before the end.
type resumption struct {
	at, end     int64
	isAmbiguous bool
	isLast      bool // the value is the last one
}

// A resumeSearch is the state that all trial readings of one search share.
type resumeSearch struct {
	win  *source.Window
	left int // values that may still be passed
	memo map[uint64]outcome
	seed maphash.Seed
}

// An outcome is the result of a trial reading.
type outcome struct {
	places int          // number of places from which everything can be read without a problem; 2 means 2 or more
	cut    bool         // the trial reading stopped before the end, without a problem
	ends   []resumption // the first place, and the ends of unreadable values that follow
}

// resync ends a broken value at the first place from which everything after it can be read without a
// problem, with the right number of values; if there is none, at the value's limit. If the place is
// ambiguous, the message of the damage says so.
func (s *Scanner) resync(v *Value) {
	if s.search != nil {
		s.outcome = s.findResume(v)
		s.stuck = s.outcome.places == 0
		return
	}
	end := s.resumption(v)
	s.can.resyncer.Resynced(v.Tail, end.end)
	v.End = end.end
	if v.End < v.Limit {
		on := "; reading resumes at %#x"
		if end.isAmbiguous {
			on = "; reading probably resumes at %#x, the first place that fits"
		}
		v.Damage.Message += fmt.Sprintf(on, v.End)
	} else if v.Damage.Code == span.MissingSchema && !end.isLast {
		v.Damage.Message += fmt.Sprintf("; nothing after it is read (%s)", span.Bytes(v.End-v.Tail))
	}
}

// resumption returns where reading resumes after v, and searches for it unless a scanner has done so.
func (s *Scanner) resumption(v *Value) resumption {
	s.resumes.searching.Lock()
	defer s.resumes.searching.Unlock()
	if end, ok := s.resumes.get(v.Tail); ok {
		return end
	}
	left := s.resumes.budget()
	t := &resumeSearch{win: source.NewWindow(s.resumes.src), left: left, memo: map[uint64]outcome{}, seed: maphash.MakeSeed()}
	s.search = t
	found := s.findResume(v)
	s.search = nil
	if found.places == 0 || found.ends[0].isAmbiguous && !s.can.resyncer.AcceptsAmbiguous() {
		found.ends = []resumption{{at: v.Tail, end: v.Limit}}
	}
	s.resumes.put(found.ends, left-t.left)
	return found.ends[0]
}

// needsResync reports whether only a search can find the end of v, which is damaged: v
// takes all remaining bytes, although another value should follow.
func (s *Scanner) needsResync(v *Value) bool {
	if v.End == v.Tail || s.NoResync {
		return false
	}
	switch v.Damage.Code {
	case span.MissingSchema:
		return true
	case span.UnknownType, span.LengthOverrun, span.NegativeLength:
		return s.can.resyncer != nil && !v.Fenced && v.End == v.Limit
	}
	return false
}

// findResume tries every place after v at which the next value could begin.
func (s *Scanner) findResume(v *Value) (all outcome) {
	levels := s.openLevels()
	at := len(levels) - 1
	for at > 0 && levels[at].next.Index == levels[at].Count && !levels[at].Fenced {
		at--
	}
	if in := &levels[at]; in.next.Index == in.Count || in.Count == Unknown { // v is the last value
		return outcome{places: 1, ends: []resumption{{at: v.Tail, end: v.Limit, isLast: true}}}
	}
	t := s.search
	t.left -= len(levels) / 4
	key := t.stateKey(v.Tail, levels)
	if known, ok := t.memo[key]; ok {
		return known
	}
	if s.searchDepth == maxSearchDepth {
		return outcome{}
	}
	f := s.can.resyncer
	for q := v.Tail; q <= min(v.Limit, v.Tail+resyncReach) && all.places < 2 && !all.cut; q++ {
		if t.left <= 0 || !f.IsPlausibleStart(t.win, &levels[at].Value, levels[at].next, q, v.Tail) {
			continue
		}
		one := s.tryResume(q, levels)
		if one.places == 0 {
			continue
		}
		if all.places++; all.places == 1 {
			all.ends = append([]resumption{{at: v.Tail, end: q}}, one.ends...)
		}
		all.cut = one.cut
	}
	if all.places > 0 {
		all.ends[0].isAmbiguous = all.places > 1 || all.cut
	}
	t.memo[key] = all
	return all
}

// tryResume continues reading from q until a problem contradicts that place.
func (s *Scanner) tryResume(q int64, levels []level) outcome {
	t := s.search
	if t.left -= trialCost + len(levels)/4; t.left <= 0 {
		return outcome{}
	}
	clean, fence := true, len(levels)-1
	for fence > 0 && !levels[fence].Fenced {
		fence--
	}
	fork := s.can.resyncer.Fork(math.MaxInt64, true)
	try := &Scanner{format: fork, can: capabilitiesOf(fork), win: t.win, search: t, searchDepth: s.searchDepth + 1,
		levels: slices.Clone(levels), pos: q, serial: NoSerial, nextPoint: math.MaxInt64}
	try.Report = func(p span.Problem) {
		if p.IsEvidence() {
			clean = false
		}
	}
	for n := 0; n < acceptedEvents && t.left > 0; n++ {
		ev := try.Next()
		t.left--
		switch {
		case !clean:
			return outcome{}
		case try.outcome.places > 0:
			return try.outcome
		case try.stuck:
			return outcome{}
		case ev == Done, ev == Leave && len(try.levels) <= fence:
			return outcome{places: 1}
		}
	}
	return outcome{places: 1, cut: true}
}

// openLevels returns copies of all open values from the buffer inwards, each at its next
// child.
func (s *Scanner) openLevels() []level {
	var levels []level
	child := s.levels[0]
	for n := s.base; n != nil; n = n.Parent {
		next := Slot{child.slot.Index + 1, n.Layout == Pairs}
		if child.slot.Key {
			next = Slot{Index: child.slot.Index}
		}
		child = level{Value: n.Value, slot: n.Slot, key: n.KeyAt, next: next, nextAt: Unknown}
		levels = append(levels, child)
	}
	slices.Reverse(levels)
	for _, l := range s.levels {
		l.node, l.keys = nil, nil // these belong to this scanner
		levels = append(levels, l)
	}
	return levels
}

// stateKey identifies one state of a reading.
func (t *resumeSearch) stateKey(at int64, levels []level) uint64 {
	var h maphash.Hash
	h.SetSeed(t.seed)
	maphash.WriteComparable(&h, at)
	for i := range levels {
		maphash.WriteComparable(&h, levels[i].Start)
		maphash.WriteComparable(&h, levels[i].next)
	}
	return h.Sum64()
}
