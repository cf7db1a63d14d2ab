//go:build linux || darwin

package atomicfile

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// setTime sets when a file was modified.
func setTime(f *os.File, t time.Time) error {
	at := unix.NsecToTimeval(t.UnixNano())
	return unix.Futimes(int(f.Fd()), []unix.Timeval{at, at})
}
