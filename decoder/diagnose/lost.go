package diagnose

import (
	"bytes"
	"context"
	"math/bits"
	"slices"
	"unicode/utf8"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

const (
	lostSteps       = 4   // number of values in which lost bytes other than zeros are searched for
	maxLost         = 4   // largest number of such bytes lost in one place
	maxLostWhole    = 2   // the same, if the whole field is lost with them
	inventedSize    = 1   // size that choosing their values counts as: chosen bytes fit by chance more easily than existing ones
	maxLostSuspects = 512 // largest number of contents that are tried for a field with lost bytes
)

// tryLostBytes tries every value of a lost byte in fields that determine how reading
// continues, if a zero explains nothing.
func (s *search) tryLostBytes() {
	s.eachPlace(lostSteps, func(st *step, group int, at int64, kind span.Kind) {
		if isPayload(kind) {
			return
		}
		for b := 1; b < 256; b++ {
			s.try(st, &st.from, hypothesis{change: change{span.Span{Offset: at}, []byte{byte(b)}}, code: span.MissingBytes, node: st.node, size: 1, penalty: 1, group: group})
		}
	})
}

// tryLostFields tries what a field, such as a type or a length, may have contained before
// it lost n bytes, or before it was lost with what follows it.
func (s *search) tryLostFields(n int) {
	f, ok := s.tree.Reading.(Suspecter)
	if !ok {
		return
	}
	for i := len(s.steps) - 1; i >= max(0, len(s.steps)-lostSteps); i-- {
		st := &s.steps[i]
		if st.event == tree.Leave || !st.clean || s.left <= s.budget/16 {
			continue
		}
		v := &st.node.Value
		s.tryLostField(f, st, i+1, v.Head, n)
		if v.Damage != nil && v.Damage.Offset > v.Head {
			s.tryLostField(f, st, i+1, v.Damage.Offset, n)
		}
		for _, field := range s.tree.Reading.Fields(s.unchanged, &st.node.Parent.Value, v, nil) {
			if (field.Kind == span.Length || field.Kind == span.Type) && field.Offset > v.Head && (v.Damage == nil || field.Offset != v.Damage.Offset) {
				s.tryLostField(f, st, i+1, field.Offset, n)
			}
		}
	}
}

// tryLostField does so for the field at an offset.
func (s *search) tryLostField(f Suspecter, st *step, group int, at int64, n int) {
	for _, u := range s.suspectsWith(f, st, &change{span.Span{Offset: at}, make([]byte, n)}) {
		isWhole := len(u.New) <= n // nothing of the field is left to confirm what it contained
		if u.Offset != at || isWhole && (n > maxLostWhole || u.Code == span.WrongLength || u.Code == span.WrongCount) {
			continue
		}
		insert := append(u.New, make([]byte, max(0, n-len(u.New)))...)
		k := 0 // number of bytes of the field before the lost ones
		for k < len(insert)-n && insert[k] == s.unchanged.Byte(at+int64(k)) {
			k++
		}
		if after := insert[k+n:]; !bytes.Equal(after, s.unchanged.View(at+int64(k), int64(len(after)))) {
			continue
		}
		s.try(st, &st.from, hypothesis{change: change{span.Span{Offset: at + int64(k)}, insert[k : k+n]}, code: span.MissingBytes, node: st.node, size: shiftSize(n) + inventedSize, penalty: 1, group: group})
	}
}

// suspectsWith returns the suspects in the value of a step after a change.
func (s *search) suspectsWith(f Suspecter, st *step, c *change) (all []Suspect) {
	r := s.restart(s.tree, &st.from, c)
	if r == nil {
		return nil
	}
	ev := r.Next()
	parent := r.Parent()
	if ev == tree.Enter {
		parent = r.Outer()
	}
	if ev == tree.Leave || ev == tree.Done || parent == nil || r.Value().Start != st.node.Start {
		return nil
	}
	f.Suspects(r.Window(), parent, r.Slot(), r.Value(), func(u Suspect) bool {
		u.New = bytes.Clone(u.New)
		all = append(all, u)
		return len(all) < maxLostSuspects
	})
	return all
}

const (
	maxLoss   = 8 // largest number of bytes that a thorough search tries
	lossSteps = 8 // number of values before the problem that are searched
)

// tryCut adds the hypothesis that the buffer is cut off, if the problem is that bytes
// are missing.
func (s *search) tryCut(ctx context.Context, p *observation) {
	if !p.IsShortage() || !p.atEnd || s.shortage == 0 || !s.isOpenEnded(p) {
		return
	}
	c := hypothesis{change: change{Span: p.Span}, code: p.Code, blamed: p.Span, node: p.at, cost: s.baseCost - s.shortage, size: 1, isCut: true, isOwn: true}
	c.penalty, c.oddness, c.values = s.cutPenalty(p), s.baseOddness, s.baseValues
	if r, err := repairOf(ctx, s.tree, p); err == nil {
		c.repair, c.loss, c.does = r.Splices, r.Loss, r.Does
	}
	s.add(c)
}

// isOpenEnded reports whether the end of the buffer may be missing after a value: no frame around the value
// ends within the buffer.
func (s *search) isOpenEnded(p *observation) bool {
	for n := p.at; n.Parent != nil; n = n.Parent {
		if n.Fenced {
			return s.goesPastEnd(n)
		}
	}
	return true
}

// goesPastEnd reports whether a frame is longer than the buffer.
func (s *search) goesPastEnd(n *tree.Node) (past bool) {
	s.tree.Inspect(s.unchanged, &n.Parent.Value, n.Slot, &n.Value, func(p span.Problem) {
		past = past || p.IsShortage() && p.Offset == n.Start
	})
	return past
}

// lengthPenalty returns how implausible a length is where so many bytes are left.
func (s *search) lengthPenalty(p *observation, left int64) int {
	n, used := int64(0), 0
	for i := p.End() - 1; i >= p.Offset; i-- {
		b := s.unchanged.Byte(i)
		if n = n<<8 | int64(b); b != 0 {
			used++
		}
	}
	switch tooMuch := n > 64<<10 && n/8 > left; {
	case tooMuch && used > 1:
		return nonsense
	case tooMuch:
		return farMore
	}
	return 0
}

// cutPenalty returns how implausible it is that the buffer is cut off: far more would be missing than there
// is, or a text continues after what looks like its end.
func (s *search) cutPenalty(p *observation) (penalty int) {
	if p.late && p.at.Fenced { // everything in the frame is complete
		penalty += 4
	}
	if p.Code == span.Truncated && (s.tree.Region.End()-p.at.Start)%word == 0 {
		penalty++ // three of four cuts leave a part of a word
	}
	if p.Code != span.LengthOverrun && p.Code != span.NegativeLength || p.Length > 4 {
		return penalty
	}
	left := s.tree.Region.End() - p.Offset
	penalty += s.lengthPenalty(p, left)
	if p.Code == span.LengthOverrun && bytes.IndexByte(s.unchanged.View(p.End(), left), 0) >= 0 && p.at.Layout == tree.Leaf {
		penalty += 4
	}
	return penalty
}

const word = 4 // size in bytes of the unit of most values

// The penalties of a length that goes far beyond the buffer.
const (
	farMore  = 3 // one of its bytes may have been changed
	nonsense = 8 // no change of one byte makes a plausible length of it
)

// frameAround returns the innermost frame around a value; nil if there is none.
func frameAround(n *tree.Node) *tree.Node {
	for n = n.Parent; n != nil && n.Parent != nil; n = n.Parent {
		if n.Fenced {
			return n
		}
	}
	return nil
}

// resizeFrame makes the repair of a hypothesis also lengthen the frame around it by the given number of
// bytes. ok is false if the frame cannot be that long.
func (s *search) resizeFrame(c *hypothesis, by int64) (ok bool) {
	n := frameAround(c.node)
	if n == nil || by == 0 {
		return true
	}
	f, ok := s.tree.Reading.(Resizer)
	if !ok {
		return false
	}
	frame, ok := f.Resize(s.unchanged, &n.Parent.Value, &n.Value, n.End+by)
	if ok {
		length := change{frame.Span, frame.New}
		c.repair = append([]source.Splice{length.splice()}, c.repair...)
		c.is += " (its frame: " + frame.Is + ")"
	}
	return ok
}

// tryTextAndFrame tries another length of a text together with the length of the frame around it: somebody
// may have replaced a text by a longer one without updating either length.
func (s *search) tryTextAndFrame(f Suspecter, st *step, u *Suspect) {
	if frameAround(st.node) == nil || st.node.Damage != nil {
		return
	}
	c := hypothesisOf(u, st.node)
	r := s.restart(s.tree, &st.from, &c.change)
	if r == nil {
		return
	}
	r.Next()
	grown := r.Value().Tail - st.node.Tail
	if r.Value().Start != st.node.Start || r.Value().Damage != nil || grown <= 0 {
		return
	}
	c.size++
	c.repair = []source.Splice{c.splice()}
	if s.resizeFrame(&c, grown) {
		s.tryRepair(st, c)
	}
}

// tryRepair tries a hypothesis with its whole repair, not only its change.
func (s *search) tryRepair(st *step, c hypothesis) bool {
	s.source, s.grown = source.Whole(s.base).Splice(c.repair), 0
	for _, m := range c.repair {
		s.grown += m.Added() - m.Length
	}
	whole := c.change
	c.change = change{}
	tried := s.try(st, &st.from, c)
	if s.source, s.grown = nil, 0; tried {
		s.found[len(s.found)-1].change = whole
	}
	return tried
}

// tryTextRepairs adds an alternative to each of the likeliest hypotheses about bytes lost
// from or added to a text: the text was edited by hand and stays as it is, and its length
// and padding are set accordingly.
func (s *search) tryTextRepairs() {
	f, ok := s.tree.Reading.(Suspecter)
	texts, isTexter := f.(Texter)
	if !ok || !isTexter {
		return
	}
	for _, h := range slices.Clone(s.found[:min(len(s.found), maxAlternatives)]) {
		if h.group <= 0 || h.code != span.ExtraBytes && h.code != span.MissingBytes || h.cost > s.steps[0].cost {
			continue
		}
		st := &s.steps[h.group-1]
		if st.node.Parent == nil { // after all values
			continue
		}
		u, padding, ok := texts.Relength(s.unchanged, &st.node.Parent.Value, &st.node.Value, -h.grows())
		if !ok {
			continue
		}
		c := hypothesisOf(&u, st.node)
		c.size, c.penalty = h.size, h.penalty+1
		c.repair = []source.Splice{source.Put(u.Offset, u.Length, u.New), padding}
		if s.resizeFrame(&c, padding.Added()-padding.Length-h.grows()) && s.tryRepair(st, c) {
			s.leastWeight = min(s.leastWeight, c.weight())
		}
	}
	slices.SortStableFunc(s.found, func(a, b hypothesis) int { return bySurprise(&a, &b) })
}

const (
	commonShift   = 4  // largest number of bytes that are often lost or added in one place
	maxShift      = 16 // largest number of bytes lost or added in one place
	nearSteps     = 64 // number of values before the problem that are searched for lost or added bytes
	nextSteps     = 4  // the same if all problems concern single values
	maxExhaustive = 32 // size of the largest payload that is searched at every byte
	sampledPlaces = 24 // number of places that are searched in a longer payload
	footBytes     = 8  // number of bytes that are searched after the last value
	maxHeadSteps  = 4  // largest number of values after the buffer's leading fields for which these are searched
)

// placesInField is places of a field; a text that isEnded has a terminator.
func placesInField(f span.Field, isEnded bool, each func(at int64, kind span.Kind)) {
	if isPayload(f.Kind) && f.Length > maxExhaustive {
		for i := range int64(sampledPlaces) {
			each(f.Offset+f.Length*i/sampledPlaces, f.Kind)
		}
		each(f.End()-1, f.Kind)
		return
	}
	for at := f.Offset; at < f.End(); at++ {
		each(at, f.Kind)
		if isEnded {
			each(at, span.Terminator)
		}
	}
}

// places calls each with the offsets in the fields of a value at which bytes could be lost or added: all
// offsets in fields that determine how reading continues, and some in a long payload.
func (s *search) places(st *step, each func(at int64, kind span.Kind)) {
	end := s.tree.Region.End()
	if st.node.Parent == nil { // after all values
		for at := st.from.Pos(); at <= min(end, st.from.Pos()+footBytes); at++ {
			each(at, span.Gap)
		}
		return
	}
	v := &st.node.Value
	fields := s.tree.Reading.Fields(s.unchanged, &st.node.Parent.Value, v, nil)
	if v.Layout == tree.Fixed && !v.Opaque {
		fields = append(fields, span.Field{Span: span.Between(v.Body, v.Tail), Kind: span.Value})
	}
	for i, f := range fields {
		if f.End() > end || f.Offset < st.from.Pos() {
			continue
		}
		isEnded := f.Kind == span.Text && i+1 < len(fields) && fields[i+1].Kind == span.Terminator // which may be the lost byte
		placesInField(f, isEnded, each)
	}
	at := st.from.Pos() // a broken value has few fields
	if n := len(fields); n > 0 {
		at = max(at, fields[n-1].End())
	}
	if st.node.Damage != nil {
		at = s.placesInBroken(at, min(end, v.Limit), each)
	}
	if at == end || at == v.Limit {
		each(at, span.Gap)
	}
}

// placesInBroken calls each with offsets in a broken value: all of its first bytes and some of the others.
// It returns the end of the offsets.
func (s *search) placesInBroken(at, end int64, each func(at int64, kind span.Kind)) int64 {
	broken := func(at int64) {
		each(at, span.Gap)
		each(at, span.Text)
	}
	for n := 0; at < end && n < sampledPlaces; n++ {
		broken(at)
		at++
	}
	for step := max(1, (end-at)/sampledPlaces); at < end; at += step {
		broken(at)
	}
	return end
}

func isPayload(k span.Kind) bool { return k == span.Text || k == span.Data || k == span.Value }

// tryShifts tries whether n bytes were lost or added somewhere in the last steps.
func (s *search) tryShifts(n, steps int) {
	zeros := make([]byte, n)
	end, tried := s.tree.Region.End(), int64(-1)
	s.eachPlace(steps, func(st *step, group int, at int64, kind span.Kind) {
		fill := zeros
		if kind == span.Text {
			fill = bytes.Repeat([]byte{s.lostTextByte(at)}, n)
		}
		c := hypothesis{change: change{span.Span{Offset: at}, fill}, code: span.MissingBytes, node: st.node, size: shiftSize(n), group: group}
		s.try(st, &st.from, c)
		if at+int64(n) <= end && at != tried {
			c.change, c.code = change{span.Span{Offset: at, Length: int64(n)}, nil}, span.ExtraBytes
			s.try(st, &st.from, c)
		}
		tried = at
	})
}

// lostTextByte returns a substitute for a byte that a text lost before an offset: a letter, or what UTF-8
// requires there.
func (s *search) lostTextByte(at int64) byte {
	before, after := 0, 0 // numbers of continuation bytes of UTF-8 around it
	for after < utf8.UTFMax && s.unchanged.Byte(at+int64(after))&0xc0 == 0x80 {
		after++
	}
	for before < utf8.UTFMax && at > int64(before) && s.unchanged.Byte(at-int64(before)-1)&0xc0 == 0x80 {
		before++
	}
	first := byte(0)
	if at > int64(before) {
		first = s.unchanged.Byte(at - int64(before) - 1)
	}
	switch needs := bits.LeadingZeros8(^first) - 1; {
	case first >= 0xc0 && before+after < needs:
		return 0x80
	case first < 0xc0 && after > 0 && after < utf8.UTFMax:
		return "\xc3\xe4\xf0"[after-1] // first bytes of characters of two, three and four bytes
	}
	return '?'
}

// eachPlace calls each with the places in the last steps, beginning with the last step.
// group is 1 + the index of the step.
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

// tryHeads tries whether bytes were lost or added in the buffer's leading fields, which
// determine how everything is read.
func (s *search) tryHeads() {
	f, ok := s.tree.Reading.(Headed)
	if !ok || s.tree.Base.Body == s.tree.Region.Offset || s.steps[0].from.Pos() != s.tree.Base.Body || len(s.steps) > maxHeadSteps {
		return
	}
	for _, c := range f.HeadChanges() {
		c.Offset += s.tree.Region.Offset
		code := span.MissingBytes
		if c.Length > 0 {
			code = span.ExtraBytes
		}
		s.tryHead(change{c.Span, c.New}, code, 0)
	}
}

// tryHead reads the whole buffer again with a change applied.
func (s *search) tryHead(ch change, code string, penalty int) {
	if s.left <= 0 {
		return
	}
	t := s.tree.Reopen(&draft{s.base, ch}, []source.Splice{ch.splice()})
	r := t.Scanner()
	r.NoResync = true
	c := hypothesis{change: ch, code: code, blamed: ch.Span, node: s.tree.Base, size: shiftSize(max(int(ch.Length), len(ch.new))), penalty: penalty, group: headGroup}
	if c.cost = s.finish(r, &tree.Checkpoint{}, t.Region, s.leastWeight-2*int64(c.size)+slack); c.cost < noCost {
		c.oddness, c.values, c.to, c.toEnd = s.oddness, s.support, s.bytes, s.values < trialEvents
		s.keep(c)
	}
}

// leastZeros is the smallest number of zeros at the end of a buffer that show a file that was not written
// to its end.
const leastZeros = 16

// tryZeros tries whether the zeros at the end of a buffer do not belong to it. The value before them may be
// cut off.
func (s *search) tryZeros() {
	last := &s.steps[len(s.steps)-1]
	end := s.tree.Region.End()
	from := end - s.unchanged.ZerosBefore(last.from.Pos(), end)
	if end-from < leastZeros {
		return
	}
	for skip := int64(0); skip < 4 && end-from-skip >= leastZeros; skip++ { // the first zeros may belong to the value before
		c := hypothesis{change: change{span.Between(from+skip, end), nil}, code: span.ExtraBytes, blamed: span.Between(from+skip, end), node: s.tree.Base, size: 1, group: zeroGroup}
		if rest := s.trial.run(s.tree, &last.from, &c.change, noCost); rest < noCost {
			c.cost = last.cost + s.headCost + rest - s.shortage
			if s.shortage > 0 {
				c.size, c.penalty = 2, int(skip)
			}
			c.oddness, c.values, c.to, c.toEnd = last.oddness+s.oddness, last.values+s.support, s.bytes, true
			s.keep(c)
		}
	}
}

// Groups of hypotheses that do not belong to a step.
const (
	headGroup = -1
	zeroGroup = -2
)

// isOfGroup reports whether two hypotheses differ only in the place in a value where bytes are lost or added.
func (h *hypothesis) isOfGroup(c *hypothesis) bool {
	return h.group != 0 && h.group == c.group && h.code == c.code && h.size == c.size && h.cost == c.cost
}

// join merges hypotheses that differ only in the place in a value where bytes are lost or added, and
// hypotheses that lead to the same bytes, and sorts them.
func (s *search) join(p *observation) {
	slices.SortStableFunc(s.found, func(a, b hypothesis) int { return bySurprise(&a, &b) })
	var joined []hypothesis
	for _, c := range s.found {
		i := slices.IndexFunc(joined, func(j hypothesis) bool { return j.isOfGroup(&c) || s.leadToSame(&j, &c) })
		if i < 0 {
			if c.group != 0 {
				c.blamed = c.Span
			}
			c.isOwn = c.isOwn || c.group == 0 && c.blamed == p.Span
			joined = append(joined, c)
			continue
		}
		if j := &joined[i]; j.isOwn && c.group == 0 && !c.isOwn { // it says more than that a value is unusual
			if c.repair, c.loss, c.isOwn = j.repair, j.loss, c.blamed == p.Span; c.isOwn || j.code == span.NulInText {
				*j = c
			}
		} else if j.group != 0 && j.group == c.group && j.penalty == c.penalty {
			j.blamed = span.Between(min(j.blamed.Offset, c.Offset), max(j.blamed.End(), c.End()))
		}
	}
	s.found = joined
}

// leadToSame reports whether two hypotheses lead to the same bytes.
func (s *search) leadToSame(a, b *hypothesis) bool {
	return !a.isCut && !b.isCut && s.changeSame(a, b)
}

// changeSame reports whether two hypotheses make the same change.
func (s *search) changeSame(a, b *hypothesis) bool {
	one, two := a.minimal(s.unchanged), b.minimal(s.unchanged)
	return one.Span == two.Span && slices.Equal(one.new, two.new)
}

// minimal returns the change without the bytes that it does not change. A repair of several splices is
// represented by its change.
func (c *hypothesis) minimal(w *source.Window) change {
	ch := c.change
	if len(c.repair) == 1 && c.repair[0].Added() <= source.MaxView {
		ch = change{c.repair[0].Span, make([]byte, c.repair[0].Added())}
		if len(ch.new) > 0 {
			c.repair[0].New.ReadAt(ch.new, 0)
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
