package source

import (
	"context"
	"io"
	"os"

	"varview/decoder/engine/background"
)

// Interruptible returns a reader of r that stops waiting for bytes when ctx is done. A read of r that has
// begun continues, and its bytes are lost.
func Interruptible(ctx context.Context, r io.Reader) io.Reader { return interruptible{ctx, r} }

// OpenPipe opens a pipe to be read. It waits for a writer until ctx is done. The error does not
// name the pipe.
func OpenPipe(ctx context.Context, path string) (io.ReadCloser, error) {
	var f *os.File
	var err error
	opening := background.Start(func() { f, err = os.Open(path) })
	select {
	case <-opening.Done():
		opening.Wait()
		if err != nil {
			return nil, Plain(err)
		}
		return struct {
			io.Reader
			io.Closer
		}{Interruptible(ctx, f), f}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

type interruptible struct {
	ctx context.Context
	r   io.Reader
}

// Read implements io.Reader.
func (i interruptible) Read(p []byte) (int, error) {
	b := make([]byte, len(p)) // p belongs to the caller once Read has returned
	var n int
	var err error
	reading := background.Start(func() { n, err = i.r.Read(b) })
	select {
	case <-reading.Done():
		reading.Wait()
		return copy(p, b[:n]), err
	case <-i.ctx.Done():
		return 0, i.ctx.Err()
	}
}
