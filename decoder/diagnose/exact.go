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
	maxAlternatives = 3 // other causes that are reported
	fieldMargin     = 6 // how much less plausible they may be

	ownMargin = 2 // the same for another field, if the likeliest cause is the problem itself

	exactMargin = 8 // how much heavier they may be than a cause that explains anything
)

// isAlternative reports whether another cause is as good as the best, or an exact one if
// the best would explain any bytes.
func isAlternative(best, other *hypothesis) bool {
	margin := plausibilityMargin(best, other)
	if best.explainsAnything() && !other.isOwn && other.cost <= best.cost {
		if margin = fieldMargin; other.group > 0 && (other.code == span.ExtraBytes || other.node.Start == best.node.Start) {
			return other.weight() <= best.weight()+exactMargin
		}
	}
	return other.weight() == best.weight() && other.implausibility() <= best.implausibility()+margin
}

// plausibilityMargin returns how much less plausible than the best a cause may be and still
// be reported as an alternative.
func plausibilityMargin(best, other *hypothesis) int {
	if best.isOwn && other.group == 0 {
		return ownMargin
	}
	return fieldMargin
}
