package diagnose

import (
	"bytes"
	"context"
	"slices"

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
func (s *search) resizeFrame(f Suspecter, c *hypothesis, by int64) (ok bool) {
	n := frameAround(c.node)
	if n == nil || by == 0 {
		return true
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
	if s.resizeFrame(f, &c, grown) {
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
		if s.resizeFrame(f, &c, padding.Added()-padding.Length-h.grows()) && s.tryRepair(st, c) {
			s.leastWeight = min(s.leastWeight, c.weight())
		}
	}
	slices.SortStableFunc(s.found, func(a, b hypothesis) int { return bySurprise(&a, &b) })
}
