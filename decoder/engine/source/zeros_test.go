package source

import (
	"bytes"
	"testing"
)

// TestZeroedRun finds the first run that is long enough, wherever it begins.
func TestZeroedRun(t *testing.T) {
	for before := range 2 * LeastZeroed {
		for _, n := range []int{0, 1, LeastZeroed - 1, LeastZeroed, LeastZeroed + 1, 3 * LeastZeroed} {
			b := append(bytes.Repeat([]byte{0, 7}, before), make([]byte, n)...)
			for _, b := range [][]byte{b, append(b, 7, 0, 7), append(append(b, 7), make([]byte, LeastZeroed)...)} {
				wantAt, want := bytes.Index(b, make([]byte, LeastZeroed)), 0
				if wantAt >= 0 {
					want = len(b) - wantAt - len(bytes.TrimLeft(b[wantAt:], "\x00"))
				}
				if at, n := ZeroedRun(b); n != want || n > 0 && at != wantAt {
					t.Fatalf("%x: %d at %d, not %d at %d", b, n, at, want, wantAt)
				}
			}
		}
	}
}
