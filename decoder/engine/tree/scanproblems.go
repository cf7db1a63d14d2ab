package tree

import (
	"fmt"
	"hash/maphash"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
)

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
