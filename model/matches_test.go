package model

import (
	"context"
	"testing"

	"varview/decoder/span"
	"varview/model/search"
)

// allMatches returns all hits of a query. It holds that one worker finds the same as several.
func allMatches(t *testing.T, b *Buffer, q search.Query) (hits []search.Hit) {
	t.Helper()
	var alone []search.Hit
	must(t, b.Matches(context.Background(), q, 3, new(Progress), func(h search.Hit) bool { hits = append(hits, h); return true }))
	must(t, b.Matches(context.Background(), q, 1, new(Progress), func(h search.Hit) bool { alone = append(alone, h); return true }))
	if len(alone) != len(hits) {
		t.Errorf("%s: %d hits, one worker finds %d", q, len(hits), len(alone))
	}
	return hits
}

func spansOf(hits []search.Hit) (spans []span.Span) {
	for _, h := range hits {
		spans = append(spans, h.Span)
	}
	return spans
}

func offsetsOf(hits []search.Hit) (offsets []int64) {
	for _, h := range hits {
		offsets = append(offsets, h.Offset)
	}
	return offsets
}
