package tree

import (
	"math"
	"slices"

	"varview/decoder/engine/span"
)

const (
	maxPassed    = 64 << 10 // most bytes passed in one Passed event
	passedLevels = 100      // levels of nesting passed in one event
)

// passOrdinary passes children of the innermost open value, if the next ones are ordinary.
func (s *Scanner) passOrdinary(l *level) bool {
	if l.next.Key != (l.Layout == Pairs) || s.readsKeys && (s.Depth() == 1 || l.next.Key && s.Depth() == 2) { // the value of a key that was read alone, or such a key
		return false
	}
	if s.waits > 0 {
		s.waits--
		return false
	}
	until := min(l.Limit, s.passTo, s.pos+maxPassed, s.beforeEnd())
	count := l.Count
	if s.passBefore > 0 && s.Depth() == s.passDepth+1 {
		count = s.passBefore
	}
	if until <= s.pos || l.next.Index == count {
		return false
	}
	run := &s.stretch
	*run = Stretch{Next: l.next, Pos: s.pos, Until: until, Enough: s.nextPoint,
		Levels: s.passedLevels(), SizesOnly: s.Report == nil, Tally: s.Tally,
		LeastContent: s.LeastContent, Contents: run.Contents[:0], Wants: s.Wants, Memory: run.Memory}
	if s.keyed != nil && s.Report != nil && l.Layout == Pairs {
		run.Keys = s.keysOf(l)
	}
	l.Count, count = count, l.Count
	s.can.passer.Pass(s.win, &l.Value, run)
	l.Count = count
	if run.Pos == s.pos || s.win.Err() != nil || s.win.TakeHole() != nil {
		s.failures++
		if s.waits = min(s.failures*s.failures/8, 16); run.IsTooDeep {
			s.waits = run.Levels / 2
		}
		return false
	}
	s.failures = 0
	l.next, s.pos = run.Next, run.Pos
	if s.pos >= s.nextPoint {
		s.markPoint()
	}
	return true
}

// beforeEnd returns the offset up to which children of the innermost open value may be passed at once: that
// of the child that contains the end of the segment, even if it ends there. The rest of that child belongs
// to the next segment.
func (s *Scanner) beforeEnd() int64 {
	if s.until == nil || s.until.in.Depth < s.Depth() || s.pos+maxPassed < s.until.pos {
		return math.MaxInt64
	}
	if child := s.until.in.Around(s.Depth()); child.KeyAt == Unknown {
		return child.Start
	} else {
		return child.KeyAt
	}
}

// passedLevels returns the number of levels of nesting that may be passed at once.
func (s *Scanner) passedLevels() int {
	deepest := MaxDepth
	if n := s.can.Levels; s.Report != nil && n > 0 {
		deepest = n + 1
	}
	return max(0, min(passedLevels, deepest-s.Depth()))
}

// enters reports whether the children of v are passed one by one.
func (s *Scanner) enters(v *Value) bool {
	if v.Layout == Fixed {
		return s.Elements && !v.Opaque && v.Stride > 0
	}
	return !v.Fenced || !(s.hopDepth > 0 && s.Depth() >= s.hopDepth || s.hopTo > 0 && v.End <= s.hopTo) || s.isPart != nil && s.isPart(v)
}

// hopToKnownEnd moves to the end of v, if that was kept and v is passed in one step.
func (s *Scanner) hopToKnownEnd(v *Value) bool {
	if s.ends == nil || len(s.ends.of) == 0 || s.hopDepth == 0 && s.hopTo == 0 || v.Damage != nil || s.Report != nil {
		return false
	}
	e, ok := s.ends.of[levelID{v.Start, s.Depth()}]
	if !ok || s.isPart != nil && s.isPart(v) || !(s.hopDepth > 0 && s.Depth() >= s.hopDepth || e.End <= s.hopTo) {
		return false
	}
	v.Tail, v.End, v.Foot, v.SerialEnd = e.Tail, e.End, e.Foot, e.SerialEnd
	v.Count, v.Open = e.Count, e.Open // of a Marked value
	s.pos, s.serial, s.cutShort, s.schemaless = v.End, v.SerialEnd, e.cutShort, e.schemaless
	return true
}

// pass moves to the end of v, which is known.
func (s *Scanner) pass(v *Value) {
	s.serial = v.serialAfter(s.serial)
	s.pos, v.SerialEnd = v.End, s.serial
	if v.Fenced {
		s.cutShort, s.schemaless = false, false
		if v.HasGap() && v.Damage == nil {
			s.reportGap(v)
		}
	}
	if s.pos >= s.nextPoint {
		s.markPoint()
	}
}

const (
	// LargeFrom is the smallest size in bytes of a value that a Tally compares.
	LargeFrom  = 64
	maxLargest = 3
	// MaxTypes is the number of types that a Tally has room for.
	MaxTypes = 128
)

// A Tally counts values that are passed many at a time.
type Tally struct {
	Children int64            // number of values of the buffer itself
	Types    [MaxTypes]int64  // values by Value.Type, other than keys
	Others   map[uint16]int64 // the same of higher types
	Largest  []span.Span      // spans of the largest values without children, at most 3, the largest first

	types []uint8     // types of the values that wait for Settle
	large []span.Span // spans of Largest that wait for Settle
}

// Count counts a value of a type that Types has no room for.
func (t *Tally) Count(kind uint16, n int64) {
	if t.Others == nil {
		t.Others = map[uint16]int64{}
	}
	t.Others[kind] += n
}

// MayCompare reports whether a value of a number of bytes may be among the largest.
func (t *Tally) MayCompare(size int64) bool {
	return size >= LargeFrom && (len(t.Largest) < maxLargest || size > t.Largest[maxLargest-1].Length)
}

// CountLater counts a value of a type if Settle confirms it.
func (t *Tally) CountLater(kind uint16) { t.types = append(t.types, uint8(kind)) }

// CompareLater compares a value if Settle confirms it.
func (t *Tally) CompareLater(s span.Span) { t.large = append(t.large, s) }

// Settle counts and compares the values for which CountLater and CompareLater were called, or forgets them.
func (t *Tally) Settle(counts bool) {
	if counts {
		for _, kind := range t.types {
			t.Types[kind]++
		}
		for _, s := range t.large {
			t.Compare(s)
		}
	}
	t.types, t.large = t.types[:0], t.large[:0]
}

// Compare keeps a value without children if it is among the largest; of values of the same size the first
// comes first.
func (t *Tally) Compare(s span.Span) {
	if s.Length < LargeFrom {
		return
	}
	at := len(t.Largest)
	for at > 0 && s.Length > t.Largest[at-1].Length {
		at--
	}
	if at < maxLargest {
		t.Largest = slices.Insert(t.Largest, at, s)
		t.Largest = t.Largest[:min(len(t.Largest), maxLargest)]
	}
}

// Add adds what was counted in a later part of the buffer.
func (t *Tally) Add(u *Tally) {
	t.Children += u.Children
	for i, n := range u.Types {
		t.Types[i] += n
	}
	for kind, n := range u.Others {
		t.Count(kind, n)
	}
	for _, s := range u.Largest {
		t.Compare(s)
	}
}
