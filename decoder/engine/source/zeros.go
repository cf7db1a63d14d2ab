package source

import "bytes"

// LeastZeroed is the length of the shortest run of zeros that is taken for a block that was never written, or that the
// disk lost.
const LeastZeroed = 64

// ZeroedRun returns the first run of at least LeastZeroed zeros in b; n is 0 if there is none. One of so many bytes is in any such run.
func ZeroedRun(b []byte) (at, n int) {
	for i := LeastZeroed - 1; i < len(b); i += LeastZeroed {
		if b[i] != 0 {
			continue
		}
		at = len(bytes.TrimRight(b[:i], "\x00"))
		if n = len(b) - at - len(bytes.TrimLeft(b[at:], "\x00")); n >= LeastZeroed {
			return at, n
		}
	}
	return 0, 0
}
