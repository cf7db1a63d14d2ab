// Package gml reads from a game's GML source what an Elephant file does not say about its structs: the
// members of each version of a constructor's ELEPHANT_SCHEMA.
//
// It reads declarations and runs nothing: a datatype has to be a constant, a number, a macro or a member of
// an enum.
package gml

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
)

// Limits of a Library. What exceeds them is left out and reported.
const (
	maxFileSize  = 16 << 20 // bytes
	maxTotalSize = 64 << 20 // bytes of all files
	maxKept      = 1 << 19  // constructors, members, and tokens of macros and enums
)

// A Library holds the declarations of a number of GML files. It does not change.
type Library struct {
	files        []*file
	size         int // size of their text in bytes
	macros       map[string]*macro
	enums        map[string]*enumMember
	constructors map[string]*Constructor
	kept         int
}

type file struct{ name, text string }

func newLibrary() *Library {
	return &Library{macros: map[string]*macro{}, enums: map[string]*enumMember{}, constructors: map[string]*Constructor{}}
}

// Parse returns the declarations in the text of one file. The file's name is used in messages. If it has
// errors, what can be read of it is there; the error joins all of them, up to a limit.
func Parse(name string, text []byte) (*Library, error) {
	l, p := newLibrary(), problems{}
	l.add(name, text, &p)
	l.read(&p)
	return l, p.join()
}

// add keeps a file, and its macros and enums, which apply to all files.
func (l *Library) add(name string, text []byte, p *problems) {
	if l.size+len(text) > maxTotalSize {
		p.add(fmt.Errorf("%s: left out, the GML files are larger than %d MiB together", name, maxTotalSize>>20))
		return
	}
	f := &file{name, strings.TrimPrefix(string(text), "\ufeff")}
	l.files = append(l.files, f)
	l.size += len(text)
	l.collect(f, p.in(f))
}

// read reads the constructors in the files.
func (l *Library) read(p *problems) {
	for _, f := range l.files {
		l.parse(f, p.in(f))
	}
}

// Len returns the number of constructors with different names.
func (l *Library) Len() int { return len(l.constructors) }

// Constructors lists the names of all constructors, sorted.
func (l *Library) Constructors() []string { return slices.Sorted(maps.Keys(l.constructors)) }

// Constructor returns a constructor by its name.
func (l *Library) Constructor(name string) (*Constructor, bool) {
	c, ok := l.constructors[name]
	return c, ok
}

// Find implements format.Schemas.
func (l *Library) Find(constructor string, version int) (at format.Declaration, known bool) {
	schema, err := l.Schema(constructor, version)
	if err == nil {
		return format.Declaration{File: schema.File, Line: schema.Line}, true
	}
	var why *SchemaError
	return at, !errors.As(err, &why) || why.Reason != NoConstructor
}

// IsUsable reports whether any version of any schema can be used.
func (l *Library) IsUsable() bool {
	for _, c := range l.constructors {
		for _, v := range c.versions {
			if v.fault == nil {
				return true
			}
		}
	}
	return false
}

// maxEntries is the largest number of files and folders, of any name, that are listed.
const maxEntries = 500_000

// Load reads files, and folders with all *.gml files below them. In folders, symbolic links are not
// followed and hidden folders are left out; the paths themselves may be either. The library can be used
// even if there is an error, which joins all errors.
func Load(paths []string) (*Library, error) {
	var p problems
	l := &loader{lib: newLibrary(), seen: map[string]bool{}, problems: &p}
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
	text, err := source.ReadRegular(path, maxFileSize)
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

// maxUp is the number of folders above the save's in which the project is searched for.
const maxUp = 8

// maxListed is the number of entries that are read from a folder.
const maxListed = 100_000

// Find returns the paths that Load needs for the save at the given path: the *.gml files in
// its folder, and the folder of the GameMaker project (*.yyp) that contains it, at most
// maxUp folders up. The home folder, the root and the folders above them never count as a
// project.
func Find(save string) []string {
	full, err := filepath.Abs(save)
	if err != nil {
		return nil
	}
	folder := filepath.Dir(full)
	paths, isProject := list(folder)
	home, _ := os.UserHomeDir()
	for up := 0; ; up++ {
		parent := filepath.Dir(folder)
		if folder == parent || home != "" && folder == filepath.Clean(home) {
			return paths
		}
		if isProject {
			return append(paths, folder)
		}
		if up == maxUp {
			return paths
		}
		folder = parent
		_, isProject = list(folder)
	}
}

// list names the GML files in a folder, and reports whether it is a project's folder.
func list(folder string) (files []string, isProject bool) {
	f, err := os.Open(folder)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	for n := 0; n < maxListed; {
		entries, err := f.ReadDir(1000)
		n += len(entries)
		for _, entry := range entries {
			if isGML(entry) {
				files = append(files, filepath.Join(folder, entry.Name()))
			}
			isProject = isProject || entry.Type().IsRegular() && strings.EqualFold(filepath.Ext(entry.Name()), ".yyp")
		}
		if err != nil && !errors.Is(err, io.EOF) || len(entries) == 0 {
			break
		}
	}
	slices.Sort(files)
	return files, isProject
}
