package score

import (
	"testing"

	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
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
		{problem(span.Error, span.UnknownType, 0, 2), Error},
		{problem(span.Warning, span.BoolValue, 0, 4), Warning},
		{problem(span.Warning, span.TrailingBytes, 8, 12), Error},
		{problem(span.Note, span.WideNumber, 0, 8), 0},
		{problem(span.Warning, span.MissingSchema, 0, 8), 0}, // no schemas were given
		{problem(span.Error, span.MissingSchema, 0, 8), Error},
		{problem(span.Error, span.ReadFailed, 0, 8), 0},
		{problem(span.Warning, span.EngineReadBack, 0, 8), 0},
	} {
		if got := Of(c.p); got != c.want {
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
		want     Tally
	}{
		{"two shortages at the end", []*span.Problem{problem(span.Error, span.Truncated, 90, 100), problem(span.Error, span.LengthOverrun, 80, 84)}, end,
			Tally{End: end, Cost: Error, Shortage: Error, Cut: true, Broken: true}},
		{"two shortages in a frame", []*span.Problem{problem(span.Error, span.Truncated, 20, 24), problem(span.Error, span.Truncated, 16, 20)}, 24,
			Tally{End: end, Cost: 2 * Error, Broken: true}},
		{"an odd value", []*span.Problem{problem(span.Warning, span.BoolValue, 4, 8)}, end, Tally{End: end, Cost: Warning}},
		{"few bytes left over in a frame", []*span.Problem{problem(span.Warning, span.TrailingBytes, 20, 36)}, 36, Tally{End: end, Cost: Error}},
		{"many bytes left over in a frame", []*span.Problem{problem(span.Warning, span.TrailingBytes, 20, 37)}, 37, Tally{End: end, Cost: Error, Broken: true}},
		{"bytes left over at the end", []*span.Problem{problem(span.Warning, span.TrailingBytes, 98, 100)}, end, Tally{End: end, Cost: Error, Broken: true}},
	} {
		got := Tally{End: end}
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
		{"huge", tree.Value{Tail: 20, End: 10 * MaxGap, Limit: 10 * MaxGap}, tree.Leave, 0, 10 * MaxGap, MaxGap, 0},
	} {
		got := Tally{End: 100, FreeCut: c.free}
		if got.AddGap(&c.v, c.ev, c.upTo); got.Cost != c.cost || got.Shortage != c.shortage {
			t.Errorf("%s: %d, of these %d at the end; want %d and %d", c.name, got.Cost, got.Shortage, c.cost, c.shortage)
		}
	}
}

// TestTotal: unusual values weigh against a reading, ordinary ones for it up to a limit.
func TestTotal(t *testing.T) {
	for _, c := range []struct {
		r    Rating
		want int64
	}{{Rating{}, 0}, {Rating{Weight: 3}, 12}, {Rating{Weight: 3, Oddness: 5}, 17}, {Rating{Oddness: -1000}, -32}} {
		if got := c.r.Total(); got != c.want {
			t.Errorf("%+v: %d, want %d", c.r, got, c.want)
		}
	}
}
