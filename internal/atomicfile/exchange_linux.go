package atomicfile

import (
	"os"
	"slices"

	"golang.org/x/sys/unix"
)

// exchange exchanges two files atomically.
func exchange(a, b string) error {
	return unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE)
}

// mandatory lists the file systems on which only the program that has locked a file can read it.
var mandatory = []int64{unix.CIFS_SUPER_MAGIC, unix.SMB2_SUPER_MAGIC, unix.SMB_SUPER_MAGIC}

// isMandatory reports whether a lock on the file would keep others from reading it.
func isMandatory(f *os.File) bool {
	var s unix.Statfs_t
	return unix.Fstatfs(int(f.Fd()), &s) == nil && slices.Contains(mandatory, int64(uint32(s.Type)))
}
