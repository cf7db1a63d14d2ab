package filelock

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// beyond is the offset of the locked byte: Windows lets nobody else read or write a locked byte, so it is
// one that no file has.
const beyond = 1 << 30

func try(f *os.File) (bool, error) {
	at := &windows.Overlapped{OffsetHigh: beyond}
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, at)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	return err == nil, err
}
