package openfile

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/windows"
)

// Replaceable is false because some programs replace files in a way that fails while somebody has them open, even if whoever
// that is has agreed (MoveFileEx, up to some version of Windows).
const Replaceable = false

// alsoRegular is the type that the os package gives to files of OneDrive and the like, whose content may have to be fetched.
const alsoRegular = fs.ModeIrregular

func open(path string, flag int, perm fs.FileMode) (*os.File, error) {
	h, err := Handle(path, access(flag), disposition(flag), attributes(perm))
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	f := os.NewFile(uintptr(h), path)
	if flag&os.O_TRUNC != 0 {
		if err := f.Truncate(0); err != nil {
			f.Close()
			return nil, err
		}
	}
	return f, nil
}

func access(flag int) uint32 {
	switch {
	case flag&os.O_APPEND != 0:
		return windows.GENERIC_READ | windows.FILE_APPEND_DATA | windows.SYNCHRONIZE
	case flag&os.O_RDWR != 0:
		return windows.GENERIC_READ | windows.GENERIC_WRITE
	case flag&os.O_WRONLY != 0:
		return windows.GENERIC_WRITE
	}
	return windows.GENERIC_READ
}

func disposition(flag int) uint32 {
	switch {
	case flag&os.O_CREATE == 0:
		return windows.OPEN_EXISTING
	case flag&os.O_EXCL != 0:
		return windows.CREATE_NEW
	}
	return windows.OPEN_ALWAYS
}

func attributes(perm fs.FileMode) uint32 {
	if perm != 0 && perm&0o200 == 0 {
		return windows.FILE_ATTRIBUTE_READONLY
	}
	return windows.FILE_ATTRIBUTE_NORMAL
}

// Handle opens a file with the access, the disposition and the attributes of CreateFile.
func Handle(path string, access, disposition, attributes uint32) (windows.Handle, error) {
	name, err := windows.UTF16PtrFromString(Long(path))
	if err != nil {
		return 0, err
	}
	const everything = windows.FILE_SHARE_READ | windows.FILE_SHARE_WRITE | windows.FILE_SHARE_DELETE
	return windows.CreateFile(name, access, everything, nil, disposition, attributes, 0)
}

// maxShort is the length of a path up to which every version of Windows takes it as it is.
const maxShort = 247

// Long returns a path as functions of the system take it that limit others to 260 characters.
func Long(path string) string {
	full, err := filepath.Abs(path)
	switch {
	case err != nil, len(full) <= maxShort, strings.HasPrefix(full, `\\?\`), strings.HasPrefix(full, `\\.\`):
		return path
	case strings.HasPrefix(full, `\\`):
		return `\\?\UNC\` + full[2:]
	}
	return `\\?\` + full
}
