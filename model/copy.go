package model

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"varview/decoder/background"
	"varview/decoder/source"
	"varview/decoder/span"
)

// copyBytes writes all of src.
func copyBytes(ctx context.Context, f *os.File, src source.Source, p *Progress) error {
	w := flusher{file: f}
	err := background.Writing(&w, func(out io.Writer) error {
		return copyTo(ctx, out, src, span.Between(0, src.Size()), p.Set)
	})
	if ctx.Err() != nil {
		return err // the file is removed; nobody needs it on the disk
	}
	return errors.Join(err, w.wait())
}

// flushEvery is the number of bytes of a large file that are sent to the disk at a time.
const flushEvery = 64 << 20

// A flusher sends what is written to the disk while more is written, so that there
// is little left to wait for at the end.
type flusher struct {
	file  *os.File
	fresh int64            // bytes written since the last flush began
	flush *background.Task // nil before the first
	err   error            // of the last flush, once that has ended
}

func (w *flusher) Write(b []byte) (int, error) {
	n, err := w.file.Write(b)
	if w.fresh += int64(n); err != nil || w.fresh < flushEvery {
		return n, err
	}
	if w.flush != nil {
		select {
		case <-w.flush.Done():
			if err := w.wait(); err != nil {
				return n, err
			}
		default:
			return n, nil
		}
	}
	w.fresh = 0
	w.flush = background.Start(func() { w.err = w.file.Sync() })
	return n, nil
}

// wait waits for the running flush and returns its error, which the system reports only
// once.
func (w *flusher) wait() error {
	if w.flush != nil {
		w.flush.Wait()
	}
	return w.err
}

// copyChunk is the number of bytes copied at a time. Writing a MiB at once, from a
// multiple of a MiB on, takes several times as long on Linux.
const copyChunk = 128 << 10

// copyTo copies a part of src.
func copyTo(ctx context.Context, w io.Writer, src source.Source, part span.Span, progress func(done, all int64)) error {
	buf := make([]byte, min(copyChunk, part.Length))
	for at := part.Offset; at < part.End(); {
		if err := ctx.Err(); err != nil {
			return err
		}
		b := buf[:min(int64(len(buf)), part.End()-at)]
		if n, err := src.ReadAt(b, at); n < len(b) {
			if err == nil || err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return fmt.Errorf("reading the original at %#x: %w", at+int64(n), err)
		}
		if _, err := w.Write(b); err != nil {
			return err
		}
		at += int64(len(b))
		if progress != nil {
			progress(at-part.Offset, part.Length)
		}
	}
	return nil
}
