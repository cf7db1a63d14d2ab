package gml

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"varview/decoder/source"
)

// maxEntries is the number of files and folders, with any name, that are listed.
const maxEntries = 500_000

// Load reads files, and folders with all *.gml files below them. In folders, symbolic links
// are not followed and hidden folders are left out; the paths themselves may be either. The
// library can be used even if there is an error, which joins all errors.
func Load(paths []string) (*Library, error) {
	var p problems
	l := &loader{lib: &Library{}, seen: map[string]bool{}, problems: &p}
	for _, path := range paths {
		l.path(path)
	}
	l.lib.read(&p)
	return l.lib, p.join()
}

type loader struct {
	lib     *Library
	seen    map[string]bool // absolute paths
	entries int
	*problems
}

func (l *loader) path(path string) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		l.add(named(path, err))
	case info.IsDir():
		l.folder(path)
	default:
		l.file(path)
	}
}

func (l *loader) folder(path string) {
	err := fs.WalkDir(os.DirFS(path), ".", func(name string, entry fs.DirEntry, err error) error {
		full := filepath.Join(path, filepath.FromSlash(name))
		if l.entries++; l.entries > maxEntries {
			return fmt.Errorf("%s: the rest is left out, there are more than %d files in the folders", path, maxEntries)
		}
		switch {
		case err != nil:
			l.add(named(full, err))
			return nil
		case entry.IsDir():
			if name != "." && strings.HasPrefix(entry.Name(), ".") {
				return fs.SkipDir
			}
		case isGML(entry):
			if len(l.lib.files) == MaxFiles {
				return fmt.Errorf("%s: the rest is left out, there are more than %d GML files", path, MaxFiles)
			}
			l.file(full)
		}
		return nil
	})
	if err != nil {
		l.add(err)
	}
}

func isGML(entry fs.DirEntry) bool {
	return entry.Type().IsRegular() && strings.EqualFold(filepath.Ext(entry.Name()), ".gml")
}

// file reads a file that has not been read before.
func (l *loader) file(path string) {
	if full, err := filepath.Abs(path); err == nil {
		if l.seen[full] {
			return
		}
		l.seen[full] = true
	}
	text, err := source.ReadRegular(path, MaxFileSize)
	if err != nil {
		l.add(named(path, err))
		return
	}
	l.lib.add(path, text, l.problems)
}

// named puts the path in front of an error, in place of the operation.
func named(path string, err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	return fmt.Errorf("%s: %w", path, err)
}
