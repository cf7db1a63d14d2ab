package diagnose

import (
	"slices"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// fence is the frame around a value, nil for none.
func fence(n *tree.Node) *tree.Node {
	for n = n.Parent; n != nil && n.Parent != nil; n = n.Parent {
		if n.Fenced {
			return n
		}
	}
	return nil
}

// reframe is the candidate that a frame, if there is one, has to grow as well. ok is
// false where it cannot.
func (s *search) reframe(f Suspecter, c *candidate, by int64) (ok bool) {
	n := fence(c.node)
	if n == nil || by == 0 {
		return true
	}
	frame, ok := f.Resize(s.look, &n.Parent.Value, &n.Value, n.End+by)
	if ok {
		length := change{frame.Span, frame.New}
		c.mends = append([]source.Splice{length.splice()}, c.mends...)
		c.is += " (its frame: " + frame.Is + ")"
	}
	return ok
}

// withFrame tries another length of a text together with the length of the frame
// around it, which has to grow as the text does: as where a longer text was put in the
// place of another, and no length set.
func (s *search) withFrame(f Suspecter, st *step, u *Suspect) {
	if fence(st.node) == nil || st.node.Damage != nil {
		return
	}
	c := field(u, st.node)
	c.new = slices.Clone(u.New)
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
	c.mends = []source.Splice{c.splice()}
	if s.reframe(f, &c, grown) {
		s.tryMended(st, c)
	}
}

// tryMended tries a candidate by what it mends.
func (s *search) tryMended(st *step, c candidate) bool {
	s.under, s.grown = source.Whole(s.tree.Source).Splice(c.mends), 0
	for _, m := range c.mends {
		s.grown += m.Added() - m.Length
	}
	whole := c.change
	c.change = change{}
	tried := s.try(st, &st.from, c)
	if s.under, s.grown = nil, 0; tried {
		s.found[len(s.found)-1].change = whole
	}
	return tried
}

// retexts adds to each of the likeliest slips in a text that it can be put right in
// another way: what was put in, or taken out, by hand stays so, and length and padding
// follow.
func (s *search) retexts() {
	f, ok := s.tree.Reading.(Suspecter)
	texts, isTexter := f.(Texter)
	if !ok || !isTexter {
		return
	}
	for _, slip := range slices.Clone(s.found[:min(len(s.found), maxAlso)]) {
		if slip.group <= 0 || slip.code != span.ExtraBytes && slip.code != span.MissingBytes || slip.cost > s.steps[0].cost {
			continue
		}
		st := &s.steps[slip.group-1]
		if st.node.Parent == nil { // behind all values
			continue
		}
		u, padding, ok := texts.Relength(s.look, &st.node.Parent.Value, &st.node.Value, -slip.grows())
		if !ok {
			continue
		}
		c := field(&u, st.node)
		c.size, c.doubts = slip.size, slip.doubts+1
		c.mends = []source.Splice{source.Put(u.Offset, u.Length, u.New), padding}
		if s.reframe(f, &c, padding.Added()-padding.Length-slip.grows()) && s.tryMended(st, c) {
			s.least = min(s.least, c.weight())
		}
	}
	slices.SortStableFunc(s.found, func(a, b candidate) int { return byWeight(&a, &b) })
}
