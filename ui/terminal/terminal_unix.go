//go:build unix

package terminal

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// CanSuspend reports whether somebody would resume the program if it were suspended. A process group
// without a job-control shell above it is orphaned: the system ignores attempts to suspend it
// (POSIX.1-2024, 2.4.3).
func CanSuspend() bool {
	parent := os.Getppid()
	if parent == 0 { // it is outside of the container
		return false
	}
	if isIgnored(unix.SIGTSTP) { // whoever started the program wanted that
		return false
	}
	session, err := unix.Getsid(0)
	if err != nil || session == unix.Getpgrp() { // started instead of a shell, or by one without job control
		return false
	}
	above, err := unix.Getsid(parent)
	return err == nil && above == session
}

// isIgnored reports whether a signal is ignored, as far as the system says so: signal.Ignored does not
// know that for signals with the system's default action.
func isIgnored(signal unix.Signal) bool {
	status, _ := os.ReadFile("/proc/self/status")
	_, ignored, _ := strings.Cut(string(status), "\nSigIgn:")
	ignored, _, _ = strings.Cut(ignored, "\n")
	set, err := strconv.ParseUint(strings.TrimSpace(ignored), 16, 64)
	return err == nil && set>>(signal-1)&1 != 0
}

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
