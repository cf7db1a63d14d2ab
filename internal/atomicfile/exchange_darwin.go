package atomicfile

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// exchange exchanges two files at once.
func exchange(a, b string) error { return unix.RenamexNp(a, b, unix.RENAME_SWAP) }

func isMandatory(*os.File) bool { return false }

// setTime sets when a file was modified.
func setTime(f *os.File, t time.Time) error {
	at := unix.NsecToTimeval(t.UnixNano())
	return unix.Futimes(int(f.Fd()), []unix.Timeval{at, at})
}
