package detect

import (
	"cmp"
	"context"
	"encoding/binary"
	"slices"

	"varview/decoder/diagnose"
	"varview/decoder/format"
	"varview/decoder/span"
)

// maxRatedSize is the size up to which every reading of a damaged region is diagnosed to
// find the right one.
const maxRatedSize = 64 << 10

// Costs that are added to the smallest change that repairs a reading.
const (
	bigEndianCost = 1 << 10 // of big-endian frames whose first length contradicts them
	readableCost  = 2       // of a region that engines read despite its problems
	ownHeaderCost = 8       // of a header of the game's own
	leastBytes    = 16      // least number of bytes after such a header
)

// rate sorts candidates by the smallest change that repairs them and returns the first.
// Rarer ones need a better rating.
func rate(ctx context.Context, all []*candidate) (*candidate, error) {
	cost := map[*candidate]int64{}
	for _, c := range all {
		rating, err := diagnose.Rate(ctx, c.tree)
		if err != nil {
			return nil, err
		}
		if c.info.Dialect.Unwritten {
			rating.Weight += unwrittenCost
		}
		if c.info.BigEndian && c.looksLittleEndian() {
			rating.Weight += bigEndianCost
		}
		if c.reachesEnd(ctx) {
			rating.Weight = min(rating.Weight, readableCost)
		} else if n := c.ownHeaderLength(ctx); n > 0 {
			rating.Weight, c.isLate = min(rating.Weight, ownHeaderCost+n/4), true
		}
		c.surprise, c.isRated = c.surpriseOf(rating), true
		cost[c] = c.surprise + int64(c.rank)
	}
	slices.SortStableFunc(all, func(a, b *candidate) int { return cmp.Compare(cost[a], cost[b]) })
	return all[0], nil
}

// reachesEnd reports whether engines read the region to its end in this way, despite
// other problems.
func (c *candidate) reachesEnd(ctx context.Context) bool {
	if c.Broken {
		return false
	}
	c.weigh(ctx, c.tree.Source, c.tree.Region, c.tree.Region.End(), noMaximum) // the last weighing may have been given up
	return !c.Broken
}

// ownHeaderLength returns the number of leading bytes without which all others can be read,
// 0 for none. It is always 0 if the family was recognised by a signature.
func (c *candidate) ownHeaderLength(ctx context.Context) int64 {
	if c.claim == format.Signature {
		return 0
	}
	late := *c
	region := c.tree.Region
	for n := int64(1); n <= diagnose.MaxOwnHeader && region.Length-n >= leastBytes; n++ {
		part := span.Between(region.Offset+n, region.End())
		if late.weigh(ctx, c.tree.Source, part, part.End(), 0); late.Cost == 0 {
			return n
		}
	}
	return 0
}

// looksLittleEndian reports whether the first frame length fits the region as a
// little-endian number, or does not fit as a big-endian one.
func (c *candidate) looksLittleEndian() bool {
	var b [4]byte
	n, _ := c.tree.Source.ReadAt(b[:], c.tree.Region.Offset)
	left := c.tree.Region.Length - int64(len(b))
	return n < len(b) || int64(binary.BigEndian.Uint32(b[:])) > left || int64(binary.LittleEndian.Uint32(b[:])) <= left
}
