package parallel

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"varview/decoder/engine/background"
)

// upTo returns a next for the jobs 0 to n-1.
func upTo(n int) func() (int, bool) {
	i := -1
	return func() (int, bool) { i++; return i, i < n }
}

// TestOrder checks that results come in the order of the jobs, whichever ends first.
func TestOrder(t *testing.T) {
	for _, workers := range []int{0, 1, 2, 3, 8} {
		for _, n := range []int{0, 1, 2, 100} {
			var got, want []int
			err := Ordered(context.Background(), workers, upTo(n), func(_ context.Context, i int) int {
				time.Sleep(time.Duration(i%3) * 100 * time.Microsecond)
				return i * i
			}, func(x int) error { got = append(got, x); return nil })
			for i := range n {
				want = append(want, i*i)
			}
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%d workers, %d jobs: %v, %v", workers, n, got, err)
			}
		}
	}
}

// TestBeside checks that jobs run in parallel, and that no more are begun than may wait.
func TestBeside(t *testing.T) {
	const workers = 3
	begun, emitted, most := 0, 0, 0
	next := upTo(50)
	met := make(chan bool)
	err := Ordered(context.Background(), workers, func() (int, bool) {
		i, more := next()
		if more {
			begun++
			most = max(most, begun-emitted)
		}
		return i, more
	}, func(_ context.Context, i int) bool {
		if i%2 == 0 { // it ends only while the next runs
			return <-met
		}
		met <- true
		return true
	}, func(bool) error { emitted++; return nil })
	if err != nil || emitted != 50 || most != 2*workers {
		t.Errorf("%d emitted, %d begun and waiting: %v", emitted, most, err)
	}
}

// TestOneWorker checks that one worker is the caller, and finishes a job before the next.
func TestOneWorker(t *testing.T) {
	var order []string // without a lock: the race detector tells
	next := upTo(2)
	err := Ordered(context.Background(), 1,
		func() (int, bool) { order = append(order, "next"); return next() },
		func(context.Context, int) int { order = append(order, "do"); return 0 },
		func(int) error { order = append(order, "emit"); return nil })
	if want := []string{"next", "do", "emit", "next", "do", "emit", "next"}; err != nil || !slices.Equal(order, want) {
		t.Error(order, err)
	}
}

// TestStop checks that an error of emit, or the end of the context, ends all jobs at once.
func TestStop(t *testing.T) {
	full := errors.New("full")
	for _, workers := range []int{1, 4} {
		for _, cancel := range []bool{false, true} {
			ctx, stop := context.WithCancel(context.Background())
			var running atomic.Int32
			emitted := 0
			err := Ordered(ctx, workers, upTo(1000), func(ctx context.Context, i int) int {
				running.Add(1)
				defer running.Add(-1)
				if i > 0 && workers > 1 {
					<-ctx.Done()
				}
				return i
			}, func(int) error {
				if emitted++; cancel {
					stop()
					return nil
				}
				return full
			})
			want := full
			if cancel {
				want = context.Canceled
			}
			if !errors.Is(err, want) || emitted != 1 || running.Load() != 0 {
				t.Errorf("%d workers: %v, %d emitted, %d still run", workers, err, emitted, running.Load())
			}
			stop()
		}
	}
}

// TestPanic checks that a panic of a job surfaces in Ordered after all other jobs have ended, even if its
// result is no longer waited for.
func TestPanic(t *testing.T) {
	for _, bad := range []int{0, 2} {
		var running atomic.Int32
		func() {
			defer func() {
				if p, _ := recover().(*background.Panic); p == nil || p.Value != "bad" || running.Load() != 0 {
					t.Errorf("job %d: %v, %d still run", bad, p, running.Load())
				}
			}()
			Ordered(context.Background(), 2, upTo(4), func(ctx context.Context, i int) int {
				running.Add(1)
				defer running.Add(-1)
				if i == bad {
					panic("bad")
				}
				if i > 0 {
					<-ctx.Done()
				}
				return i
			}, func(int) error { return errors.New("full") })
		}()
	}
}

// TestReserve checks that Reserve adds a processor, but no worker.
func TestReserve(t *testing.T) {
	workers, processors := Workers(), runtime.GOMAXPROCS(0)
	release := Reserve()
	if Workers() != workers || runtime.GOMAXPROCS(0) != processors+1 {
		t.Errorf("reserved: %d workers of %d, before %d of %d", Workers(), runtime.GOMAXPROCS(0), workers, processors)
	}
	release()
	if Workers() != workers || runtime.GOMAXPROCS(0) != processors {
		t.Errorf("released: %d workers of %d, before %d of %d", Workers(), runtime.GOMAXPROCS(0), workers, processors)
	}
}
