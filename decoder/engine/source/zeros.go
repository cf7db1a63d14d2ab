package source

import "bytes"

// LeastZeroed is the length of the shortest run of zeros that is taken for a block that was never written, or that the
// disk lost.
const LeastZeroed = 64

// ZeroedRun returns the first run of at least LeastZeroed zeros in b; n is 0 if there is none.
func ZeroedRun(b []byte) (at, n int) {
	at = bytes.Index(b, make([]byte, LeastZeroed))
	if at < 0 {
		return 0, 0
	}
	return at, len(b) - at - len(bytes.TrimLeft(b[at:], "\x00"))
}
