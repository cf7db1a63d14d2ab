package diagnose

import (
	"context"

	"varview/decoder/score"
	"varview/decoder/source"
	"varview/decoder/tree"
)

// ratingEvents is the most values that all trial readings of one rating may pass.
const ratingEvents = 30_000

// Rate scores one way to read a buffer: by what remains unexplained after the smallest
// change that repairs its first problem. The error is that of ctx.
func Rate(ctx context.Context, t *tree.Tree) (rating score.Rating, err error) {
	r := &run{ctx: ctx, tree: t, content: source.Whole(t.Source), base: source.Cached(t.Source, cachedBytes), report: func(Diagnosis) bool { return true },
		reported: map[place]bool{}, fruitless: map[place]bool{}, causesLeft: 1, rating: &rating}
	if _, err := r.pass(); err != nil && ctx.Err() != nil {
		return rating, err
	}
	if rating == (score.Rating{}) {
		rating = score.Rating{Weight: r.cost, Oddness: (&hypothesis{oddness: r.oddness, values: r.events}).implausibility()}
	}
	return rating, nil
}

// rate scores the best hypothesis, or the reading without a change where there is none.
func (s *search) rate(all []hypothesis) score.Rating {
	if s.isLocal {
		return score.Rating{Weight: min(s.baseCost, score.Warning), Oddness: (&hypothesis{oddness: s.baseOddness, values: s.baseValues}).implausibility()}
	}
	if len(all) == 0 {
		return score.Rating{Weight: s.baseCost, Oddness: (&hypothesis{oddness: s.baseOddness, values: s.baseValues}).implausibility()}
	}
	return score.Rating{Weight: all[0].weight(), Oddness: all[0].implausibility()}
}
