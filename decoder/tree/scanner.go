package tree

import (
	"fmt"
	"hash/maphash"
	"math"

	"varview/decoder/source"
	"varview/decoder/span"
)

// MaxDepth is how many levels of nesting are followed; what lies deeper is a
// gap. It bounds the memory of a reading (about 150 bytes a level).
const MaxDepth = 1 << 18

// Event is what a Scanner met.
type Event uint8

const (
	Done   Event = iota // the whole buffer, or the value asked for, is passed
	Enter               // a value with children begins; its end may be unknown
	Atom                // a value that is passed in one step
	Leave               // a value that was entered ends; Tail and End are known
	Passed              // ordinary values were passed; only a brisk scanner does that
)

// A Scanner passes over the values of a buffer in file order. It neither
// recurses nor allocates, but for the levels of nesting it is in.
type Scanner struct {
	format     Reading
	can        *capabilities // of format
	win        *source.Window
	levels     []level // open values, outermost first
	noded      int     // how many of them are nodes already, from the outermost on
	base       *Node   // what levels[0] stands in
	pos        int64
	serial     uint32 // numbered values met so far, or NoSerial
	damage     bool   // the open values up to the next fence end early, and why is known
	schemaless bool   // why is that a schema is missing
	edge       int64  // where the last problem of no bytes was met

	// Elements makes the scanner enter values of Fixed layout as well.
	Elements bool
	// Brisk makes the scanner pass over many ordinary values at once, where the
	// format can tell quickly that they are. Value is that of an earlier event then.
	Brisk bool
	// Hasty makes the scanner end where only a search tells where reading goes on.
	Hasty bool
	// Report, if set, gets each problem as it is met.
	Report func(span.Problem)
	tell   func(span.Problem) // Report, but for what lies in a hole
	fresh  bool               // the buffer itself has not been inspected
	keyed  Keyed              // the format, if repeated keys are to be reported

	// Fenced values at hopDepth and deeper, if that is not 0, and those that end
	// at or before hopTo are passed in one step.
	hopDepth int
	hopTo    int64
	// A brisk scanner is so inside values at briskDepth and deeper, and up to
	// briskTo.
	briskDepth int
	briskTo    int64
	stretch    Stretch // of the last brisk step

	lost    *lostEnds // where readings went on behind what could not be read
	inTrial *trial    // a search for such a place is under way
	nested  int       // how many unreadable values this trial reading has met
	outcome outcome   // of the trial reading
	stuck   bool      // it met an unreadable value and no way on

	index  *Index // where the scanner leaves points, if anywhere
	due    int64  // offset from which on the next point may be left
	marked int64  // offset of the last point
	value  Value  // of the last event
	slot   Slot
	key    int64
}

// A level is an open value and where its next child stands.
type level struct {
	Value
	slot   Slot
	key    int64 // where the key of this value begins, Unknown without
	node   *Node // once somebody wanted one; then those around it have one too
	next   Slot
	nextAt int64 // where the key of the next child begins
	keys   *keySet
}

// begin places the scanner before the first child of n.
func (s *Scanner) begin(n *Node) {
	s.resume(&point{pos: n.Body, in: n, next: Slot{Key: n.Layout == Pairs}, nextAt: Unknown, serial: n.within()})
}

// within is the number that the first numbered value in v has.
func (v *Value) within() uint32 {
	if v.Numbered && v.Serial != NoSerial {
		return v.Serial + 1
	}
	return v.Serial
}

// resume places the scanner at a point.
func (s *Scanner) resume(p *point) {
	n := p.in
	s.levels, s.base, s.pos, s.serial, s.damage, s.schemaless, s.edge = s.levels[:0], n.Parent, p.pos, p.serial, false, false, Unknown
	s.hopDepth, s.hopTo, s.due = 0, 0, math.MaxInt64
	s.Brisk, s.briskDepth, s.briskTo = false, 0, math.MaxInt64
	s.fresh = false
	s.openNode(n, p.next, p.nextAt)
}

