// Package parallel does work on the parts of something beside each other, and hands out the
// results in the order of the parts.
package parallel

import (
	"context"
	"runtime"
	"sync/atomic"

	"varview/decoder/background"
)

// Workers returns the number of jobs that can run at the same time.
func Workers() int { return runtime.GOMAXPROCS(0) - int(reserved.Load()) }

var reserved atomic.Int32

// Reserve lets Go run one goroutine more at the same time, for whoever looks and types: Workers does not count it. A
// goroutine that becomes ready while all are at work waits up to 10 ms until Go ends the turn of one; a thread that
// becomes ready gets a processor from the system at once. release ends that.
func Reserve() (release func()) {
	runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + 1)
	reserved.Add(1) // after that, so that there is always a worker
	return func() {
		reserved.Add(-1)
		runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) - 1)
	}
}

// SpareWorkers is Workers without one, which is left to whoever looks and types.
func SpareWorkers() int { return max(1, Workers()-1) }

// A task is a job that runs, or has run.
type task[T any] struct {
	*background.Task
	result T
}

// Ordered calls do for each job that next returns until that returns false, and emit with
// the results, in the order of the jobs. It returns the first error of emit, or that of ctx.
//
// With more than one worker, do runs in goroutines of its own; the jobs that were begun and
// whose results were not emitted are at most twice the workers. next and emit are called in
// the goroutine of the caller, so they may share what do needs without a lock, as memory that
// emit gives back. With one worker do runs there as well.
//
// The context of do ends when no result is wanted any more. All calls of do have returned
// when Ordered returns, or panics with what one of them has panicked with.
func Ordered[J, T any](ctx context.Context, workers int, next func() (J, bool), do func(context.Context, J) T, emit func(T) error) error {
	if workers <= 1 {
		return oneByOne(ctx, next, do, emit)
	}
	inner, stop := context.WithCancel(ctx)
	var running []*task[T]
	defer func() {
		stop()
		for _, t := range running {
			<-t.Done()
		}
		for _, t := range running {
			t.Wait() // for a panic
		}
	}()
	for more := true; ; {
		for more && len(running) < 2*workers && ctx.Err() == nil {
			var job J
			if job, more = next(); more {
				t := &task[T]{}
				t.Task = background.Start(func() { t.result = do(inner, job) })
				running = append(running, t)
			}
		}
		if len(running) == 0 || ctx.Err() != nil {
			return ctx.Err()
		}
		first := running[0]
		first.Wait()
		running = running[1:]
		if err := emit(first.result); err != nil {
			return err
		}
	}
}

// oneByOne is Ordered in the goroutine of the caller.
func oneByOne[J, T any](ctx context.Context, next func() (J, bool), do func(context.Context, J) T, emit func(T) error) error {
	for ctx.Err() == nil {
		job, more := next()
		if !more {
			return nil
		}
		if err := emit(do(ctx, job)); err != nil {
			return err
		}
	}
	return ctx.Err()
}
