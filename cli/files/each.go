package files

import (
	"context"
	"errors"
	"io"
	"iter"
	"sync/atomic"
	"syscall"

	"varview/cli/env"
)

// A Batch is work on several files. If one fails, the others go on.
type Batch struct {
	*env.Env
	failed atomic.Int64
}

// Finder finds files for the batch. What it cannot look into counts as failed.
func (b *Batch) Finder() *Finder {
	fail := func(format string, args ...any) {
		b.failed.Add(1)
		b.Tell(format, args...)
	}
	return &Finder{Fail: fail, Tell: b.Tell}
}

// Failed returns how many files have failed so far.
func (b *Batch) Failed() int64 { return b.failed.Load() }

// Each is Run for a batch. The error of a file is told, and that at the end is env.ErrReported if
// any has failed.
func Each[F any](ctx context.Context, b *Batch, out io.Writer, files iter.Seq[F], do func(context.Context, *env.Env, F, io.Writer) error) error {
	err := Run(ctx, b.Env, out, files, func(ctx context.Context, one *env.Env, f F, out io.Writer) error {
		err := do(ctx, one, f, out)
		if err == nil || ctx.Err() != nil || errors.Is(err, syscall.EPIPE) {
			return err
		}
		b.failed.Add(1)
		one.Tell("%v", err)
		return nil
	})
	if err == nil && b.failed.Load() > 0 {
		return env.ErrReported
	}
	return err
}
