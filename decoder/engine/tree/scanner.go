package tree

import (
	"fmt"
	"hash/maphash"
	"slices"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
)

// MaxDepth is the number of levels of nesting that are followed; deeper content is a
// gap. It bounds the memory of a reading (about 150 bytes a level).
const MaxDepth = 1 << 17

// Event is what happened at a step of a Scanner.
type Event uint8

const (
	Done   Event = iota // the whole buffer, or the requested value, has been passed
	Enter               // a value with children begins; its end may be unknown
	Atom                // a value that is passed in one step
	Leave               // a value that was entered ends; Tail and End are known
	Passed              // several ordinary values were passed (Scanner.PassOrdinary)
)

// A Scanner passes over the values of a buffer in file order. It does not recurse, and
// allocates only for the levels of nesting that it is in.
type Scanner struct {
	format         Reading
	can            *capabilities // capabilities of format
	win            *source.Window
	levels         []level // open values, outermost first
	numNodes       int     // how many of them have a node, the outermost first
	base           *Node   // parent of levels[0]
	pos            int64
	serial         uint32 // number of numbered values passed so far, or NoSerial
	cutShort       bool   // open values up to the next fence end early, for a reason that was reported
	schemaless     bool   // whether that reason is a missing schema
	emptyProblemAt int64  // offset of the last problem without bytes, or Unknown
	trailingAt     int64  // offset of the last trailing bytes that were reported

	// Elements makes the scanner enter values of Fixed layout as well.
	Elements bool
	// PassOrdinary makes the scanner pass over many values in one event (Passed), if the reading is a
	// Passer: ordinary values or, if problems are not wanted, any that can be read. Value is then that of
	// an earlier event.
	PassOrdinary bool
	// Tally, if set, counts the values that are passed in Passed events.
	Tally *Tally
	// LeastContent, unless it is 0, is the length from which on the texts and raw bytes that are passed in
	// Passed events are in Contents.
	LeastContent int64
	// Wants, if set, keeps the values behind the keys that it wants from being passed in Passed events, and those around them. It has
	// an effect only with a reading that heeds it.
	Wants func(key []byte) bool
	// NoResync makes the scanner skip the search for where reading resumes after an unreadable value: such
	// a value takes all bytes up to its limit.
	NoResync bool
	// Report, if set, is called with each problem when it is observed.
	Report          func(span.Problem)
	readsKeys       bool               // the keys of the only value of the buffer are read one by one
	reportReadable  func(span.Problem) // report, but not for problems inside a hole; made at the first use
	baseUninspected bool               // the buffer itself has not been inspected
	keyed           Keyed              // the reading, if repeated keys are to be reported
	spareKeys       spareKeySets
	restarts        *restartMemory // nil before the first restart

	// Fenced values at hopDepth and deeper (unless it is 0) and those that end at or before hopTo are
	// passed in one step.
	hopDepth int
	hopTo    int64
	isPart   func(v *Value) bool // those that are entered all the same; nil for none
	// PassOrdinary has an effect inside values at passDepth and deeper, and up to passTo.
	passDepth int
	passTo    int64
	// Passing ends before the child of a value at passDepth that has the index passBefore, unless that is 0.
	passBefore int64
	stretch    Stretch // values of the last Passed event
	failures   int     // how many times in a row nothing could be passed
	waits      int     // number of values to read before that is tried again
	ends       *keptEnds

	until      *point              // end of the segment that is passed; nil for that of the buffer
	slotAround Slot                // slot of the child of until.in that base is or is in, if there is one
	spanning   map[levelID]*KeySet // keys of the values that begin before the segment, if their keys are put together
	initial    int                 // number of these values that are still open
	children   int64               // number of children of the base, once it is passed

	resumes     *resumeCache  // places where readings resumed after unreadable values; shared by the tree's scanners
	search      *resumeSearch // search for such a place for which this scanner makes a trial reading; nil if there is none
	searchDepth int           // number of unreadable values that this trial reading has passed
	outcome     outcome       // outcome of this trial reading
	stuck       bool          // it reached an unreadable value, and no later place fits

	index     *pointIndex  // index in which the scanner leaves points; nil if there is none
	nextPoint int64        // offset from which on the next point may be left
	lastPoint int64        // offset of the last point
	gapFields []span.Field // memory of AppendGaps
	value     Value        // value of the last event
	slot      Slot
	key       int64
}

