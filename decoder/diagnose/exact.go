package diagnose

import (
	"slices"

	"varview/decoder/span"
)

// explainsAnything reports whether the hypothesis would explain any bytes whatever: that
// the buffer is cut off, or that the rest of it does not belong to it.
func (c *hypothesis) explainsAnything() bool {
	return c.isCut || c.isOwn && c.code == span.TrailingBytes
}

// isExplained reports whether a change of at most size bytes was found that leaves
// nothing unexplained.
func (s *search) isExplained(size int) bool {
	return slices.ContainsFunc(s.found, func(c hypothesis) bool { return c.cost <= s.steps[0].cost && c.penalty <= 1 && c.size <= size })
}

// isExact reports whether a change of at most size bytes was found that leaves nothing
// unexplained, and would not explain anything.
func (s *search) isExact(size int) bool {
	return slices.ContainsFunc(s.found, func(c hypothesis) bool {
		return !c.explainsAnything() && c.cost <= s.steps[0].cost && c.size <= size
	})
}

// doubtCut makes a cut less plausible if exactly one byte is missing: it may be lost from
// any place of the value, not only from its end.
func (s *search) doubtCut(p *observation) {
	i := slices.IndexFunc(s.found, func(c hypothesis) bool { return c.isCut })
	if i < 0 {
		return
	}
	cut := &s.found[i]
	if slices.ContainsFunc(s.found, func(c hypothesis) bool {
		return c.code == span.MissingBytes && c.size == 1 && c.cost <= cut.cost && c.node.Start == p.at.Start && c.Offset < s.tree.Region.End()
	}) {
		cut.penalty += 2
	}
}

const (
	maxAlternatives = 3  // other causes that are reported
	kindMargin      = 12 // how much more surprising than the likeliest cause one of another kind may be
	sameMargin      = 6  // the same for one of a kind that was named
)

// alternatives returns the hypotheses that are reported as other causes than the first: the
// likeliest of each other kind of damage, then others.
func alternatives(all []hypothesis) (others []*hypothesis) {
	kinds := map[string]bool{all[0].kind(): true}
	var same []*hypothesis
	for i := range all[1:] {
		c := &all[i+1]
		switch more := c.surprise() - all[0].surprise(); {
		case !kinds[c.kind()] && more <= kindMargin:
			kinds[c.kind()] = true
			others = append(others, c)
		case more <= sameMargin:
			same = append(same, c)
		}
	}
	others = append(others, same...)
	return others[:min(len(others), maxAlternatives)]
}

// kind returns what happened according to a hypothesis: bytes were lost, or added, or a cut
// or surplus explains anything, or ("") a field was changed.
func (c *hypothesis) kind() string {
	switch {
	case c.explainsAnything():
		return span.Truncated
	case c.code == span.MissingBytes, c.code == span.ExtraBytes:
		return c.code
	}
	return ""
}
