package parallel

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
)

// TestWrite checks that the output of jobs comes in their order, whatever its size.
func TestWrite(t *testing.T) {
	for _, workers := range []int{1, 3} {
		for _, size := range []int{1, 1 << 10, maxAhead + 1} {
			var got, want bytes.Buffer
			err := Write(context.Background(), workers, &got, upTo(6), func(_ context.Context, i int, w io.Writer) error {
				time.Sleep(time.Duration(i%3) * time.Millisecond)
				for piece := range 3 {
					if _, err := io.WriteString(w, strings.Repeat(fmt.Sprint(i, piece, ";"), size/5+1)); err != nil {
						return err
					}
				}
				return nil
			})
			for i := range 6 {
				for piece := range 3 {
					want.WriteString(strings.Repeat(fmt.Sprint(i, piece, ";"), size/5+1))
				}
			}
			if err != nil || !bytes.Equal(got.Bytes(), want.Bytes()) {
				t.Errorf("%d workers, %d bytes: %d bytes written, %d wanted: %v", workers, size, got.Len(), want.Len(), err)
			}
		}
	}
}

// TestWriteAhead checks that a job keeps no more than its limit while an earlier one runs.
func TestWriteAhead(t *testing.T) {
	full := make(chan bool)
	kept := 0
	err := Write(context.Background(), 2, io.Discard, upTo(2), func(_ context.Context, i int, w io.Writer) error {
		if i == 0 {
			<-full
			return nil
		}
		s := w.(*section[int])
		for kept+1<<10 <= maxAhead {
			w.Write(make([]byte, 1<<10))
			kept = len(s.ahead)
		}
		time.AfterFunc(10*time.Millisecond, func() { close(full) })
		_, err := w.Write(make([]byte, 1<<10)) // waits for job 0
		select {
		case <-full:
		default:
			t.Error("written before its turn")
		}
		return err
	})
	if err != nil || kept != maxAhead {
		t.Errorf("%d bytes kept: %v", kept, err)
	}
}

type failing struct{ left int }

var errFull = errors.New("full")

func (f *failing) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errFull
	}
	return len(p), nil
}

// TestWriteErrors checks that an error of the output, of a job or of the context ends all jobs, even those
// that wait for their turn.
func TestWriteErrors(t *testing.T) {
	bad := errors.New("bad")
	for _, workers := range []int{1, 3} {
		for _, c := range []struct {
			name string
			room int
			want error
		}{{"output", 2 * maxAhead, errFull}, {"job", 1 << 30, bad}, {"context", 1 << 30, context.Canceled}} {
			ctx, stop := context.WithCancel(context.Background())
			err := Write(ctx, workers, &failing{c.room}, upTo(1000), func(ctx context.Context, i int, w io.Writer) error {
				if i == 3 && c.name == "job" {
					return bad
				}
				if i == 3 && c.name == "context" {
					stop()
				}
				for range 3 {
					if _, err := w.Write(make([]byte, maxAhead/2)); err != nil {
						return err
					}
				}
				return nil
			})
			if !errors.Is(err, c.want) {
				t.Errorf("%d workers, %s: %v", workers, c.name, err)
			}
			stop()
		}
	}
}
