package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/windows"

	"varview/decoder/engine/openfile"
)

// causes are the errors that occur in saving.
var causes = []cause{
	{windows.ERROR_DISK_FULL, "no space left on the device", true},
	{windows.ERROR_HANDLE_DISK_FULL, "no space left on the device", true},
	{windows.ERROR_DISK_QUOTA_EXCEEDED, "the disk quota is used up", true},
	{windows.ERROR_FILE_TOO_LARGE, "the file is too large for the file system", true},
	{windows.ERROR_WRITE_PROTECT, "the file system is read-only", false},
	{windows.ERROR_FILENAME_EXCED_RANGE, "the name is too long", false},
	{windows.ERROR_INVALID_NAME, "the name is not allowed", false},
	{windows.ERROR_SHARING_VIOLATION, "another program has it open", false},
	{windows.ERROR_LOCK_VIOLATION, "another program has locked it", false},
	{windows.ERROR_USER_MAPPED_FILE, "another program has it open", false},
	{fs.ErrPermission, "permission denied", false},
	{fs.ErrNotExist, "the folder or the file is gone", false},
	{fs.ErrExist, "the file exists by now", false},
}

// kept are the attributes that a new file gets from the old one.
const kept = windows.FILE_ATTRIBUTE_HIDDEN | windows.FILE_ATTRIBUTE_SYSTEM | windows.FILE_ATTRIBUTE_NOT_CONTENT_INDEXED

// keepAttributes gives f the time of creation, the attributes and the access list of the file at path. It does not know
// owners: everybody keeps the access that the list gives.
func keepAttributes(path string, old fs.FileInfo, f *os.File) (owner bool, err error) {
	if data, ok := old.Sys().(*syscall.Win32FileAttributeData); ok {
		created := windows.Filetime(data.CreationTime)
		windows.SetFileTime(windows.Handle(f.Fd()), &created, nil, nil) // some file systems have no such time
		if has := data.FileAttributes & kept; has != 0 {
			if err := setAttributes(f.Name(), has|windows.FILE_ATTRIBUTE_ARCHIVE); err != nil {
				return false, err
			}
		}
	}
	return true, keepAccess(path, f.Name())
}

func setAttributes(path string, attributes uint32) error {
	name, err := windows.UTF16PtrFromString(openfile.Long(path))
	if err != nil {
		return err
	}
	return windows.SetFileAttributes(name, attributes)
}

// keepAccess gives one file the access list of another. What a list has from the folder comes anew.
func keepAccess(from, to string) error {
	const list = windows.DACL_SECURITY_INFORMATION
	access, err := windows.GetNamedSecurityInfo(openfile.Long(from), windows.SE_FILE_OBJECT, list)
	if err != nil {
		return nil // a file system without access lists
	}
	entries, _, err := access.DACL()
	control, _, err2 := access.Control()
	if err != nil || err2 != nil || entries == nil {
		return nil
	}
	inherits := windows.SECURITY_INFORMATION(windows.UNPROTECTED_DACL_SECURITY_INFORMATION)
	if control&windows.SE_DACL_PROTECTED != 0 {
		inherits = windows.PROTECTED_DACL_SECURITY_INFORMATION
	}
	return windows.SetNamedSecurityInfo(openfile.Long(to), windows.SE_FILE_OBJECT, list|inherits, nil, nil, entries, nil)
}

func ownerName(fs.FileInfo) string { return "another user" }

// isFixed reports whether an error of renaming says that the file cannot be replaced.
func isFixed(err error) bool {
	return errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, fs.ErrPermission)
}

// hasOtherNames is not known of a file that is not open.
func hasOtherNames(fs.FileInfo) bool { return false }

// isGone reports whether an open file has no name any more, which only matters where files can be exchanged.
func isGone(*os.File) bool { return false }

// isRunning reports whether there is a process with this id on this machine.
func isRunning(process int) bool {
	p, err := windows.OpenProcess(windows.SYNCHRONIZE, false, uint32(process))
	if err != nil {
		return errors.Is(err, fs.ErrPermission)
	}
	defer windows.CloseHandle(p)
	event, err := windows.WaitForSingleObject(p, 0)
	return err == nil && event == uint32(windows.WAIT_TIMEOUT)
}

// syncFolder writes the name of a file to the disk, which comes with what else belongs to the file: Windows opens no folder
// for that.
func syncFolder(path string) error {
	if f, err := openfile.Open(path, os.O_RDWR, 0); err == nil {
		defer f.Close()
		f.Sync() // the content is on the disk already, and the file system's journal has the name
	}
	return nil
}
