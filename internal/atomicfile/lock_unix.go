//go:build unix

package atomicfile

import (
	"errors"
	"os"
	"syscall"
)

// openLock opens the file at path to be locked. On network file systems that requires opening it for
// writing.
func openLock(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|syscall.O_NONBLOCK, 0)
	if err != nil {
		f, err = os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	}
	if err == nil && isMandatory(f) {
		f.Close()
		return nil, errors.ErrUnsupported
	}
	return f, err
}

// openNext opens the file that is to replace a locked one.
func openNext(path string) (*os.File, error) { return openLock(path) }

// leadsTo reports whether path still leads to the locked file, which another program may have replaced
// meanwhile.
func leadsTo(path string, f *os.File) bool {
	locked, err := f.Stat()
	is, err2 := os.Lstat(path)
	return err == nil && err2 == nil && os.SameFile(locked, is)
}

// isGone reports whether an open file has no name any more.
func isGone(f *os.File) bool {
	info, err := f.Stat()
	if err != nil {
		return false
	}
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && s.Nlink == 0
}