// A level is an open value and the place of its next child.
type level struct {
	Value
	slot   Slot
	key    int64 // offset of this value's key; Unknown if it has none
	node   *Node // nil until it is needed; the levels around it then have one too
	next   Slot
	nextAt int64 // offset of the next child's key
	keys   *KeySet
}

// hasRoom reports whether a child may begin at pos. The bytes of a counted child may be cut off: it gets
// all that are left, so that the problem names it and not only its parent.
func (v *Value) hasRoom(pos int64) bool {
	left := v.Limit - pos
	return left >= int64(v.MinChild) || left > 0 && v.Count != Unknown
}

// lacksValue reports whether a key is read, and its value is not, in a value that ends without a mark: the bytes may end before it.
func (l *level) lacksValue() bool {
	return l.Marked && !l.Footed && l.Layout == Pairs && !l.next.Key
}

// firstSerial returns the number of the first numbered value in v.
func (v *Value) firstSerial() uint32 {
	if v.Numbered && v.Serial != NoSerial {
		return v.Serial + 1
	}
	return v.Serial
}

// serialAfter returns the number of the first numbered value after v; inside is the number after the last
// child of v. The gap of a damaged value may contain some, if there are any numbered values at all.
func (v *Value) serialAfter(inside uint32) uint32 {
	if v.Damage != nil && v.HasGap() && inside > 0 {
		return NoSerial
	}
	return inside
}

func (s *Scanner) open(l level) {
	if n := len(s.levels); n == cap(s.levels) { // append would copy very deep levels more often
		s.levels = slices.Grow(s.levels, n+1)
	}
	s.levels = append(s.levels, l)
}

// Value returns the value of the last event; it is valid until the next.
func (s *Scanner) Value() *Value { return &s.value }

// Slot returns the slot of the value of the last event in its parent.
func (s *Scanner) Slot() Slot { return s.slot }

// KeyAt returns the offset of the key of the last event's value, or Unknown.
func (s *Scanner) KeyAt() int64 { return s.key }

// Window returns the window that the scanner reads through.
func (s *Scanner) Window() *source.Window { return s.win }

// Contents returns the texts and raw bytes of the last Passed event, until the next event.
func (s *Scanner) Contents() []Content { return s.stretch.Contents }

// Pos returns the offset up to which everything has been passed.
func (s *Scanner) Pos() int64 { return s.pos }

// Depth returns the number of values that contain the next one, including the buffer itself.
func (s *Scanner) Depth() int {
	d := len(s.levels)
	if s.base != nil {
		d += s.base.Depth + 1
	}
	return d
}

// Parent returns the innermost open value, in which the next event happens: after Enter the value that was
// entered, after Atom and Leave the parent of the value.
func (s *Scanner) Parent() *Value { return &s.levels[len(s.levels)-1].Value }

// Around returns the value that contains the one of the last event.
func (s *Scanner) Around(ev Event) *Value {
	if ev == Enter {
		return s.outer()
	}
	return s.Parent()
}

// End returns the offset at which the scanner will be done: the end of its segment or
// buffer.
func (s *Scanner) End() int64 {
	if s.until != nil {
		return s.until.pos
	}
	return s.win.Size()
}

