package decoder_test

import (
	"testing"

	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/score"
)

func problem(severity span.Severity, code string, from, to int64) *span.Problem {
	return &span.Problem{Span: span.Between(from, to), Severity: severity, Code: code}
}

// TestOf: what a single problem costs.
func TestOf(t *testing.T) {
	for _, c := range []struct {
		p    *span.Problem
		want int64
	}{
		{problem(span.Error, span.UnknownType, 0, 2), score.Error},
		{problem(span.Warning, span.BoolValue, 0, 4), score.Warning},
		{problem(span.Warning, span.TrailingBytes, 8, 12), score.Error},
		{problem(span.Note, span.WideNumber, 0, 8), 0},
		{problem(span.Warning, span.MissingSchema, 0, 8), 0}, // no schemas were given
		{problem(span.Error, span.MissingSchema, 0, 8), score.Error},
		{problem(span.Error, span.ReadFailed, 0, 8), 0},
		{problem(span.Warning, span.EngineReadBack, 0, 8), 0},
	} {
		if got := score.Of(c.p); got != c.want {
			t.Errorf("%v %s: %d, want %d", c.p.Severity, c.p.Code, got, c.want)
		}
	}
}

// TestTally: missing bytes at the end cost once, gaps up to a limit, and only problems that move what
// follows break a reading.
func TestTally(t *testing.T) {
	const end = 100
	for _, c := range []struct {
		name     string
		problems []*span.Problem
		limit    int64
		want     score.Tally
	}{
		{"two shortages at the end", []*span.Problem{problem(span.Error, span.Truncated, 90, 100), problem(span.Error, span.LengthOverrun, 80, 84)}, end,
			score.Tally{End: end, Cost: score.Error, Shortage: score.Error, Cut: true, Broken: true}},
		{"two shortages in a frame", []*span.Problem{problem(span.Error, span.Truncated, 20, 24), problem(span.Error, span.Truncated, 16, 20)}, 24,
			score.Tally{End: end, Cost: 2 * score.Error, Broken: true}},
		{"an odd value", []*span.Problem{problem(span.Warning, span.BoolValue, 4, 8)}, end, score.Tally{End: end, Cost: score.Warning}},
		{"few bytes left over in a frame", []*span.Problem{problem(span.Warning, span.TrailingBytes, 20, 36)}, 36, score.Tally{End: end, Cost: score.Error}},
		{"many bytes left over in a frame", []*span.Problem{problem(span.Warning, span.TrailingBytes, 20, 37)}, 37, score.Tally{End: end, Cost: score.Error, Broken: true}},
		{"bytes left over at the end", []*span.Problem{problem(span.Warning, span.TrailingBytes, 98, 100)}, end, score.Tally{End: end, Cost: score.Error, Broken: true}},
	} {
		got := score.Tally{End: end}
		for _, p := range c.problems {
			got.Add(p, c.limit)
		}
		if got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// TestGap: what the bytes that a value leaves unread cost.
func TestGap(t *testing.T) {
	cut := problem(span.Error, span.Truncated, 10, 100)
	for _, c := range []struct {
		name           string
		v              tree.Value
		ev             tree.Event
		free, upTo     int64
		cost, shortage int64
	}{
		{"none", tree.Value{Tail: 50, End: 50, Limit: 50}, tree.Atom, 0, 100, 0, 0},
		{"in a frame", tree.Value{Tail: 20, End: 50, Limit: 50}, tree.Leave, 0, 100, 30, 0},
		{"seen in part", tree.Value{Tail: 20, End: 50, Limit: 50}, tree.Leave, 0, 25, 5, 0},
		{"of an open value", tree.Value{Tail: 20, End: 50, Limit: 50}, tree.Enter, 0, 100, 0, 0},
		{"of a cut value", tree.Value{Tail: 20, End: 100, Limit: 100, Damage: cut}, tree.Atom, 0, 100, 80, 80},
		{"of a cut value, some free", tree.Value{Tail: 20, End: 100, Limit: 100, Damage: cut}, tree.Atom, 64, 100, 16, 16},
		{"huge", tree.Value{Tail: 20, End: 10 * score.MaxGap, Limit: 10 * score.MaxGap}, tree.Leave, 0, 10 * score.MaxGap, score.MaxGap, 0},
	} {
		got := score.Tally{End: 100, FreeCut: c.free}
		if got.AddGap(&c.v, c.ev, c.upTo); got.Cost != c.cost || got.Shortage != c.shortage {
			t.Errorf("%s: %d, of these %d at the end; want %d and %d", c.name, got.Cost, got.Shortage, c.cost, c.shortage)
		}
	}
}

// TestTotal: unusual values weigh against a reading, ordinary ones for it up to a limit.
func TestTotal(t *testing.T) {
	for _, c := range []struct {
		r    score.Rating
		want int64
	}{{score.Rating{}, 0}, {score.Rating{Weight: 3}, 12}, {score.Rating{Weight: 3, Oddness: 5}, 17}, {score.Rating{Oddness: -1000}, -32}} {
		if got := c.r.Total(); got != c.want {
			t.Errorf("%+v: %d, want %d", c.r, got, c.want)
		}
	}
}
