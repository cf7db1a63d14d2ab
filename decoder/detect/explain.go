package detect

import (
	"context"
	"slices"

	"varview/decoder/diagnose"
	"varview/decoder/format"
	"varview/decoder/source"
	"varview/decoder/span"
)

// soundEvidence is the surprise below which the values before the first problem are no
// chance: that of four ordinary ones.
const soundEvidence = -4 * evidence

// mostSurprise is the surprise up to which a reading that explains too little may yet be that of
// damaged values, unless the bytes have the form of something else: three changed bytes.
const mostSurprise = 24

// leastJudged is the number of bytes from which a region may be too unlike values to be any: in
// fewer, damage leaves little.
const leastJudged = 20

// explains reports whether a candidate explains the region better than chance would: it
// reads to the end, or does after a small change, or has read enough before the first problem.
func (c *candidate) explains(ctx context.Context) bool {
	return c.Cost == 0 || !c.Broken || c.isLate || c.claim != format.Plausible || c.isRated && c.surprise < 0 || c.sound(ctx) < soundEvidence
}

// mayBeDamaged reports whether a candidate that does not explain the region may be right all the
// same, as damage left little of the values.
func (c *candidate) mayBeDamaged() bool {
	return c.tree.Region.Length < leastJudged || c.isRated && c.surprise < mostSurprise
}

// sound returns the surprise of the values before the first problem.
func (c *candidate) sound(ctx context.Context) int64 {
	return c.surpriseOf(diagnose.RateSound(ctx, c.tree))
}

// preferExplaining puts the candidate first that has read most before the first problem or, in
// a region that is too large for rate, explains it best after one field is changed. It reports
// whether any explains the region at all.
func preferExplaining(ctx context.Context, all []*candidate) (found bool, err error) {
	best, least := 0, int64(soundEvidence)
	for i, c := range all {
		if c.info.Dialect.Unwritten || c.info.BigEndian {
			continue
		}
		surprise := c.sound(ctx)
		if !c.isRated {
			rating, ok, err := diagnose.RateField(ctx, c.tree, true)
			if err != nil {
				return false, err
			}
			if ok {
				surprise = min(surprise, c.surpriseOf(rating))
			}
		}
		if surprise < least {
			found, best, least = true, i, surprise
		}
	}
	if found {
		all[best].isRated, all[best].surprise = true, least
		all[0], all[best] = all[best], all[0]
	}
	return found, nil
}

// explainsAsDouble reports whether a reading as what a double-precision build writes, which has to
// be asked for, explains the beginning of the region better than chance would.
func (t Table) explainsAsDouble(ctx context.Context, src source.Source, region span.Span, r *format.Request) bool {
	double := *r
	double.Double = true
	upTo := min(region.End(), region.Offset+Prefix)
	return slices.ContainsFunc(t.withClaim(format.Plausible, src, region, &double), func(c *candidate) bool {
		c.weigh(ctx, src, region, upTo, 0)
		return !c.info.Dialect.Unwritten && !c.info.BigEndian && (c.Cost == 0 || c.sound(ctx) < soundEvidence)
	})
}