// resumeWithKeys places the scanner at a point and, if keys must differ, looks
// again at those before it in values around it that begin at most reach bytes
// before.
func (s *Scanner) resumeWithKeys(p *point, reach int64) {
	var from *Node // the outermost of these values
	for n := p.in; n != nil && p.pos-n.Start <= reach; n = n.Parent {
		if n.Layout == Pairs {
			from = n
		}
	}
	if s.keyed == nil || from == nil {
		s.resume(p)
		return
	}
	report := s.Report
	s.begin(from)
	s.Report = func(span.Problem) {}
	s.Brisk, s.briskTo = true, p.pos
	for s.pos < p.pos || s.pos == p.pos && s.Depth() <= p.in.Depth {
		if s.Next() == Done {
			break
		}
	}
	s.Report, s.Brisk, s.briskTo, s.edge = report, false, math.MaxInt64, Unknown
	if s.pos != p.pos || s.Depth() != p.in.Depth+1 || s.levels[len(s.levels)-1].next != p.next { // the source has changed
		s.resume(p)
		return
	}
	n := p.in
	for i := len(s.levels) - 1; i >= 0; i-- {
		s.levels[i].node, n = n, n.Parent
	}
	s.noded = len(s.levels)
}

// behind is the number that the first numbered value behind v has; inside is what
// its last child leads to. A gap that damage left can hold numbered values, if
// there are any at all.
func (v *Value) behind(inside uint32) uint32 {
	if v.Damage != nil && v.HasGap() && inside > 0 {
		return NoSerial
	}
	return inside
}

func (s *Scanner) open(l level) { s.levels = append(s.levels, l) }

// openNode opens a value as the outermost of those that the scanner holds.
func (s *Scanner) openNode(n *Node, next Slot, nextAt int64) {
	s.open(level{Value: n.Value, slot: n.Slot, key: n.KeyAt, node: n, next: next, nextAt: nextAt})
	s.noded = 1
}

// Value is the value of the last event; it is valid until the next.
func (s *Scanner) Value() *Value { return &s.value }

// Slot says which child of its parent the value of the last event is.
func (s *Scanner) Slot() Slot { return s.slot }

// KeyAt is the offset of the key of the last event's value, or Unknown.
func (s *Scanner) KeyAt() int64 { return s.key }

// Window is what the scanner reads through.
func (s *Scanner) Window() *source.Window { return s.win }

// Pos is the offset up to which everything has been passed.
func (s *Scanner) Pos() int64 { return s.pos }

// Depth is the number of values around the next one; the buffer itself is one.
func (s *Scanner) Depth() int {
	d := len(s.levels)
	if s.base != nil {
		d += s.base.Depth + 1
	}
	return d
}

// Parent is the innermost open value, in which the next event happens: after
// Enter the value entered, after Atom and Leave what contains the value.
func (s *Scanner) Parent() *Value { return &s.levels[len(s.levels)-1].Value }

// Next goes on to the next event.
func (s *Scanner) Next() Event {
	if len(s.levels) == 0 {
		return Done
	}
	if s.fresh {
		s.inspectBase()
	}
	l := &s.levels[len(s.levels)-1]
	if l.next.Index == l.Count || l.Limit-s.pos < int64(l.MinChild) {
		return s.leave()
	}
	if s.Brisk && s.can.passer != nil && s.Depth() > s.briskDepth && s.passBriskly(l) {
		return Passed
	}
	v := &s.value
	s.slot = l.next
	s.win.TakeHole() // of what was read in between
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
	if v.Damage != nil && s.isLost(v) {
		s.resync(v)
	}
	s.serial = v.within()
	if v.Layout < Sequence {
		v.SerialEnd = v.behind(s.serial)
	}
	if v.Layout >= Sequence && s.Depth() >= MaxDepth {
		s.tooDeep(v)
	}
	if s.Report != nil {
		if v.Damage != nil {
			s.report(*v.Damage)
		}
		s.inspect(&l.Value, v)
		if s.slot.Key && s.keyed != nil {
			s.checkKey(l, v)
		}
	}
	if v.Damage != nil && v.End == v.Limit {
		s.damage, s.schemaless = true, v.Damage.Code == span.MissingSchema
	}
	if v.Refers && s.index != nil {
		s.index.refer(Reference{v.Sub, v.Start})
	}
	if v.Layout == Leaf || !s.enters(v) {
		s.pass(v)
		return Atom
	}
	if s.Report != nil {
		s.checkNesting(s.Depth())
	}
	s.pos = v.Body
	s.open(level{Value: *v, slot: s.slot, key: s.key, next: Slot{Key: v.Layout == Pairs}, nextAt: Unknown})
	if s.pos >= s.due {
		s.mark()
	}
	return Enter
}

const (
	briskStep   = 64 << 10 // how many bytes are passed in one event at most
	briskLevels = 3        // how many levels of values at once
)

