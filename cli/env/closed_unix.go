//go:build unix

package env

import (
	"os"

	"golang.org/x/sys/unix"
)

// isClosed reports whether standard input was closed by whoever started the program. Go then opens the
// null device in its place, for reading and writing, which no shell redirection does.
func isClosed(stdin *os.File) bool {
	null, err := os.Stat(os.DevNull)
	if err != nil {
		return false
	}
	info, err := stdin.Stat()
	if err != nil || !os.SameFile(info, null) {
		return false
	}
	flags, err := unix.FcntlInt(stdin.Fd(), unix.F_GETFL, 0)
	return err == nil && flags&unix.O_ACCMODE == unix.O_RDWR
}
