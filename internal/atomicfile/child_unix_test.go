//go:build unix

package atomicfile

import (
	"os"
	"syscall"
)

// killSelf ends this process at once, as a power failure would.
func killSelf() {
	syscall.Kill(os.Getpid(), syscall.SIGKILL)
	select {} // the signal takes a moment
}

func wasKilled(s *os.ProcessState) bool {
	status, ok := s.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}
