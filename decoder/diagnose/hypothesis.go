package diagnose

import (
	"bytes"
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
	zeros   int   // its zeroSurprise
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
	surprise := surprisePerWeight*(c.cost+int64(c.size)) + int64(c.implausibility()+moreOddness*c.oddness+c.zeros)
	switch {
	case c.isOwn && c.code == span.TrailingBytes:
		surprise += anythingSurprise
	case c.code == span.WrongType, c.code == span.UnknownType:
		surprise++ // any byte can be taken for a wrong type
	}
	return surprise
}

const (
	surprisePerWeight = 2
	moreOddness       = 2
	anythingSurprise  = 2 // of bytes that belong to nothing: that explains whatever is left over
)

// The most common byte is zero: damage rarely adds one, or leaves one in a field of one byte.
const (
	zeroAdded      = 1 // for each among the bytes that are said to be added
	mostZerosAdded = 3
	zeroLeft       = 3
)

// zeroSurprise returns what zeros add to the surprise of a change of the bytes old.
func (c *hypothesis) zeroSurprise(old []byte) int {
	switch {
	case c.code == span.ExtraBytes:
		return min(zeroAdded*bytes.Count(old, []byte{0}), mostZerosAdded)
	case len(old) == 1 && len(c.new) == 1 && old[0] == 0:
		return zeroLeft
	}
	return 0
}

// manyValues is the number of values beyond which more make no difference.
const manyValues = 64

func bySurprise(a, b *hypothesis) int {
	return cmp.Or(cmp.Compare(a.surprise(), b.surprise()), cmp.Compare(a.weight(), b.weight()))
}

// shiftSize is the size of losing or adding n bytes in one place. Blocks of 1, 2, 4 and 8
// bytes are lost and added more often than others.
func shiftSize(n int) int {
	if n <= maxLoss && bits.OnesCount(uint(n)) == 1 {
		return min(bits.Len(uint(n)), maxBlockSize)
	}
	return n
}

// maxBlockSize is the size of losing or adding a block of 4 or 8 bytes: words of both sizes
// are lost as often.
const maxBlockSize = 3

const (
	penaltyPerByte  = 4 // penalty that counts as one more byte changed
	maxPenaltyBytes = 6 // most bytes that a penalty counts as
)

// hypothesisOf returns the hypothesis that a suspect is the cause. It copies the new
// bytes.
func hypothesisOf(u *Suspect, n *tree.Node) hypothesis {
	return hypothesis{change: change{u.Span, slices.Clone(u.New)}, code: u.Code, blamed: u.Span, node: n, was: u.Was, is: u.Is, size: 1 + min(u.Penalty/penaltyPerByte, maxPenaltyBytes), penalty: u.Penalty}
}
