// Package order puts in order what is sent with sequence numbers: the segments of TCP, the reliable commands of ENet. What lacks
// something before it waits, up to a limit.
package order

import (
	"slices"
	"time"

	"varview/decoder/network/pool"
)

// An Item is something with sequence numbers.
type Item[T any] interface {
	// Len returns how many numbers it has.
	Len() uint32

	// Size returns the number of its bytes.
	Size() int

	// Clone returns a copy that does not change.
	Clone() T
}

// Limits say when missing items are given up: the number and the bytes of those that wait for them.
type Limits struct{ Items, Bytes int }

const (
	maxWait  = 20 * time.Second // for which items wait
	overhead = 200              // bytes of memory that one takes besides its own
)

// A Line takes items in any order.
type Line[T Item[T]] struct {
	Next  uint32 // sequence number of what comes next
	Begun bool   // that is known; otherwise it is that of the first item

	pool    *pool.Pool
	limits  Limits
	pass    func(x T, old uint32)
	gap     func(n uint32, x T)
	waiting []waiting[T] // in order
	bytes   int          // of them
	item    pool.Item
}

type waiting[T Item[T]] struct {
	seq, end uint32
	when     time.Time
	item     T
}

// New returns a line. pass takes each item in order, of which the first old numbers have passed before; gap takes the number of
// those that are missing before an item, and are given up.
func New[T Item[T]](p *pool.Pool, limits Limits, pass func(x T, old uint32), gap func(n uint32, x T)) *Line[T] {
	return &Line[T]{pool: p, limits: limits, pass: pass, gap: gap}
}

// HasPassed reports whether a number has passed.
func (l *Line[T]) HasPassed(seq uint32) bool { return l.Begun && int32(seq-l.Next) < 0 }

// Waits reports whether an item that begins with a number waits.
func (l *Line[T]) Waits(seq uint32) bool {
	return slices.ContainsFunc(l.waiting, func(w waiting[T]) bool { return w.seq == seq })
}

// Add adds an item that begins with a number.
func (l *Line[T]) Add(seq uint32, x T, when time.Time) {
	if !l.Begun {
		l.Begun, l.Next = true, seq
	}
	w := waiting[T]{seq, seq + x.Len(), when, x}
	if int32(seq-l.Next) > 0 {
		l.wait(w)
		return
	}
	l.hand(w)
	l.flush()
}

// hand passes an item that begins at or before Next, unless all of it has passed.
func (l *Line[T]) hand(w waiting[T]) {
	if old := l.Next - w.seq; int32(w.end-l.Next) > 0 {
		l.Next = w.end
		l.pass(w.item, old)
	}
}

// wait keeps an item until what is before it is there, unless all of it already waits.
func (l *Line[T]) wait(w waiting[T]) {
	i := len(l.waiting)
	for i > 0 && int32(l.waiting[i-1].seq-w.seq) > 0 {
		i--
	}
	if slices.ContainsFunc(l.waiting[:i], func(x waiting[T]) bool { return int32(x.end-w.end) >= 0 }) {
		return
	}
	w.item = w.item.Clone()
	l.waiting = slices.Insert(l.waiting, i, w)
	l.bytes += w.item.Size()
	l.pool.Grow(&l.item, int64(w.item.Size()+overhead), l.Close)
	if len(l.waiting) > l.limits.Items || l.bytes > l.limits.Bytes {
		l.giveUp()
	}
}

// Tick gives up what has been missing for too long.
func (l *Line[T]) Tick(now time.Time) {
	if len(l.waiting) > 0 && now.Sub(l.waiting[0].when) > maxWait {
		l.giveUp()
	}
}

// flush passes the items that no longer wait for others.
func (l *Line[T]) flush() {
	n := 0
	for ; n < len(l.waiting) && int32(l.waiting[n].seq-l.Next) <= 0; n++ {
		l.bytes -= l.waiting[n].item.Size()
		l.hand(l.waiting[n])
	}
	if l.waiting = slices.Delete(l.waiting, 0, n); len(l.waiting) == 0 {
		l.item.Free()
	}
}

// giveUp skips what is missing before the first item that waits, of which there must be one.
func (l *Line[T]) giveUp() {
	first := l.waiting[0]
	l.gap(first.seq-l.Next, first.item)
	l.Next = first.seq
	l.flush()
}

// Close gives up all that is missing.
func (l *Line[T]) Close() {
	for len(l.waiting) > 0 {
		l.giveUp()
	}
}
