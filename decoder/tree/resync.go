package tree

import (
	"hash/maphash"
	"slices"
	"sync"

	"varview/decoder/source"
	"varview/decoder/span"
)

// What a search for the end of an unreadable value may cost.
const (
	resyncReach  = 256 << 10 // bytes behind the value in which reading may go on
	resyncEvents = 200_000   // values that all trial readings of one search may pass
	trialEvents  = 20_000    // values after which a trial reading is believed
	trialNesting = 64        // unreadable values that one trial reading may meet
)

// lostEnds remembers where readings went on behind bytes that they could not
// read, by where these begin. The scanners of a tree share it.
type lostEnds struct {
	src  source.Source
	mu   sync.Mutex
	ends map[int64]int64
}

func (l *lostEnds) get(at int64) (end int64, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	end, ok = l.ends[at]
	return end, ok
}

func (l *lostEnds) put(found []lostEnd) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ends == nil {
		l.ends = map[int64]int64{}
	}
	for _, f := range found {
		l.ends[f.at] = f.end
	}
}

type lostEnd struct{ at, end int64 }

// A trial is what all trial readings of one search share.
type trial struct {
	src  source.Source
	left int // events that may still happen
	memo map[uint64]outcome
	seed maphash.Seed
}

// An outcome is what came of reading on.
type outcome struct {
	ways int       // in which all that follows reads cleanly: 0, 1, or 2 for more
	cut  bool      // reading was ended while all was clean
	ends []lostEnd // the one way
}

// resync ends a broken value where reading can go on: at the only place from
// which everything behind it reads cleanly, if there is one; else at its limit.
func (s *Scanner) resync(v *Value) {
	if s.inTrial != nil {
		s.outcome = s.waysOn(v)
		s.stuck = s.outcome.ways == 0
		return
	}
	f := s.format.(Resyncer)
	end, ok := s.lost.get(v.Tail)
	if !ok {
		t := &trial{src: s.lost.src, left: resyncEvents, memo: map[uint64]outcome{}, seed: maphash.MakeSeed()}
		s.inTrial = t
		found := s.waysOn(v)
		s.inTrial = nil
		if found.ways != 1 {
			found.ends = []lostEnd{{v.Tail, v.Limit}}
		}
		s.lost.put(found.ends)
		end = found.ends[0].end
	}
	f.Resynced(v.Tail, end)
	v.End = end
}

// waysOn tries every place behind v at which its next neighbour could begin.
func (s *Scanner) waysOn(v *Value) (all outcome) {
	levels := s.openLevels()
	at := len(levels) - 1
	for at > 0 && levels[at].next.Index == levels[at].Count {
		at--
	}
	if levels[at].next.Index == levels[at].Count { // v is the last of all
		return outcome{ways: 1, ends: []lostEnd{{v.Tail, v.Limit}}}
	}
	t := s.inTrial
	key := t.key(v.Tail, levels)
	if known, ok := t.memo[key]; ok {
		return known
	}
	if s.nested == trialNesting {
		return outcome{ways: 1, cut: true, ends: []lostEnd{{v.Tail, v.Limit}}}
	}
	f := s.format.(Resyncer)
	w := source.NewWindow(t.src)
	for q := v.Tail; q <= min(v.Limit, v.Tail+resyncReach) && all.ways < 2 && !all.cut; q++ {
		if !f.MayBegin(w, &levels[at].Value, levels[at].next, q, v.Tail) {
			continue
		}
		if one := s.readFrom(q, levels); one.ways > 0 {
			one.ends = append([]lostEnd{{v.Tail, q}}, one.ends...)
			one.ways += all.ways
			all = one
		}
	}
	t.memo[key] = all
	return all
}

// readFrom reads on from q until something speaks against it.
func (s *Scanner) readFrom(q int64, levels []level) outcome {
	t := s.inTrial
	if t.left <= 0 {
		return outcome{ways: 2}
	}
	clean := true
	try := &Scanner{format: s.format.(Resyncer).Fork(), win: source.NewWindow(t.src), inTrial: t, nested: s.nested + 1,
		levels: slices.Clone(levels), pos: q, serial: NoSerial}
	try.Report = func(p span.Problem) {
		if p.IsEvidence() {
			clean = false
		}
	}
	for n := 0; n < trialEvents; n++ {
		ev := try.Next()
		t.left--
		switch {
		case !clean:
			return outcome{}
		case try.outcome.ways > 0:
			return try.outcome
		case try.stuck:
			return outcome{}
		case ev == Done:
			return outcome{ways: 1}
		}
	}
	return outcome{ways: 1, cut: true}
}

// openLevels are copies of all open values, the buffer itself first, each at
// its next child.
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
		l.node = nil
		levels = append(levels, l)
	}
	return levels
}

// key tells one state of a reading from others.
func (t *trial) key(at int64, levels []level) uint64 {
	var h maphash.Hash
	h.SetSeed(t.seed)
	maphash.WriteComparable(&h, at)
	for i := range levels {
		maphash.WriteComparable(&h, levels[i].Start)
		maphash.WriteComparable(&h, levels[i].next)
	}
	return h.Sum64()
}
