package diagnose

import (
	"cmp"
	"math/bits"
	"slices"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// A hypothesis is a change that would explain a problem.
type hypothesis struct {
	change
	code    string
	blamed  span.Span  // the field that it blames
	node    *tree.Node // the value that owns the field
	was     string
	is      string
	cost    int64 // what it leaves unexplained
	size    int   // number of fields or bytes that it changes
	penalty int   // how implausible the change is by itself
	oddness int   // how unlikely the values are that are read with it
	values  int   // number of these values that the trial reading passed
	to      int64 // where the trial reading ended, in the changed bytes
	toEnd   bool  // to is the end of the buffer
	group   int   // for lost and extra bytes: 1 + index of their step, or a group below; otherwise 0

	isOwn  bool            // it blames the field that the problem itself names
	isCut  bool            // bytes are missing at the end
	repair []source.Splice // the whole repair, if that is more than the change
	loss   string
}

// weight is what a hypothesis leaves unexplained, and the size of the change.
func (c *hypothesis) weight() int64 { return c.cost + 2*int64(c.size) }

// implausibility is how unlikely a change and the values are that are read with it; many
// values count for it.
func (c *hypothesis) implausibility() int { return c.penalty + c.oddness - min(c.values, manyValues)/2 }

// surprise orders hypotheses. Unlikely values count more than in the rating of a dialect,
// because all hypotheses read the same ones before the damage.
func (c *hypothesis) surprise() int64 {
	return surprisePerWeight*c.weight() + int64(c.implausibility()) + moreOddness*int64(c.oddness)
}

const (
	surprisePerWeight = 2
	moreOddness       = 2
)

// manyValues is the number of values beyond which more make no difference.
const manyValues = 64

func bySurprise(a, b *hypothesis) int {
	return cmp.Or(cmp.Compare(a.surprise(), b.surprise()), cmp.Compare(a.weight(), b.weight()))
}

// shiftSize is the size of losing or adding n bytes in one place. Blocks of 1, 2, 4 and 8
// bytes are lost and added more often than others.
func shiftSize(n int) int {
	if n <= maxLoss && bits.OnesCount(uint(n)) == 1 {
		return bits.Len(uint(n))
	}
	return n
}

const (
	penaltyPerByte  = 4 // penalty that counts as one more byte changed
	maxPenaltyBytes = 6 // most bytes that a penalty counts as
)

// hypothesisOf returns the hypothesis that a suspect is the cause. It copies the new
// bytes.
func hypothesisOf(u *Suspect, n *tree.Node) hypothesis {
	return hypothesis{change: change{u.Span, slices.Clone(u.New)}, code: u.Code, blamed: u.Span, node: n, was: u.Was, is: u.Is, size: 1 + min(u.Penalty/penaltyPerByte, maxPenaltyBytes), penalty: u.Penalty}
}