// passBriskly passes ordinary children of the innermost open value, if the next
// ones are.
func (s *Scanner) passBriskly(l *level) bool {
	deepest := MaxDepth
	if n := s.can.nesting; n > 0 {
		deepest = n + 1
	}
	levels := max(0, min(briskLevels, deepest-s.Depth()))
	run := &s.stretch
	*run = Stretch{l.next, s.pos, min(l.Limit, s.due, s.briskTo, s.pos+briskStep), levels, s.serial, run.Refs[:0]}
	s.can.passer.Pass(s.win, &l.Value, run)
	if run.Pos == s.pos || s.win.Err() != nil || s.win.TakeHole() != nil {
		return false
	}
	l.next, s.pos, s.serial = run.Next, run.Pos, run.Serial
	if s.index != nil && len(run.Refs) > 0 {
		s.index.refer(run.Refs...)
	}
	if s.pos >= s.due {
		s.mark()
	}
	return true
}

// readFailed ends the value, and all around it, because bytes could not be read.
func (s *Scanner) readFailed(v *Value, limit int64) {
	v.Limit = limit
	v.Break(v.Start, &span.Problem{Span: span.Between(v.Start, limit), Severity: span.Error,
		Code: span.ReadFailed, Message: s.win.Err().Error()})
}

// report hands a problem on.
func (s *Scanner) report(p span.Problem) {
	if s.can.remedier != nil && p.Repair == "" {
		var parent *Value
		if len(s.levels) > 0 {
			parent = s.Parent()
		}
		p.Repair = s.can.remedier.Remedy(parent, &s.value, &p)
	}
	if p.Length == 0 {
		s.edge = p.Offset
	}
	s.Report(p)
}

// inspectBase reports what is unusual about the buffer as a whole.
func (s *Scanner) inspectBase() {
	s.fresh = false
	if s.Report != nil {
		s.value, s.slot, s.key = s.levels[0].Value, Slot{}, Unknown
		s.inspect(nil, &s.value)
	}
}

// inspect reports what is unusual about v, and a hole in it that Read did not
// have to look into.
func (s *Scanner) inspect(parent, v *Value) {
	if s.tell == nil {
		s.tell = func(p span.Problem) {
			if !s.win.InHole() { // else it comes of the zeros in its place
				s.report(p)
			}
		}
	}
	s.can.inspect(s.win, parent, s.slot, v, s.tell)
	if h := s.win.TakeHole(); h != nil {
		s.report(*holeProblem(v.Start, h))
	}
}

// inHole breaks a value whose beginning lies in a hole. A frame whose length was
// read before it keeps its end.
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

// checkKey reports a key that an earlier one of l repeats.
func (s *Scanner) checkKey(l *level, key *Value) {
	if key.Damage != nil {
		return
	}
	if l.keys == nil {
		l.keys = &keySet{expected: min(l.Count, (l.Limit-key.Start)/8, maxKeys)}
	}
	b := s.win.View(key.Start, key.End-key.Start)
	if int64(len(b)) == key.End-key.Start && l.keys.seen(maphash.Bytes(keySeed, b)) > 0 {
		s.report(s.keyed.RepeatedKey(s.win, key))
	}
}

func (s *Scanner) tooDeep(v *Value) {
	v.Break(v.Body, &span.Problem{Span: span.Between(v.Start, v.Body), Severity: span.Error, Code: span.NestedTooDeep,
		Message: fmt.Sprintf("more than %d levels of nesting; what lies deeper is not read", MaxDepth),
		Engine:  s.can.tooDeep})
}

// checkNesting reports the value, which is that deep, if it is the first of a
// chain that the engine would refuse for its depth.
func (s *Scanner) checkNesting(depth int) {
	levels := s.can.nesting
	if levels > 0 && depth == levels+1 { // the buffer itself, and levels around the value
		s.report(span.Problem{Span: span.Between(s.value.Head, s.value.Body), Severity: span.Error, Code: span.NestedTooDeep,
			Message: fmt.Sprintf("nested more than %d levels deep", levels), Engine: s.can.tooDeep})
	}
}

// enters reports whether the children of v are passed one by one.
func (s *Scanner) enters(v *Value) bool {
	if v.Layout == Fixed {
		return s.Elements && !v.Opaque && v.Stride > 0
	}
	return !v.Fenced || !(s.hopDepth > 0 && s.Depth() >= s.hopDepth || v.End <= s.hopTo)
}

