package records

import "varview/decoder/engine/format"

// Copies finds records that are copies of others, because a server has passed them on.
type Copies struct {
	seen map[uint64]*passed
	kept int
}

// A passed counts originals and their copies.
type passed struct {
	originals int
	to        map[string]int // copies by receiver
}

// maxPassed is the number of receivers of records that are kept.
const maxPassed = 64 << 10

// Has reports whether a record is a copy of an earlier one. If the original is missing, the first copy stands for it.
func (c *Copies) Has(is format.Copy) bool {
	if is.Of == 0 {
		return false
	}
	if c.seen == nil || c.kept > maxPassed {
		c.seen, c.kept = map[uint64]*passed{}, 0
	}
	p := c.seen[is.Of]
	if p == nil {
		p = &passed{to: map[string]int{}}
		c.seen[is.Of] = p
	}
	c.kept++
	if is.IsFirst {
		p.originals++
		return false
	}
	p.to[is.To]++
	if p.to[is.To] <= p.originals {
		return true
	}
	p.originals = p.to[is.To]
	return false
}