// Next moves to the next event.
func (s *Scanner) Next() Event {
	if len(s.levels) == 0 {
		return Done
	}
	if s.baseUninspected {
		s.inspectBase()
	}
	if s.until != nil && s.pos >= s.until.pos && s.hasReached(s.until) {
		return Done
	}
	l := &s.levels[len(s.levels)-1]
	if l.next.Index == l.Count || !l.hasRoom(s.pos) && !(l.lacksValue() && s.value.Damage == nil) || l.Marked && !s.can.marker.HasChild(s.win, &l.Value, l.next, s.pos) {
		return s.leave()
	}
	if s.PassOrdinary && s.can.passer != nil && s.Depth() > s.passDepth && s.passOrdinary(l) {
		return Passed
	}
	v := &s.value
	s.read(l, v)
	if v.Layout >= Sequence && s.Depth() >= MaxDepth {
		s.tooDeep(v)
	}
	if s.Report != nil {
		s.reportValue(l, v)
	}
	if v.Damage != nil && v.End == v.Limit {
		s.cutShort, s.schemaless = true, v.Damage.Code == span.MissingSchema
	}
	if v.Refers && s.index != nil {
		s.index.refer(reference{v.Sub, v.Start})
	}
	if v.Layout == Leaf || !s.enters(v) {
		s.pass(v)
		return Atom
	}
	return s.enter(v)
}

// enter begins the children of v, unless all of them can be passed at once.
func (s *Scanner) enter(v *Value) Event {
	if s.hopToKnownEnd(v) {
		return Atom
	}
	if s.Report != nil {
		s.checkNesting(s.Depth())
	}
	s.pos = v.Body
	s.open(level{Value: *v, slot: s.slot, key: s.key, next: Slot{Key: v.Layout == Pairs}, nextAt: Unknown})
	if s.pos >= s.nextPoint {
		s.markPoint()
	}
	return Enter
}

// read reads the next value in l, and numbers it.
func (s *Scanner) read(l *level, v *Value) {
	s.slot = l.next
	s.win.TakeHole() // a hole that others found through the same window
	s.format.Read(s.win, &l.Value, s.slot, s.pos, v)
	s.key = Unknown
	switch {
	case s.slot.Key:
		l.nextAt = s.pos
		l.next.Key = false
	case l.Layout == Pairs:
		s.key = l.nextAt
		l.next = Slot{s.slot.Index + 1, true}
	default:
		l.next.Index++
	}
	v.Serial = s.serial
	if s.win.Err() != nil {
		s.readFailed(v, l.Limit)
	} else if h := s.win.TakeHole(); h != nil {
		s.inHole(v, h, l.Limit)
	}
	if v.Damage != nil && s.needsResync(v) {
		s.resync(v)
	}
	if v.Numbered && s.can.learner != nil {
		s.can.learner.Note(v)
	}
	s.serial = v.firstSerial()
	if v.Layout < Sequence {
		v.SerialEnd = v.serialAfter(s.serial)
	}
}

// reportValue reports the problems of a value in l that has just been read.
func (s *Scanner) reportValue(l *level, v *Value) {
	if v.Damage != nil {
		s.report(*v.Damage)
	}
	s.inspect(&l.Value, v)
	if s.slot.Key && s.keyed != nil {
		s.checkKey(l, v)
	}
}

// leave ends the innermost open value.
func (s *Scanner) leave() Event {
	l := &s.levels[len(s.levels)-1]
	v := &s.value
	*v, s.slot, s.key = l.Value, l.slot, l.key
	missing := v.Count != Unknown && l.next.Index < v.Count
	if v.Layout != Fixed {
		s.endValue(l, v, missing)
	}
	s.serial = v.serialAfter(s.serial)
	v.SerialEnd = s.serial
	node, next := l.node, l.next
	s.dropKeys(l)
	s.levels = s.levels[:len(s.levels)-1]
	s.initial = min(s.initial, s.Depth())
	if len(s.levels) == 0 && s.base == nil {
		s.children = next.Index
	}
	s.numNodes = min(s.numNodes, len(s.levels))
	if len(s.levels) == 0 && s.base != nil {
		s.reopenParent(v, s.slot)
	}
	if missing && !s.cutShort {
		s.cutShort = true
		if s.Report != nil && (s.Depth() == 0 || !v.Overcounted()) { // otherwise Inspect has reported it
			s.report(s.missingChildren(v, next))
		}
	}
	if v.Fenced && v.Tail < v.End && !s.cutShort && !v.HasFoot() {
		s.reportGap(v)
	}
	if v.Fenced {
		s.cutShort, s.schemaless = false, false
	}
	s.pos = v.End
	if s.ends != nil {
		s.ends.keep(s)
	}
	if s.index != nil {
		s.index.noteEnd(node, next.Index)
	}
	if s.index != nil && len(s.levels) > 0 && s.pos >= s.lastPoint+s.index.every { // deeper inside it may have been too expensive
		s.markPoint()
	}
	return Leave
}

