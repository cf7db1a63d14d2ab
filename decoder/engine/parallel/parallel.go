// Package parallel works on the parts of something in parallel, and hands out the results in the order of
// the parts.
package parallel

import (
	"context"
	"io"
	"runtime"
	"sync"
	"sync/atomic"

	"varview/decoder/engine/background"
)

// Workers returns the number of jobs that can run at the same time.
func Workers() int { return runtime.GOMAXPROCS(0) - int(reserved.Load()) }

var reserved atomic.Int32

// Reserve lets Go run one more goroutine at the same time for the user interface; Workers does not count
// it. Without it, a goroutine that becomes ready while all workers are busy waits up to 10 ms until Go ends
// the turn of one; a ready thread gets a processor from the system at once. release undoes that.
func Reserve() (release func()) {
	runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + 1)
	reserved.Add(1) // after that, so that there is always a worker
	return func() {
		reserved.Add(-1)
		runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) - 1)
	}
}

// SpareWorkers returns one less than Workers, at least 1, which leaves a core to the user interface.
func SpareWorkers() int { return max(1, Workers()-1) }

// A task is a job that runs, or has run.
type task[T any] struct {
	*background.Task
	result T
}

// Ordered calls do for each job that next returns until next returns false, and emit with the results in
// the order of the jobs. It returns the first error of emit, or that of ctx.
//
// With more than one worker, do runs in its own goroutines; at most twice as many jobs as workers are begun
// whose results are not emitted yet. next and emit are called in the caller's goroutine, so they may share
// without a lock what do needs, such as memory that emit gives back. With one worker do runs there as well.
//
// The context of do ends when no more results are wanted. All calls of do have returned when Ordered
// returns. If one of them panicked, Ordered panics with the same value.
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

// oneByOne is Ordered in the caller's goroutine.
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

// Spares are things that jobs reuse one after the other. Unlike those in a sync.Pool they stay; there are
// never more than jobs at the same time.
type Spares[T any] struct {
	New  func() T
	mu   sync.Mutex
	free []T
}

// Get returns one that no job uses.
func (s *Spares[T]) Get() T {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.free)
	if n == 0 {
		return s.New()
	}
	one := s.free[n-1]
	s.free = s.free[:n-1]
	return one
}

// Put gives a thing back.
func (s *Spares[T]) Put(one T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free = append(s.free, one)
}

// maxAhead is the number of bytes that a job of Write may write before the jobs before it have ended; then
// it waits for them.
const maxAhead = 2 << 20

// Write calls do for each job that next returns, as Ordered does, with a writer for the job's output. The
// outputs go to out in the order of the jobs; until its turn comes, a job keeps at most 2 MiB in memory.
// The first error of out, do or ctx ends the work.
func Write[J any](ctx context.Context, workers int, out io.Writer, next func() (J, bool), do func(context.Context, J, io.Writer) error) error {
	var waiting []*section[J] // jobs whose output is not complete; the first has its turn
	spares := Spares[[]byte]{New: func() []byte { return nil }}
	begin := func() (*section[J], bool) {
		job, more := next()
		if !more {
			return nil, false
		}
		s := &section[J]{job: job, out: out, turn: make(chan struct{}), ahead: spares.Get()}
		if waiting = append(waiting, s); len(waiting) == 1 {
			close(s.turn)
		}
		return s, true
	}
	run := func(ctx context.Context, s *section[J]) error {
		s.ctx = ctx
		return do(ctx, s.job, s)
	}
	return Ordered(ctx, workers, begin, run, func(err error) error {
		s := waiting[0]
		if err == nil {
			err = s.flush()
		}
		if err != nil {
			return err
		}
		spares.Put(s.ahead)
		waiting = waiting[1:]
		if len(waiting) > 0 {
			close(waiting[0].turn)
		}
		return nil
	})
}

// A section is what one job writes.
type section[J any] struct {
	job   J
	ctx   context.Context
	out   io.Writer
	turn  chan struct{} // closed when all earlier sections are in out
	ahead []byte        // output before that
}

// Write implements io.Writer.
func (s *section[J]) Write(p []byte) (int, error) {
	if len(s.ahead)+len(p) <= maxAhead {
		select {
		case <-s.turn:
		default:
			s.ahead = append(s.ahead, p...)
			return len(p), nil
		}
	} else {
		select {
		case <-s.turn:
		case <-s.ctx.Done():
			return 0, s.ctx.Err()
		}
	}
	if err := s.flush(); err != nil {
		return 0, err
	}
	return s.out.Write(p)
}

// flush writes the kept bytes, once it is the section's turn.
func (s *section[J]) flush() error {
	if len(s.ahead) == 0 {
		return nil
	}
	_, err := s.out.Write(s.ahead)
	s.ahead = s.ahead[:0]
	return err
}