// pass moves behind v, whose end is known.
func (s *Scanner) pass(v *Value) {
	s.serial = v.behind(s.serial)
	s.pos, v.SerialEnd = v.End, s.serial
	if v.Fenced {
		s.damage, s.schemaless = false, false
		if v.HasGap() && v.Damage == nil {
			s.reportGap(v)
		}
	}
	if s.pos >= s.due {
		s.mark()
	}
}

func (s *Scanner) leave() Event {
	l := &s.levels[len(s.levels)-1]
	v := &s.value
	*v, s.slot, s.key = l.Value, l.slot, l.key
	missing := v.Count != Unknown && l.next.Index < v.Count
	if v.Layout != Fixed {
		v.Tail = s.pos
		if v.Footed {
			v.Foot = s.pos
			v.Tail = s.can.footer.ReadFoot(s.win, v, s.pos, s.schemaless, s.footReport(missing))
		}
		if !v.Fenced {
			v.End = v.Tail
		}
	}
	s.serial = v.behind(s.serial)
	v.SerialEnd = s.serial
	node, next := l.node, l.next
	s.levels = s.levels[:len(s.levels)-1]
	s.noded = min(s.noded, len(s.levels))
	if len(s.levels) == 0 && s.base != nil {
		s.thaw(v, s.slot)
	}
	if missing && !s.damage {
		s.damage = true
		if s.Report != nil && (s.Depth() == 0 || !v.Overcounted()) { // else Inspect told
			s.report(s.missingChildren(v, next))
		}
	}
	if v.Fenced && v.Tail < v.End && !s.damage && !v.HasFoot() { // else the format has told
		s.reportGap(v)
	}
	if v.Fenced {
		s.damage, s.schemaless = false, false
	}
	s.pos = v.End
	if s.index != nil {
		s.index.left(node, next.Index)
	}
	if s.pos >= s.due && len(s.levels) > 0 {
		s.mark()
	}
	return Leave
}

// footReport is where the problems of a value's foot go: nowhere where damage
// before it is the cause. That a schema is missing is none.
func (s *Scanner) footReport(missing bool) func(span.Problem) {
	if (s.damage || missing) && !s.schemaless || s.Report == nil {
		return nil
	}
	return s.report
}

// thaw opens the value that contains the one just left.
func (s *Scanner) thaw(v *Value, slot Slot) {
	n := s.base
	next, nextAt := Slot{Index: slot.Index + 1}, int64(Unknown)
	if n.Layout == Pairs {
		if slot.Key {
			next, nextAt = Slot{Index: slot.Index}, v.Start
		} else {
			next.Key = true
		}
	}
	s.base = n.Parent
	s.openNode(n, next, nextAt)
}

func (s *Scanner) missingChildren(v *Value, next Slot) span.Problem {
	if s.Depth() == 0 {
		return span.Problem{Span: span.Between(v.Body, v.Body), Severity: span.Error, Code: span.Truncated,
			Message: "there are no bytes where a value should stand", Engine: s.can.shortage}
	}
	p := span.Problem{Span: s.countOf(v), Severity: span.Error, Code: span.Truncated,
		Message: fmt.Sprintf("%s counts %d, the bytes end after %d", s.format.TypeName(v), v.Count, next.Index),
		Engine:  s.can.shortage}
	if v.Layout == Pairs && !next.Key {
		p.Code = span.MissingValue
		p.Message = fmt.Sprintf("%s: the bytes end between the key and the value of entry %d of %d", s.format.TypeName(v), next.Index+1, v.Count)
	}
	return p
}

// countOf is the span of the number of v's children: the last length before
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
	if s.Report == nil || v.Tail >= end {
		return
	}
	if s.Depth() == 0 && v.Count == Unknown && end-v.Tail < int64(v.MinChild) {
		s.report(span.Problem{Span: span.Between(v.Tail, end), Severity: span.Error, Code: span.Truncated,
			Message: fmt.Sprintf("the bytes end within the length of a frame: it has %d, here %s", v.MinChild, span.AreLeft(end-v.Tail)), Engine: s.can.shortage})
		return
	}
	what := "the value in this frame"
	if s.Depth() == 0 {
		what = "the last value"
	}
	s.report(span.Problem{Span: span.Between(v.Tail, end), Severity: span.Warning, Code: span.TrailingBytes,
		Message: fmt.Sprintf("%s behind %s, which nothing claims", span.Bytes(end-v.Tail), what), Engine: "ignored"})
}
