package problems

import (
	"math/rand/v2"
	"testing"

	"varview/decoder/engine/span"
)

// Problems are kept in order whatever the order in which they are met, and
// counted where there are too many to keep.
func TestManyProblems(t *testing.T) {
	var x List
	r := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		x.Add(span.Problem{Span: span.Span{Offset: r.Int64N(1000), Length: 1}, Severity: span.Severity(r.IntN(3))})
	}
	for i := range x.list[1:] {
		if x.list[i].Offset > x.list[i+1].Offset {
			t.Fatal("not in order")
		}
	}
	for i := range int64(maxProblems) {
		x.Add(span.Problem{Span: span.Span{Offset: 2000 + i, Length: 1}, Severity: span.Warning})
	}
	if len(x.list) != maxProblems || !x.IsFull() || x.Count(span.Note) != maxProblems+2000 {
		t.Errorf("%d kept, %d counted", len(x.list), x.Count(span.Note))
	}
}

// The worst problem is found wherever it stands among many others.
func TestWorst(t *testing.T) {
	var x List
	for i := range int64(3000) {
		x.Add(span.Problem{Span: span.Span{Offset: i / 2, Length: 1}})
	}
	x.Add(span.Problem{Span: span.Span{Offset: 1400, Length: 1}, Severity: span.Error})
	x.Add(span.Problem{Span: span.Span{Offset: 1200, Length: 1}, Severity: span.Warning})
	x.Add(span.Problem{Span: span.Span{Offset: 1300, Length: 1}, Severity: span.Warning})
	for _, test := range []struct {
		from, to, at int64
		want         span.Severity
		ok           bool
	}{
		{0, 1500, 1400, span.Error, true}, {0, 1401, 1400, span.Error, true}, {0, 1400, 1200, span.Warning, true},
		{1201, 1400, 1300, span.Warning, true}, {1401, 1500, 1401, span.Note, true}, {1500, 1600, 0, span.Note, false},
	} {
		if p, ok := x.WorstIn(test.from, test.to); ok != test.ok || p.Severity != test.want || p.Offset != test.at {
			t.Errorf("worst in %d–%d: %v at %d %v, want %v at %d", test.from, test.to, p.Severity, p.Offset, ok, test.want, test.at)
		}
	}
}
