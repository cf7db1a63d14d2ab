// Package work bounds what is done for one request on a file. A Budget is like a deadline counted in work
// instead of time, so that the answer is the same on every machine: it grows with the bytes that are there,
// whatever they claim.
package work

import (
	"context"
	"math"
	"sync/atomic"
)

// The unit of work is a value that is passed.
const (
	least        = 2_000_000 // budget of an empty file
	perByte      = 1
	bytesPerUnit = 16 // bytes per unit where a buffer is read from start to end
	leastReading = 5_000
)

// UsedUp tells a user that a budget is used up.
const UsedUp = "the work budget for a file of this size is used up"

// A Budget is the work that is left for a request. Goroutines may share it. A nil Budget has no end.
type Budget struct{ left atomic.Int64 }

// New returns the budget of a request on a file of size bytes.
func New(size int64) *Budget {
	b := &Budget{}
	b.left.Store(least + perByte*min(size, math.MaxInt64/4))
	return b
}

// Left returns the work that is left; 0 or less if the budget is used up.
func (b *Budget) Left() int64 {
	if b == nil {
		return math.MaxInt64
	}
	return b.left.Load()
}

// Spend takes the work of passing a number of values.
func (b *Budget) Spend(values int64) {
	if b != nil {
		b.left.Add(-values)
	}
}

// SpendReading takes the work of reading a buffer of size bytes from start to end.
func (b *Budget) SpendReading(size int64) { b.Spend(max(leastReading, size/bytesPerUnit)) }

// IsSpent reports whether no work is left.
func (b *Budget) IsSpent() bool { return b.Left() <= 0 }

type key struct{}

// With returns a context with a budget, shared by everything done in it.
func With(ctx context.Context, b *Budget) context.Context {
	return context.WithValue(ctx, key{}, b)
}

// From returns the budget of a context, or a new one for a file of size bytes if it has none.
func From(ctx context.Context, size int64) *Budget {
	if b, ok := ctx.Value(key{}).(*Budget); ok {
		return b
	}
	return New(size)
}
