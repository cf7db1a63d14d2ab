package diagnose

import (
	"context"
	"math"

	"varview/decoder/score"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// ratingEvents is the number of values that all trial readings of one rating may pass.
const ratingEvents = 30_000

// Rate scores one way to read a buffer by what remains unexplained after the smallest
// change that repairs its first problem. The error is that of ctx.
func Rate(ctx context.Context, t *tree.Tree) (rating score.Rating, err error) {
	return newRating(ctx, t).rate()
}

const (
	fieldEvents = 600 // values that all trial readings of one RateField may pass, unless it is thorough
	fieldWeight = 4   // greatest weight of its change
)

// RateField scores one way to read a buffer by a cut at its end or one wrong field. ok is
// false if these do not explain its problems, or if finding that out takes more readings
// than are worth it unless thorough is set. The error is that of ctx.
func RateField(ctx context.Context, t *tree.Tree, thorough bool) (rating score.Rating, ok bool, err error) {
	r := newRating(ctx, t)
	r.fieldsOnly = true
	if !thorough {
		r.ratingEvents = fieldEvents
	}
	rating, err = r.rate()
	return rating, rating.Weight <= fieldWeight, err
}

// newRating returns a run that ends with the first cause, and gives only its rating.
func newRating(ctx context.Context, t *tree.Tree) *run {
	r := newRun(ctx, t, func(Diagnosis) bool { return true })
	r.rating, r.ratingEvents, r.causesLeft = &score.Rating{}, ratingEvents, 1
	return r
}

func (r *run) rate() (score.Rating, error) {
	if _, err := r.pass(); err != nil && r.ctx.Err() != nil {
		return *r.rating, err
	}
	if *r.rating == (score.Rating{}) {
		w := r.walk(0, eventID{pos: math.MaxInt64})
		*r.rating = (&hypothesis{oddness: w.oddness, values: w.values}).rating(r.cost)
	}
	return *r.rating, nil
}

// RateClean scores one way to read a buffer without a problem, by its first values.
func RateClean(ctx context.Context, t *tree.Tree) score.Rating {
	seen, s := hypothesis{}, t.Scanner()
	suspecter, _ := t.Reading.(Suspecter)
	s.Run(ctx, func(ev tree.Event) bool {
		if ev == tree.Leave {
			return true
		}
		if seen.values++; suspecter != nil {
			seen.oddness += oddness(suspecter, s, ev)
		}
		return seen.values < manyValues
	})
	return seen.rating(0)
}

// RateSound scores one way to read a buffer by the first values before the first problem that
// contradicts it. Zeros do not count: they are read as values by chance.
func RateSound(ctx context.Context, t *tree.Tree) score.Rating {
	seen, s := hypothesis{}, t.Scanner()
	suspecter, _ := t.Reading.(Suspecter)
	sound := true
	s.NoResync = true
	s.Report = func(p span.Problem) { sound = sound && score.Of(&p) == 0 }
	s.Run(ctx, func(ev tree.Event) bool {
		if !sound || s.Value().Damage != nil {
			return false
		}
		if ev != tree.Leave && !isZero(s) {
			if seen.values++; suspecter != nil {
				seen.oddness += oddness(suspecter, s, ev)
			}
		}
		return seen.values < manyValues
	})
	return seen.rating(0)
}

// isZero reports whether a value, apart from its children, is only zeros.
func isZero(s *tree.Scanner) bool {
	v := s.Value()
	end := max(v.Tail, v.Body)
	return s.Window().ZerosBefore(v.Head, end) == end-v.Head
}

// rate scores the best hypothesis or, if there is none, the reading without a change.
func (s *search) rate(all []hypothesis) score.Rating {
	unchanged := hypothesis{oddness: s.baseOddness, values: s.baseValues}
	switch {
	case s.isLocal:
		return unchanged.rating(min(s.baseCost, score.Warning))
	case len(all) == 0:
		return unchanged.rating(s.baseCost)
	}
	return all[0].rating(all[0].weight())
}

func (c *hypothesis) rating(weight int64) score.Rating {
	return score.Rating{Weight: weight, Oddness: c.implausibility(), Values: min(c.values, manyValues)}
}
