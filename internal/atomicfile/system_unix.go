//go:build unix

package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// causes lists the errors that occur in saving.
var causes = []cause{
	{syscall.ENOSPC, "no space left on the device", true},
	{syscall.EDQUOT, "the disk quota is used up", true},
	{syscall.EFBIG, "the file is too large for the file system", true},
	{syscall.EROFS, "the file system is read-only", false},
	{syscall.ENAMETOOLONG, "the name is too long", false},
	{syscall.ENOTDIR, "a part of its path is not a folder", false},
	{syscall.ELOOP, "its symbolic links lead in a circle", false},
	{syscall.EBUSY, "it is in use", false},
	{syscall.ETXTBSY, "it is a program that is running", false},
	{syscall.EIO, "the device does not work (input/output error)", false},
	{fs.ErrPermission, "permission denied", false},
	{fs.ErrNotExist, "the folder or the file is gone", false},
	{fs.ErrExist, "the file exists by now", false},
}

// keepAttributes gives f the owner, group, mode and extended attributes of the file at path, as far as
// the system allows, and reports whether f has the owner. Nobody who could not read the old file can read
// the new one.
func keepAttributes(path string, old fs.FileInfo, f *os.File) (owner bool, err error) {
	info, err := f.Stat()
	if err != nil {
		return false, err
	}
	owner, group := keepOwners(old, info, f)
	mode := old.Mode() & (fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky)
	if !owner {
		mode &^= fs.ModeSetuid
	}
	if !keepExtended(path, f, group) {
		// The group differs, or its rights were in the access list: it gets the rights of everybody.
		all := mode & (mode >> 3) & 0o007
		mode = mode&^(0o070|fs.ModeSetgid) | all<<3
	}
	if info, err = f.Stat(); err != nil || info.Mode() == mode {
		return owner, err // on a file system without modes all files have the same
	}
	return owner, f.Chmod(mode)
}

// ownerName names the owner of a file.
func ownerName(info fs.FileInfo) string {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return "another user"
	}
	id := strconv.FormatUint(uint64(s.Uid), 10)
	if u, err := user.LookupId(id); err == nil {
		return u.Username
	}
	return "user " + id
}

// isFixed reports whether an error of renaming says that the file cannot be replaced: it is a mount
// point, or only its owner may replace it in its folder.
func isFixed(err error) bool {
	return errors.Is(err, syscall.EBUSY) || errors.Is(err, syscall.EXDEV) || errors.Is(err, fs.ErrPermission)
}

// keepOwners gives f the owner and group of the old file, and reports which of them it has.
func keepOwners(old, new fs.FileInfo, f *os.File) (owner, group bool) {
	was, ok := old.Sys().(*syscall.Stat_t)
	is, ok2 := new.Sys().(*syscall.Stat_t)
	if !ok || !ok2 {
		return false, false
	}
	if was.Uid == is.Uid && was.Gid == is.Gid || f.Chown(int(was.Uid), int(was.Gid)) == nil {
		return true, true
	}
	// A user who may not change the owner may still be able to change the group.
	return was.Uid == is.Uid, f.Chown(-1, int(was.Gid)) == nil
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

// hasOtherNames reports whether a file has more than one name.
func hasOtherNames(info fs.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && s.Nlink > 1
}

// checkFree has nothing to do: nobody can keep a file from being replaced.
func checkFree(string) error { return nil }

// rename gives a file another name, replacing a file that has it.
func rename(from, to string) error { return os.Rename(from, to) }

// moveNew renames a file unless the new name is taken. Without hard links, the name could be taken
// between the check and the renaming.
func moveNew(from, to string) error {
	err := os.Link(from, to)
	if err == nil {
		remove(from) // a later replacement removes what is left
		return nil
	}
	if errors.Is(err, fs.ErrExist) {
		return err
	}
	if _, err := os.Lstat(to); err == nil {
		return &fs.PathError{Op: "rename", Path: to, Err: fs.ErrExist}
	}
	return os.Rename(from, to)
}

// remove removes a file.
func remove(name string) error { return os.Remove(name) }

// isRunning reports whether there is a process with this id on this machine.
func isRunning(process int) bool {
	err := syscall.Kill(process, 0)
	return err == nil || errors.Is(err, fs.ErrPermission)
}

// syncFolder writes the names in the folder of path to disk. Some file systems cannot do that, and some
// folders cannot be opened.
func syncFolder(path string) error {
	folder, _ := filepath.Split(path)
	dir, err := os.Open(folderName(folder))
	if err != nil {
		return nil
	}
	defer dir.Close()
	err = dir.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) || errors.Is(err, fs.ErrPermission) {
		return nil
	}
	return err
}