// endValue sets the end of v, the value of l, all of whose children have been passed but for those that are missing.
func (s *Scanner) endValue(l *level, v *Value, missing bool) {
	v.Tail = s.pos
	if v.Footed {
		v.Foot = s.pos
		v.Tail = s.can.footer.ReadFoot(s.win, v, s.pos, s.schemaless, s.footReport(missing))
	}
	if !v.Fenced {
		v.End = v.Tail
	}
	if v.Marked {
		v.Count = l.next.Index
		s.cutShort = s.cutShort || v.Open
	}
}

// readFailed ends the value and all values around it, because bytes could not be read.
func (s *Scanner) readFailed(v *Value, limit int64) {
	v.Limit = limit
	v.Break(v.Start, &span.Problem{Span: span.Between(v.Start, limit), Severity: span.Error,
		Code: span.ReadFailed, Message: s.win.Err().Error()})
}

// report passes a problem to Report, with the repair that a Remedier knows.
func (s *Scanner) report(p span.Problem) {
	if s.can.remedier != nil && p.Repair == "" {
		var parent *Value
		if len(s.levels) > 0 {
			parent = s.Parent()
		}
		p.Repair = s.can.remedier.Remedy(parent, &s.value, &p)
	}
	if p.Length == 0 {
		s.emptyProblemAt = p.Offset
	}
	s.Report(p)
}

// inspectBase reports the problems of the buffer as a whole.
func (s *Scanner) inspectBase() {
	s.baseUninspected = false
	if s.Report != nil {
		s.value, s.slot, s.key = s.levels[0].Value, Slot{}, Unknown
		s.inspect(nil, &s.value)
	}
}

// inspect reports the problems of v, and a hole in it that Read has not touched.
func (s *Scanner) inspect(parent, v *Value) {
	if s.reportReadable == nil {
		s.reportReadable = func(p span.Problem) {
			if !s.win.InHole() { // otherwise the problem is about the zeros in place of the hole
				s.report(p)
			}
		}
	}
	s.can.inspect(s.win, parent, s.slot, v, s.reportReadable)
	if h := s.win.TakeHole(); h != nil {
		s.report(*holeProblem(v.Start, h))
	}
}

// inHole breaks a value whose beginning is in a hole. A frame whose length was read before the hole keeps
// its end.
func (s *Scanner) inHole(v *Value, h *source.HoleError, limit int64) {
	p := holeProblem(v.Start, h)
	if !v.Fenced || h.Offset < v.Head {
		v.Limit, v.Fenced, v.Head = limit, false, v.Start
	}
	v.Numbered, v.Refers = false, false
	v.Break(v.Head, p)
}

func holeProblem(start int64, h *source.HoleError) *span.Problem {
	return &span.Problem{Span: span.Between(max(start, h.Offset), h.End()), Severity: span.Error, Code: span.Unreadable,
		Message: "these bytes could not be unpacked: " + h.Err.Error()}
}

// keysOf returns the keys of an open value that were passed.
func (s *Scanner) keysOf(l *level) *KeySet {
	if l.keys == nil && s.Depth() <= s.initial && s.spanning != nil {
		l.keys = s.spanningKeys(l)
	}
	if l.keys == nil {
		l.keys = s.spareKeys.take()
	}
	return l.keys
}

// dropKeys forgets the keys of a value that ends.
func (s *Scanner) dropKeys(l *level) {
	if s.spanning == nil || s.Depth() > s.initial {
		s.spareKeys.put(l.keys)
	}
}

// checkKey reports a key that repeats an earlier one of l.
func (s *Scanner) checkKey(l *level, key *Value) {
	if key.Damage != nil || key.Head == key.End { // one without bytes represents a part of a record
		return
	}
	b := s.win.View(key.Head, key.End-key.Head)
	if int64(len(b)) == key.End-key.Head && s.keysOf(l).add(maphash.Bytes(keySeed, s.keyed.KeyIdentity(key, b))) > 0 {
		s.report(s.keyed.RepeatedKey(s.win, key))
	}
}

