package source

import (
	"context"
	"io"
)

// Interruptible returns a reader of r that stops waiting for bytes when ctx is done. A
// read of r that has begun continues, and its bytes are lost.
func Interruptible(ctx context.Context, r io.Reader) io.Reader { return interruptible{ctx, r} }

type interruptible struct {
	ctx context.Context
	r   io.Reader
}

// Read implements io.Reader.
func (i interruptible) Read(p []byte) (int, error) {
	type result struct {
		data []byte
		err  error
	}
	done := make(chan result, 1)
	go func() {
		b := make([]byte, len(p)) // p belongs to the caller once Read has returned
		n, err := i.r.Read(b)
		done <- result{b[:n], err}
	}()
	select {
	case r := <-done:
		return copy(p, r.data), r.err
	case <-i.ctx.Done():
		return 0, i.ctx.Err()
	}
}
