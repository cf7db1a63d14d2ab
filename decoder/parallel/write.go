package parallel

import (
	"context"
	"io"
)

// maxAhead is the number of bytes that a job of Write may write before the jobs before it
// have ended; it then waits for them.
const maxAhead = 2 << 20

// Write calls do for each job that next returns, as Ordered does, with a writer for what the
// job writes. All of it goes to out in the order of the jobs, and is kept in memory only
// until it is the job's turn: at most 2 MiB of each. The first error, of out, of do or of
// ctx, ends the work.
func Write[J any](ctx context.Context, workers int, out io.Writer, next func() (J, bool), do func(context.Context, J, io.Writer) error) error {
	return WriteResults(ctx, workers, out, next, func(ctx context.Context, job J, out io.Writer) (struct{}, error) {
		return struct{}{}, do(ctx, job, out)
	}, func(struct{}) error { return nil })
}

// WriteResults is Write for jobs that have results, for which it calls emit as Ordered does.
func WriteResults[J, T any](ctx context.Context, workers int, out io.Writer, next func() (J, bool), do func(context.Context, J, io.Writer) (T, error), emit func(T) error) error {
	type result struct {
		of  T
		err error
	}
	var waiting []*section[J] // jobs whose results were not emitted; it is the turn of the first
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
	run := func(ctx context.Context, s *section[J]) (r result) {
		s.ctx = ctx
		r.of, r.err = do(ctx, s.job, s)
		return r
	}
	return Ordered(ctx, workers, begin, run, func(r result) error {
		s := waiting[0]
		err := r.err
		if err == nil {
			err = s.flush()
		}
		if err == nil {
			err = emit(r.of)
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
	turn  chan struct{} // closed when the sections before are in out
	ahead []byte        // what was written before that
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

// flush writes what was kept, once it is the section's turn.
func (s *section[J]) flush() error {
	if len(s.ahead) == 0 {
		return nil
	}
	_, err := s.out.Write(s.ahead)
	s.ahead = s.ahead[:0]
	return err
}