func (s *Scanner) tooDeep(v *Value) {
	v.Break(v.Body, &span.Problem{Span: span.Between(v.Start, v.Body), Severity: span.Error, Code: span.NestedTooDeep,
		Message: fmt.Sprintf("more than %d levels of nesting; deeper values are not read", MaxDepth),
		Engine:  s.can.TooDeep})
}

// checkNesting reports the value at the given depth, if it is the first of a chain that the
// engine would refuse because of its depth.
func (s *Scanner) checkNesting(depth int) {
	levels := s.can.Levels
	if levels > 0 && depth == levels+1 { // the buffer itself, and levels around the value
		s.report(span.Problem{Span: span.Between(s.value.Head, s.value.Body), Severity: span.Error, Code: span.NestedTooDeep,
			Message: fmt.Sprintf("nested more than %d levels deep", levels), Engine: s.can.TooDeep})
	}
}

// footReport returns the function for the problems of a value's foot: none if earlier damage caused them. A
// missing schema is not such damage.
func (s *Scanner) footReport(missing bool) func(span.Problem) {
	if (s.cutShort || missing) && !s.schemaless || s.Report == nil {
		return nil
	}
	return func(p span.Problem) { // the subject is the value that is being left, not one in it
		levels, nodes := s.levels, s.numNodes
		s.levels = levels[:len(levels)-1]
		s.numNodes = min(nodes, len(s.levels))
		s.report(p)
		s.levels, s.numNodes = levels, nodes
		if p.Code == span.TrailingBytes {
			s.trailingAt = p.Offset
		}
	}
}

func (s *Scanner) missingChildren(v *Value, next Slot) span.Problem {
	if s.Depth() == 0 {
		return span.Problem{Span: span.Between(v.Body, v.Body), Severity: span.Error, Code: span.Truncated,
			Message: "there are no bytes where a value is expected", Engine: s.can.Shortage}
	}
	p := span.Problem{Span: s.countOf(v), Severity: span.Error, Code: span.Truncated,
		Message: fmt.Sprintf("%s counts %d, the bytes end after %d", s.format.TypeName(v), v.Count, next.Index),
		Engine:  s.can.Shortage}
	if v.Layout == Pairs && !next.Key {
		p.Code = span.MissingValue
		p.Message = fmt.Sprintf("%s: the bytes end between the key and the value of entry %d of %d", s.format.TypeName(v), next.Index+1, v.Count)
	}
	return p
}

// countOf returns the span of the field that counts v's children: the last length before
// them.
func (s *Scanner) countOf(v *Value) span.Span {
	parent := s.Parent()
	fields := s.format.Fields(s.win, parent, v, nil)
	for i := len(fields) - 1; i >= 0; i-- {
		if fields[i].Kind == span.Length {
			return fields[i].Span
		}
	}
	return span.Between(v.Start, v.Body)
}

func (s *Scanner) reportGap(v *Value) {
	end := min(v.End, v.Limit)
	if s.Report == nil || v.Tail >= end || v.Footed && s.trailingAt == v.Tail { // a footer has reported it
		return
	}
	if s.Depth() == 0 && v.Count == Unknown && end-v.Tail < int64(v.MinChild) {
		s.report(span.Problem{Span: span.Between(v.Tail, end), Severity: span.Error, Code: span.Truncated,
			Message: fmt.Sprintf("the bytes end within the length of a frame: it has %d, here %s", v.MinChild, span.BytesAre(end-v.Tail)), Engine: s.can.Shortage})
		return
	}
	what := "the value in this frame"
	if s.Depth() == 0 {
		what = "the last value"
	}
	s.report(span.Problem{Span: span.Between(v.Tail, end), Severity: span.Warning, Code: span.TrailingBytes,
		Message: fmt.Sprintf("%s left over after %s", span.Bytes(end-v.Tail), what), Engine: "ignored"})
}
