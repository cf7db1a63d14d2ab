package diagnose

import (
	"bytes"
	"math/bits"
	"slices"
	"unicode/utf8"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

const (
	fewShift  = 4  // bytes that are often lost, or too many, in one place
	maxShift  = 16 // bytes that may be
	nearSteps = 64 // values before the place in which they are looked for
	nextSteps = 4  // the same where nothing but single values is odd
	lostSteps = 4  // values in which a lost byte that is not zero is looked for
	everyByte = 32 // bytes of a payload at each of which they are looked for
	someBytes = 24 // places in a longer payload
	footBytes = 8  // behind the last value in which they are looked for
	headSteps = 4  // values behind the first fields of a buffer, before which bytes are looked for in these
)

// places calls each with the offsets in the fields of a value at which bytes could
// be lost or too many: each of those that tell how to read on, and some of a long
// payload.
func (s *search) places(st *step, each func(at int64, kind span.Kind)) {
	end := s.tree.Region.End()
	if st.node.Parent == nil { // what stands behind all values
		for at := st.from.Pos(); at <= min(end, st.from.Pos()+footBytes); at++ {
			each(at, span.Gap)
		}
		return
	}
	v := &st.node.Value
	fields := s.tree.Reading.Fields(s.look, &st.node.Parent.Value, v, nil)
	if v.Layout == tree.Fixed && !v.Opaque {
		fields = append(fields, span.Field{Span: span.Between(v.Body, v.Tail), Kind: span.Value})
	}
	for i, f := range fields {
		if f.End() > end || f.Offset < st.from.Pos() {
			continue
		}
		if isPayload(f.Kind) && f.Length > everyByte {
			for i := range int64(someBytes) {
				each(f.Offset+f.Length*i/someBytes, f.Kind)
			}
			each(f.End()-1, f.Kind)
			continue
		}
		ended := f.Kind == span.Text && i+1 < len(fields) && fields[i+1].Kind == span.Terminator // whose own may be lost
		for at := f.Offset; at < f.End(); at++ {
			each(at, f.Kind)
			if ended {
				each(at, span.Terminator)
			}
		}
	}
	at := st.from.Pos() // what is broken has few fields
	if n := len(fields); n > 0 {
		at = max(at, fields[n-1].End())
	}
	if st.node.Damage != nil {
		at = s.placesIn(at, min(end, v.Limit), each)
	}
	if at == end {
		each(at, span.Gap)
	}
}

// placesIn calls each with offsets in what is broken: all of the first bytes, and
// some of the others. It returns where these end.
func (s *search) placesIn(at, end int64, each func(at int64, kind span.Kind)) int64 {
	broken := func(at int64) {
		each(at, span.Gap)
		each(at, span.Text)
	}
	for n := 0; at < end && n < someBytes; n++ {
		broken(at)
		at++
	}
	for step := max(1, (end-at)/someBytes); at < end; at += step {
		broken(at)
	}
	return end
}

func isPayload(k span.Kind) bool { return k == span.Text || k == span.Data || k == span.Value }

// shifts tries whether n bytes are missing somewhere in the last steps, or too many.
func (s *search) shifts(n, steps int) {
	zeros := make([]byte, n)
	end, tried := s.tree.Region.End(), int64(-1)
	s.eachPlace(steps, func(st *step, group int, at int64, kind span.Kind) {
		fill := zeros
		if kind == span.Text {
			fill = bytes.Repeat([]byte{s.lostOfText(at)}, n)
		}
		c := candidate{change: change{span.Span{Offset: at}, fill}, code: span.MissingBytes, node: st.node, size: n, group: group}
		s.try(st, &st.from, c)
		if at+int64(n) <= end && at != tried {
			c.change, c.code = change{span.Span{Offset: at, Length: int64(n)}, nil}, span.ExtraBytes
			s.try(st, &st.from, c)
		}
		tried = at
	})
}

// lostOfText stands in for a byte that a text lost before an offset: a letter, or
// what UTF-8 needs there.
func (s *search) lostOfText(at int64) byte {
	before, after := 0, 0 // bytes around it that continue a letter
	for after < utf8.UTFMax && s.look.Byte(at+int64(after))&0xc0 == 0x80 {
		after++
	}
	for before < utf8.UTFMax && at > int64(before) && s.look.Byte(at-int64(before)-1)&0xc0 == 0x80 {
		before++
	}
	first := byte(0)
	if at > int64(before) {
		first = s.look.Byte(at - int64(before) - 1)
	}
	switch needs := bits.LeadingZeros8(^first) - 1; {
	case first >= 0xc0 && before+after < needs:
		return 0x80
	case first < 0xc0 && after > 0 && after < utf8.UTFMax:
		return "\xc3\xe4\xf0"[after-1] // of letters of two, three and four bytes
	}
	return '?'
}

// eachPlace calls each for the places in the last steps, the last step first.
func (s *search) eachPlace(steps int, each func(st *step, group int, at int64, kind span.Kind)) {
	for i := len(s.steps) - 1; i >= max(0, len(s.steps)-steps); i-- {
		st := &s.steps[i]
		if st.event == tree.Leave && st.node.Parent != nil || !st.clean {
			continue
		}
		s.places(st, func(at int64, kind span.Kind) {
			if s.left > s.budget/16 {
				each(st, i+1, at, kind)
			}
		})
	}
}

// heads tries whether bytes are lost or too many in the first fields of the buffer,
// which say how all is read.
func (s *search) heads() {
	f, ok := s.tree.Reading.(Headed)
	if !ok || s.tree.Base.Body == s.tree.Region.Offset || s.steps[0].from.Pos() != s.tree.Base.Body || len(s.steps) > headSteps {
		return
	}
	region := s.tree.Region
	for at := region.Offset; at <= s.tree.Base.Body; at++ {
		for n := int64(1); n <= 2 && at+n <= region.End(); n++ {
			s.tryHead(change{span.Span{Offset: at, Length: n}, nil}, span.ExtraBytes)
		}
		if s.head == 0 {
			continue
		}
		for _, b := range f.HeadBytes() {
			s.tryHead(change{span.Span{Offset: at}, []byte{b}}, span.MissingBytes)
		}
	}
}

// isWhole reports whether a step has passed one of the buffer's values, and nothing is
// wrong with it.
func isWhole(st step) bool {
	return st.event != tree.Enter && st.node.Depth == 1 && st.node.Damage == nil
}

// tryHead reads the whole buffer anew with a change made.
func (s *search) tryHead(ch change, code string) {
	if s.left <= 0 {
		return
	}
	t := s.tree.Anew(&draft{s.tree.Source, ch}, []source.Splice{ch.splice()})
	r := t.Scanner()
	r.Hasty = true
	c := candidate{change: ch, code: code, about: ch.Span, node: s.tree.Base, size: max(int(ch.Length), len(ch.new)), group: headGroup}
	if c.cost = s.finish(r, &tree.Checkpoint{}, t.Region, s.least-2*int64(c.size)+slack); c.cost < noCost {
		c.odd, c.values, c.to, c.toEnd = s.odd, s.passed, s.bytes, s.passed < trialEvents
		s.keep(c)
	}
}

// leastZeros is how many zeros at the end of a buffer are taken for a file that was
// not written to its end.
const leastZeros = 16

// zeros tries whether the zeros that a buffer ends with belong to it. What stands
// before them may be cut.
func (s *search) zeros() {
	last := &s.steps[len(s.steps)-1]
	end := s.tree.Region.End()
	from := end - s.look.ZerosBefore(last.from.Pos(), end)
	if end-from < leastZeros {
		return
	}
	for skip := int64(0); skip < 4 && end-from-skip >= leastZeros; skip++ { // some belong to what stands before
		c := candidate{change: change{span.Between(from+skip, end), nil}, code: span.ExtraBytes, about: span.Between(from+skip, end), node: s.tree.Base, size: 1, group: zeroGroup}
		if rest := s.trial.run(s.tree, &last.from, &c.change, noCost); rest < noCost {
			c.cost = last.cost + s.head + rest - s.short
			if s.short > 0 {
				c.size, c.doubts = 2, int(skip)
			}
			c.odd, c.values, c.to, c.toEnd = last.odd+s.odd, last.n+s.passed, s.bytes, true
			s.keep(c)
		}
	}
}

// Groups of candidates that are no step.
const (
	headGroup  = -1
	zeroGroup  = -2
	ownerGroup = -3
)

// MaxOwner is how many bytes before what an engine writes are taken for a game's own.
const MaxOwner = 64

// ownerSize is how many bytes they count for.
const ownerSize = 5

// owner tries whether the first bytes of the buffer are none of the engine's: many
// games put a name, a version or a checksum before what it writes.
func (s *search) owner() {
	first := &s.steps[0]
	start := first.from.Pos()
	if start != s.tree.Base.Body || len(s.steps) > headSteps || slices.ContainsFunc(s.steps, isWhole) {
		return
	}
	for n := int64(ownerSize); n <= MaxOwner && start+n < s.tree.Region.End(); n++ {
		head := span.Span{Offset: start, Length: n}
		s.try(first, &first.from, candidate{change: change{head, nil}, code: span.ExtraBytes, node: s.tree.Base, size: ownerSize, doubts: int(n) / 4, group: ownerGroup})
	}
}

// lostBytes tries every byte in fields that tell how to read on, where a zero does
// not explain anything.
func (s *search) lostBytes() {
	s.eachPlace(lostSteps, func(st *step, group int, at int64, kind span.Kind) {
		if isPayload(kind) {
			return
		}
		for b := 1; b < 256; b++ {
			s.try(st, &st.from, candidate{change: change{span.Span{Offset: at}, []byte{byte(b)}}, code: span.MissingBytes, node: st.node, size: 1, doubts: 1, group: group})
		}
	})
}

// join makes one candidate of those that differ only in where in a value bytes are
// lost or too many, and of those that lead to the same bytes; and puts them in
// order.
func (s *search) join(p *met) {
	slices.SortStableFunc(s.found, func(a, b candidate) int { return byWeight(&a, &b) })
	var joined []candidate
	for _, c := range s.found {
		i := slices.IndexFunc(joined, func(j candidate) bool {
			return j.group != 0 && j.group == c.group && j.code == c.code && j.size == c.size && j.cost == c.cost || s.same(&j, &c)
		})
		if i < 0 {
			if c.group != 0 {
				c.about = c.Span
			}
			c.own = c.own || c.group == 0 && c.about == p.Span
			joined = append(joined, c)
			continue
		}
		if j := &joined[i]; j.own && c.group == 0 && !c.own { // which says more than that a value is odd
			if c.mends, c.drops, c.own = j.mends, j.drops, c.about == p.Span; c.own || j.code == span.NulInText {
				*j = c
			}
		} else if j.group != 0 && j.group == c.group {
			j.about = span.Between(min(j.about.Offset, c.Offset), max(j.about.End(), c.End()))
		}
	}
	s.found = joined
}

// same reports whether two candidates lead to the same bytes.
func (s *search) same(a, b *candidate) bool {
	if a.isCut || b.isCut {
		return false
	}
	one, two := a.minimal(s.look), b.minimal(s.look)
	return one.Span == two.Span && slices.Equal(one.new, two.new)
}

// minimal is the change without the bytes that it leaves as they are. One of many
// splices is told by the first.
func (c *candidate) minimal(w *source.Window) change {
	ch := c.change
	if len(c.mends) == 1 && c.mends[0].Added() <= source.MaxView {
		ch = change{c.mends[0].Span, make([]byte, c.mends[0].Added())}
		if len(ch.new) > 0 {
			c.mends[0].New.ReadAt(ch.new, 0)
		}
	}
	for ch.Length > 0 && len(ch.new) > 0 && w.Byte(ch.Offset) == ch.new[0] {
		ch.Offset, ch.Length, ch.new = ch.Offset+1, ch.Length-1, ch.new[1:]
	}
	for ch.Length > 0 && len(ch.new) > 0 && w.Byte(ch.End()-1) == ch.new[len(ch.new)-1] {
		ch.Length, ch.new = ch.Length-1, ch.new[:len(ch.new)-1]
	}
	return ch
}
