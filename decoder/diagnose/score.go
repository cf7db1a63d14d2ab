package diagnose

import (
	"context"

	"varview/decoder/source"
	"varview/decoder/tree"
)

// A Score says how little speaks against reading bytes in one way, if what is wrong
// first is put right by the smallest change. Less is better.
type Score struct {
	Weight int64 // what stays unexplained, and how much has to change
	Odd    int   // how unlikely the values are
}

// Values that no game stores speak against a reading also where it leaves nothing
// unexplained; that they are many and ordinary speaks for it.
const (
	oddsOfWeight = 4  // how much odder values may be that count like one of the weight
	mostOrdinary = 32 // how much ordinary values can make up for
)

// Total is what speaks against the reading.
func (s Score) Total() int64 { return oddsOfWeight*s.Weight + int64(max(-mostOrdinary, s.Odd)) }

// ratedEvents is how many values the trial readings may pass that rate one way to
// read a buffer.
const ratedEvents = 30_000

// Rate scores a way to read a buffer. The error is that of ctx.
func Rate(ctx context.Context, t *tree.Tree) (score Score, err error) {
	r := &run{ctx: ctx, tree: t, content: source.Whole(t.Source), report: func(Finding) bool { return true },
		told: map[place]bool{}, failed: map[place]bool{}, most: 1, scored: &score}
	if _, err := r.pass(); err != nil && ctx.Err() != nil {
		return score, err
	}
	if score == (Score{}) {
		score = Score{Weight: r.cost, Odd: (&candidate{odd: r.odd, values: r.n}).implausible()}
	}
	return score, nil
}

// score is what the best candidate leaves, or else what speaks against no change.
func (s *search) score(all []candidate) Score {
	if s.isLocal {
		return Score{Weight: min(s.base, warningCost), Odd: (&candidate{odd: s.odds, values: s.values}).implausible()}
	}
	if len(all) == 0 {
		return Score{Weight: s.base, Odd: (&candidate{odd: s.odds, values: s.values}).implausible()}
	}
	return Score{Weight: all[0].weight(), Odd: all[0].implausible()}
}
