package engine_test

import (
	"context"
	"math"
	"testing"

	"varview/decoder/engine/work"
)

// TestBudget: a budget grows with the file, is shared by everything done in a context, and ends.
func TestBudget(t *testing.T) {
	small, large := work.New(0), work.New(1<<30)
	if small.Left() <= 0 || large.Left() < small.Left()+1<<30 || work.New(math.MaxInt64).Left() <= large.Left() {
		t.Errorf("%d, %d and %d", small.Left(), large.Left(), work.New(math.MaxInt64).Left())
	}
	ctx := work.With(context.Background(), small)
	if work.From(ctx, 1<<30) != small || work.From(context.Background(), 0) == small {
		t.Error("the budget of the context is not the one that is used")
	}
	for readings := 0; !small.IsSpent(); readings++ {
		if small.SpendReading(0); readings > 1000 {
			t.Fatal("readings of nothing cost nothing")
		}
	}
	small.Spend(1)
	if small.Left() >= 0 || (*work.Budget)(nil).IsSpent() {
		t.Error("spent work is left")
	}
}

// TestReadings: a budget suffices to read a file from start to end several times, whatever its size.
func TestReadings(t *testing.T) {
	for _, size := range []int64{1 << 10, 300_000, 1 << 30, 1 << 40} {
		b, n := work.New(size), 0
		for ; !b.IsSpent(); n++ {
			b.SpendReading(size)
		}
		if n < 16 || n > 500 {
			t.Errorf("%d readings of %d bytes", n, size)
		}
	}
}
