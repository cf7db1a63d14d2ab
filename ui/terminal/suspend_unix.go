//go:build unix

package terminal

import (
	"os"

	"golang.org/x/sys/unix"
)

// CanSuspend reports whether somebody would wake the program if it were suspended. A process group
// without a job-control shell above it is orphaned: the system drops what suspends it
// (POSIX.1-2024, 2.4.3).
func CanSuspend() bool {
	parent := os.Getppid()
	if parent == 0 { // it is outside of the container
		return false
	}
	session, err := unix.Getsid(0)
	if err != nil || session == unix.Getpgrp() { // started in place of a shell, or by one without job control
		return false
	}
	above, err := unix.Getsid(parent)
	return err == nil && above == session
}
