package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"unicode/utf8"

	"varview/internal/filelock"
)

// maxStem is the number of bytes of a file's name that the names of its temporary files
// have at most, so that these do not become too long.
const maxStem = 100

// mark is in the names of all temporary files: .NAME.varview-PROCESS-NUMBER.
const mark = ".varview-"

// temporaryName returns a name for a temporary file in the folder of path. It has the id of
// this process, by which others see that it is in use.
func temporaryName(path string) string {
	folder, name := filepath.Split(path)
	return fmt.Sprintf("%s.%s%s%d-%d", folder, cut(name, maxStem), mark, os.Getpid(), rand.Uint32())
}

// cut returns the beginning of a name that has at most that many bytes.
func cut(name string, most int) string {
	if len(name) <= most {
		return name
	}
	for most > 0 && !utf8.RuneStart(name[most]) {
		most--
	}
	return name[:most]
}

// tryNames calls try with unused names in the folder of path until one is not taken.
func tryNames(path string, try func(name string) error) error {
	var err error
	for range 100 {
		err = try(temporaryName(path))
		if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	return err
}

// createBeside makes an empty file in the folder of path. Until it is closed it is locked, so
// that it also counts as in use for those who do not see this process, in a container
// or on another machine.
func createBeside(path string, mode fs.FileMode) (f *os.File, err error) {
	err = tryNames(path, func(name string) error {
		f, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		return err
	})
	if err == nil {
		filelock.Try(f) // some file systems have no locks
	}
	return f, err
}

// folderName is the name of a folder that is the beginning of a path.
func folderName(folder string) string {
	if folder == "" {
		return "."
	}
	return folder
}
