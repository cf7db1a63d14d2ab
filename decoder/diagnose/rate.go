package diagnose

import (
	"context"

	"varview/decoder/score"
	"varview/decoder/source"
	"varview/decoder/tree"
)

// ratedEvents is how many values the trial readings may pass that rate one way to
// read a buffer.
const ratedEvents = 30_000

// Rate scores a way to read a buffer. The error is that of ctx.
func Rate(ctx context.Context, t *tree.Tree) (rating score.Rating, err error) {
	r := &run{ctx: ctx, tree: t, content: source.Whole(t.Source), report: func(Finding) bool { return true },
		told: map[place]bool{}, failed: map[place]bool{}, most: 1, rating: &rating}
	if _, err := r.pass(); err != nil && ctx.Err() != nil {
		return rating, err
	}
	if rating == (score.Rating{}) {
		rating = score.Rating{Weight: r.cost, Odd: (&candidate{odd: r.odd, values: r.n}).implausible()}
	}
	return rating, nil
}

// rate is what the best candidate leaves, or else what speaks against no change.
func (s *search) rate(all []candidate) score.Rating {
	if s.isLocal {
		return score.Rating{Weight: min(s.base, score.Warning), Odd: (&candidate{odd: s.odds, values: s.values}).implausible()}
	}
	if len(all) == 0 {
		return score.Rating{Weight: s.base, Odd: (&candidate{odd: s.odds, values: s.values}).implausible()}
	}
	return score.Rating{Weight: all[0].weight(), Odd: all[0].implausible()}
}
