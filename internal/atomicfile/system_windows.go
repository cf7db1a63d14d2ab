package atomicfile

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
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

// keepAttributes has nothing to do: permissions come from the folder, and a
// read-only file is never replaced.
func keepAttributes(string, fs.FileInfo, *os.File) (owner bool, err error) { return true, nil }

func ownerName(fs.FileInfo) string { return "another user" }

// isFixed reports whether an error of renaming says that the file cannot be replaced.
func isFixed(err error) bool {
	return errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, fs.ErrPermission)
}

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

// syncFolder has nothing to do: Windows writes names with the file system's
// journal, and opens no folder for writing.
func syncFolder(string) error { return nil }
