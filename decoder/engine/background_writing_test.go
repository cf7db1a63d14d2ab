package engine_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"testing"

	"varview/decoder/engine/background"
)

// manyBytes are as many as pay a goroutine.
const manyBytes = 8 << 10

// All pieces are written in their order, also when the buffer that they come from is used again at once.
func TestWriting(t *testing.T) {
	var got, want bytes.Buffer
	err := background.Writing(&got, func(out io.Writer) error {
		var b []byte
		for i := range 100 {
			b = append(b[:0], bytes.Repeat(fmt.Append(nil, i, ";"), 1+i%3*manyBytes)...)
			want.Write(b)
			if n, err := out.Write(b); n != len(b) || err != nil {
				return fmt.Errorf("%d of %d bytes: %w", n, len(b), err)
			}
		}
		return nil
	})
	if err != nil || got.String() != want.String() {
		t.Errorf("%v; %d bytes, %d expected", err, got.Len(), want.Len())
	}
}

// An error of the last piece is returned too, and after an error nothing more is written.
func TestWritingFails(t *testing.T) {
	for n := range 3 {
		out := &failing{after: n}
		piece := make([]byte, manyBytes)
		pieces := 0
		err := background.Writing(out, func(out io.Writer) error {
			for range 3 {
				if _, err := out.Write(piece); err != nil {
					return err
				}
				pieces++
			}
			return nil
		})
		if !errors.Is(err, errFull) || out.calls != n+1 || pieces != min(n+1, 3) {
			t.Errorf("fails after %d: %v, %d calls, %d pieces", n, err, out.calls, pieces)
		}
	}
}

var errFull = errors.New("full")

type failing struct{ after, calls int }

func (f *failing) Write(b []byte) (int, error) {
	f.calls++
	if f.calls > f.after {
		return 0, errFull
	}
	return len(b), nil
}
