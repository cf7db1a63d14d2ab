package diagnose

import (
	"slices"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// frameAround returns the innermost frame around a value, nil for none.
func frameAround(n *tree.Node) *tree.Node {
	for n = n.Parent; n != nil && n.Parent != nil; n = n.Parent {
		if n.Fenced {
			return n
		}
	}
	return nil
}

// resizeFrame makes the repair of a hypothesis also lengthen the frame around it by the
// given number of bytes. ok is false if the frame cannot be that long.
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

// tryTextAndFrame tries another length of a text together with the length of the frame
// around it: somebody replaced a text by a longer one and updated neither length.
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

// tryRepair tries a hypothesis with its whole repair applied, not only its change.
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
