package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"varview/decoder/engine/openfile"
	"varview/internal/filelock"
)

// maxStem is the largest length in bytes of the part of a file's name that is used in names of temporary
// files, so that these do not become too long.
const maxStem = 100

// mark is part of the names of all temporary files: .NAME.varview-PROCESS-NUMBER.
const mark = ".varview-"

// temporaryName returns a name for a temporary file in the folder of path. It contains the id of this
// process, which tells others that the file is in use.
func temporaryName(path string) string {
	folder, name := filepath.Split(path)
	return fmt.Sprintf("%s.%s%s%d-%d", folder, cut(name, maxStem), mark, os.Getpid(), rand.Uint32())
}

// asideMark ends the name of a file that is out of the way while another takes its place.
const asideMark = "-old"

// maxAside is like maxStem, for names of files that are out of the way: these have to be found again by the name of the file.
const maxAside = 200

// isAside reports whether there is a file that is out of the way while another takes its place at path.
func isAside(path string) bool {
	folder, name := filepath.Split(path)
	entries, _ := os.ReadDir(folderName(folder))
	return slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		return strings.HasPrefix(e.Name(), "."+cut(name, maxAside)+mark) && strings.HasSuffix(e.Name(), asideMark)
	})
}

// cut returns the beginning of a name, at most most bytes long.
func cut(name string, most int) string {
	if len(name) <= most {
		return name
	}
	for most > 0 && !utf8.RuneStart(name[most]) {
		most--
	}
	return name[:most]
}

// tryNames calls try with unused names in the folder of path until it finds one that is free.
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

// createBeside creates an empty file in the folder of path. The file is locked until it is closed, so
// that it also counts as in use for programs that do not see this process, in a container or on another
// machine.
func createBeside(path string, mode fs.FileMode) (f *os.File, err error) {
	err = tryNames(path, func(name string) error {
		f, err = openfile.Open(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		return err
	})
	if err == nil {
		filelock.Try(f) // some file systems have no locks
	}
	return f, err
}

// folderName returns the folder part of a path.
func folderName(folder string) string {
	if folder == "" {
		return "."
	}
	return folder
}
