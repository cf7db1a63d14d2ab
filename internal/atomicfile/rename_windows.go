package atomicfile

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"

	"varview/decoder/engine/openfile"
)

// rename gives a file another name, replacing a file that has it, also while others have that file open and let it be
// replaced.
func rename(from, to string) error {
	if info, err := os.Lstat(to); err == nil && info.IsDir() {
		return windows.ERROR_FILE_EXISTS
	}
	return patiently(func() error {
		if renameOpen(from, to) == nil {
			return nil
		}
		err := os.Rename(from, to)
		if isHeld(err) {
			err = moveAside(from, to)
		}
		return err
	})
}

// checkFree returns an error if another program has a file open and does not let it be renamed.
func checkFree(path string) error {
	return patiently(func() error {
		h, err := openfile.Handle(path, windows.DELETE, windows.OPEN_EXISTING, windows.FILE_FLAG_OPEN_REPARSE_POINT)
		if err != nil {
			return err
		}
		return windows.CloseHandle(h)
	})
}

// renameOpen replaces a file at once, as on Unix: who has it open keeps the old one. File systems other than NTFS and
// versions of Windows before 10 cannot do it.
func renameOpen(from, to string) error {
	h, err := openfile.Handle(from, windows.DELETE|windows.SYNCHRONIZE, windows.OPEN_EXISTING, windows.FILE_FLAG_OPEN_REPARSE_POINT)
	if err != nil {
		return err
	}
	defer windows.CloseHandle(h)
	to, err = filepath.Abs(to)
	if err != nil {
		return err
	}
	name, err := windows.UTF16FromString(openfile.Long(to))
	if err != nil {
		return err
	}
	// FILE_RENAME_INFO, with room for any name
	info := struct {
		flags  uint32
		root   windows.Handle
		length uint32 // of the name, in bytes, without the zero at its end
		name   [windows.MAX_LONG_PATH]uint16
	}{flags: windows.FILE_RENAME_REPLACE_IF_EXISTS | windows.FILE_RENAME_POSIX_SEMANTICS, length: uint32(2 * (len(name) - 1))}
	if copy(info.name[:], name) < len(name) {
		return windows.ERROR_FILENAME_EXCED_RANGE
	}
	size := unsafe.Offsetof(info.name) + uintptr(2*len(name))
	return windows.SetFileInformationByHandle(h, windows.FileRenameInfoEx, (*byte)(unsafe.Pointer(&info)), uint32(size))
}

// moveAside replaces a file that is open and cannot be replaced at once: it gets another name before. Whoever has it open
// keeps it until they close it. If the program ends between the two renamings, Tidy gives the file its name back.
func moveAside(from, to string) error {
	aside := asideName(to)
	if err := os.Rename(to, aside); err != nil {
		return err
	}
	if err := os.Rename(from, to); err != nil {
		return errors.Join(err, os.Rename(aside, to))
	}
	remove(aside)
	return nil
}

// moveNew renames a file unless the new name is taken.
func moveNew(from, to string) error {
	old, err := windows.UTF16PtrFromString(openfile.Long(from))
	if err != nil {
		return err
	}
	name, err := windows.UTF16PtrFromString(openfile.Long(to))
	if err != nil {
		return err
	}
	return patiently(func() error { return windows.MoveFileEx(old, name, windows.MOVEFILE_WRITE_THROUGH) })
}

// remove removes a file.
func remove(name string) error { return patiently(func() error { return os.Remove(name) }) }

// patiently tries something again and again for a second: a virus scanner or an indexer soon lets go of a file.
func patiently(try func() error) error {
	for wait := time.Millisecond; ; wait *= 2 {
		err := try()
		if !isHeld(err) || wait > 512*time.Millisecond {
			return err
		}
		time.Sleep(wait)
	}
}

// isHeld reports whether an error may say that somebody has a file open.
func isHeld(err error) bool {
	return errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_ACCESS_DENIED) || errors.Is(err, windows.ERROR_LOCK_VIOLATION)
}

// asideName returns the path at which a file is out of the way.
func asideName(path string) string {
	folder, name := filepath.Split(path)
	return fmt.Sprintf("%s.%s%s%d-%d%s", folder, cut(name, maxAside), mark, os.Getpid(), rand.Uint32(), asideMark)
}
