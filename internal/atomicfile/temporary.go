package atomicfile

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	// maxStem is the number of bytes of a file's name that the names of its
	// temporary files have at most, so that these do not become too long.
	maxStem = 100
	// maxListed is the number of names in a folder that are searched for stale
	// files.
	maxListed = 100_000
	// staleAge is the age from which a temporary file is taken for abandoned.
	staleAge = 24 * time.Hour
)

// temporaryName returns the folder of the temporary files of path, and the part of
// their names before the number.
func temporaryName(path string) (folder, prefix string) {
	folder, name := filepath.Split(path)
	if len(name) > maxStem {
		cut := maxStem
		for cut > 0 && !utf8.RuneStart(name[cut]) {
			cut--
		}
		name = name[:cut]
	}
	return folder, "." + name + ".varview-"
}

// tryNames calls try with unused names in the folder of path until one is not taken.
func tryNames(path string, try func(name string) error) error {
	folder, prefix := temporaryName(path)
	var err error
	for range 100 {
		err = try(folder + prefix + strconv.FormatUint(uint64(rand.Uint32()), 10))
		if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	return err
}

// createBeside makes an empty file in the folder of path.
func createBeside(path string, mode fs.FileMode) (f *os.File, err error) {
	err = tryNames(path, func(name string) error {
		f, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		return err
	})
	return f, err
}

// removeStale removes temporary files that earlier replacements of the file have
// left. Those that cannot be removed stay.
func (r *replacement) removeStale() error {
	removeStale(r.target)
	if r.Backup != "" {
		removeStale(r.Backup)
	}
	return nil
}

func removeStale(path string) {
	folder, prefix := temporaryName(path)
	dir, err := os.Open(folderName(folder))
	if err != nil {
		return
	}
	defer dir.Close()
	for range maxListed / 1000 {
		names, err := dir.Readdirnames(1000)
		for _, name := range names {
			if number, ok := strings.CutPrefix(name, prefix); ok && isNumber(number) {
				removeIfStale(folder + name)
			}
		}
		if err != nil {
			return
		}
	}
}

func isNumber(s string) bool {
	_, err := strconv.ParseUint(s, 10, 32)
	return err == nil
}

func removeIfStale(name string) {
	info, err := os.Lstat(name)
	if err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > staleAge {
		os.Remove(name)
	}
}

// folderName is the name of a folder that is the beginning of a path.
func folderName(folder string) string {
	if folder == "" {
		return "."
	}
	return folder
}
