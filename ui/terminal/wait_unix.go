//go:build unix

package terminal

import (
	"errors"
	"time"

	"golang.org/x/sys/unix"
)

// replies is true: a terminal's replies come in the bytes of its input.
const replies = true

// readable waits at most timeout for fd to have something to read, or its end. It does not wait for a
// descriptor that select does not support (1024 and above). Poll would support it, but not terminals on
// macOS.
func readable(fd uintptr, timeout time.Duration) bool {
	if fd >= unix.FD_SETSIZE {
		return false
	}
	deadline := time.Now().Add(timeout)
	for {
		var set unix.FdSet
		set.Set(int(fd))
		left := unix.NsecToTimeval(int64(max(time.Until(deadline), 0)))
		n, err := unix.Select(int(fd)+1, &set, nil, nil, &left)
		if !errors.Is(err, unix.EINTR) {
			return err == nil && n > 0
		}
	}
}
